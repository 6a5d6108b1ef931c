"""Draft metrics and results of cards counted the slow way: packs are passed round a table, and every look is noted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd


class Look(NamedTuple):
    """A player sees a copy: `kept` cards are taken of the `size` of its pack then, and it is one of them or not."""

    game: int
    age: int
    copy: int
    round: int
    seat: int
    kept: int
    size: int
    taken: bool


def looks_of_drafts(deals: pd.DataFrame, players: int) -> list[Look]:
    """All looks, those of a draft in order.

    deals : columns game, age, copy, first_seat, round, taken_by
    """
    dealt: dict[tuple[int, int], list[list[Any]]] = defaultdict(lambda: [[] for _ in range(players)])
    for row in deals.itertuples():
        dealt[row.game, row.age][row.first_seat].append(row)
    looks = []
    for (game, age), packs in dealt.items():
        number = 0
        while any(row.round > number for pack in packs for row in pack):
            number += 1
            for seat, pack in enumerate(packs):
                taken = [row for row in pack if row.round == number]
                assert all(row.taken_by == seat for row in taken)  # only who holds the pack takes from it
                looks += [Look(game, age, row.copy, number, seat, len(taken), len(pack), row in taken) for row in pack]
            left = [[row for row in pack if row.round != number] for pack in packs]
            packs = [left[-1], *left[:-1]]  # to the left: clockwise
    return looks


def draft_sums(
    looks: Sequence[Look], card_of: Sequence[int], group_of: Callable[[int, int], str], players: int
) -> dict[tuple[str, int], Counter]:
    """The sums of draft_counts.NAMES by (group of the player, card), from the looks of whole drafts.

    group_of : function of game and seat
    """
    by_copy: dict[tuple[int, int], list[Look]] = defaultdict(list)
    for look in looks:
        by_copy[look.game, look.copy].append(look)
    sums: dict[tuple[str, int], Counter] = defaultdict(Counter)
    last_round = max(look.round for look in looks)
    for (game, copy), rows in by_copy.items():
        card, seen = int(card_of[copy]), {}
        for look in rows:
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
            mine["chances"] += not look.taken and look.round + players <= last_round
        for seat, number in seen.items():
            sums[group_of(game, seat), card]["lasts"] += number
        sums[group_of(game, rows[0].seat), card]["left"] += not any(look.taken for look in rows)
    return sums
