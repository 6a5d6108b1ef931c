"""`bloodrage schema`: the tables of a data set."""

from __future__ import annotations

import click

from ..errors import BadValue, unknown


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--queries", is_flag=True, help="Show example queries for DuckDB and pandas instead.")
def command(names: tuple[str, ...], as_json: bool, queries: bool) -> None:
    """Explain the tables and columns of a data set: all, or those named; or show example queries."""
    import json

    from ..datasets.queries import query_lines
    from ..rows.tables_out import describe_tables

    if queries:
        if as_json:
            raise BadValue("--queries and --json exclude each other; give one of them")
        click.echo("\n".join(query_lines(names)))
        return

    described = describe_tables()
    for name in names:
        if name not in described:
            raise unknown("table", name, described)
    shown = {name: described[name] for name in names or described}
    if as_json:
        click.echo(json.dumps(shown, indent=1))
        return
    for name, table in shown.items():
        click.echo(f"{name}: {table['meaning']}")
        width = max(len(column["name"]) for column in table["columns"])
        for column in table["columns"]:
            click.echo(f"  {column['name']:{width}}  {column['type']:7}  {column['meaning']}")
        click.echo()
