"""The results of a tournament as DataFrames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from .design import Design, orders_of_blocks
from .equilibrium import REPEATS as WEIGHT_REPEATS
from .equilibrium import Equilibria, equilibria_of
from .payoffs import (
    LEVEL,
    Estimates,
    Payoffs,
    bootstrap_counts,
    differences_of,
    estimate,
    field_weights,
    invasion_weights,
    largest_cycle,
    pair_weights,
    payoffs_of,
)
from .strengths import ELO, Strengths, strengths_of
from .strengths import REPEATS as STRENGTH_REPEATS

if TYPE_CHECKING:
    import pandas as pd

FRAMES = ("strategies", "payoffs", "compositions", "head_to_head", "invasion", "differences", "equilibria")
# of the verdict words
DOMINANT_TABLES = 0.9
HEALTHY_SUPPORT = 0.8
OBSOLETE_SUPPORT = 0.05
OBSOLETE_SHARE = 0.8


@dataclass(frozen=True)
class TournamentResults:
    """Results of a tournament.

    Win shares are times the number of players, so that 1.0 is fair; intervals are 95 %, over blocks.  The columns
    `<name>_low` and `<name>_high` are the ends of the interval of `<name>`, `<name>_se` is its standard error.

    Attributes
    ----------
    strategies : by strategy: win share, glory, margin and shares of ranks over the field (each opponent drawn from all
        strategies if the field is complete, otherwise each table weighs the same), Plackett-Luce strength, weight in
        the equilibrium that the even mix leads to, verdict
    payoffs : by composition and strategy: win share and glory of one copy; the payoff tensor in long form
    compositions : by composition: strategies, circular orders drawn, blocks, mean glory of all and of the winner
    head_to_head : by strategy and opponent: win share of the first at tables with the second
    invasion : by strategy and residents: win share of one of the first among others that are all the second
    differences : by pair of strategies: difference of win share, p paired by block, and corrected by Holm
    equilibria : by equilibrium and strategy: weight, fitness (win share against the mix), NashConv; empty for a field
        that is not complete
    design : who played whom
    run : what was played, as in tournament.json
    info : what words.py needs beside the frames
    """

    strategies: pd.DataFrame
    payoffs: pd.DataFrame
    compositions: pd.DataFrame
    head_to_head: pd.DataFrame
    invasion: pd.DataFrame
    differences: pd.DataFrame
    equilibria: pd.DataFrame
    design: Design
    run: Mapping[str, Any]
    info: Mapping[str, Any]

    def frames(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name in FRAMES}


def analyse(design: Design, rows: np.ndarray, run: Mapping[str, Any]) -> TournamentResults:
    """Results of SEAT_ROW rows, in the order of Keeper.rows, that have every block of every composition."""
    payoffs = payoffs_of(design, rows)
    seed = run["seed"]
    strengths = strengths_of(
        rows, design.players, len(design.strategies), bootstrap_counts(payoffs.blocks, STRENGTH_REPEATS, seed)
    )
    equilibria = None
    if design.complete:
        equilibria = equilibria_of(design, payoffs.share, bootstrap_counts(payoffs.blocks, WEIGHT_REPEATS, seed), seed)
    by_table = payoffs_frame(payoffs)
    info = {
        "games": len(rows) // design.players,
        "equilibria": equilibria,
        "strength_repeats": strengths.repeats,
        "cycle": largest_cycle(payoffs),
    }
    return TournamentResults(
        strategies=strategies_frame(payoffs, strengths, equilibria, by_table),
        payoffs=by_table,
        compositions=compositions_frame(payoffs, run["seed"]),
        head_to_head=pairs_frame(payoffs, pair_weights(design), "opponent"),
        invasion=pairs_frame(payoffs, invasion_weights(design), "residents"),
        differences=differences_frame(payoffs),
        equilibria=equilibria_frame(design, equilibria),
        design=design,
        run=run,
        info=info,
    )


def _columns(name: str, estimates: Estimates) -> dict[str, np.ndarray]:
    return {
        name: estimates.mean,
        f"{name}_se": estimates.se,
        f"{name}_low": estimates.low,
        f"{name}_high": estimates.high,
    }


def strategies_frame(
    payoffs: Payoffs, strengths: Strengths, equilibria: Equilibria | None, by_table: pd.DataFrame
) -> pd.DataFrame:
    """The table `strategies`; by_table: the table `payoffs`."""
    import pandas as pd

    design = payoffs.design
    weights = field_weights(design)
    copies = design.entries[2]
    held = np.array([design.entries[1] == strategy for strategy in range(len(design.strategies))])
    data: dict[str, Any] = {
        "strategy": design.strategies,
        "compositions": held.sum(1),
        "blocks": payoffs.blocks,
        "games": held.sum(1) * payoffs.blocks * design.players,
        "players": (held * copies).sum(1) * payoffs.blocks * design.players,
        **_columns("win_share", payoffs.shares_by(weights)),
        **_columns("glory", estimate(weights @ payoffs.glory)),
        **_columns("margin", estimate(weights @ payoffs.margin)),
    }
    for rank, share in enumerate(payoffs.ranks.mean(-1) @ weights.T, 1):
        data[f"rank_{rank}"] = share
    for name, scale in (("strength", 1.0), ("elo", ELO)):
        data[name] = strengths.strength * scale
        data[f"{name}_low"] = strengths.low * scale
        data[f"{name}_high"] = strengths.high * scale
    if equilibria is not None:
        data["weight"] = equilibria.found[equilibria.even].weights
        data["weight_low"] = equilibria.low
        data["weight_high"] = equilibria.high
        data["in_support"] = equilibria.in_support
        data["verdict"] = _verdicts(design, np.asarray(data["win_share"]), equilibria, by_table)
    return pd.DataFrame(data)


def _verdicts(design: Design, shares: np.ndarray, equilibria: Equilibria, by_table: pd.DataFrame) -> list[str]:
    """dominant, healthy, obsolete or matchup-dependent; '' where no sample had an equilibrium."""
    found = []
    for strategy, name in enumerate(design.strategies):
        mixed = by_table[(by_table.strategy == name) & (by_table.copies < design.players)]
        support = equilibria.in_support[strategy]
        if (mixed.win_share_low > 1).mean() >= DOMINANT_TABLES:
            found.append("dominant")
        elif np.isnan(support):
            found.append("")
        elif support >= HEALTHY_SUPPORT:
            found.append("healthy")
        elif support < OBSOLETE_SUPPORT and shares[strategy] < OBSOLETE_SHARE:
            found.append("obsolete")
        else:
            found.append("matchup-dependent")
    return found


def payoffs_frame(payoffs: Payoffs) -> pd.DataFrame:
    """The table `payoffs`."""
    import pandas as pd

    design = payoffs.design
    composition, strategy, copies = design.entries
    names = np.array([design.name_of(at) for at in range(len(design.compositions))], object)
    return pd.DataFrame(
        {
            "players": design.players,
            "composition": composition,
            "table": names[composition],
            "strategy": np.array(design.strategies, object)[strategy],
            "copies": copies,
            **_columns("win_share", payoffs.shares()),
            **_columns("glory", estimate(payoffs.glory)),
            "margin": payoffs.margin.mean(-1),
            "blocks": payoffs.blocks,
            "games": payoffs.blocks * design.players,
        }
    )


def compositions_frame(payoffs: Payoffs, seed: int) -> pd.DataFrame:
    """The table `compositions`."""
    import pandas as pd

    design = payoffs.design
    numbers = range(len(design.compositions))
    composition, _, copies = design.entries
    glory = np.zeros((len(design.compositions), payoffs.blocks))
    np.add.at(glory, composition, payoffs.glory * copies[:, None] / design.players)
    drawn = [orders_of_blocks(seed, design.texts_of(at), payoffs.blocks)[1] for at in numbers]
    return pd.DataFrame(
        {
            "composition": list(numbers),
            "table": [design.name_of(at) for at in numbers],
            "circular_orders": [len(np.unique(orders)) for orders in drawn],
            "blocks": payoffs.blocks,
            "games": payoffs.blocks * design.players,
            **_columns("glory", estimate(glory)),
            **_columns("winner_glory", estimate(payoffs.winner_glory)),
        }
    )


def pairs_frame(payoffs: Payoffs, weights: np.ndarray, second: str) -> pd.DataFrame:
    """The tables `head_to_head` and `invasion`; weights: (strategies, strategies, entries), nan for absent pairs."""
    import pandas as pd

    one, other = np.nonzero(~np.isnan(weights[..., 0]))
    names = np.array(payoffs.design.strategies, object)
    return pd.DataFrame(
        {
            "strategy": names[one],
            second: names[other],
            **_columns("win_share", payoffs.shares_by(weights[one, other])),
            "compositions": (weights[one, other] > 0).sum(1),
            "blocks": payoffs.blocks,
        }
    )


def differences_frame(payoffs: Payoffs) -> pd.DataFrame:
    """The table `differences`."""
    import pandas as pd

    found = differences_of(payoffs)
    names = np.array(payoffs.design.strategies, object)
    return pd.DataFrame(
        {
            "strategy": names[found.pairs[:, 0]],
            "other": names[found.pairs[:, 1]],
            **_columns("difference", found.estimates),
            "p": found.p,
            "p_holm": found.p_holm,
            "significant": found.p_holm <= 1 - LEVEL + 1e-12,
            "blocks": payoffs.blocks,
        }
    )


def equilibria_frame(design: Design, equilibria: Equilibria | None) -> pd.DataFrame:
    """The table `equilibria`."""
    import pandas as pd

    rows = [
        {
            "equilibrium": number,
            "strategy": name,
            "weight": one.weights[strategy],
            "fitness": one.fitness[strategy] * design.players,
            "nash_conv": one.nash_conv,
            "accepted": one.accepted,
            "starts": one.starts,
            "of_starts": equilibria.starts,
            "from_even_mix": number == equilibria.even + 1,
        }
        for number, one in enumerate(equilibria.found if equilibria else (), 1)
        for strategy, name in enumerate(design.strategies)
    ]
    names = "equilibrium strategy weight fitness nash_conv accepted starts of_starts from_even_mix"
    return pd.DataFrame(rows, columns=names.split(" "))
