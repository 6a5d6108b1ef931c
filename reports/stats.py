"""The section on stats: which steps of rage, axes and horns players reach, and what the end pays for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..rules.ids import N_AGES, N_TRACK_STEPS, STAT_NAMES
from ..statistics.ratios import contrast, ratio, share
from .frames import estimate_frame, joined, table_of
from .section import SectionResult
from .stat_figures import step_figures, win_figures
from .tallies import Counts, Tally, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .section import NamedTable
    from .source import PartRows, Source

AGES = tuple(range(1, N_AGES + 1))
STEPS = tuple(range(1, N_TRACK_STEPS + 1))
_N_STATS = len(STAT_NAMES)
_COLUMNS = [[f"{stat}_step_age_{age}" for stat in STAT_NAMES] for age in AGES[:-1]] + [
    [f"{stat}_step" for stat in STAT_NAMES]
]


class Stats:
    """Steps of the stats after each age, and the glory and wins that go with the last ones."""

    name = "stats"
    title = "Stats"
    tables: ClassVar[dict[str, Sequence[str]]] = {
        "players": ("win_share", "glory_stat_bonus", *(name for names in _COLUMNS for name in names))
    }

    def __init__(self, source: Source) -> None:
        self._ages = source.filters.ages or AGES
        self.steps = Tally(("players", "exactly", "reached"), (_N_STATS, N_AGES, N_TRACK_STEPS))
        self.means = Tally(("players", "step"), (_N_STATS, N_AGES))
        self.bonus = Tally(("players", "end_bonus"), (1,))
        self.wins = Tally(("players", "won", "other_players", "other_won"), (_N_STATS, N_TRACK_STEPS))

    def add(self, part: PartRows) -> None:
        rows = part.rows["players"]
        # (stats, ages, players), then by stat, age and player one row each
        steps = np.stack([[rows[names[stat]] for names in _COLUMNS] for stat in range(_N_STATS)]).astype(np.int64)
        column = np.arange(_N_STATS * N_AGES).reshape(_N_STATS, N_AGES, 1)
        player = np.arange(len(rows))
        everyone = np.broadcast_to(player, steps.shape).ravel()

        counts = Counts(self.steps, part)
        counts.of_players(everyone, (column * N_TRACK_STEPS + steps - 1).ravel(), {"exactly": 1})
        exactly = counts.of("exactly")
        counts.of("players")[:] = exactly.sum(-1, keepdims=True)
        counts.of("reached")[:] = exactly[..., ::-1].cumsum(-1)[..., ::-1]
        self.steps.add(counts)

        means = Counts(self.means, part)
        means.of("players")[:] = exactly.sum(-1)
        means.of("step")[:] = exactly @ np.array(STEPS, float)
        self.means.add(means)

        bonus = Counts(self.bonus, part)
        bonus.of_players(player, 0, {"players": 1, "end_bonus": rows["glory_stat_bonus"]})
        self.bonus.add(bonus)

        wins = Counts(self.wins, part)
        last = (np.arange(_N_STATS)[:, None] * N_TRACK_STEPS + steps[:, -1] - 1).ravel()
        wins.of_players(np.tile(player, _N_STATS), last, {"players": 1, "won": np.tile(rows["win_share"], _N_STATS)})
        for name in ("players", "won"):
            mine = wins.of(name)
            wins.of(f"other_{name}")[:] = mine.sum(-1, keepdims=True) - mine
        self.wins.add(wins)

    def result(self, source: Source) -> SectionResult:
        bonuses = end_bonuses(source)
        steps = joined(self._steps(players, source.strategies, bonuses) for players in source.players)
        means = joined(self._means(players, source.strategies) for players in source.players)
        wins = joined(self._wins(players, source.strategies, bonuses) for players in source.players)
        items = [
            *step_figures(steps, source),
            _mean_table(means),
            _step_table(steps),
            *win_figures(wins, source),
            _win_table(wins),
        ]
        return SectionResult(warnings=(_WARNING,), items=items)

    def _steps(self, players: int, strategies: tuple[str, ...], bonuses: list[int]) -> DataFrame:
        moments = self.steps.moments[players]
        measures = {name: share(moments, (name, "players")) for name in ("exactly", "reached")}
        axes = {"stat": STAT_NAMES, "after_age": AGES, "step": STEPS}
        frame = estimate_frame(players, strata_told(moments, strategies, "players"), axes, measures, "players_counted")
        frame.insert(frame.columns.get_loc("step") + 1, "end_bonus", [bonuses[step - 1] for step in frame["step"]])
        return frame[frame["after_age"].isin(self._ages)].reset_index(drop=True)

    def _means(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        """Mean step after each age, and mean glory of all stats at the end."""
        moments = self.means.moments[players]
        told = strata_told(moments, strategies, "players")
        axes = {"stat": STAT_NAMES, "after_age": AGES}
        frame = estimate_frame(players, told, axes, {"value": ratio(moments, ("step", "players"))}, "players_counted")
        frame.insert(2, "measure", "step")
        bonus = {"value": ratio(self.bonus.moments[players], ("end_bonus", "players"))}
        glory = estimate_frame(players, told, {"stat": ("all",)}, bonus, "players_counted")
        glory.insert(2, "measure", "end_bonus")
        glory.insert(4, "after_age", AGES[-1])
        return joined([frame[frame["after_age"].isin(self._ages)], glory])

    def _wins(self, players: int, strategies: tuple[str, ...], bonuses: list[int]) -> DataFrame:
        moments = self.wins.moments[players]
        measures = {
            "win_share": share(moments, ("won", "players"), 1 / players),
            "difference_to_other_steps": contrast(moments, ("won", "players"), ("other_won", "other_players")),
        }
        axes = {"stat": STAT_NAMES, "final_step": STEPS}
        frame = estimate_frame(players, strata_told(moments, strategies, "players"), axes, measures, "players_counted")
        frame.insert(4, "end_bonus", [bonuses[step - 1] for step in frame["final_step"]])
        return frame


_WARNING = "Win shares by step are observed, not caused: who is ahead raises stats more easily. They do not say what a step is worth."


_KEYS = {"players": "players", "strategy": "strategy", "stat": "stat"}
_COUNTS = {"players_counted": "player-games"}


def _mean_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "stats",
        "Mean steps, and glory at the end",
        frame,
        "Mean step (1 to 6) after each age; the rows end_bonus are the mean glory that a player gets for all stats at the end. "
        "95 % intervals.",
        {"players": "players", "strategy": "strategy", "measure": "measure", "stat": "stat", "after_age": "after age"},
        _COUNTS,
        {"value": ("mean", "number")},
    )


def _step_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "stat_steps",
        "Steps reached",
        frame,
        "Share of players on just this step, and on it or a higher one, in percent with 95 % intervals; end bonus is the glory "
        "that the step pays at the end. The page shows the end of the game, the CSV each age.",
        {**_KEYS, "step": "step", "end_bonus": "end bonus"},
        _COUNTS,
        {"exactly": ("on it, %", "share"), "reached": ("on it or higher, %", "share")},
        (frame["after_age"] == frame["after_age"].max()).to_numpy(),
    )


def _win_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "stat_wins",
        "Win share by final step",
        frame,
        "Win share in percent of players who end on this step, and the difference to those who end on another, in points, with "
        "95 % intervals.",
        {**_KEYS, "final_step": "final step", "end_bonus": "end bonus"},
        _COUNTS,
        {"win_share": ("win share, %", "share"), "difference_to_other_steps": ("difference, points", "share")},
        (frame["players_counted"] > 0).to_numpy(),
    )


def end_bonuses(source: Source) -> list[int]:
    """Glory at the end of the game for a stat, by step - 1, in the rules of the run.  Rule 12.1."""
    return [int(glory) for glory in source.ruleset.tables()[0].end_bonus]
