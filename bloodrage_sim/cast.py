"""The strategies of a line-up in the form in which the loop takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from .play import (
    APPRAISE_OPTIONS,
    ASK_PYTHON,
    PARAMS,
    SHOW_VIEW,
    SURVEY_BOARD,
    appraise_nothing,
    bind_functions,
    compile_appraise,
    compile_decide,
    decide_nothing,
    prepare,
    show_options,
)
from .plugins.loading import Strategy
from .rules.tables import N_SEATS
from .tactics.appraisal import appraise


@cache
def nobody() -> Any:
    """A compiled decide function for slots that Python decides; it is never asked."""
    return compile_decide(decide_nothing, cache=True)


@cache
def no_appraisal() -> Any:
    """A compiled function in place of appraise where no strategy wants it."""
    return compile_appraise(appraise_nothing)


@cache
def appraisal() -> Any:
    """The compiled appraise function."""
    return compile_appraise(appraise)


@cache
def bound(deciders: tuple[Any, ...], appraiser: Any) -> Any:
    """The functions as play_games takes them, once for all casts that have the same; kept, since the list is no owner."""
    # Before the core is there, numba would make a version of bind_functions for these very functions and keep it on disk,
    # where reading it compiles the functions again: a minute at every later start.
    prepare()
    return bind_functions(deciders, appraiser)


@dataclass(frozen=True)
class Cast:
    """What play_games wants to know about the strategies, by slot.

    Attributes
    ----------
    deciders : tuple of N_SEATS compiled decide functions
    appraiser : compiled appraise function
    service : int64 array (N_SEATS,), see play_games
    params : PARAMS array of one record
    appraised : bool by slot, whether the strategy wants its options appraised
    """

    deciders: tuple[Any, ...]
    appraiser: Any
    service: np.ndarray
    params: np.recarray
    appraised: tuple[bool, ...]

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of play_games from `functions_` to `params_`."""
        return bound(self.deciders, self.appraiser), self.service, self.params

    def show(
        self, games: np.recarray, index: int, tables: np.recarray, buffers: np.recarray, n: int, views: np.recarray, slot: int
    ) -> np.uint64:
        """Fill views[0] for the open decision of games[index], for a strategy in plain Python in `slot`.

        buffers : OPTIONS array with the n options; returns the key of the decision
        """
        functions_, _, params_ = self.arguments
        appraised = int(self.appraised[slot])
        return np.uint64(show_options(games, index, tables, buffers, n, views, functions_, params_, appraised))


def service_of(strategy: Strategy) -> int:
    """What the loop does before it asks a strategy."""
    if not strategy.compiled:
        return ASK_PYTHON
    if strategy.appraised:
        return APPRAISE_OPTIONS
    return SURVEY_BOARD if strategy.survey else SHOW_VIEW


def cast_of(strategies: Sequence[Strategy | None]) -> Cast:
    """The cast with these strategies in the first slots; Python decides for None and for the slots that are left."""
    slots = [*strategies, *[None] * (N_SEATS - len(strategies))]
    params = np.zeros(1, PARAMS).view(np.recarray)
    service = np.full(N_SEATS, ASK_PYTHON, np.int64)
    deciders = [nobody()] * N_SEATS
    for slot, strategy in enumerate(slots):
        if strategy is not None:
            params.of[0, slot] = strategy.params
            params.style[0, slot] = strategy.style
            params.traits[0, slot] = strategy.traits
            service[slot] = service_of(strategy)
            if strategy.compiled:
                deciders[slot] = strategy.decide
    appraised = tuple(strategy is not None and strategy.appraised for strategy in slots)
    return Cast(tuple(deciders), appraisal() if any(appraised) else no_appraisal(), service, params, appraised)
