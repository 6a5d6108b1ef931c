"""`bloodrage merge`: join data sets of one run."""

from __future__ import annotations

from pathlib import Path

import click

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=_FOLDER, metavar="DIR...")
@click.option("--out", type=_FOLDER, required=True, metavar="DIR", help="New folder for the whole.")
def command(folders: tuple[Path, ...], out: Path) -> None:
    """Join data sets that hold different games of one run, as `simulate --share K/N` writes them on N machines.

    Games that two of them have are refused, and so are other runs.  The sources stay as they are.
    """
    from ..datasets.merging import merge

    data_set = merge(folders, out)
    click.echo(f"{data_set.games_done:,} of {data_set.games_asked:,} games are in {out}")
    for name, content in data_set.content_hash().items():
        click.echo(f"content hash of {name}: {content}")
