"""Measure how well the strategies play: to be looked at after any change of tactics/ or strategies/.

    python scripts/gates.py [greedy|archetypes|distinct|players|glory|waste|anti_loki|tuned]...     all without arguments

Each part prints what is asked and what was measured, win shares with 95 % intervals clustered by deal.  The seeds are not used by tuning.
"""

from __future__ import annotations

from collections.abc import Callable

import click
import numpy as np
import pandas as pd

from bloodrage_sim.batch import simulate
from bloodrage_sim.cast import cast_of
from bloodrage_sim.game import Game
from bloodrage_sim.plugins.loading import load_strategy, strategy_names
from bloodrage_sim.rules.flow import ACTION_INVADE, ACTION_PASS, ACTION_PILLAGE, ACTION_QUEST, QUESTION_TURN
from bloodrage_sim.rules.ids import N_PROVINCES, PLACE_RESERVE
from bloodrage_sim.rules.tables import FIGURE_LEADER
from bloodrage_sim.view import new_views

SEED = 20_261_130
GATED = ("balanced", "battle", "quests", "loki", "ragnarok", "pillage_rush")
DEFINING = {  # strategy -> what it should do more than others
    "loki": "losses",
    "quests": "quests_done",
    "ragnarok": "deaths_ragnarok",
    "battle": "battles_won",
    "pillage_rush": "pillages_unopposed",
    "monsters": "monsters",
    "ships": "ships_lost",
}


def archetypes() -> list[str]:
    """All scripted strategies."""
    return [name for name in strategy_names() if name not in ("random", "greedy")]


def table(focal: str, others: str, players: int, games: int, seed: int = SEED) -> pd.DataFrame:
    """Rows of players; slot 0 is the focal strategy, the other slots are the others."""
    return simulate(players, games, seed=seed, strategies=[focal, *[others] * (players - 1)]).players


def mean_of(values: pd.Series, deals: pd.Series) -> tuple[float, float]:
    """Mean, and half its 95 % interval, by deal."""
    by_deal = values.groupby(deals).mean()
    return float(values.mean()), float(1.96 * by_deal.std() / np.sqrt(len(by_deal)))


def share(rows: pd.DataFrame) -> tuple[float, float]:
    """Win share of the focal strategy, and half its interval."""
    focal = rows[rows.slot == 0]
    return mean_of(focal.win_share, focal.deal)


def say(what: str, value: tuple[float, float], asked: str, games: int) -> None:
    click.echo(f"  {what:34s} {value[0]:7.3f} +- {value[1]:.3f}   asked {asked}; {games:,} games")


def greedy() -> None:
    click.echo("one greedy with three random, 4 players: win share")
    say("greedy", share(table("greedy", "random", 4, 2000)), "0.85", 2000)


def archetypes_beat_greedy() -> None:
    click.echo("one of each with three greedy, 4 players: win share, fair 0.25")
    for name in archetypes():
        say(name, share(table(name, "greedy", 4, 4000)), "0.35" if name in GATED else "nothing", 4000)


def distinct() -> None:
    click.echo("one of each with three balanced, 4 players: defining count over the others' mean")
    for name, count in DEFINING.items():
        rows = table(name, "balanced", 4, 2000)
        rows["losses"] = rows.battles - rows.battles_won
        focal, others = rows[rows.slot == 0], rows[rows.slot != 0]
        ratio = focal[count].mean() / others[count].mean()
        click.echo(f"  {name:14s} {count:20s} {focal[count].mean():5.2f} / {others[count].mean():5.2f} = {ratio:4.2f}   asked 1.5; 2,000 games")


def players() -> None:
    for number in (2, 3, 5):
        click.echo(f"one of each with greedy in the other seats, {number} players: win share, fair {1 / number:.3f}")
        for name in archetypes():
            games = 1200 * number
            say(name, share(table(name, "greedy", number, games)), f"above {1 / number:.3f}" if number > 2 else "a result", games)


