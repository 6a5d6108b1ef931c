"""The gate of focal strategies: what a habit does for a player who plays badly says nothing, so the base must play well enough first.

Asked is the lower end of a 95 % interval of its win share at a table of four: 0.25, the fair share, with three `greedy`; of
`greedy` itself 0.80 with three `random`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ..batch import simulate
from ..plugins.text import split_strategy
from .estimates import Effect, effect_of
from .verdicts import NOT_TESTABLE, Verdict

PLAYERS, DEALS, SEED = 4, 150, 20_261_130
LOWEST = "greedy"
_FIRST, _SECOND = ("random", 0.80), (LOWEST, 0.25)  # the others of the table and the least win share


def closed_to(bases: Iterable[str]) -> Verdict | None:
    """The verdict of a test of which a base does not pass the gate, None if all pass.  bases : strategy texts.  Raises BadPlugin."""
    for base in dict.fromkeys(bases):
        others, least = _FIRST if split_strategy(base).name == LOWEST else _SECOND
        share = win_share(base, others)
        if share.low < least:
            reason = f"{base} wins only {share.value:.2f} ({share.low:.2f} to {share.high:.2f}) of games with three {others}, {least:.2f} is asked"
            return Verdict(NOT_TESTABLE, reason)
    return None


@cache
def win_share(base: str, others: str) -> Effect:
    """Win share of a strategy with three others at the table, by deal."""
    games = DEALS * PLAYERS
    rows = simulate(PLAYERS, games, seed=SEED, strategies=[base, *[others] * (PLAYERS - 1)], threads=1).players
    focal = rows[rows["slot"] == 0]
    return effect_of(focal.groupby("deal")["win_share"].mean().to_numpy())
