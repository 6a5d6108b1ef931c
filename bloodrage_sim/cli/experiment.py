"""`bloodrage experiment`: test claims in games that are the same in everything else."""

from __future__ import annotations

import sys
from dataclasses import replace
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


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--players", metavar="N[,N...]", help="Only these numbers of players.")
@click.option(
    "--looks", metavar="K[,K]", help="Blocks of each pool at the one look or the two looks, in place of the files' own."
)  # fmt: skip
@rule_options
@engine_options
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the results.")
def command(
    files: tuple[Path, ...], players: str | None, looks: str | None, rule: tuple[str, ...], rules: Path | None,
    cards: Path | None, board: Path | None, threads: int | None, engine: str, scheduler: str | None, out: Path,
) -> None:  # fmt: skip
    """Test the claims of experiment files and print a verdict on each.

    All arms of an experiment play the same deals, seats and opponents.  A block is one deal in which the focal strategy visits every
    seat.  Verdicts of one run are corrected for their number; what is undecided at the first look is played on to the second.

    Ctrl-C stops; the same command plays what is missing.  DIR gets verdicts and pools (CSV and parquet), verdicts.json and the games of
    each experiment.  Exit status: 0 done, 2 misused or failed, 130 stopped by Ctrl-C.
    """
    from ..batch import available_threads
    from ..experiments.files import read_experiment, read_looks
    from ..experiments.report import lines_of, write_findings
    from ..experiments.running import run_experiments
    from ..progress import Progress
    from ..provenance import command_line
    from ..whole_numbers import whole_numbers

    experiments = [read_experiment(path) for path in files]
    if looks is not None:
        counts = read_looks(whole_numbers(looks), "--looks")
        experiments = [replace(experiment, looks=counts) for experiment in experiments]
    if players is not None:
        experiments = [experiment.only_players(players, "--players") for experiment in experiments]
    ruleset = ruleset_from(rule, rules, cards, board)
    workers = available_threads() if threads is None else threads
    progress = Progress()
    try:
        with engine_from(engine, scheduler, workers) as crew:
            outcome = run_experiments(experiments, ruleset, workers, out, command_line(sys.argv[1:]), progress, crew)
    finally:
        progress.close()
    tell_damaged(outcome.damaged)
    if outcome.interrupted:
        tell_stopped(outcome.done, outcome.asked, out)
        sys.exit(INTERRUPTED)
    tell_played(outcome.played, outcome.seconds)
    write_findings(outcome.findings, out)
    click.echo("\n".join(lines_of(outcome.findings)))
    click.echo(f"\nverdicts, pools and games in {out}")
