"""Who plays whom: compositions of a table, and the circular order of each block.

A composition is the mix of strategies at a table, without seats.  A block is one deal, played by a composition in one
circular order (cards pass left, so neighbours matter) in all rotations.  Block b of every composition has deal b.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import comb, factorial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadFile, BadValue, nearest
from ..plugins.loading import strategy_names
from ..provenance import canonical
from ..whole_numbers import whole_number

ALL, INVASION, LISTED = "all", "invasion", "listed"
FIELDS = (ALL, INVASION)  # fields that have a name; a listed one is its tables
MAX_COMPOSITIONS = 20_000
_PARAMETER = re.compile(r"\s*\w+=")


@dataclass(frozen=True)
class Design:
    """Strategies and the compositions that they play in.

    Attributes
    ----------
    players : seats of a table
    strategies : names, each once
    field : ALL, INVASION (one of a strategy among others of another, for every pair) or LISTED
    compositions : of each, the numbers of its strategies, ascending, one for each seat
    """

    players: int
    strategies: tuple[str, ...]
    field: str
    compositions: tuple[tuple[int, ...], ...]

    def name_of(self, composition: int) -> str:
        """'greedy x2, random x2'."""
        counts = Counter(self.compositions[composition])
        names = [self.strategies[strategy] + (f" x{n}" if n > 1 else "") for strategy, n in counts.items()]
        return ", ".join(names)

    def texts_of(self, composition: int) -> tuple[str, ...]:
        """The strategies of a composition, one for each seat."""
        return tuple(self.strategies[strategy] for strategy in self.compositions[composition])

    @cached_property
    def n_entries(self) -> int:
        """Pairs of a composition and one of its strategies."""
        return len(self.entries[0])

    @cached_property
    def entries(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """int64 arrays (n_entries,): composition, strategy and its copies there, in this order."""
        found = [
            (composition, strategy, copies)
            for composition, members in enumerate(self.compositions)
            for strategy, copies in sorted(Counter(members).items())
        ]
        composition, strategy, copies = np.array(found, np.int64).T
        return composition, strategy, copies

    @cached_property
    def opponents(self) -> np.ndarray:
        """int64 array (n_entries, players - 1): who else sits at the table of one copy of an entry's strategy."""
        found = np.zeros((self.n_entries, self.players - 1), np.int64)
        for entry, (composition, strategy, _) in enumerate(zip(*self.entries, strict=True)):
            others = list(self.compositions[composition])
            others.remove(strategy)
            found[entry] = others
        return found

    @property
    def complete(self) -> bool:
        """Whether every composition that the strategies can form is there."""
        return len(self.compositions) == count_compositions(len(self.strategies), self.players)


def count_compositions(strategies: int, players: int) -> int:
    """Number of mixes of `strategies` strategies at a table of `players`."""
    return comb(strategies + players - 1, players)


def arrangements_of(opponents: Iterable[int]) -> int:
    """In how many orders these opponents can be drawn: the multinomial coefficient of their counts."""
    counts = Counter(opponents).values()
    ways = factorial(sum(counts))
    for count in counts:
        ways //= factorial(count)
    return ways


def make_design(
    players: int, strategies: Sequence[str], field: str = ALL, tables: Sequence[Sequence[str]] = ()
) -> Design:
    """The design of a field.

    Parameters
    ----------
    strategies : names, each once; with `tables` they may be fewer, those of tables are added in the order of the tables
    field : one of FIELDS; of no meaning with `tables`
    tables : compositions to play instead, by name

    Raises BadValue for fewer than two strategies, one given twice, a table of a wrong size or given twice.
    """
    twice = [name for name, count in Counter(strategies).items() if count > 1]
    if twice:
        raise BadValue(f"strategy {twice[0]} is given twice; to compare a strategy with itself give a copy of its file")
    names = tuple(dict.fromkeys([*strategies, *(name for table in tables for name in table)]))
    if len(names) < 2:
        known = ", ".join(strategy_names())
        raise BadValue(
            f"a field with one strategy ({', '.join(names) or 'none'}); give at least 2 different ones; "
            f"known: {known}, or the path of a file"
        )
    if tables:
        return Design(players, names, LISTED, _listed(players, names, tables))
    numbers = range(len(names))
    if field == INVASION:
        mixes = {tuple(sorted((one, *(other,) * (players - 1)))) for one in numbers for other in numbers}
        return Design(players, names, field, tuple(sorted(mixes)))
    if field != ALL:
        raise BadValue(f"compositions {field!r}{nearest(field, FIELDS)}")
    count = count_compositions(len(names), players)
    if count > MAX_COMPOSITIONS:
        raise BadValue(
            f"{len(names)} strategies at {players} seats are {count:,} compositions; allowed: {MAX_COMPOSITIONS:,}; "
            "give fewer strategies, --compositions invasion, or tables"
        )
    return Design(players, names, field, tuple(combinations_with_replacement(numbers, players)))


