"""What the stream of events says about a game: where figures are, rage, glory, stats, hands.

`Standing` starts from a game that has been set up and follows its events in plain Python, without the kernels.  It is
what a told game shows, and a check that the events say everything.
"""

from __future__ import annotations

from typing import Any

from ..rules import ids
from ..rules.events import EVENT_NAMES
from ..rules.tables import (
    FIGURE_MONSTER,
    FIGURE_NAMES,
    FIGURE_WARRIOR,
    N_SLOTS,
    NO_CARD,
    SLOT_FIRST,
)

_MONSTER_SLOT = SLOT_FIRST[ids.CARD_KIND_MONSTER]
_MOVES = ("invade", "march", "join", "fled", "leader_moved")
_TO_HAND = ("drafted", "returned", "stolen")
_FROM_HAND = ("reveal", "late")


class Standing:
    """A game as its events tell it.

    Attributes
    ----------
    players, age, phase : int
    glory, rage, hand, quests : lists by seat
    steps : by seat, list of the three stats
    figures : by place and seat, list of counts by FIGURE slot
    sheet : by seat, CARD ids by slot
    pillaged, destroyed : sets of PLACE_* ids
    """

    def __init__(self, record: Any, tables: Any) -> None:
        self.tables = tables
        self.players = int(record.clock.players)
        self.age, self.phase = int(record.clock.age), int(record.clock.phase)
        seats = range(self.players)
        self.glory = [int(record.clans[seat].glory) for seat in seats]
        self.rage = [int(record.clans[seat].rage) for seat in seats]
        self.hand = [int(record.clans[seat].hand) for seat in seats]
        self.quests = [int(record.clans[seat].quests) for seat in seats]
        self.steps = [[int(step) for step in record.clans[seat].stats] for seat in seats]
        self.sheet = [[int(card) for card in record.clans[seat].sheet] for seat in seats]
        self.figures = [
            [[int(count) for count in record.board.figures[place, seat]] for seat in seats]
            for place in range(ids.N_PLACES)
        ]
        self.pillaged = {place for place in range(ids.N_PROVINCES) if record.board.pillaged[place]}
        self.destroyed = {place for place in range(ids.N_PROVINCES) if record.board.destroyed[place]}
        self._emptied = [-1] * self.players

    # ------------------------------------------------------------ questions

    def value(self, seat: int, stat: int) -> int:
        """Value of a stat of `seat`."""
        return int(self.tables.track[stat, self.steps[seat][stat] - 1])

    def on_board(self, seat: int) -> int:
        """Figures of `seat` in provinces and fjords, which the horns limit."""
        return sum(sum(self.figures[place][seat]) for place in range(ids.PLACE_VALHALLA))

    def crowd(self, province: int) -> int:
        """Figures in a province, its fjord left out."""
        return sum(sum(figures) for figures in self.figures[province])

    def monster(self, seat: int, figure: int) -> int:
        """CARD id of the monster in a FIGURE slot, NO_CARD for other figures."""
        return self.sheet[seat][_MONSTER_SLOT + figure - FIGURE_MONSTER] if figure >= FIGURE_MONSTER else NO_CARD

    def has_effect(self, seat: int, effect: int) -> bool:
        """Whether a card on the sheet of `seat` has an EFFECT_*."""
        return any(card != NO_CARD and self.tables.effect[card] == effect for card in self.sheet[seat])

    def in_area(self, province: int, seat: int) -> int:
        """Figures of `seat` in a province and its fjord."""
        return sum(sum(self.figures[place][seat]) for place in self.area(province))

    def area(self, province: int) -> tuple[int, ...]:
        """A province and its fjord.  Rule 1.3.1."""
        fjord = int(self.tables.fjord_of[province])
        return (province, fjord) if fjord >= 0 else (province,)

    def figure_str(self, seat: int, figure: int, province: int) -> int:
        """STR of one figure, pairs left out.  Rule 1.5."""
        if figure >= FIGURE_MONSTER:
            card = self.monster(seat, figure)
            elf = self.tables.effect[card] == ids.EFFECT_INVADE_YGGDRASIL and province == ids.PLACE_YGGDRASIL
            return int(self.tables.amount[card] if elf else self.tables.figure_str[card])
        kinds = {kind: FIGURE_NAMES.index(ids.CARD_KINDS[kind]) for kind in range(3)}
        for kind, governed in kinds.items():
            card = self.sheet[seat][SLOT_FIRST[kind]]
            if governed == figure and card != NO_CARD:
                return int(self.tables.figure_str[card])
        return int(self.tables.base_str[figure])

    def strength(self, seat: int, province: int) -> int:
        """STR of `seat` in the area of a province, cards left out.  Rules 1.5.1, 1.5.2."""
        total = 0
        for place in self.area(province):
            for figure, count in enumerate(self.figures[place][seat]):
                pairs = self._pair_str(seat) if figure == FIGURE_WARRIOR and place == province else 0
                if count and pairs:
                    total += count // 2 * pairs + count % 2 * self.figure_str(seat, figure, province)
                elif count:
                    total += count * self.figure_str(seat, figure, province)
        return total

    def _pair_str(self, seat: int) -> int:
        card = self.sheet[seat][SLOT_FIRST[ids.CARD_KIND_WARRIOR]]
        if card != NO_CARD and self.tables.effect[card] == ids.EFFECT_WARRIOR_PAIRS:
            return int(self.tables.amount[card])
        return 0

    # ------------------------------------------------------------ following

    def follow(self, event: Any) -> None:
        """Take in one event, an EVENT record."""
        name = EVENT_NAMES[event.kind]
        seat, value = int(event.seat), int(event.value)
        if name in _MOVES:
            self._move(seat, int(event.figure), int(event.origin), int(event.place), 1)
        elif name in _TO_HAND:
            self.hand[seat] += 1
        elif name in _FROM_HAND:
            self.hand[seat] -= 1
        elif name == "dealt":
            self.hand[seat] += int(self.tables.rule.draft == ids.DRAFT_OFF)
        elif name == "glory":
            self.glory[seat] += value
        elif name == "rage":
            self.rage[seat] += value
        elif name == "raise":
            self.steps[seat][value] += 1
        elif name == "phase":
            self.age, self.phase = int(event.age), value
        elif name == "destroyed":
            self._move(seat, int(event.figure), int(event.origin), ids.PLACE_VALHALLA, value)
        else:
            self._follow_rest(name, event, seat)

    def _follow_rest(self, name: str, event: Any, seat: int) -> None:
        if name == "upgrade":
            self._put_on_sheet(seat, int(event.card))
        elif name == "replaced":
            self._take_off_sheet(seat, int(event.card))
        elif name == "quest":
            self.hand[seat] -= 1
            self.quests[seat] += 1
        elif name == "discarded" and self.phase == ids.PHASE_DISCARD:
            self.hand[seat] -= 1
        elif name == "discarded" and self.phase == ids.PHASE_QUEST:
            self.quests[seat] -= 1
        elif name == "pillaged":
            self.pillaged.add(int(event.place))
        elif name == "ragnarok":
            self.destroyed.add(int(event.place))
            self.pillaged.discard(int(event.place))
        elif name == "turned_up":
            self.pillaged.clear()
        elif name == "released":
            for figure, count in enumerate(self.figures[ids.PLACE_VALHALLA][seat]):
                self._move(seat, figure, ids.PLACE_VALHALLA, ids.PLACE_RESERVE, count)

    def _move(self, seat: int, figure: int, origin: int, place: int, count: int) -> None:
        self.figures[origin][seat][figure] -= count
        self.figures[place][seat][figure] += count

    def _slots(self, card: int) -> range:
        kind = int(self.tables.kind[card])
        return range(SLOT_FIRST[kind], min(N_SLOTS, SLOT_FIRST[kind] + int(self.tables.slots[kind])))

    def _put_on_sheet(self, seat: int, card: int) -> None:
        slot = self._emptied[seat]
        if slot < 0:
            slot = next(slot for slot in self._slots(card) if self.sheet[seat][slot] == NO_CARD)
        self._emptied[seat] = -1
        self.sheet[seat][slot] = card
        self.hand[seat] -= 1
        if self.tables.kind[card] == ids.CARD_KIND_MONSTER:
            self.figures[ids.PLACE_RESERVE][seat][FIGURE_MONSTER + slot - _MONSTER_SLOT] = 1

    def _take_off_sheet(self, seat: int, card: int) -> None:
        """The first equal card leaves; the card that replaces it goes into its slot."""
        equal = [slot for slot in self._slots(card) if self.sheet[seat][slot] == card]
        self._emptied[seat] = equal[0]
        self.sheet[seat][equal[0]] = NO_CARD
        if self.tables.kind[card] == ids.CARD_KIND_MONSTER:
            for place in range(ids.N_PLACES):
                self.figures[place][seat][FIGURE_MONSTER + equal[0] - _MONSTER_SLOT] = 0
