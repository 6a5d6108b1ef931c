"""`bloodrage tips`: the catalogue of claims, their tests and verdicts."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .shared import (
    INTERRUPTED,
    engine_from,
    engine_options,
    rule_options,
    ruleset_from,
    tell_damaged,
    tell_played,
    tell_stopped,
)

_IDS = click.argument("tip_ids", nargs=-1, metavar="[ID...]")
_PRIORITY = click.option("--priority", type=click.IntRange(1, 3), metavar="P", help="Only tips of this priority, 1 to 3.")
_DESIGN = click.option(
    "--design", type=click.Choice(["scenario", "enumeration", "experiment", "not_testable"]), help="Only tips that are tested so."
)  # fmt: skip
_LANG = click.option("--lang", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Names of cards.")
_FROM = click.option("--from", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Verdicts of a folder of `tips run`.")


@click.group()
def command() -> None:
    """Claims that players make about the game: what they say, how they are tested, what came out."""


@command.command("list")
@_IDS
@_PRIORITY
@_DESIGN
@_LANG
@_FROM
def list_(tip_ids: tuple[str, ...], priority: int | None, design: str | None, lang: str, folder: Path | None) -> None:
    """List the tips with their verdicts, and count them by kind, design and section."""
    from ..tips.catalogue import choose_tips
    from ..tips.lines import list_lines

    click.echo("\n".join(list_lines(choose_tips(tip_ids, priority, design), _results(folder), lang)))


@command.command("show")
@click.argument("tip_ids", nargs=-1, required=True, metavar="ID...")
@_LANG
@_FROM
def show(tip_ids: tuple[str, ...], lang: str, folder: Path | None) -> None:
    """Show tips: claim, source, test and verdict."""
    from ..tips.catalogue import find_tip
    from ..tips.lines import page_lines

    chosen = [find_tip(tip_id) for tip_id in tip_ids]
    results = _results(folder)
    click.echo("\n\n".join("\n".join(page_lines(tip, results, lang)) for tip in chosen))


@command.command("run")
@_IDS
@_PRIORITY
@_DESIGN
@click.option("--players", metavar="N[,N...]", help="Only these numbers of players.  [default: those of each tip]")
@click.option("--looks", metavar="K[,K]", help="Blocks of each pool at the one look or the two looks.  [default: 1000,4000]")
@click.option("--strengths/--no-strengths", default=True, show_default=True, help="Experiments at other strengths of play too.")
@rule_options
@engine_options
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the results.")
def run(
    tip_ids: tuple[str, ...], priority: int | None, design: str | None, players: str | None, looks: str | None, strengths: bool,
    rule: tuple[str, ...], rules: Path | None, cards: Path | None, board: Path | None, threads: int | None, engine: str,
    scheduler: str | None, out: Path,
) -> None:  # fmt: skip
    """Test tips: play scenarios, count out what can be counted, and run experiments.

    Ctrl-C stops; the same command plays what is missing.  `bloodrage tips report DIR` makes a page of DIR.  Exit status: 0 done, 2 misused
    or failed, 130 stopped by Ctrl-C.
    """
    from ..batch import available_threads
    from ..experiments.files import read_looks
    from ..progress import Progress
    from ..provenance import command_line
    from ..tips.catalogue import choose_tips
    from ..tips.lines import outcome_lines
    from ..tips.outcome import Results
    from ..tips.running import Plan, run_tips
    from ..whole_numbers import whole_numbers

    counts = None if looks is None else read_looks(whole_numbers(looks), "--looks")
    plan = Plan(choose_tips(tip_ids, priority, design), ruleset_from(rule, rules, cards, board), players, counts, strengths)
    workers = available_threads() if threads is None else threads
    progress = Progress()
    try:
        with engine_from(engine, scheduler, workers) as crew:
            tested = run_tips(plan, out, workers, command_line(sys.argv[1:]), progress, crew)
    except KeyboardInterrupt:
        progress.close()
        click.echo(f"stopped before the games; the same command goes on in {out}")
        sys.exit(INTERRUPTED)
    finally:
        progress.close()
    for outcome in tested.outcomes:
        tell_damaged(outcome.damaged)
        if outcome.interrupted:
            tell_stopped(outcome.done, outcome.asked, out)
            sys.exit(INTERRUPTED)
        tell_played(outcome.played, outcome.seconds)
    results = Results(out)
    for tip in plan.tips:
        click.echo("\n".join([f"{tip.id}: {tip.claim}", *outcome_lines(results.of(tip)), ""]))
    click.echo(f"results in {out}; `bloodrage tips report {out}` makes a page of them")


@command.command("report")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@_LANG
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Folder for the page.  [default: DIR/report]")
def report(folder: Path, lang: str, out: Path | None) -> None:
    """Make a page of the verdicts in DIR, which `tips run` wrote: report/index.html and report/tips.csv."""
    from ..tips.report import write_report

    click.echo(f"report in {write_report(folder, lang, out or folder / 'report')}")


def _results(folder: Path | None) -> object:
    from ..tips.outcome import SHIPPED, Results
    from ..tips.running import read_run

    if folder is not None:
        read_run(folder)
    return Results(folder or SHIPPED)
