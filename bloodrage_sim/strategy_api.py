"""How to write a strategy: the plugin contract, and helpers that strategies may call.

A strategy is a Python file with a function of this exact signature, marked by `@strategy`::

    @strategy(params={"boldness": Param(0.5, 0.0, 1.0, "how readily it pillages")})
    def decide(view, options, n, tables, params, memory, key):
        ...
        return index          # of the chosen option, 0 <= index < n

view : VIEW record (bloodrage_sim/view.py), a copy of what the seat may see; writing into it changes nothing
options : OPTION array (bloodrage_sim/rules/state.py); options[:n] are the legal answers to the open question, which
    `view.flow.question` names (QUESTION_* ids); n >= 2, a question with one answer is not asked
tables : TABLES record (bloodrage_sim/rules/tables.py), the numbers of cards and board in this run
params : float64 array, the strategy's parameters in the order of their declaration
memory : MEMORY record, the strategy's own in this game, zero at the start; `memory.intent` is logged with the decision
key : uint64, the strategy's chance for this decision: `chance(key, nth)` is a number in [0, 1)

What is worked out for the strategy before it is asked:

view.survey : SURVEY record (bloodrage_sim/tactics/survey.py), who is how strong where; `@strategy(survey=False)` does without
    and saves a little time
view.appraisal : APPRAISAL record (bloodrage_sim/tactics/terms.py), all options in named terms of glory and their weighed
    sum, for a strategy that declares a style: `@strategy(style={"battle": 1.5})` gives the values in which it differs from
    the defaults of bloodrage_sim/tactics/style.py, `take_best(view, n, key)` takes the best option

Traits (bloodrage_sim/tactics/traits.py) are habits that a user lays over a strategy, as `NAME+trait=value`.  A strategy with
a style has them in its scores already; another one may take them by `@strategy(traits=True)` and by adding
`trait_worth(view, option)` to its own worth of each option, in glory.  Without traits that adds 0.

The function is compiled by numba (https://numba.readthedocs.io: no Python objects but numbers, tuples and numpy records);
`@strategy(compiled=False)` leaves it in plain Python, which is slower by far.  Functions of its own that it calls are marked
`@kernel`.  Questions that make one move of the table together (the figures of a march, the slot of an upgrade) are asked one
by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .parameters import Param
from .rules import flow, ids
from .rules.chance import PURPOSE_PLUGIN, below, draw, unit
from .rules.flow import *  # noqa: F403  the ACTION_* and QUESTION_* ids are part of this interface
from .rules.ids import *  # noqa: F403  so are PLACE_*, STAT_*, EFFECT_*, CARD_KIND_*
from .rules.jit import tool
from .rules.tables import (
    FIGURE_LEADER,
    FIGURE_MONSTER,
    FIGURE_MYSTIC,
    FIGURE_SHIP,
    FIGURE_WARRIOR,
    N_FIGURES,
    NO_CARD,
)
from .tactics import terms
from .tactics.terms import *  # noqa: F403  and TERM_*
from .tactics.terms import TERM_TRAIT

kernel = tool  # a strategy may be left in plain Python, which then calls its kernels


@dataclass(frozen=True)
class StrategyFile:
    """What `@strategy` leaves in a module: the function and what it declares."""

    function: Callable[..., int]
    params: Mapping[str, Param] = field(default_factory=dict)
    compiled: bool = True
    survey: bool = True
    style: Mapping[str, float] | None = None
    traits: bool | Mapping[str, float] = False

    @property
    def takes_traits(self) -> bool:
        """Whether traits can be laid over it."""
        return self.traits is not False or self.style is not None

    @property
    def own_traits(self) -> dict[str, float]:
        """Traits that are laid over it unless its text says otherwise."""
        return {} if isinstance(self.traits, bool) else dict(self.traits)


def strategy(
    params: Mapping[str, Param] | None = None,
    compiled: bool = True,
    survey: bool = True,
    style: Mapping[str, float] | None = None,
    traits: bool | Mapping[str, float] = False,
) -> Callable[[Callable[..., int]], StrategyFile]:
    """Mark the decide function of a strategy file and say what it needs.

    params : its own parameters, in the order in which `decide` finds them
    compiled : whether numba compiles it
    survey : whether view.survey is filled; False saves a little time
    style : given, view.appraisal holds all options in named terms, weighed by these parameters of tactics/style.py (the
        others have their defaults); a scripted strategy takes the best of them
    traits : whether `decide` adds trait_worth, or the traits that it has unless its text says otherwise (`+trait=0`);
        a strategy with a style takes traits without saying so
    """

    def mark(function: Callable[..., int]) -> StrategyFile:
        own_style = None if style is None else dict(style)
        return StrategyFile(function, dict(params or {}), compiled, survey, own_style, traits)

    return mark


@tool
def chance(key, nth):
    """Number in [0, 1): draw number `nth` of this decision."""
    return unit(draw(key, PURPOSE_PLUGIN, nth))


@tool
def pick(key, nth, n):
    """Whole number 0..n-1 by draw number `nth` of this decision."""
    return below(draw(key, PURPOSE_PLUGIN, nth), n)


@tool
def trait_worth(view, option):
    """What the traits laid over the strategy add to option number `option`, in glory; 0 without traits."""
    return view.appraisal.terms[option, TERM_TRAIT] if view.appraisal.n > 0 else 0.0


@tool
def take_best(view, n, key):
    """Index of the option with the highest score of the appraisal; ties by the strategy's own chance."""
    first = pick(key, 0, n)  # of equal answers the first from here on, in a circle, is taken
    best = first
    score = view.appraisal.score
    most = score[first]
    for option in range(first + 1, n):
        if score[option] > most:
            best = option
            most = score[option]
    for option in range(first):
        if score[option] > most:
            best = option
            most = score[option]
    return best


__all__ = [
    *(name for name in dir(flow) if name.startswith(("ACTION_", "QUESTION_"))),
    *(name for name in dir(ids) if name.isupper()),
    *(name for name in dir(terms) if name.startswith("TERM_")),
    "FIGURE_LEADER",
    "FIGURE_MONSTER",
    "FIGURE_MYSTIC",
    "FIGURE_SHIP",
    "FIGURE_WARRIOR",
    "N_FIGURES",
    "NO_CARD",
    "Param",
    "StrategyFile",
    "chance",
    "kernel",
    "pick",
    "strategy",
    "take_best",
    "trait_worth",
]
