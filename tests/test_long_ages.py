"""Is there an endless cycle besides the known one?  Ages of random line-ups, traits and rule options end before MOST_TURNS."""

from __future__ import annotations

import random

import pytest

from bloodrage_sim.batch import simulate
from bloodrage_sim.plugins.loading import strategy_names, trait_takers
from bloodrage_sim.rules.action import MOST_TURNS
from bloodrage_sim.ruleset import NOT_BUILT, make_ruleset, rule_values
from bloodrage_sim.tactics.traits import TRAITS_TABLE

RUNS, DEALS = 20, 250  # with 2 to 5 players


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_clan_needs_all_the_turns_that_it_may_have(players: int) -> None:
    chosen = random.Random(players)
    takers = trait_takers()
    traits = [name for name, trait in TRAITS_TABLE.items() if trait.alone is not None]
    options = {name: values for name, values in rule_values().items() if name not in NOT_BUILT}
    most = 0
    for run in range(RUNS):
        names = chosen.choices(strategy_names(), k=players)
        texts = [f"{name}+{chosen.choice(traits)}" if name in takers and chosen.random() < 0.5 else name for name in names]
        ruleset = make_ruleset({name: chosen.choice(values) for name, values in options.items() if chosen.random() < 0.4})
        rows = simulate(players, DEALS * players, run, texts, ruleset=ruleset).players
        ages = [rows["turns_age_1"], rows["turns_age_2"], rows["turns"] - rows["turns_age_1"] - rows["turns_age_2"]]
        most = max(most, *(int(age.max()) for age in ages))
    assert 15 < most < MOST_TURNS
