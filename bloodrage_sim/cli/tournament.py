"""`bloodrage tournament`: measure strategies against each other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import BadValue
from .shared import (
    INTERRUPTED,
    STRATEGY,
    engine_from,
    engine_options,
    rule_arguments,
    rule_options,
    ruleset_from,
    tell_damaged,
    tell_played,
    tell_stopped,
)

if TYPE_CHECKING:
    from ..tournament.playing import Outcome, TournamentConfig

BLOCKS = 100


@click.command()
@click.option("--players", type=int, default=4, show_default=True, metavar="N", help="Seats of a table, 2 to 5.")
@click.option(
    "--strategy", "strategies", multiple=True, metavar=STRATEGY,
    help="A strategy of the field; repeat it.  Tables add theirs.  `bloodrage strategies --help` says how it is written.",
)  # fmt: skip
@click.option(
    "--compositions", default="all", show_default=True, metavar="all|invasion",
    help="all: every mix of the strategies over N seats.  invasion: one of each strategy among others that are all "
    "of one strategy, for every pair.",
)  # fmt: skip
@click.option(
    "--table", "tables", multiple=True, metavar="A,B,...",
    help="Play this mix of N strategies instead; repeatable.  A*3 stands for A,A,A.",
)  # fmt: skip
@click.option("--field", type=click.Path(path_type=Path), metavar="FILE", help="Tables of a file, one a line.")
@click.option(
    "--blocks", type=int, metavar="K", help=f"Blocks of each mix, of N games each.  [default: {BLOCKS}]"
)  # fmt: skip
@click.option("--games", type=int, metavar="G", help="Instead of --blocks: as many as fit into G games in all.")
@click.option("--seed", type=int, metavar="S", help="0 to 2**63 - 1; drawn and told if not given.")
@rule_options
@engine_options
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the results.")
def command(
    players: int, strategies: tuple[str, ...], compositions: str, tables: tuple[str, ...], field: Path | None,
    blocks: int | None, games: int | None, seed: int | None, rule: tuple[str, ...], rules: Path | None,
    cards: Path | None, board: Path | None, threads: int | None, engine: str, scheduler: str | None, out: Path,
) -> None:  # fmt: skip
    """Measure strategies against each other.

    A block is one deal, played by a mix of strategies in all N rotations of one circular order, drawn by chance (cards
    pass to the left, so neighbours matter).  All mixes play the same deals.

    Ctrl-C stops; the same command plays what is missing.  DIR gets tables (CSV and parquet), plots (PNG), summary.txt
    and the games.  Exit status: 0 done, 2 misused or failed, 130 stopped by Ctrl-C.
    """
    from dataclasses import replace

    from ..batch import available_threads, draw_seed
    from ..progress import Progress
    from ..provenance import command_line
    from ..tournament.design import read_field, split_table
    from ..tournament.playing import TournamentConfig, play_field, stored_seed

    chosen = [*(read_field(field) if field is not None else []), *(split_table(text) for text in tables)]
    if chosen and compositions != "all":
        raise BadValue(f"--compositions {compositions} and tables exclude each other; give one of them")
    if blocks is not None and games is not None:
        raise BadValue("--blocks and --games exclude each other; give one of them")
    drawn = seed if seed is not None else stored_seed(out)
    config = TournamentConfig(
        players=players,
        strategies=strategies,
        blocks=BLOCKS if blocks is None and games is None else blocks,
        games=games,
        seed=draw_seed() if drawn is None else drawn,
        compositions=compositions,
        tables=tuple(chosen),
        ruleset=ruleset_from(rule, rules, cards, board),
        threads=available_threads() if threads is None else threads,
        rule_arguments=rule_arguments(rule, rules, cards, board),
    )
    progress = Progress()
    if seed is None:
        progress.say(f"seed {config.seed}")
    try:
        with engine_from(engine, scheduler, config.threads) as crew:
            outcome = play_field(replace(config, engine=crew), out, command_line(sys.argv[1:]), progress)
    finally:
        progress.close()
    _tell(config, outcome, out)


def _tell(config: TournamentConfig, outcome: Outcome, out: Path) -> None:
    """Print how the tournament ended and what came out."""
    from ..tournament.frames import analyse
    from ..tournament.report import write_results
    from ..tournament.words import lines_of

    keeper = outcome.keeper
    tell_damaged(keeper.damaged)
    if outcome.interrupted:
        asked = len(outcome.design.compositions) * keeper.blocks * config.players
        tell_stopped(keeper.games_done, asked, out)
        sys.exit(INTERRUPTED)
    tell_played(outcome.played, outcome.seconds)
    results = analyse(outcome.design, keeper.rows(), outcome.run)
    write_results(results, out)
    click.echo("\n".join(lines_of(results)))
    click.echo(f"\nseed {config.seed}; tables, plots, summary.txt and games in {out}")
