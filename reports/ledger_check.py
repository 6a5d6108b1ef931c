"""Whether the ledger of each player adds up to the final glory: a check of the data set as a whole."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .source import PartRows

COLUMNS = {"players": ("glory",), "ledger": ("seat", "glory")}


class LedgerCheck:
    """Counts players by their final glory less the sum of their ledger, which is the glory that a clan starts with.

    All players of the parts are checked, whatever the filters say.
    """

    def __init__(self) -> None:
        self._rest: Counter[int] = Counter()

    def add(self, part: PartRows) -> None:
        """Count a part, which has COLUMNS."""
        glory = part.rows["players"]["glory"]
        booked = np.bincount(part.player_row_of("ledger"), part.rows["ledger"]["glory"], len(glory))
        values, counts = np.unique(glory - booked.astype(np.int64), return_counts=True)
        self._rest.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))

    @property
    def players(self) -> int:
        """Players that were checked."""
        return self._rest.total()

    def wrong(self, start_glory: int) -> int:
        """Players whose ledger does not add up."""
        return self.players - self._rest[start_glory]

    def line(self, start_glory: int) -> str:
        """The check in a sentence."""
        wrong = self.wrong(start_glory)
        if wrong:
            return f"ledger check FAILED: {wrong:,} of {self.players:,} players have another final glory than their ledger adds up to"
        return f"ledger check: it sums to the final glory of all {self.players:,} players"
