"""What is compared of two runs, counted from the parts of each: by player, by game and by card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..rows.tables_out import AGE_ENDS, FATE_DISCARDED, FATE_KEPT
from ..rules.events import SOURCE_NAMES
from ..rules.ids import N_AGES, N_CARD_ROWS, STAT_NAMES
from ..rules.ruin import CAUSE_NAMES
from ..statistics.ratios import Ratio
from .compare_groups import regroup
from .tallies import Counts, Tally, game_rows

if TYPE_CHECKING:
    from .source import PartRows, Source

STRENGTH = ("win_share", "glory", "margin")
SOURCES = tuple(f"glory_{name}" for name in SOURCE_NAMES)
ACTIONS = (
    "turns", "passes", "rage_passed", "monsters", "ships_lost", "provinces_locked", "battles", "battles_won", "pillages",
    "pillages_unopposed", "quests_committed", "quests_done", *(f"deaths_{name}" for name in CAUSE_NAMES), "cards_drafted",
    "cards_played", *(f"{name}_step" for name in STAT_NAMES),
)  # fmt: skip
BY_PLAYER = (*STRENGTH, *SOURCES, *ACTIONS)

_AGES = tuple(range(1, N_AGES + 1))
BY_GAME = (
    "turns", "decisions", "battles", "pillages", *(f"turns_age_{age}" for age in _AGES),
    *(f"age_{age}_all_pillaged" for age in _AGES),
)  # fmt: skip

# Of the copies of a card.  A win share is that of the player who took the copy; glory what the ledger books on it.
CARD_RATIOS: dict[str, Ratio] = {
    "pick_rate": ("taken", "looks"),
    "round_taken": ("rounds", "taken"),
    "left_over": ("left", "dealt"),
    "win_share_drafted": ("won", "taken"),
    "uses_by_drafted": ("uses", "taken"),
    "glory_by_drafted": ("glory", "taken"),
}
_CARD_NAMES = ("dealt", "looks", "taken", "left", "rounds", "won", "uses", "glory")

COLUMNS = {
    "games": ("turns", "decisions", "battles", "pillages", *(f"age_{age}_end" for age in _AGES)),
    "players": ("slot", *BY_PLAYER, *(f"turns_age_{age}" for age in _AGES[:-1])),
    "deals": ("copy", "round", "taken_by"),
    "plays": ("copy", "fate"),
    "ledger": ("copy", "glory"),
}
FAMILIES = {"players": ("players", *BY_PLAYER), "games": ("games", *BY_GAME), "cards": _CARD_NAMES}


class RunCounter:
    """Counts the parts of one run for one number of players."""

    def __init__(self, source: Source, players: int, names: tuple[str, ...], group_of_slot: np.ndarray) -> None:
        """names, group_of_slot : of compare_groups.Groups"""
        tables = source.ruleset.tables()[0]
        self._groups = names, group_of_slot
        self._rounds = -(-int(tables.keep) // int(tables.picks[players]))
        self._number_of = source.cards["number"].to_numpy()

    def count(self, part: PartRows) -> Mapping[str, np.ndarray]:
        """Sums by deal of each family of FAMILIES: float64 (deals, cells, variables)."""
        return {"players": self._players(part), "games": self._games(part), "cards": self._cards(part)}

    def _players(self, part: PartRows) -> np.ndarray:
        counts = Counts(Tally(FAMILIES["players"], ()), regroup(part, *self._groups))
        rows = part.rows["players"]
        counts.of_players(np.arange(len(rows)), 0, {"players": 1, **{name: rows[name] for name in BY_PLAYER}})
        return counts.sums[:, :, 0]

    def _games(self, part: PartRows) -> np.ndarray:
        games, rows = game_rows(part), part.rows["players"]
        turns = np.stack([rows["turns_age_1"], rows["turns_age_2"], rows["turns"]], 1).astype(np.int64)
        turns[:, -1] -= turns[:, :-1].sum(1)
        turns = turns.reshape(part.games, part.players, N_AGES).sum(1)
        pillaged = AGE_ENDS.index("pillaged")
        values = {name: games[name] for name in BY_GAME[:4]}
        values |= {f"turns_age_{age}": turns[:, age - 1] for age in _AGES}
        values |= {f"age_{age}_all_pillaged": games[f"age_{age}_end"] == pillaged for age in _AGES}
        counts = Counts(Tally(FAMILIES["games"], ()), part)
        counts.of_games({"games": np.ones((part.games, 1)), **{name: numbers[:, None] for name, numbers in values.items()}})
        return counts.sums[:, 0]

    def _cards(self, part: PartRows) -> np.ndarray:
        sums = np.zeros((int(part.cluster[-1]) + 1, N_CARD_ROWS, len(_CARD_NAMES)))

        def add(table: str, kept: np.ndarray, values: Mapping[str, np.ndarray | None]) -> None:
            rows, game = part.rows[table]["copy"][kept], part.game_of(table)[kept]
            place = part.cluster[game] * N_CARD_ROWS + self._number_of[rows]
            for name, numbers in values.items():
                found = np.bincount(place, None if numbers is None else numbers[kept], sums[..., 0].size)
                sums[..., _CARD_NAMES.index(name)] += found.reshape(sums.shape[:2])

        deals = part.rows["deals"]
        in_draft, taken = deals["round"] > 0, deals["taken_by"] >= 0
        looks = np.where(in_draft, deals["round"], np.where(taken, 0, self._rounds))
        won = part.rows["players"]["win_share"][part.player_row_of("deals", "taken_by")]
        add("deals", np.ones(len(deals), bool), {"dealt": None, "looks": looks})
        add("deals", taken, {"taken": None, "rounds": deals["round"], "won": won})
        add("deals", ~taken, {"left": None})
        fate = part.rows["plays"]["fate"]
        add("plays", (fate != FATE_DISCARDED) & (fate != FATE_KEPT), {"uses": None})
        add("ledger", part.rows["ledger"]["copy"] >= 0, {"glory": part.rows["ledger"]["glory"]})
        return sums
