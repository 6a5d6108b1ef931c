"""Metrics of quests of a region that a player passes on from the first pack of an age, and whether they come round again.

`passed_quests` counts those with own figures in the region; words narrow it: `alone` (nobody else has figures there), `shared`
(somebody has), `back` (the quest is still in the pack when it returns).  Figures stand as they were left after the age before, in
the provinces of the region and the fjords that support them.
"""

from __future__ import annotations

import numpy as np

from ..data import reader
from ..rows.tables_out import BOARD, DEALS
from ..rules.ids import N_AGES, PLACE_NAMES
from ..rules.tables import N_CARDS
from .played import PlayedGames

WHEEL_WORDS = ("alone", "shared", "back")


def _places_by_card() -> np.ndarray:
    """Bool (cards, places): where figures count for a quest; False everywhere for other cards, spare ones too."""
    board = reader.board()
    places = np.zeros((N_CARDS, len(PLACE_NAMES)), bool)
    for card, row in enumerate(reader.card_rows()):
        if row["effect"] == "most_str_region":
            provinces = next(region["provinces"] for region in board["region"] if region["id"] == row["region"])
        else:
            provinces = ["yggdrasil"] if row["effect"] == "most_str_yggdrasil" else []
        fjords = [fjord["id"] for fjord in board["fjord"] if set(provinces) & set(fjord["provinces"])]
        places[card, [PLACE_NAMES.index(place) for place in (*provinces, *fjords)]] = True
    return places


def passed_quests(words: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): quests passed on from a first pack."""
    rows = played.details[DEALS.name]
    seat, players = rows["first_seat"], played.players
    figures = _figures_left(played)
    counts = _places_by_card()[played.card_of[rows["game"], rows["copy"]]]  # (rows, places)
    there = np.einsum("rsp,rp->rs", figures[rows["game"], rows["age"] - 1], counts) > 0
    own = there[np.arange(len(rows)), seat]
    shared = there.sum(1) > 1
    back = (rows["round"] == 0) | (rows["round"] > players)
    chosen = own & (rows["round"] != 1)
    for word in words.split("."):
        chosen &= {"alone": ~shared, "shared": shared, "back": back}[word]
    return played.summed(rows["game"][chosen], seat[chosen], 1.0)


def _figures_left(played: PlayedGames) -> np.ndarray:
    """int16 (games, ages, players, places): figures on the board when an age begins."""
    rows = played.details[BOARD.name]
    left = np.zeros((len(played.game_rows), N_AGES + 1, played.players, len(PLACE_NAMES)), np.int16)
    left[rows["game"], rows["age"], rows["seat"], rows["place"]] = rows["figures"] - rows["ragnarok_deaths"]
    return left[:, :N_AGES]
