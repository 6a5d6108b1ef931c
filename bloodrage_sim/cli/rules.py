"""`bloodrage rules`: list the rule options."""

from __future__ import annotations

import click


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--toml", "as_toml", is_flag=True, help="A file for --rules with the defaults, to start from.")
def command(names: tuple[str, ...], as_toml: bool) -> None:
    """List the rule options with their values, the default first, the rule they belong to and what they mean.

    Set them with --rule NAME=VALUE, or in a file with --rules FILE.toml.
    """
    from ..listings import choose_rules, rule_lines, rule_toml

    rows = choose_rules(names)
    for line in rule_toml(rows) if as_toml else rule_lines(rows):
        click.echo(line)
