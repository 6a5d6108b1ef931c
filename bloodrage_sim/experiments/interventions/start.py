"""`position`: all games of an arm start from a position in place of an empty board.

    position = "tide.toml"

The file is a scenario file (path from the folder of the experiment file); its moves and what it expects are left aside.  A table with the keys
of such a file may stand in its place, and a `position` of the whole file holds for arms without their own.  The focal strategy has
seat 0 in every rotation; what is not in the position, such as decks of later ages, is drawn for each game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import BadScenario, BadValue
from ...position import build_game
from ...ruleset import Ruleset
from ...scenario import read_scenario

KEY = "position"


@dataclass(frozen=True)
class Start:
    """A position to start from; document : as in a scenario file."""

    document: Mapping[str, Any]
    where: str

    @classmethod
    def read(cls, table: Mapping[str, Any], folder: Path, where: str) -> Start | None:
        """The position of a table, None if it has none.  Raises BadValue, BadScenario, BadFile."""
        if KEY not in table:
            return None
        value, place = table[KEY], f"{where}.{KEY}"
        if isinstance(value, str):
            value = read_scenario(folder / value)
        if not isinstance(value, Mapping) or "players" not in value or value.get("phase") == "setup":
            raise BadValue(f"{place} is {table[KEY]!r:.60}; write the path of a scenario file with players and a phase, or its keys")
        return cls({"age": 1, "current": 0, "first_player": 0, "seed": 1, **value}, place)

    def games(self, players: int, ruleset: Ruleset) -> np.recarray:
        """GAME array of one game in the position.  Raises BadValue, BadScenario."""
        if self.document["players"] != players:
            raise BadValue(f"{self.where} has {self.document['players']} players, the experiment {players}")
        try:
            return build_game(self.document, ruleset).games
        except BadScenario as error:
            raise BadScenario(f"{self.where}: {error}") from None
