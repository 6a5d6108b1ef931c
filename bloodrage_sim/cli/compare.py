"""`bloodrage compare`: what changed from one run to another."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .simulate import parse_players

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("first", metavar="DIR_A", type=_FOLDER)
@click.argument("second", metavar="DIR_B", type=_FOLDER)
@click.option("--out", type=_FOLDER, metavar="DIR", help="Folder for the page.  [default: DIR_B-against-DIR_A beside DIR_B]")
@click.option("--players", metavar="N[,N...]", help="Only games with these numbers of players.")
@click.option("--partial", is_flag=True, help="Leave out parts that are missing or damaged.")
@click.option("--lang", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Names of cards.")
def command(first: Path, second: Path, out: Path | None, players: str | None, partial: bool, lang: str) -> None:
    """Compare the runs in DIR_A and DIR_B, which `bloodrage simulate` made: other rules, card numbers or strategies.

    Writes one page, report.html, with its figures as PNG and SVG and its tables as CSV, and prints the changes of win shares.
    Differences are DIR_B less DIR_A.  Runs with the same seed and seats played the same deals; they are compared deal by
    deal, which makes small changes sure with fewer games.  Exit status: 0 done, 2 misused or failed, 130
    stopped by Ctrl-C.
    """
    from ..provenance import command_line
    from ..reports.compare import compare
    from ..reports.compare_page import change_lines, default_folder, write_page
    from ..reports.folder import PAGE, ReportFolder

    folder = ReportFolder(out if out is not None else default_folder(first, second))
    told = () if players is None else tuple(dict.fromkeys(parse_players(players)))
    comparison = compare(first, second, told, partial, lang)
    for file in comparison.damaged:
        click.echo(f"warning: {file} is missing or damaged; its games are left out", err=True)
    write_page(comparison, folder, command_line(sys.argv[1:]))
    click.echo("\n".join(change_lines(comparison)))
    click.echo(f"page in {folder.path / PAGE}")
