"""From what was counted of cards to tables of numbers: draft, results and use, one row by stratum and card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..statistics.intervals import Estimates
from ..statistics.minimum import HIDDEN, NAMES, hide, standing_of
from ..statistics.multiple import flag, q_values
from ..statistics.ratios import contrast, ratio, share, within
from ..statistics.shrinkage import shrink
from .card_outcomes import LEAST_GLORY, CardOutcomes, within_name
from .draft_counts import DraftCounts
from .strata import Strata

if TYPE_CHECKING:
    from pandas import DataFrame

LEAST_EFFECT = 0.08  # of win share times the number of players: 2 points of win share with 4 players
_QUANTILES = {"glory_median": 0.5, "glory_p90": 0.9}


@dataclass(frozen=True)
class CardTables:
    """All that is told of cards for one number of players.

    Attributes
    ----------
    players : number of players
    strata : whom the rows are about
    cards : DataFrame by number of the card, columns card, age, name, kind, god: those that are told, others left out
    drafts, outcomes : what was counted
    """

    players: int
    strata: Strata
    cards: DataFrame
    drafts: DraftCounts
    outcomes: CardOutcomes

    @cached_property
    def draft(self) -> DataFrame:
        """Draft metrics by stratum and card, with 95 % intervals; nothing if cards were dealt without a draft."""
        moments = self.drafts.moments
        measures = {
            "pick_rate": share(moments, ("taken", "looks")),
            "take_rate": share(moments, ("taken", "seen")),
            "first_rate": share(moments, ("first", "dealt")),
            "ata": ratio(moments, ("rounds", "taken")),
            "dump_rate": share(moments, ("left", "dealt")),
            "alsa": ratio(moments, ("lasts", "seen")),
            "wheel_rate": share(moments, ("wheels", "chances")),
            "lift": ratio(moments, ("taken", "expected")),
        }
        counts = {name: moments.sum_of(name) for name in ("dealt", "looks", "seen", "taken", "chances")}
        flow = self.drafts.flow
        counts |= {f"taken_{number}": flow[..., number - 1] for number in range(1, flow.shape[2] + 1)}
        counts["left"] = moments.sum_of("left")
        return self._frame(counts, measures, moments.clusters_with("looks"), moments.sum_of("looks") > 0)[0]

    @cached_property
    def results(self) -> DataFrame:
        """Win share times players and glory of those who drafted, passed, used the card, and the differences.

        iwd : drafted less passed (improvement when drafted); in the row of all players among players of one strategy,
            averaged over strategies, so that a good strategy does not make its cards look good
        iwd_mixed : the same without regard to strategies
        iwd_others : drafted less all who did not draft it, seen or not
        iwd_shrunk, iwd_shrunk_se : drawn towards the mean of the cards of the age, for ranking
        q, q_by : of iwd, corrected over all cards of the table by Benjamini and Hochberg, and by Benjamini and Yekutieli
        flag : 1 or -1 if q is 5 % or less and the difference LEAST_EFFECT or more; robust : by q_by as well
        """
        moments, n = self.outcomes.results, float(self.players)
        won = {group: (f"won {group}", group) for group in ("drafted", "passed", "others", "used", "unused")}
        mixed = contrast(moments, won["drafted"], won["passed"])
        iwd = hide(self._iwd(mixed)).times(n)
        measures = {
            "iwd": iwd,
            "iwd_mixed": mixed.times(n),
            "iwd_others": contrast(moments, won["drafted"], won["others"]).times(n),
            **{f"win_{group}": share(moments, won[group]).times(n) for group in won},
            "glory_drafted": ratio(moments, ("glory drafted", "drafted")),
            "glory_passed": ratio(moments, ("glory passed", "passed")),
            "glory_gain": contrast(moments, ("glory drafted", "drafted"), ("glory passed", "passed")),
        }
        counts = {name: moments.sum_of(name) for name in ("drafted", "passed", "others", "used", "unused")}
        frame, places = self._frame(counts, measures, moments.clusters_with("drafted"), moments.sum_of("drafted") > 0)
        return self._with_tests(frame, iwd.value[places], iwd.se[places], iwd.p[places])

    @cached_property
    def use(self) -> DataFrame:
        """What became of drafted copies: use, quests, upgrades, direct glory."""
        moments = self.outcomes.use
        measures = {
            "use_rate": share(moments, ("in use", "copies")),
            "plays": ratio(moments, ("plays", "copies")),
            "quest_success": share(moments, ("done", "committed")),
            "replaced_rate": share(moments, ("replaced", "upgrades")),
            "direct_glory": ratio(moments, ("direct", "copies")),
            "no_glory": share(moments, ("barren", "copies")),
        }
        counts = {name: moments.sum_of(name) for name in ("copies", "committed", "upgrades")}
        frame, places = self._frame(counts, measures, moments.clusters_with("copies"), moments.sum_of("copies") > 0)
        frame["dead_rate"] = 1 - frame["use_rate"]
        for name, level in _QUANTILES.items():
            quantile = _quantile(self.outcomes.histogram, level)[places]
            frame[name] = np.where(frame["standing"] == NAMES[HIDDEN], np.nan, quantile)
        return frame

    def _iwd(self, mixed: Estimates) -> Estimates:
        """By stratum and card: within strategies for ALL."""
        groups = [
            tuple((within_name(f"won {group}", strategy), within_name(group, strategy)) for group in ("drafted", "passed"))
            for strategy in self.strata.strategies
        ]
        found = within(self.outcomes.within, groups)
        parts = {}
        for name in ("value", "se", "low", "high", "p", "rows", "clusters"):
            parts[name] = np.concatenate([getattr(found, name)[None], getattr(mixed, name)[1:]])
        return Estimates(**parts)

    def _with_tests(self, frame: DataFrame, value: np.ndarray, se: np.ndarray, p: np.ndarray) -> DataFrame:
        """Add what is worked out over many rows: q-values, flags, shrunken estimates."""
        frame = frame.assign(q=np.nan, q_by=np.nan, flag=0, robust=False, iwd_shrunk=np.nan, iwd_shrunk_se=np.nan)
        for of_all in (True, False):
            rows = ((frame["strategy"] == self.strata.names[0]) == of_all).to_numpy()
            flags = flag(value[rows], p[rows], LEAST_EFFECT)
            frame.loc[rows, "q"], frame.loc[rows, "q_by"] = flags.q, q_values(p[rows], True)
            frame.loc[rows, "flag"], frame.loc[rows, "robust"] = flags.sign, flags.robust
        for rows in frame.groupby(["strategy", "age"]).indices.values():
            shrunk = shrink(value[rows], se[rows])
            frame.loc[rows, "iwd_shrunk"], frame.loc[rows, "iwd_shrunk_se"] = shrunk.value, shrunk.se
        return frame

    def _frame(
        self, counts: Mapping[str, np.ndarray], measures: Mapping[str, Estimates], deals: np.ndarray, kept: np.ndarray
    ) -> tuple[DataFrame, tuple[np.ndarray, np.ndarray]]:
        """A row for each cell that is kept, and the places of the cells; small cells are blank.

        The first of `measures` gives the standing.
        """
        import pandas as pd

        kept = kept & np.isin(np.arange(kept.shape[1]), self.cards.index)
        stratum, number = np.nonzero(kept)
        data: dict[str, Any] = {"players": self.players, "strategy": np.array(self.strata.names, object)[stratum]}
        data |= {name: self.cards[name].loc[number].to_numpy() for name in ("age", "card", "name", "kind", "god")}
        data |= {name: values[kept].astype(np.int64) for name, values in counts.items()}
        data["clusters"] = deals[kept]
        first = next(iter(measures.values()))
        data["standing"] = np.array(NAMES, object)[standing_of(first.rows[kept], first.clusters[kept])]
        for name, found in measures.items():
            shown = hide(found)
            data |= {f"{name}{end}": values[kept] for end, values in
                     (("", shown.value), ("_low", shown.low), ("_high", shown.high))}  # fmt: skip
        return pd.DataFrame(data), (stratum, number)


def _quantile(histogram: np.ndarray, level: float) -> np.ndarray:
    """float64 by stratum and card: the least glory that at least `level` of the copies do not pass; nan without copies."""
    below = histogram.cumsum(-1)
    copies = below[..., -1]
    reached = (below >= np.ceil(level * copies)[..., None]).argmax(-1) + LEAST_GLORY
    return np.where(copies > 0, reached.astype(float), np.nan)
