"""What became of cards and of the players who drafted them, counted in one pass over the games.

Results: a row is a player of a game in which the card was dealt.  Use: a row is a copy that a player drafted; what others do
with it after a theft is theirs.  Glory of a copy is what the ledger books for its drafter on it, so glory that a card takes
from somebody counts once, as a gain.
"""

from __future__ import annotations

import numpy as np

from ..rows.tables_out import FATE_DISCARDED, FATE_KEPT, FATE_QUEST_DONE, FATE_QUEST_FAILED, FATE_REPLACED, FATE_UPGRADE
from ..rules.ids import N_AGES
from ..rules.jit import entry
from ..statistics.moments import Moments
from .cluster_sums import add_clusters, deal_blocks
from .source import PartRows
from .strata import Strata, add_up_all

COLUMNS = {
    "players": ("win_share", "glory"),
    "deals": ("copy", "age", "first_seat", "round", "taken_by"),
    "plays": ("copy", "seat", "fate"),
    "ledger": ("copy", "seat", "glory"),
}

# Players by what they did with the card, their win shares (won) and final glory.  Passed: saw it and did not take it;
# others: did not take it, whether they saw it or not; used and unused: drafted it.
RESULT_NAMES = (
    "drafted", "won drafted", "glory drafted", "passed", "won passed", "glory passed", "others", "won others",
    "used", "won used", "unused", "won unused",
)  # fmt: skip
DRAFTED, PASSED, OTHERS, USED, UNUSED = 0, 3, 6, 8, 10

# Drafted copies.
USE_NAMES = (
    "copies",
    "in use",  # left the hand with effect: upgrade, quest, revealed in battle
    "plays",  # uses, since a card that loses a battle comes back
    "committed",  # quests
    "done",  # quests fulfilled
    "upgrades",
    "replaced",  # upgrades
    "direct",  # glory
    "barren",  # copies without glory
)
COPIES, IN_USE, PLAYS, COMMITTED, DONE, UPGRADES, REPLACED, DIRECT, BARREN = range(len(USE_NAMES))

WITHIN_NAMES = ("drafted", "won drafted", "passed", "won passed")  # of each strategy, to compare within strategies
_WITHIN = [RESULT_NAMES.index(name) for name in WITHIN_NAMES]

LEAST_GLORY, MOST_GLORY = -50, 199  # of a copy, in the histogram; beyond them it counts as the end
_MAX_COPIES = 1024


@entry
def _count(
    deals_game, dealt, age, first_seat, round_taken, taken_by, plays_game, played, player, fate,
    ledger_game, booked, gainer, gain, games, first_game, deal, first_deal, players, card_of, stratum_of, win_share, glory,
    results, uses, histogram,
):  # fmt: skip
    """Add whole games: rows of `deals`, of `plays` and of `ledger`, and players.

    results, uses : float64 (deals, strata, cards, names)
    histogram : int64 (strata, cards, glory), of drafted copies
    """
    owner = np.empty(_MAX_COPIES, np.int64)
    copy_plays = np.zeros((_MAX_COPIES, 5), np.int64)  # uses, quests committed, done, upgrades, replaced
    direct = np.zeros(_MAX_COPIES, np.int64)
    cards = results.shape[2]
    seen, has, used = np.zeros(cards, np.int64), np.zeros(cards, np.int64), np.zeros(cards, np.int64)
    rounds = np.zeros(N_AGES, np.int64)
    begin = play = book = 0
    for place in range(games):
        number = first_game + place
        cluster = deal[place] - first_deal
        end = begin
        rounds[:] = 0
        owner[:] = -1
        while end < len(deals_game) and deals_game[end] == number:
            rounds[age[end] - 1] = max(rounds[age[end] - 1], round_taken[end])
            end += 1
        for row in range(begin, end):
            copy, card = dealt[row], card_of[dealt[row]]
            looks = round_taken[row] if taken_by[row] >= 0 else rounds[age[row] - 1]
            for look in range(min(looks, players)):
                seen[card] |= 1 << (first_seat[row] + look) % players
            owner[copy] = taken_by[row]
            if taken_by[row] >= 0:
                has[card] |= 1 << taken_by[row]
            copy_plays[copy] = 0
            direct[copy] = 0

        while play < len(plays_game) and plays_game[play] == number:
            copy, what = played[play], fate[play]
            if owner[copy] == player[play] and what != FATE_DISCARDED and what != FATE_KEPT:
                used[card_of[copy]] |= 1 << player[play]
                counts = copy_plays[copy]
                counts[0] += 1
                counts[1] += what == FATE_QUEST_DONE or what == FATE_QUEST_FAILED
                counts[2] += what == FATE_QUEST_DONE
                counts[3] += what == FATE_UPGRADE or what == FATE_REPLACED
                counts[4] += what == FATE_REPLACED
            play += 1
        while book < len(ledger_game) and ledger_game[book] == number:
            copy = booked[book]
            if copy >= 0 and owner[copy] == gainer[book]:
                direct[copy] += gain[book]
            book += 1

        for row in range(begin, end):
            copy, card = dealt[row], card_of[dealt[row]]
            if seen[card] >= 0:  # first copy of the card in this game
                for seat in range(players):
                    stratum = stratum_of[place * players + seat]
                    won, points = win_share[place * players + seat], glory[place * players + seat]
                    if stratum < 0:
                        continue
                    sums = results[cluster, stratum, card]
                    if has[card] >> seat & 1:
                        sums[DRAFTED] += 1
                        sums[DRAFTED + 1] += won
                        sums[DRAFTED + 2] += points
                        use = USED if used[card] >> seat & 1 else UNUSED
                        sums[use] += 1
                        sums[use + 1] += won
                    else:
                        sums[OTHERS] += 1
                        sums[OTHERS + 1] += won
                        if seen[card] >> seat & 1:
                            sums[PASSED] += 1
                            sums[PASSED + 1] += won
                            sums[PASSED + 2] += points
                seen[card] = -1
            stratum = stratum_of[place * players + owner[copy]] if owner[copy] >= 0 else -1
            if stratum >= 0:
                counts = copy_plays[copy]
                sums = uses[cluster, stratum, card]
                sums[COPIES] += 1
                sums[IN_USE] += counts[0] > 0
                sums[PLAYS] += counts[0]
                sums[COMMITTED] += counts[1]
                sums[DONE] += counts[2]
                sums[UPGRADES] += counts[3]
                sums[REPLACED] += counts[4]
                sums[DIRECT] += direct[copy]
                sums[BARREN] += direct[copy] == 0
                histogram[stratum, card, min(max(direct[copy], LEAST_GLORY), MOST_GLORY) - LEAST_GLORY] += 1
        for row in range(begin, end):
            card = card_of[dealt[row]]
            seen[card] = has[card] = used[card] = 0
        begin = end


