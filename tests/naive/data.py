"""The two data files as plain dicts, and the rule options."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent.parent / "bloodrage_sim" / "data"
Position = dict[str, Any]
Row = dict[str, Any]
Cards = dict[str, Row]  # "tyrs_crush@2" -> its row
Board = dict[str, Any]  # board.toml as read
Answers = Callable[[int, str, list[str]], str]
Figure = tuple[int, str, str]  # owner's seat, name, place
STATS = ("rage", "axes", "horns")
YGGDRASIL = "yggdrasil"
VALHALLA = "valhalla"
RESERVE = "reserve"
NO_LIMIT = 1000

DEFAULT_RULES = {
    "yggdrasil_reward": "all_stats",
    "march": "anywhere",
    "ship_march": "never",
    "battle_card": "mandatory",
    "call_to_battle": "laps",
    "passed_player": "out",
    "prowess_vs_trickery": "prowess_first",
    "poison_vs_prowess": "poison_first",
    "two_watches": "first_only",
    "watch_counts": "printed",
    "quest_as_battle": "optional",
    "witch_flees_ragnarok": "yes",
    "sacrifice_escape": "no",
    "succor_in_yggdrasil": "no",
    "blessing_in_yggdrasil": "no",
    "blessing_triggers_succor": "yes",
    "domain_after_blessing": "no",
    "dark_elf_yggdrasil_cost": "printed",
    "upgrade_slot": "any",
    "dead_fjord": "closed",
    "mystics": "off",
    "gods": "off",
}


def read_cards(path: Path) -> Cards:
    """Rows of cards.csv by ``id@age``; numbers as int, empty cells as None.  Rule 1.8."""
    cards: Cards = {}
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            row: Row = dict(line)
            for column in ("age", "cost_or_str", "figure_str", "glory", "amount"):
                row[column] = int(row[column]) if row[column] else None
            if row["battle_str"] != "X":
                row["battle_str"] = int(row["battle_str"]) if row["battle_str"] else None
            cards[f"{row['id']}@{row['age']}"] = row
    return cards


def read_board(path: Path) -> Board:
    """board.toml as a dict."""
    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def standard_cards() -> Cards:
    """The cards of bloodrage_sim/data, read once."""
    return read_cards(DATA / "cards.csv")


@cache
def standard_board() -> Board:
    """The board of bloodrage_sim/data, read once."""
    return read_board(DATA / "board.toml")
