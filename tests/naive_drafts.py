"""Draft metrics and results of cards counted the slow way: packs are passed round a table, and every look is noted."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pandas as pd


def looks_of_drafts(deals: pd.DataFrame, players: int) -> pd.DataFrame:
    """One row by look: game, age, copy, round, seat, kept and size of the pack it is in, whether it is taken then.

    deals : columns game, age, copy, first_seat, round, taken_by
    """
    looks = []
    for (game, age), rows in deals.groupby(["game", "age"]):
        packs: list[list[Any]] = [[] for _ in range(players)]
        for row in rows.itertuples():
            packs[row.first_seat].append(row)
        number = 0
        while any(row.round > number for pack in packs for row in pack):
            number += 1
            for seat, pack in enumerate(packs):
                taken = [row for row in pack if row.round == number]
                assert all(row.taken_by == seat for row in taken)  # only who holds the pack takes from it
                for row in pack:
                    looks.append((game, age, row.copy, number, seat, len(taken), len(pack), row.round == number))
            left = [[row for row in pack if row.round != number] for pack in packs]
            packs = [left[-1], *left[:-1]]  # to the left: clockwise
    return pd.DataFrame(looks, columns=["game", "age", "copy", "round", "seat", "kept", "size", "taken"])


def draft_sums(looks: pd.DataFrame, card_of: Any, group_of: Any, players: int) -> dict[tuple[Any, int], Counter]:
    """The sums of draft_counts.NAMES by (group of the player, card), from the looks of whole drafts.

    group_of : function of (game, seat)
    """
    sums: dict[tuple[Any, int], Counter] = defaultdict(Counter)
    last_round = looks["round"].max()
    for (game, copy), rows in looks.groupby(["game", "copy"]):
        card, seen = card_of[copy], {}
        for look in rows.itertuples():  # in the order of rounds
            mine = sums[group_of(game, look.seat), card]
            mine["looks"] += 1
            mine["expected"] += look.kept / look.size
            mine["wheels"] += look.seat in seen
            mine["seen"] += look.seat not in seen
            seen[look.seat] = look.round
            mine["taken"] += look.taken
            mine["rounds"] += look.round if look.taken else 0
            mine["first"] += look.taken and look.round == 1
            mine["dealt"] += look.round == 1
            if not look.taken and look.round + players <= last_round:
                mine["chances"] += 1
        for seat, number in seen.items():
            sums[group_of(game, seat), card]["lasts"] += number
        if not rows["taken"].any():
            sums[group_of(game, rows["seat"].iloc[0]), card]["left"] += 1
    return sums