class CardOutcomes:
    """Sums by stratum and card for one number of players, clustered by deal.

    Attributes
    ----------
    results : Moments of RESULT_NAMES, shape (strata, cards)
    use : Moments of USE_NAMES, shape (strata, cards)
    within : Moments of `within_name` of WITHIN_NAMES for each strategy, shape (cards,)
    """

    def __init__(self, strata: Strata, card_of: np.ndarray, cards: int) -> None:
        """card_of : int64 by copy, number of the card; cards : how many numbers there are."""
        if len(card_of) > _MAX_COPIES:
            raise ValueError(f"{len(card_of)} physical cards; there is room for {_MAX_COPIES}")
        self._strata, self._card_of = strata, card_of
        shape = (len(strata.names), cards)
        self.results, self.use = Moments.empty(RESULT_NAMES, shape), Moments.empty(USE_NAMES, shape)
        names = [within_name(name, stratum) for stratum in strata.strategies for name in WITHIN_NAMES]
        self.within = Moments.empty(names, (cards,))
        self._histogram = np.zeros((*shape, MOST_GLORY - LEAST_GLORY + 1), np.int64)

    def add(self, part: PartRows) -> None:
        """Count a part; it has COLUMNS."""
        columns = {
            table: [np.ascontiguousarray(part.rows[table][name]) for name in ("game", *COLUMNS[table])]
            for table in ("deals", "plays", "ledger")
        }
        win_share, glory = (np.ascontiguousarray(part.rows["players"][name]) for name in COLUMNS["players"])
        stratum_of = self._strata.of_players(part)
        strata, cards = self.results.shape
        for first, stop, first_game, stop_game in deal_blocks(part.cluster):
            numbers = [part.first_game + first_game, part.first_game + stop_game]
            rows = []
            for table in columns.values():
                begin, end = np.searchsorted(table[0], numbers)
                rows += [column[begin:end] for column in table]
            deals = stop - first
            results = np.zeros((deals, strata, cards, len(RESULT_NAMES)))
            uses = np.zeros((deals, strata, cards, len(USE_NAMES)))
            seats = slice(first_game * part.players, stop_game * part.players)
            _count(
                *rows, stop_game - first_game, numbers[0], part.cluster[first_game:stop_game], first, part.players,
                self._card_of, stratum_of[seats], win_share[seats], glory[seats], results, uses, self._histogram,
            )  # fmt: skip
            add_up_all(results)
            add_up_all(uses)
            within = results[:, -len(self._strata.strategies) :, :, _WITHIN].swapaxes(1, 2)
            add_clusters(self.results, results.reshape(deals, strata * cards, -1))
            add_clusters(self.use, uses.reshape(deals, strata * cards, -1))
            add_clusters(self.within, np.ascontiguousarray(within).reshape(deals, cards, -1))

    @property
    def histogram(self) -> np.ndarray:
        """int64 (strata, cards, MOST_GLORY - LEAST_GLORY + 1), drafted copies by direct glory from LEAST_GLORY on."""
        counts = self._histogram.copy()
        add_up_all(counts[None])
        return counts


def within_name(name: str, stratum: str) -> str:
    """Name in CardOutcomes.within of a variable of WITHIN_NAMES."""
    return f"{name} of {stratum}"
