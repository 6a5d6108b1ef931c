"""`force_pick`, `ban_pick`, `ban_play` and `draft_quota`: what a seat must, may not or may take and play.

    force_pick = [{ cards = ["lokis_poison", "lokis_backstab"], limit = 1 }]
    ban_pick = [{ card = "fire_giant", pick = 1 }]
    ban_play = [{ card = "experts_in_arms" }]
    draft_quota = [{ kind = "upgrade", most = 2 }, { kind = "quest", least = 1, distinct = true }]

Keys of all: which cards (`card`, `cards`, `kind`, `kinds`), `age` (every age if left out), `to` (whom it binds: focal, left,
right, others, all or the name of a strategy; focal if left out).  `limit`: at most so often in a game; `pick`: only that pick of
an age, from 1; `least`, `most`: cards of an age; `distinct`: equal cards count once.  A ban that would leave nothing is void.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...rules.flow import QUESTION_DRAFT
from ...steering.orders import ONLY, QUOTA, WITHOUT
from ..building import ArmBuilder
from ..reading import check_keys, read_bool, read_int, read_words
from ..sieves import CARD_KEYS, Sieve

_MOST = 24


@dataclass(frozen=True)
class Pick:
    """A forced or banned pick, a banned play or a quota; see above.  numbers : fields of ORDER."""

    what: int
    sieve: Sieve
    to: tuple[str, ...]
    numbers: tuple[tuple[str, int], ...]
    where: str

    def lay(self, builder: ArmBuilder) -> None:
        """Add the order to an arm."""
        builder.add_order(self.what, self.sieve, self.to, self.where, **dict(self.numbers))


def _read(table: Any, keys: tuple[str, ...], where: str) -> tuple[Sieve, tuple[str, ...], dict[str, int]]:
    check_keys(table, (*CARD_KEYS, "age", "to", *keys), where)
    sieve = Sieve.read(table, where).need_cards(where)
    return sieve, read_words(table, "to", where), {"age": read_int(table, "age", 0, 3, where, 0)}


def read_force_pick(table: Any, where: str) -> Pick:
    """Raises BadValue, UnknownName."""
    sieve, to, numbers = _read(table, ("limit", "pick"), where)
    numbers |= {"question": QUESTION_DRAFT, "limit": read_int(table, "limit", 0, _MOST, where, 0)}
    numbers["pick"] = read_int(table, "pick", 0, _MOST, where, 0)
    return Pick(ONLY, sieve, to, tuple(numbers.items()), where)


def read_ban_pick(table: Any, where: str) -> Pick:
    """Raises BadValue, UnknownName."""
    sieve, to, numbers = _read(table, ("pick",), where)
    numbers |= {"question": QUESTION_DRAFT, "pick": read_int(table, "pick", 0, _MOST, where, 0)}
    return Pick(WITHOUT, sieve, to, tuple(numbers.items()), where)


def read_ban_play(table: Any, where: str) -> Pick:
    """Raises BadValue, UnknownName."""
    sieve, to, numbers = _read(table, (), where)
    plays = Sieve(actions=("upgrade", "quest", "play", "add"), cards=sieve.cards, kinds=sieve.kinds)
    return Pick(WITHOUT, plays, to, tuple(numbers.items()), where)


def read_draft_quota(table: Any, where: str) -> Pick:
    """Raises BadValue, UnknownName."""
    sieve, to, numbers = _read(table, ("least", "most", "distinct"), where)
    numbers["least"] = read_int(table, "least", 0, _MOST, where, 0)
    numbers["most"] = read_int(table, "most", 0, _MOST, where, _MOST)
    numbers["distinct"] = int(read_bool(table, "distinct", where))
    if numbers["least"] > numbers["most"]:
        raise BadValue(f"{where}: least {numbers['least']} is more than most {numbers['most']}")
    return Pick(QUOTA, sieve, to, tuple(numbers.items()), where)