def _listed(players: int, names: Sequence[str], tables: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    mixes = []
    for table in tables:
        if len(table) != players:
            raise BadValue(
                f"table {','.join(table)!r} has {len(table)} strategies for {players} players; give {players}"
            )
        mixes.append(tuple(sorted(names.index(name) for name in table)))
        if mixes[-1] in mixes[:-1]:
            raise BadValue(f"table {','.join(table)!r} is given twice; seats do not matter, as all are played")
    return tuple(mixes)


def split_table(text: str) -> tuple[str, ...]:
    """'greedy:boldness=0.9,x=1,random*3' as ('greedy:boldness=0.9,x=1', 'random', 'random', 'random').

    A part that begins with `param=` belongs to the strategy before it.  Raises BadValue.
    """
    parts: list[str] = []
    for part in text.split(","):
        if parts and _PARAMETER.match(part):
            parts[-1] += "," + part
        else:
            parts.append(part.strip())
    table: list[str] = []
    for part in parts:
        name, star, count = part.rpartition("*")
        times = whole_number(count) if star else None
        if times is not None:
            table += [name] * min(times, 99)
        else:
            table.append(part)
    if not all(table):
        raise BadValue(f"table {text!r} has an empty place; write the strategies separated by commas")
    return tuple(table)


def read_field(path: Path) -> list[tuple[str, ...]]:
    """Tables of a file, one a line; # begins a comment.  Raises BadFile, or BadValue with the line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise BadFile(f"field file {path} cannot be read: {reason}") from None
    tables = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                tables.append(split_table(text))
            except BadValue as error:
                raise BadValue(f"{path}, line {number}: {error}") from None
    if not tables:
        raise BadFile(f"field file {path} has no tables; write one a line, strategies separated by commas")
    return tables


def turned(arrangement: Sequence[str]) -> tuple[str, ...]:
    """The rotation that all rotations of a circular order share as its name: the smallest."""
    return min(tuple(arrangement[at:]) + tuple(arrangement[:at]) for at in range(len(arrangement)))


def orders_of_blocks(seed: int, table: Sequence[str], blocks: int) -> tuple[list[tuple[str, ...]], np.ndarray]:
    """The circular order of each block of a composition.

    All seatings are equally likely.  The draw is keyed by (seed, names of the composition, block): it depends on no
    other composition, nor on how many blocks there are.

    Returns
    -------
    distinct circular orders, and the number of its order by block, int64 array (blocks,)
    """
    seatings = sorted(set(permutations(table)))
    orders = sorted({turned(seating) for seating in seatings})
    order_of = np.array([orders.index(turned(seating)) for seating in seatings], np.int64)
    # the bytes of this hash function do not depend on how many are asked for: 8 of them for each block
    key = canonical(["circular order", seed, sorted(table)])
    bits = np.frombuffer(hashlib.shake_256(key).digest(8 * blocks), "<u8")
    return orders, order_of[(bits % np.uint64(len(seatings))).astype(np.int64)]


def design_of_run(run: Mapping[str, Any]) -> Design:
    """The design of a tournament that playing.describe described."""
    names = [strategy["text"] for strategy in run["strategies"]]
    tables = [row["table"] for row in run["tables"]]
    return make_design(run["players"], names, run["compositions"], tables)
