"""The section on provinces: who stands where, pillages and dies there, and what the doom of a province does."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..data import reader
from ..rules.ids import N_AGES, N_PROVINCES, PLACE_NAMES, PLACE_YGGDRASIL
from ..rules.state import N_BOARD_PLACES
from ..statistics.ratios import contrast, ratio
from .frames import estimate_frame, joined, table_of
from .province_figures import doom_figures, map_figures
from .section import SectionResult
from .tallies import Counts, Tally, game_rows, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .section import NamedFigure, NamedTable
    from .source import PartRows, Source

PLACES = PLACE_NAMES[:N_BOARD_PLACES]
AGES = tuple(range(1, N_AGES + 1))
HAPPENINGS = ("figures", "pillages", "deaths", "ragnarok_deaths")  # columns of `board`, by row
_DOOM = ("figures", "pillages")


class Provinces:
    """What stands and happens in each place of the board, by age."""

    name = "provinces"
    title = "Provinces and Ragnarök"
    tables: ClassVar[dict[str, Sequence[str]]] = {
        "games": ("gone", "doomed_1", "doomed_2", "doomed_3"),
        "board": ("age", "place", "seat", *HAPPENINGS),
    }

    def __init__(self, source: Source) -> None:
        self._ages = source.filters.ages or AGES
        self.places = Tally(("players", "games", *HAPPENINGS), (N_AGES, N_BOARD_PLACES))
        kinds = [f"{kind}_{name}" for kind in ("doomed", "other") for name in ("provinces", *_DOOM)]
        self.doom = Tally((*kinds, "ragnarok_deaths", "players"), (N_AGES,))

    def add(self, part: PartRows) -> None:
        rows = part.rows["board"]
        there = places_there(part)
        doomed = doomed_provinces(part)
        game, age, place = part.game_of("board"), rows["age"].astype(np.int64) - 1, rows["place"].astype(np.int64)
        player = part.player_row_of("board")
        stands = there[game, age, place]
        values = {name: rows[name] * stands for name in HAPPENINGS}

        counts = Counts(self.places, part)
        counts.of_players(player, age * N_BOARD_PLACES + place, values)
        flat = there.reshape(part.games, -1)
        counts.times_players({"players": flat})
        counts.of_games({"games": flat})
        self.places.add(counts)

        counts = Counts(self.doom, part)
        is_doomed = place == doomed[game, age]
        outer = stands & (place < N_PROVINCES) & (place != PLACE_YGGDRASIL) & ~is_doomed
        mine = {f"doomed_{name}": rows[name] * is_doomed for name in _DOOM}
        other = {f"other_{name}": rows[name] * outer for name in _DOOM}
        counts.of_players(player, age, {**mine, **other, "ragnarok_deaths": rows["ragnarok_deaths"]})
        others = there[:, :, :N_PROVINCES].sum(2) - 2  # but for the doomed one and Yggdrasil
        counts.times_players({"other_provinces": others})
        counts.each_player("doomed_provinces")
        counts.each_player("players")
        self.doom.add(counts)

    def result(self, source: Source) -> SectionResult:
        frame = joined(self._places(players, source.strategies) for players in source.players)
        doom = joined(self._doom(players, source.strategies) for players in source.players)
        items: list[NamedTable | NamedFigure] = [*map_figures(frame, source), _place_table(frame)]
        items += [*doom_figures(doom, source), _doom_table(doom)]
        return SectionResult(lead=(_LEAD,), items=items)

    def _places(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.places.moments[players]
        told = strata_told(moments, strategies, "players")
        measures = {name: ratio(moments, (name, "players")) for name in HAPPENINGS}
        frame = estimate_frame(players, told, {"age": AGES, "place": PLACES}, measures, "players_counted")
        everyone = {f"{name}_by_game": ratio(moments, (name, "games")) for name in HAPPENINGS}
        games = estimate_frame(players, told, {"age": AGES, "place": PLACES}, everyone, "games")
        for column in games.columns[games.columns.get_loc("games") :].drop("clusters"):
            frame[column] = games[column]
        return frame[frame["age"].isin(self._ages)].reset_index(drop=True)

    def _doom(self, players: int, strategies: tuple[str, ...]) -> DataFrame:
        moments = self.doom.moments[players]
        told = strata_told(moments, strategies, "players")
        measures = {}
        for name in _DOOM:
            doomed, other = (f"doomed_{name}", "doomed_provinces"), (f"other_{name}", "other_provinces")
            measures[doomed[0]] = ratio(moments, doomed)
            measures[other[0]] = ratio(moments, other)
            measures[f"{name}_difference"] = contrast(moments, doomed, other)
        measures["ragnarok_deaths"] = ratio(moments, ("ragnarok_deaths", "players"))
        frame = estimate_frame(players, told, {"age": AGES}, measures, "players_counted")
        return frame[frame["age"].isin(self._ages)].reset_index(drop=True)


_LEAD = (
    "A place counts only in games and ages in which it is still on the board: a province until Ragnarök destroys it, a fjord "
    "while one of its provinces is left. Figures are those at the end of the action phase."
)


def _place_table(frame: DataFrame) -> NamedTable:
    numbers = {f"{name}_by_game": (heading, "number") for name, heading in _HEADINGS.items()}
    return table_of(
        "provinces",
        "Places by age",
        frame,
        "Means by game of all players told together, with 95 % intervals. The CSV has them by player and strategy too.",
        {"players": "players", "age": "age", "place": "place"},
        {"games": "games"},
        numbers,
        frame["games"].to_numpy() > 0,
    )


def _doom_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "doomed_provinces",
        "The doomed province against the others",
        frame,
        "Own figures at the end of the action phase and own pillages of a player, in the province that Ragnarök destroys in this "
        "age and in each other outer province that is left, with the difference and 95 % intervals. The doomed province is "
        "drawn by chance, so the difference is what its doom does.",
        {"players": "players", "strategy": "strategy", "age": "age"},
        {"players_counted": "player-games"},
        {
            "doomed_figures": ("figures, doomed", "number"),
            "other_figures": ("figures, other", "number"),
            "figures_difference": ("difference", "number"),
            "doomed_pillages": ("pillages, doomed", "number"),
            "other_pillages": ("pillages, other", "number"),
            "ragnarok_deaths": ("figures lost to Ragnarök", "number"),
        },
    )


_HEADINGS = {
    "figures": "figures at the end",
    "pillages": "pillages",
    "deaths": "figures destroyed",
    "ragnarok_deaths": "destroyed by Ragnarök",
}


def doomed_provinces(part: PartRows) -> np.ndarray:
    """int64 (games, ages): province that Ragnarök destroys at the end of the age."""
    rows = game_rows(part)
    return np.stack([rows[f"doomed_{age}"] for age in AGES], 1).astype(np.int64)


def places_there(part: PartRows) -> np.ndarray:
    """bool (games, ages, places): whether a place is on the board in the action phase of the age.  Rules 1.1, 1.3.2."""
    gone = game_rows(part)["gone"].astype(np.int64)
    doomed = doomed_provinces(part)
    there = np.zeros((part.games, N_AGES, N_BOARD_PLACES), bool)
    there[:, :, :N_PROVINCES] = ((gone[:, None] >> np.arange(N_PROVINCES)) & 1 == 0)[:, None, :]
    for age in range(1, N_AGES):
        there[:, age] &= there[:, age - 1]
        there[np.arange(part.games), age, doomed[:, age - 1]] = False
    for fjord in reader.board()["fjord"]:
        shores = [PLACES.index(province) for province in fjord["provinces"]]
        there[:, :, PLACES.index(fjord["id"])] = there[:, :, shores].any(2)
    return there
