"""Metrics of battles and pillages by age and by who called them, each a family narrowed by words in any order.

    battles         battles taken part in: age_1, age_2, age_3; own, foreign (called by another); won, lost (tied ones too), tied
    pillages        successful pillages: age_1, age_2, age_3
    battle_glory    glory of winners in battles, from Axes and from the text of battle cards: age_1, age_2, age_3; own, foreign
"""

from __future__ import annotations

import numpy as np

from ..rows.tables_out import BATTLES, BOARD, EVENTS, REASONS
from ..rules.events import EVENT_GLORY, EVENT_PILLAGE, EVENT_WON
from ..rules.ids import N_AGES
from .played import PlayedGames, cards_meant

AGE = "age_"
AGE_WORDS = tuple(f"{AGE}{age}" for age in range(1, N_AGES + 1))
BATTLE_WORDS = (*AGE_WORDS, "own", "foreign", "won", "lost", "tied")
PILLAGE_WORDS = AGE_WORDS
GLORY_WORDS = (*AGE_WORDS, "own", "foreign")
_BATTLE_KIND = "battle"


def narrowed(words: str, tests: dict[str, np.ndarray], age: np.ndarray) -> np.ndarray:
    """Bool by row: whether it passes the tests of all words; age : by row, for words such as age_1."""
    chosen = np.ones(len(age), bool)
    for word in words.split("."):
        chosen &= age == int(word.removeprefix(AGE)) if word.startswith(AGE) else tests[word]
    return chosen


def battles(words: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): battles taken part in."""
    rows = played.details[BATTLES.name]
    won, own = rows["won"] == 1, rows["pillager"] == 1
    decided = np.zeros((len(played.game_rows), int(rows["battle"].max(initial=0)) + 1), bool)
    decided[rows["game"][won], rows["battle"][won]] = True
    tied = ~decided[rows["game"], rows["battle"]]
    tests = {"own": own, "foreign": ~own, "won": won, "lost": ~won, "tied": tied}
    return played.booked(BATTLES, 1.0, narrowed(words, tests, rows["age"]))


def pillages(words: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): successful pillages."""
    rows = played.details[BOARD.name]
    return played.booked(BOARD, rows["pillages"], narrowed(words, {}, rows["age"]))


def battle_glory(words: str, played: PlayedGames) -> np.ndarray:
    """Float64 (games, players): glory of winners in battles; what a battle pays lies between its call and the next."""
    rows = played.details[EVENTS.name]
    kind, seat = rows["kind"], rows["seat"]
    call = np.cumsum(kind == EVENT_PILLAGE)  # number of the call, over all games; 0 before the first
    pillager, winner = np.full((2, int(call[-1]) + 1 if len(call) else 1), -1)
    pillager[call[kind == EVENT_PILLAGE]] = seat[kind == EVENT_PILLAGE]
    winner[call[kind == EVENT_WON]] = seat[kind == EVENT_WON]
    axes, text = (rows["reason"] == REASONS.index(f"glory_{source}") for source in ("battle", "card"))
    of_battle = axes | (text & np.isin(rows["card"], cards_meant(_BATTLE_KIND, "")))
    own = seat == pillager[call]
    chosen = (kind == EVENT_GLORY) & of_battle & (seat == winner[call]) & narrowed(words, {"own": own, "foreign": ~own}, rows["age"])
    return played.booked(EVENTS, rows["value"], chosen)
