"""`bloodrage card-value`: what owning, playing, denying and picking a card is worth."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import INTERRUPTED, STRATEGY, engine_from, engine_options, rule_options, ruleset_from, tell_damaged

if TYPE_CHECKING:
    from ..card_values.config import ValueConfig
    from ..progress import Progress

BLOCKS = 400


@click.command()
@click.argument("names", nargs=-1, metavar="[CARD...]")
@click.option("--players", type=int, default=4, show_default=True, metavar="N", help="Seats of a table, 2 to 5.")
@click.option("--blocks", type=int, default=BLOCKS, show_default=True, metavar="K", help="Deals to play.")
@click.option(
    "--strategy", "strategies", multiple=True, metavar=STRATEGY,
    help="A strategy of the mix, up to five; repeat it.  [default: balanced, battle, loki, quests, ragnarok]",
)  # fmt: skip
@click.option(
    "--measures", metavar="M,...", help="Which values: hold, use, deny, pick; not with --with.  [default: all four]"
)
@click.option("--with", "partner", metavar="CARD", help="Synergy of each CARD with this one instead: a 2 by 2 of owning them.")
@click.option("--seed", type=int, metavar="S", help="0 to 2**63 - 1; drawn and told if not given.")
@rule_options
@engine_options
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the results.")
def command(
    names: tuple[str, ...], players: int, blocks: int, strategies: tuple[str, ...], measures: str | None, partner: str | None,
    seed: int | None, rule: tuple[str, ...], rules: Path | None, cards: Path | None, board: Path | None, threads: int | None,
    engine: str, scheduler: str | None, out: Path,
) -> None:  # fmt: skip
    """Value cards by playing games again with one thing otherwise.

    hold: the card is dead in the hand of who drafted it.  use: it may not be played.  pick: its drafter takes the next best card
    instead.  deny: the card that somebody passed on is taken out of the draft.  Without CARD one card is drawn for each player and age
    of each deal; with CARD all of its copies count.  A CARD is an id, or id@age.

    Ctrl-C stops; the same command plays what is missing, and with more blocks it goes on.  DIR gets card_values.csv and .parquet, with
    --with synergy.csv and .parquet.  Exit status: 0 done, 2 misused or failed, 130 stopped by Ctrl-C.
    """
    from ..batch import available_threads, draw_seed
    from ..card_values.config import MEASURES, MIXED, ValueConfig, read_measures
    from ..card_values.running import stored_seed
    from ..progress import Progress

    if partner is not None and measures is not None:
        raise click.UsageError("--with measures owning two cards, so --measures does not go with it; leave one of them out")
    drawn = seed if seed is not None else stored_seed(out)
    config = ValueConfig(
        cards=names,
        players=players,
        blocks=blocks,
        seed=draw_seed() if drawn is None else drawn,
        strategies=strategies or MIXED,
        measures=MEASURES if measures is None else tuple(read_measures(measures)),
        ruleset=ruleset_from(rule, rules, cards, board),
        threads=available_threads() if threads is None else threads,
    )
    progress = Progress()
    if seed is None:
        progress.say(f"seed {config.seed}")
    with engine_from(engine, scheduler, config.threads) as crew:
        config = replace(config, engine=crew)
        if partner is None:
            _tell_values(config, out, progress)
        else:
            _tell_synergy(config, partner, out, progress)
    click.echo(f"seed {config.seed}; tables and games in {out}")


def _tell_values(config: ValueConfig, out: Path, progress: Progress) -> None:
    """Value the cards, write and print the table."""
    from ..card_values.running import value_cards
    from ..card_values.values import lines_of, value_table
    from ..experiments.report import write_tables
    from ..provenance import command_line

    try:
        outcome = value_cards(config, out, command_line(sys.argv[1:]), progress)
    finally:
        progress.close()
    tell_damaged(outcome.damaged)
    if outcome.interrupted:
        click.echo(f"stopped: {outcome.blocks:,} of {config.blocks:,} deals are in {out}; the same command plays the others")
        sys.exit(INTERRUPTED)
    table = value_table(outcome.rows, config.players, outcome.strategies)
    write_tables(out, {"card_values": table})
    click.echo(f"{len(outcome.rows):,} comparisons in {outcome.blocks:,} deals")
    click.echo("\n".join(lines_of(table, config.players)))


def _tell_synergy(config: ValueConfig, partner: str, out: Path, progress: Progress) -> None:
    """Measure what cards are worth together beyond what each is worth alone, write and print the table."""
    from ..card_values.synergy import lines_of, synergy_of
    from ..experiments.report import write_tables

    try:
        table = synergy_of(config, partner, out, progress)
    finally:
        progress.close()
    if table is None:
        click.echo(f"stopped; the same command plays what is missing in {out}")
        sys.exit(INTERRUPTED)
    write_tables(out, {"synergy": table})
    click.echo("\n".join(lines_of(table, config.players)))
