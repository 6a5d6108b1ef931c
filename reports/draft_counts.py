"""Draft metrics of cards, counted from the table `deals` in one pass.

A copy dealt into the pack of seat s is looked at in round k by seat s + k - 1, until it is taken or the draft ends.  So one
row of `deals` tells all looks at a copy, also which player's look came back to it (the pack has gone round).  Every look
belongs to the player who looks, so looks, takes and returns can be told by strategy.
"""

from __future__ import annotations

import numpy as np

from ..rules.ids import N_AGES
from ..rules.jit import entry
from ..statistics.moments import Moments
from .cluster_sums import add_clusters, deal_blocks
from .source import PartRows
from .strata import Strata, add_up_all

COLUMNS = ("copy", "age", "first_seat", "round", "taken_by")

# Sums by card and stratum.  dealt and left belong to the player who opens the pack.
NAMES = (
    "looks",  # player sees the copy in a round
    "seen",  # player sees the copy for the first time
    "taken",
    "expected",  # takes if each card of the pack were as likely: cards kept / cards in the pack, by look
    "dealt",
    "first",  # taken in round 1
    "left",  # never taken
    "rounds",  # round taken
    "lasts",  # last round in which the player sees the copy, by player who sees it
    "wheels",  # player sees the copy again
    "chances",  # player passes the copy on, and the draft is long enough for it to come back
)
LOOKS, SEEN, TAKEN, EXPECTED, DEALT, FIRST, LEFT, ROUNDS, LASTS, WHEELS, CHANCES = range(len(NAMES))
MAX_ROUNDS, _MAX_SEATS = 16, 8


@entry
def _count(game, copy, age, first_seat, round_taken, first_game, deal, first_deal, players, card_of, stratum_of, sums, flow):
    """Add the looks that rows of whole games stand for to `sums`, float64 (deals, strata, cards, len(NAMES)).

    flow : int64 (strata, cards, MAX_ROUNDS), copies by round in which they were taken
    first_game : number of the game whose deal is deal[0] and whose players' strata are stratum_of[:players]
    """
    taken = np.zeros((N_AGES, _MAX_SEATS, MAX_ROUNDS), np.int64)
    size = np.zeros((N_AGES, _MAX_SEATS), np.int64)
    begin = 0
    while begin < len(game):
        end = begin
        taken[:] = 0
        size[:] = 0
        while end < len(game) and game[end] == game[begin]:
            size[age[end] - 1, first_seat[end]] += 1
            if round_taken[end] > 0:
                taken[age[end] - 1, first_seat[end], round_taken[end] - 1] += 1
            end += 1
        place = game[begin] - first_game
        cluster = deal[place] - first_deal
        for row in range(begin, end):
            kept = taken[age[row] - 1, first_seat[row]]
            rounds = 0
            while rounds < MAX_ROUNDS and kept[rounds] > 0:
                rounds += 1
            looks = round_taken[row] if round_taken[row] > 0 else rounds
            card = card_of[copy[row]]
            pack = size[age[row] - 1, first_seat[row]]
            for look in range(1, looks + 1):
                seat = (first_seat[row] + look - 1) % players
                stratum = stratum_of[place * players + seat]
                is_taken = look == round_taken[row]
                if stratum >= 0:
                    counts = sums[cluster, stratum, card]
                    counts[LOOKS] += 1
                    counts[EXPECTED] += kept[look - 1] / pack
                    if look <= players:
                        counts[SEEN] += 1
                        counts[LASTS] += look + players * ((looks - look) // players)
                    else:
                        counts[WHEELS] += 1
                    if is_taken:
                        counts[TAKEN] += 1
                        counts[ROUNDS] += look
                        flow[stratum, card, look - 1] += 1
                    elif look + players <= rounds:
                        counts[CHANCES] += 1
                    if look == 1:
                        counts[DEALT] += 1
                        counts[FIRST] += is_taken
                        counts[LEFT] += round_taken[row] == 0
                pack -= kept[look - 1]
        begin = end


class DraftCounts:
    """Sums of draft metrics by stratum and card for one number of players, clustered by deal.

    Attributes
    ----------
    moments : Moments of NAMES, shape (strata, cards)
    """

    def __init__(self, strata: Strata, card_of: np.ndarray, cards: int) -> None:
        """card_of : int64 by copy, number of the card; cards : how many numbers there are."""
        self._strata, self._card_of = strata, card_of
        self.moments = Moments.empty(NAMES, (len(strata.names), cards))
        self._flow = np.zeros((len(strata.names), cards, MAX_ROUNDS), np.int64)

    def add(self, part: PartRows) -> None:
        """Count a part; it has COLUMNS of `deals`."""
        rows = part.rows["deals"]
        game = np.ascontiguousarray(rows["game"])
        copy, age, first_seat, round_taken = (np.ascontiguousarray(rows[name]) for name in COLUMNS[:4])
        stratum_of = self._strata.of_players(part)
        strata, cards = self.moments.shape
        for first, stop, first_game, stop_game in deal_blocks(part.cluster):
            begin, end = np.searchsorted(game, [part.first_game + first_game, part.first_game + stop_game])
            sums = np.zeros((stop - first, strata, cards, len(NAMES)))
            _count(
                game[begin:end], copy[begin:end], age[begin:end], first_seat[begin:end], round_taken[begin:end],
                part.first_game, part.cluster, first, part.players, self._card_of, stratum_of, sums, self._flow,
            )  # fmt: skip
            add_up_all(sums)
            add_clusters(self.moments, sums.reshape(stop - first, strata * cards, len(NAMES)))

    @property
    def flow(self) -> np.ndarray:
        """int64 (strata, cards, rounds): copies by the round in which they were taken, rounds up to the last."""
        counts = self._flow.copy()
        add_up_all(counts[None])
        return counts[..., : int(counts.any((0, 1)).sum())]
