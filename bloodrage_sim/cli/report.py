"""`bloodrage report`: a page with figures and tables on a data set."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import BadValue
from .simulate import parse_players

_FOLDER = click.Path(path_type=Path)


@click.command()
@click.argument("path", metavar="DIR", type=_FOLDER)
@click.option("--out", type=_FOLDER, metavar="DIR", help="Folder for the report.  [default: DIR-report beside the data set]")
@click.option("--players", metavar="N[,N...]", help="Only games with these numbers of players.")
@click.option("--age", "ages", metavar="A[,A...]", help="Only cards, battles and provinces of these ages.")
@click.option("--strategy", "strategies", multiple=True, metavar="S", help="Only players with this strategy; repeatable.")
@click.option("--where", default="", metavar="SQL", help='Only players for whom this holds, e.g. "turn_order = 0 and glory > 100".')
@click.option("--partial", is_flag=True, help="Leave out parts that are missing or damaged.")
@click.option("--lang", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Names of cards.")
@click.option("--card-values", type=_FOLDER, metavar="DIR", help="What `bloodrage card-value` measured: told beside what was observed.")
def command(
    path: Path, out: Path | None, players: str | None, ages: str | None, strategies: tuple[str, ...], where: str,
    partial: bool, lang: str, card_values: Path | None,
) -> None:  # fmt: skip
    """Write a report on the data set in DIR, which `bloodrage simulate` made.

    One page that opens without a network, report.html, with its figures as PNG and SVG and its tables as CSV.  A report
    replaces an older one in its folder, and never writes into a folder with other files.

    Filters choose players; what is told of cards, glory or stats is then of these players.  `bloodrage schema players`
    lists the columns for --where.  Exit status: 0 done, 2 misused or failed, 130
    stopped by Ctrl-C.
    """
    from ..progress import Progress
    from ..provenance import command_line
    from ..reports.building import MOST_CLUSTERS, build_report
    from ..reports.folder import PAGE, ReportFolder
    from ..reports.sections import new_sections
    from ..reports.source import Filters, Source

    filters = Filters(
        players=() if players is None else tuple(sorted(set(parse_players(players)))),
        ages=() if ages is None else parse_ages(ages),
        strategies=tuple(dict.fromkeys(strategies)),
        where=where,
    )
    source = Source(path, filters, partial, lang, card_values, MOST_CLUSTERS)
    folder = ReportFolder(out if out is not None else default_folder(path))
    progress = Progress()
    try:
        lines = build_report(source, new_sections(source), folder, command_line(sys.argv[1:]), progress)
    finally:
        progress.close()
    for file in source.damaged:
        click.echo(f"warning: {file} is missing or damaged; its games are left out", err=True)
    for line in lines:
        click.echo(line)
    click.echo(f"report in {folder.path / PAGE}")


def default_folder(path: Path) -> Path:
    """Where the report on a data set goes: beside it, under its name with -report."""
    place = path.resolve()
    return path.parent / f"{path.name}-report" if path.name not in ("", "..") else place.parent / f"{place.name}-report"


def parse_ages(text: str) -> tuple[int, ...]:
    """'3,1' as (1, 3).  Raises BadValue."""
    try:
        return tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        raise BadValue(f"--age is {text!r}; allowed: numbers 1 to 3, separated by commas") from None
