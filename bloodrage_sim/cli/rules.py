"""`bloodrage rules`: list the rule options, and what the numbers of rules are about."""

from __future__ import annotations

import click


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--toml", "as_toml", is_flag=True, help="A file for --rules with the defaults, to start from.")
@click.option("--numbers", is_flag=True, help="What the numbers of rules are about; NAME is a number then, such as 6.10.")
def command(names: tuple[str, ...], as_toml: bool, numbers: bool) -> None:
    """List the rule options with their values, the default first, the rule they belong to and what they mean.

    Set them with --rule NAME=VALUE, or in a file with --rules FILE.toml.  Games that `bloodrage play` tells, and the
    source code, cite rules by number; --numbers says what each is about.
    """
    from ..listings import choose_rules, number_lines, rule_lines, rule_toml

    if as_toml and numbers:
        raise click.UsageError("--toml and --numbers do not go together; give one of them")
    if numbers:
        lines = number_lines(names)
    else:
        rows = choose_rules(names)
        lines = rule_toml(rows) if as_toml else rule_lines(rows)
    for line in lines:
        click.echo(line)
