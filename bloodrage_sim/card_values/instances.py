"""Instances: a card that a seat drafted, or passed on, in a game that was played; each is compared with what else could be."""

from __future__ import annotations

import numpy as np

from ..rules.chance import PURPOSE_CHANGE
from ..rules.ids import N_AGES
from .config import DENY, HOLD, PICK, USE

INSTANCE = np.dtype(
    [
        ("game", "<i4"),  # index of the game in the unit
        ("measure", "i1"),
        ("age", "i1"),
        ("seat", "i1"),
        ("copy", "<i2"),
        ("card", "<i2"),
        ("round", "i1"),  # of the draft in which the card was taken
    ]
)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def instances_of(deals: np.ndarray, card_of: np.ndarray, wanted: np.ndarray, measures: list[int], one_each: bool) -> np.ndarray:
    """INSTANCE array of the games whose DEALS rows are given, numbered from 0.

    Who holds a card is who took it in the draft of its age.  Who denies a card is who had it in the first pack and passed it on.

    Parameters
    ----------
    deals : rows of the table `deals`, one field per column
    card_of : CARD id by COPY
    wanted : bool by CARD id
    measures : HOLD, USE, ...
    one_each : take one card, drawn by chance, for each game, age, seat and measure, instead of all
    """
    found = []
    card = card_of[deals["copy"]]
    for measure in measures:
        if measure == DENY:
            chosen, seat = deals["round"] != 1, deals["first_seat"]
        else:
            chosen, seat = deals["taken_by"] >= 0, deals["taken_by"]
        chosen = chosen & wanted[card]
        rows = np.zeros(int(chosen.sum()), INSTANCE)
        rows["measure"] = measure
        rows["game"], rows["age"], rows["copy"] = deals["game"][chosen], deals["age"][chosen], deals["copy"][chosen]
        rows["seat"], rows["card"], rows["round"] = seat[chosen], card[chosen], deals["round"][chosen]
        found.append(_one_of_each(rows) if one_each else rows)
    return np.concatenate(found)


def _one_of_each(rows: np.ndarray) -> np.ndarray:
    """One row for each game, age and seat: that whose copy has the least hash."""
    with np.errstate(over="ignore"):
        key = (rows["game"].astype(np.uint64) << np.uint64(16)) + rows["copy"].astype(np.uint64) + np.uint64(PURPOSE_CHANGE)
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9) * _GOLDEN
        key ^= key >> np.uint64(31)
    order = np.lexsort([key, rows["seat"], rows["age"], rows["game"]])
    rows = rows[order]
    group = rows["game"].astype(np.int64) * 64 + rows["age"] * 8 + rows["seat"]
    return rows[np.concatenate([[True], group[1:] != group[:-1]])] if len(rows) else rows


def is_after_draft(measure: int) -> bool:
    """Whether what is compared begins after the draft of the age, not before it."""
    return measure in (HOLD, USE)


def batches(rows: np.ndarray, most_cards: int) -> list[np.ndarray]:
    """Instances that can be played together: of one measure and age, of one pick where it matters, and of few different cards."""
    found = []
    for measure in (HOLD, USE, DENY, PICK):
        for age in range(1, N_AGES + 1):
            own = rows[(rows["measure"] == measure) & (rows["age"] == age)]
            for round_ in np.unique(own["round"]) if measure == PICK else [None]:
                part = own if round_ is None else own[own["round"] == round_]
                cards = np.unique(part["card"])
                for at in range(0, len(cards), most_cards):
                    found.append(part[np.isin(part["card"], cards[at : at + most_cards])])
    return [batch for batch in found if len(batch)]


