"""`bloodrage schema`: the tables of a data set."""

from __future__ import annotations

import click

from ..errors import unknown


@click.command()
@click.argument("tables", nargs=-1, metavar="[TABLE...]")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(tables: tuple[str, ...], as_json: bool) -> None:
    """Explain the tables and columns of a data set: all, or those named."""
    import json

    from ..tables_out import describe_tables

    described = describe_tables()
    for name in tables:
        if name not in described:
            raise unknown("table", name, described)
    shown = {name: described[name] for name in tables or described}
    if as_json:
        click.echo(json.dumps(shown, indent=1))
        return
    for name, table in shown.items():
        click.echo(f"{name}: {table['meaning']}")
        width = max(len(column["name"]) for column in table["columns"])
        for column in table["columns"]:
            click.echo(f"  {column['name']:{width}}  {column['type']:7}  {column['meaning']}")
        click.echo()
