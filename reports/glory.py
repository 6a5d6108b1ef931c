"""The section on glory: what it comes from, when, and how much of a lead is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..rules.events import SOURCE_NAMES
from ..rules.ids import N_AGES, PHASE_NAMES
from ..statistics.ratios import ratio, share
from .frames import estimate_frame, joined, table_of
from .glory_counts import GloryCounts
from .glory_figures import course_figure, phase_figure, source_figure
from .section import NamedTable, SectionResult
from .tallies import Counts, Tally, player_rows, strata_told

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pandas import DataFrame

    from .source import PartRows, Source

AGES = tuple(range(1, N_AGES + 1))
_SOURCES, _PHASES = len(SOURCE_NAMES), len(PHASE_NAMES)
# moments of the game that are told; in the other phases there is no glory to gain
STEPS = [
    (age, phase)
    for age in AGES
    for phase in PHASE_NAMES
    if phase not in ("draft", "discard") and (phase != "end" or age == N_AGES)
]
_PLACES = [(age - 1) * _PHASES + PHASE_NAMES.index(phase) for age, phase in STEPS]
_STEP_AT = np.searchsorted(_PLACES, np.arange(N_AGES * _PHASES))  # of age and phase; what is not told counts for the next
_COUNTED = {"players_counted": "player-games", "clusters": "clusters"}


class Glory:
    """Glory by source and age, by source and phase, in the course of the game, and by who leads."""

    name = "glory"
    title = "Where glory comes from"
    tables: ClassVar[dict[str, Sequence[str]]] = {
        "players": ("win_share", *(f"glory_age_{age}" for age in AGES)),
        "ledger": ("seat", "age", "phase", "source", "glory"),
    }

    def __init__(self, source: Source) -> None:
        self._ages = source.filters.ages or AGES
        self.sources = Tally(("players", "glory"), (N_AGES + 1, _SOURCES + 1))  # the last ones: all ages, all sources
        self.course = Tally(("players", "gained", "so_far"), (len(STEPS),))
        self.quartiles = GloryCounts(groups=len(STEPS))
        self.phases: dict[int, np.ndarray] = {}  # by number of players: sums (STEPS, sources) over chosen players
        self.leads = Tally(("leaders", "won"), (N_AGES,))

    def add(self, part: PartRows) -> None:
        ledger, rows = part.rows["ledger"], part.rows["players"]
        player = part.player_row_of("ledger")
        age, source = ledger["age"].astype(np.int64) - 1, ledger["source"].astype(np.int64)
        step = _STEP_AT[age * _PHASES + ledger["phase"]]
        players = Counts(Tally(("players",), (1,)), part)
        players.of_players(player_rows(part), 0, {"players": 1})
        counted = players.of("players")
        self._add_sources(part, player, age * (_SOURCES + 1) + source, counted)

        weights = ledger["glory"] if part.chosen.all() else np.where(part.chosen[player], ledger["glory"], 0)
        sums = np.bincount(step * _SOURCES + source, weights, len(STEPS) * _SOURCES).reshape(-1, _SOURCES)
        self.phases[part.players] = self.phases.get(part.players, 0) + sums

        gained = np.bincount(player * len(STEPS) + step, ledger["glory"], len(rows) * len(STEPS)).reshape(-1, len(STEPS))
        so_far = gained.cumsum(1)
        self.quartiles.add(part, so_far.astype(np.int64), part.chosen[:, None])
        course = Counts(self.course, part)
        course.of("players")[:] = counted
        _add_player_rows(course, {"gained": gained, "so_far": so_far})
        self.course.add(course)

        after = np.stack([rows[f"glory_age_{age}"] for age in AGES], 1).astype(float).cumsum(1)
        by_game = after.reshape(part.games, part.players, N_AGES)
        leads = (by_game == by_game.max(1, keepdims=True)).reshape(-1, N_AGES).astype(float)
        led = Counts(self.leads, part)
        _add_player_rows(led, {"leaders": leads, "won": leads * rows["win_share"][:, None]})
        self.leads.add(led)

    def _add_sources(self, part: PartRows, player: np.ndarray, cell: np.ndarray, counted: np.ndarray) -> None:
        counts = Counts(self.sources, part)
        counts.of_players(player, cell, {"glory": part.rows["ledger"]["glory"]})
        glory = counts.of("glory")
        glory[:, :, -1] = glory[:, :, :-1].sum(2)
        glory[..., -1] = glory[..., :-1].sum(-1)
        counts.of("players")[:] = counted[..., None]
        self.sources.add(counts)

    def result(self, source: Source) -> SectionResult:
        sources = joined(self._sources(players, source) for players in source.players)
        course = joined(self._course(players, source) for players in source.players)
        phases = joined(self._phases(players) for players in source.players)
        leads = joined(self._leads(players, source) for players in source.players)
        items = (
            source_figure(sources, source),
            _source_table(sources),
            phase_figure(phases, course, source),
            _phase_table(phases),
            course_figure(course, source),
            _course_table(course),
            _lead_table(leads),
        )
        lead = "Glory as the ledger books it, by player and game: all players, those with little glory too, count in each mean."
        return SectionResult(lead=(lead,), items=items)

    def _sources(self, players: int, source: Source) -> DataFrame:
        moments = self.sources.moments[players]
        axes = {"age": [*map(str, AGES), "all"], "source": (*SOURCE_NAMES, "all")}
        told = strata_told(moments, source.strategies, "players")
        frame = estimate_frame(players, told, axes, {"glory": ratio(moments, ("glory", "players"))}, "players_counted")
        ages = source.filters.ages
        return frame[frame["age"].isin([str(age) for age in ages])].reset_index(drop=True) if ages else frame

    def _course(self, players: int, source: Source) -> DataFrame:
        moments = self.course.moments[players]
        axes = {"step": STEPS}
        measures = {name: ratio(moments, (name, "players")) for name in ("gained", "so_far")}
        told = strata_told(moments, source.strategies, "players")
        frame = estimate_frame(players, told, axes, measures, "players_counted")
        for name, part in (("p25", 0.25), ("p75", 0.75)):
            found = np.stack([self.quartiles.quantile(players, step, part) for step in range(len(STEPS))], 1)
            frame[f"so_far_{name}"] = found[[place for place, _ in told]].ravel()
        frame.insert(2, "age", [age for age, _ in frame["step"]])
        frame.insert(3, "phase", [phase for _, phase in frame["step"]])
        used = np.abs(self.phases[players]).sum(1) > 0
        told_steps = [step for step, kept in zip(STEPS, used, strict=True) if kept and step[0] in self._ages]
        return frame[frame["step"].isin(told_steps)].drop(columns="step").reset_index(drop=True)

    def _phases(self, players: int) -> DataFrame:
        import pandas as pd

        n = int(self.course.moments[players].sum_of("players")[0, 0])
        sums = self.phases[players]
        data = [
            (players, age, phase, name, n, sums[place, at] / n)
            for place, (age, phase) in enumerate(STEPS)
            for at, name in enumerate(SOURCE_NAMES)
            if sums[place, at] != 0 and age in self._ages
        ]
        return pd.DataFrame(data, columns=["players", "age", "phase", "source", "players_counted", "glory"])

    def _leads(self, players: int, source: Source) -> DataFrame:
        moments = self.leads.moments[players]
        measures = {"win_share": share(moments, ("won", "leaders"))}
        told = strata_told(moments, source.strategies, "leaders")
        frame = estimate_frame(players, told, {"after_age": AGES}, measures, "leaders")
        return frame[frame["after_age"].isin([age for age in self._ages if age < N_AGES])].reset_index(drop=True)


def _add_player_rows(counts: Counts, values: Mapping[str, np.ndarray]) -> None:
    """Add numbers by row of `players` and cell, (player rows, cells), for players whom the filters let through."""
    part = counts.part
    strategy = part.rows["players"]["strategy"]
    starts = np.flatnonzero(np.diff(part.cluster, prepend=-1)) * part.players
    for code in range(len(part.strategies)):
        told = part.chosen & (strategy == code)
        if told.any():
            for name, numbers in values.items():
                sums = np.add.reduceat(numbers * told[:, None], starts, axis=0)
                counts.of(name)[:, 1 + code] += sums
                counts.of(name)[:, 0] += sums


_KEYS = {"players": "players", "strategy": "strategy"}


def _source_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "glory_sources",
        "Glory by source",
        frame,
        "Mean glory of a player in a game, with 95 % intervals. The page shows the whole game, or the ages that were asked for; "
        "the CSV each age.",
        {**_KEYS, "age": "age", "source": "source"},
        _COUNTED,
        {"glory": ("mean glory", "number")},
        ((frame["age"] == "all") | ~(frame["age"] == "all").any()).to_numpy(),
    )


def _phase_table(frame: DataFrame) -> NamedTable:
    return NamedTable(
        "glory_phases",
        "Glory by age, phase and source",
        frame,
        "Mean glory of a player by age, phase and source; the intervals of the sums of phases are in glory_course.csv.",
    )


def _course_table(frame: DataFrame) -> NamedTable:
    table = table_of(
        "glory_course",
        "Glory in the course of the game",
        frame,
        "Mean glory gained in a phase, and all that was gained until its end, with 95 % intervals. The CSV has quartiles as well.",
        {**_KEYS, "age": "age", "phase": "phase"},
        _COUNTED,
        {"gained": ("gained", "number"), "so_far": ("so far", "number")},
    )
    return replace(table, folded=True)


def _lead_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "glory_leads",
        "What a lead is worth",
        frame,
        "Win share in percent of players who have most glory after an age, alone or tied, with 95 % intervals. That the leader "
        "wins does not say that the lead made it win.",
        {**_KEYS, "after_age": "leads after age"},
        {"leaders": "leaders", "clusters": "clusters"},
        {"win_share": ("win share, %", "share")},
    )
