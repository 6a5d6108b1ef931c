"""Which cards are valued, at which tables, by how many deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np

from ..errors import BadValue, nearest
from ..experiments.cards import rows_of_card
from ..rules.ids import N_AGES, N_CARD_ROWS
from ..rules.tables import N_SEATS
from ..ruleset import Ruleset, check_decks, make_ruleset
from ..running.runs import MAX_SEED, Engine, check_threads

MEASURES = ("hold", "use", "deny", "pick")
HOLD, USE, DENY, PICK = range(len(MEASURES))
MIXED = ("balanced", "battle", "loki", "quests", "ragnarok")
MAX_BLOCKS = 1_000_000


@dataclass(frozen=True)
class ValueConfig:
    """What to value.

    Attributes
    ----------
    cards : as given, `id` or `id@age`; () for all
    players : seats of a table
    blocks : deals
    seed : of the games
    strategies : up to five; who sits where is drawn for each deal
    measures : words of MEASURES
    ruleset : rules, cards and board
    threads : workers
    engine : who plays, None for threads of this process

    Raises
    ------
    BadValue, UnknownName : a value out of its range, an unknown card or measure
    """

    cards: tuple[str, ...]
    players: int
    blocks: int
    seed: int
    strategies: tuple[str, ...] = MIXED
    measures: tuple[str, ...] = MEASURES
    ruleset: Ruleset = field(default_factory=make_ruleset)
    threads: int = 1
    engine: Engine | None = None

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("players", self.players, 2, N_SEATS), ("blocks", self.blocks, 1, MAX_BLOCKS), ("seed", self.seed, 0, MAX_SEED),
        ):  # fmt: skip
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                raise BadValue(f"{name} is {value!r}; allowed: whole numbers {least} to {most}")
        check_threads(self.threads)
        if not 1 <= len(self.strategies) <= N_SEATS:
            raise BadValue(f"{len(self.strategies)} strategies; allowed: 1 to {N_SEATS}")
        for measure in self.measures:
            if measure not in MEASURES:
                raise BadValue(f"measure {measure!r}{nearest(measure, MEASURES)}")
        if not self.measures:
            raise BadValue(f"no measures; give some of {', '.join(MEASURES)}")
        check_decks(self.ruleset, self.players)
        for text, rows in zip(self.cards, self.rows, strict=True):
            if not any(self._is_dealt(row) for row in rows):
                raise BadValue(f"card {text} is in no deck with {self.players} players")

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """CARD ids that each of the given cards means."""
        return tuple(tuple(rows_of_card(text, "the cards")) for text in self.cards)

    def _is_dealt(self, card: int) -> bool:
        record = self.ruleset.tables()[0]
        decks = record.deck[self.players]
        return bool((record.card_of[decks[decks >= 0]] == card).any())

    @property
    def wanted(self) -> np.ndarray:
        """Bool by CARD id: which cards are valued."""
        wanted = np.zeros(N_CARD_ROWS, bool)
        wanted[[card for rows in self.rows for card in rows] if self.cards else slice(None)] = True
        return wanted

    @property
    def slots(self) -> tuple[str, ...]:
        """Strategy texts by slot: each of the given ones, repeated until there is one for each seat."""
        return tuple(self.strategies[slot % len(self.strategies)] for slot in range(max(self.players, len(self.strategies))))

    @property
    def seatings(self) -> np.ndarray:
        """int8 (seatings, players): slot by seat; all are equally likely."""
        return np.array(list(permutations(range(len(self.slots)), self.players)), np.int8)


AGES = tuple(range(1, N_AGES + 1))


def read_measures(text: str) -> Sequence[str]:
    """'hold,use' as a list."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
