"""Building an arm: from interventions to the ORDERS record that the loop follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import BadValue, unknown
from ..rules.tables import N_SEATS, NO_CARD
from ..steering.channels import CHANNELS
from ..steering.measures import MEASURES
from ..steering.orders import MAX_CHANGES, MAX_CONDITIONS, MAX_ORDERS, ORDERS, WHO_LEFT, WHO_RIGHT
from .cards import SpareCards
from .sieves import Sieve

FOCAL = "focal"
WHO = (FOCAL, "left", "right", "others", "all")  # or the name of a strategy of the line-up


class ArmBuilder:
    """Collects what the interventions of one arm ask for.

    Attributes
    ----------
    players : seats of a table
    tables : TABLES array of the arm, spare cards included
    spare : spare cards of the experiment
    names : name of the strategy by slot; slot 0 is the focal one
    orders : ORDERS array of one record
    """

    def __init__(self, players: int, tables: np.recarray, spare: SpareCards, names: Sequence[str]) -> None:
        self.players = players
        self.tables = tables
        self.spare = spare
        self.names = tuple(names)
        self.orders = np.zeros(1, ORDERS).view(np.recarray)
        self.orders.active[0] = 1

    def who(self, words: Sequence[str], where: str) -> int:
        """Bits of ORDER.who for words of WHO and names of strategies.  Raises UnknownName."""
        others = (1 << N_SEATS) - 2
        bits = {FOCAL: 1, "left": WHO_LEFT, "right": WHO_RIGHT, "others": others, "all": others | 1}
        mask = 0
        for word in words or (FOCAL,):
            slots = [slot for slot, name in enumerate(self.names) if name == word and slot > 0]
            if word not in bits and not slots:
                raise unknown("seat", word, [*WHO, *self.names[1:]], where)
            mask |= bits.get(word, 0) | sum(1 << slot for slot in slots)
        return mask

    def add_order(
        self,
        what: int,
        sieve: Sieve,
        who: Sequence[str],
        where: str,
        other: Sieve | None = None,
        conditions: Mapping[str, tuple[int, int]] | None = None,
        **numbers: int,
    ) -> None:
        """Add an order.  numbers: fields of ORDER.  Raises BadValue when there are too many."""
        record = self.orders[0]
        if record.n_orders == MAX_ORDERS:
            raise BadValue(f"{where}: more than {MAX_ORDERS} orders in one arm")
        order = record.order[record.n_orders]
        order.what = what
        order.who = self.who(who, where)
        sieve.write(order.sieve, self.tables)
        (other or Sieve()).write(order.other, self.tables)
        order.with_other = other is not None
        for name, value in numbers.items():
            setattr(order, name, value)
        for measure, (least, most) in (conditions or {}).items():
            if order.n_conditions == MAX_CONDITIONS:
                raise BadValue(f"{where}: more than {MAX_CONDITIONS} conditions")
            order.condition[order.n_conditions] = (MEASURES.index(measure), least, most)
            order.n_conditions += 1
        record.n_orders += 1

    def add_change(self, what: int, who: Sequence[str], where: str, sieve: Sieve | None = None, **numbers: int) -> None:
        """Add a change.  numbers: fields of CHANGE.  Raises BadValue when there are too many."""
        record = self.orders[0]
        if record.n_changes == MAX_CHANGES:
            raise BadValue(f"{where}: more than {MAX_CHANGES} changes in one arm")
        change = record.change[record.n_changes]
        change.what = what
        change.who = self.who(who, where)
        change.card = NO_CARD
        (sieve or Sieve()).write(change.sieve, self.tables)
        for name, value in numbers.items():
            setattr(change, name, value)
        record.n_changes += 1

    def reserve(self, copy: int) -> None:
        """Take a copy out of its deck before the game."""
        record = self.orders[0]
        record.reserved[record.n_reserved] = copy
        record.n_reserved += 1

    def hide(self, channels: Sequence[str], who: Sequence[str], where: str) -> None:
        """Hide channels from the views of slots."""
        mask = sum(1 << CHANNELS.index(channel) for channel in channels)
        bits = self.who(who, where)
        for slot in range(N_SEATS):
            if bits >> slot & 1:
                self.orders[0].masked[slot] |= mask

    @property
    def record(self) -> Any:
        """The ORDERS record."""
        return self.orders[0]
