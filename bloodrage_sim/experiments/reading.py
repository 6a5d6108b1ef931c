"""Reading tables of a TOML file: keys, types and names, with one-line errors that say the place."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import BadValue, UnknownName, nearest


def check_keys(table: Any, known: Iterable[str], where: str) -> Mapping[str, Any]:
    """The table itself.  Raises BadValue for no table, UnknownName for a key that it cannot have."""
    if not isinstance(table, Mapping):
        raise BadValue(f"{where} is {table!r:.60}; write a table of keys: {', '.join(known)}")
    for key in table:
        if key not in known:
            raise UnknownName(f"{where}: unknown key {key!r}{nearest(str(key), known)}")
    return table


def read_text(table: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A text.  Raises BadValue."""
    value = table.get(key, default)
    if not isinstance(value, str) or (default is None and not value.strip()):
        raise BadValue(f"{where}: {key} is {value!r:.60}; write a text in quotes")
    return value


def read_int(table: Mapping[str, Any], key: str, least: int, most: int, where: str, default: int | None = None) -> int:
    """A whole number.  Raises BadValue."""
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadValue(f"{where}: {key} is {value!r:.60}; allowed: whole numbers {least} to {most}")
    return value


def read_number(table: Mapping[str, Any], key: str, where: str, default: float | None = None) -> float:
    """A number.  Raises BadValue."""
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise BadValue(f"{where}: {key} is {value!r:.60}; write a number")
    return float(value)


def read_bool(table: Mapping[str, Any], key: str, where: str, default: bool = False) -> bool:
    """true or false.  Raises BadValue."""
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise BadValue(f"{where}: {key} is {value!r:.60}; allowed: true, false")
    return value


def read_word(table: Mapping[str, Any], key: str, known: Iterable[str], where: str, default: str | None = None) -> str:
    """One of the known words.  Raises UnknownName."""
    value = table.get(key, default)
    known = tuple(known)
    if value not in known:
        raise UnknownName(f"{where}: {key} is {value!r:.60}{nearest(str(value), known)}")
    return str(value)


def read_words(table: Mapping[str, Any], key: str, where: str, known: Iterable[str] | None = None) -> tuple[str, ...]:
    """A list of texts, or one text; () if the key is missing.  Raises BadValue, UnknownName."""
    value = table.get(key, ())
    words = (value,) if isinstance(value, str) else value
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise BadValue(f"{where}: {key} is {value!r:.60}; write a text, or a list of texts")
    for word in words if known is not None else ():
        if word not in tuple(known or ()):
            raise UnknownName(f"{where}: {key} has {word!r}{nearest(word, known or ())}")
    return tuple(words)


def read_range(table: Mapping[str, Any], key: str, far: int, where: str) -> tuple[int, int]:
    """A least and a most whole number, [a, b], or one number for both; (-far, far) if the key is missing."""
    value = table.get(key, [-far, far])
    pair = [value, value] if isinstance(value, int) else value
    whole = isinstance(pair, list) and len(pair) == 2 and all(isinstance(item, int) and abs(item) <= far for item in pair)
    if not whole or isinstance(value, bool) or pair[0] > pair[1]:
        raise BadValue(f"{where}: {key} is {value!r:.60}; write [least, most], whole numbers up to {far}")
    return int(pair[0]), int(pair[1])


def tables_of(arm: Mapping[str, Any], key: str, where: str) -> list[tuple[Any, str]]:
    """The tables of a list, or the one table, each with its place for messages."""
    value = arm.get(key, [])
    items = value if isinstance(value, list) else [value]
    return [(item, f"{where}.{key}" + (f"[{number}]" if isinstance(value, list) else "")) for number, item in enumerate(items)]
