"""`bloodrage play`: play one game and tell it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .shared import STRATEGY, rule_options, ruleset_from

if TYPE_CHECKING:
    from ..telling.stepping import WatchedGame


@click.command()
@click.option("--players", type=int, default=4, show_default=True, metavar="N", help="2 to 5.")
@click.option("--seed", type=int, metavar="S", help="0 to 2**63 - 1; drawn and told if not given.")
@click.option("--deal", type=int, default=0, show_default=True, metavar="D", help="Number of the deal of this seed.")
@click.option(
    "--rotation", type=int, default=0, show_default=True, metavar="R", help="Slot j sits at seat (j + R) mod N."
)
@click.option(
    "--strategy", "strategies", multiple=True, metavar=STRATEGY,
    help="Once for all seats, or once for each of N slots; `bloodrage strategies --help` says how it is written.  "
    "[default: random]",
)  # fmt: skip
@rule_options
@click.option("--lang", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Names of cards.")
@click.option("--moves", is_flag=True, help="Only the moves, one a line, in notation.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object for each event and decision, one a line.")
@click.option("--age", type=click.IntRange(1, 3), metavar="A", help="Tell only this age.")
@click.option(
    "--until-decision", type=click.IntRange(0), metavar="K", help="Stop after K decisions and tell what is asked."
)
def command(
    players: int, seed: int | None, deal: int, rotation: int, strategies: tuple[str, ...], rule: tuple[str, ...],
    rules: Path | None, cards: Path | None, board: Path | None, lang: str, moves: bool, as_json: bool, age: int | None,
    until_decision: int | None,
) -> None:  # fmt: skip
    """Play one game and tell it, every event with its rule number.

    It is the same game that `bloodrage simulate` plays of this seed, deal, rotation and line-up.  Exit status: 0 done,
    2 misused, or a strategy misbehaved.
    """
    from ..batch import draw_seed
    from ..errors import BadValue
    from ..play import prepare
    from ..plugins.loading import load_strategy, read_strategy
    from ..progress import Progress
    from ..telling.narrate import tell_game, tell_moves
    from ..telling.records import json_records
    from ..telling.stepping import WatchedGame

    if moves and as_json:
        raise BadValue("--moves and --json exclude each other")
    seed = draw_seed() if seed is None else seed
    ruleset = ruleset_from(rule, rules, cards, board)
    texts = strategies or ("random",)
    for text in texts:
        read_strategy(text)  # a wrong one is told before a long compilation
    progress = Progress()
    prepare(progress.compiling)
    progress.close()
    line_up = [load_strategy(text) for text in texts]
    watched = WatchedGame(players, line_up, seed, deal, rotation, ruleset)
    last = -1 if until_decision is None else until_decision
    if as_json:
        for record in json_records(watched, age, last):
            click.echo(json.dumps(record, ensure_ascii=False))
        return
    click.echo(_title(watched, seed, deal, rotation))
    for line in tell_moves(watched, age, last) if moves else tell_game(watched, lang, age, last):
        click.echo(line)


def _title(watched: WatchedGame, seed: int, deal: int, rotation: int) -> str:
    return f"Blood Rage: {watched.players} players, seed {seed}, deal {deal}, rotation {rotation}"