def glory() -> None:
    click.echo("four balanced: glory")
    rows = simulate(4, 4000, seed=SEED, strategies="balanced").players
    best = rows.groupby("game").glory.max()
    click.echo(f"  mean {rows.glory.mean():.1f}, winner's mean {best.mean():.1f}   asked 45 and 70; 4,000 games")


def waste() -> None:
    click.echo("tables of four: rage given up by passing as a share of the rage stats, and passes with a free good action")
    for name in archetypes():
        games = 60
        passed, passes, wasted, rage = count_waste(name, games)
        click.echo(
            f"  {name:14s} rage {100 * passed / rage:5.2f} % (asked 10 %), passes {passes / games:5.1f} a game, "
            f"with a free good action {100 * wasted / max(1, passes):5.2f} % (asked 1 %); {games} games"
        )


def count_waste(name: str, games: int) -> tuple[int, int, int, int]:
    """(rage given up, passes, passes while a free good action was legal, rage handed out) in tables of four."""
    strategy = load_strategy(name)
    cast, views = cast_of([strategy] * 5), new_views(1)
    passed = passes = wasted = rage = 0
    for deal in range(games):
        game = Game.new(4, seed=SEED, deal=deal)
        age = 0
        while game.n:
            record = game.record
            slot = int(record.slot[game.seat])
            key = cast.show(game.games, 0, game.tables, game.buffer, game.n, views, slot)
            choice = int(strategy.decide(
                views[0], game.options, game.n, game.tables[0], cast.params.of[0, slot], record.memory[slot], key
            ))  # fmt: skip
            if record.flow.question == QUESTION_TURN:
                if record.clock.age != age:
                    age = int(record.clock.age)
                    rage += sum(int(game.tables.track[0, 0, record.clans[seat].stats[0] - 1]) for seat in range(4))
                if game.options[choice].action == ACTION_PASS:
                    passes += 1
                    passed += int(record.clans[game.seat].rage)
                    wasted += is_free_good(game, views[0])
            game.apply(choice)
    return passed, passes, wasted, rage


def is_free_good(game: Game, view: np.void) -> bool:
    """Whether the leader could invade, a quest be committed that is met now, or a province be pillaged unopposed."""
    for option in game.legal():
        if option.action == ACTION_INVADE and option.figure == FIGURE_LEADER and option.origin == PLACE_RESERVE:
            return True
        if option.action == ACTION_PILLAGE and view.survey.rival[option.place] == 0 and view.appraisal.outlook.come[option.place] == 0:
            return True
        if option.action == ACTION_QUEST:
            survey = view.survey
            if any(survey.own[p] > survey.rival[p] and survey.quest_stake[p] > 0 for p in range(N_PROVINCES)):
                return True
    return False


def anti_loki() -> None:
    click.echo("loki at a table with two balanced and one more: loki's win share, same deals")
    shares = {}
    for name in ("balanced", "anti_loki"):
        rows = simulate(4, 8000, seed=SEED, strategies=["loki", name, "balanced", "balanced"]).players
        shares[name] = rows[rows.slot == 0].groupby("deal").win_share.mean()
    difference = shares["anti_loki"] - shares["balanced"]
    half = 1.96 * difference.std() / np.sqrt(len(difference))
    click.echo(f"  with balanced {shares['balanced'].mean():.3f}, with anti_loki {shares['anti_loki'].mean():.3f}")
    say("difference", (float(difference.mean()), float(half)), "below 0, clear of it", 8000)


def tuned() -> None:
    click.echo("one balanced@tuned with three balanced, 4 players: win share, fair 0.25")
    say("balanced@tuned", share(table("balanced@tuned", "balanced", 4, 8000)), "0.30, clear of 0.25", 8000)


PARTS: dict[str, Callable[[], None]] = {
    "greedy": greedy,
    "archetypes": archetypes_beat_greedy,
    "distinct": distinct,
    "players": players,
    "glory": glory,
    "waste": waste,
    "anti_loki": anti_loki,
    "tuned": tuned,
}


@click.command(help=__doc__)
@click.argument("parts", nargs=-1, type=click.Choice(list(PARTS)))
def main(parts: tuple[str, ...]) -> None:
    for part in parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
