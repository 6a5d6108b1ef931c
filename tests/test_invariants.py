"""Invariants after every decision of many random games, and that these games meet everything the rules have."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from effect_counts import count_effects, count_questions
from random_games import WAYS, play_batch, random_ruleset

from bloodrage_sim.data import reader
from bloodrage_sim.rules.engine import CHECK_INVARIANTS
from bloodrage_sim.rules.flow import QUESTION_NAMES

GAMES = 2_500  # for each number of players and way to play: 20,000 in all
RULESETS = 100  # with 20 games each
LOGGED = 1000  # for each number of players and way to play
LOG_SIZE = 6_000
LEAST = 100
PLAYERS = (2, 3, 4, 5)


def check_ends(games: np.recarray) -> None:
    """What the invariants after each decision do not see any more: the end of the game."""
    assert (games.clans.hand == 0).all() and (games.clans.rage == 0).all()
    assert (games.decisions > 20).all()
    glory = games.tally.glory_by.sum(axis=2)
    assert (glory == games.clans.glory).all()
    assert (games.tally.glory_age.sum(axis=2) == games.clans.glory).all()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", PLAYERS)
def test_invariants_hold_after_every_decision(players, way):
    """Rule 19 in the game as it is."""
    for chunk in range(5):
        games, _ = play_batch(GAMES // 5, players, 10 * players + chunk, (way,), None, CHECK_INVARIANTS)
        check_ends(games)


@pytest.mark.parametrize("way", WAYS)
def test_invariants_hold_with_random_rule_options(way):
    """Rule 19 with every mix of rule options."""
    met = set()
    for number in range(RULESETS // 2):
        ruleset = random_ruleset(number if way == "kind" else 10_000 + number)
        met.update(ruleset.options.items())
        games, _ = play_batch(20, PLAYERS[number % 4], number, (way,), ruleset, CHECK_INVARIANTS)
        check_ends(games)
    assert len(met) == 2 * 26 + 3  # both values of every option, "off" of the variants that are not built


def test_random_games_meet_every_decision_and_effect(say):
    """Each kind of decision and each effect of the base and fifth player cards occurs at least 100 times."""
    questions: Counter[str] = Counter({name: 0 for name in QUESTION_NAMES[1:]})
    effects: Counter[str] = Counter({row["effect"]: 0 for row in reader.card_rows() if row["source"] in ("base", "p5")})
    del effects["none"]
    for players in PLAYERS:
        for way in WAYS:
            for seed in range(LOGGED):
                games, log = play_batch(1, players, 9_000 + seed, (way,), None, 0, LOG_SIZE)
                assert games[0].n_events <= LOG_SIZE
                events = log[: games[0].n_events]
                questions.update(count_questions(events))
                effects.update(count_effects(events))
    lines = [f"  {name:34}{count:>8}" for name, count in (*questions.items(), *effects.items())]
    say(f"\n  occurrences in {2 * 4 * LOGGED} games of random\n" + "\n".join(lines))
    assert {name: count for name, count in (questions + effects).items() if count < LEAST} == {}
    assert min(questions.values()) >= LEAST and min(effects.values()) >= LEAST
