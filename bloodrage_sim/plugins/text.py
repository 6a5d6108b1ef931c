"""A strategy as text, taken apart: `NAME[@SET][:param=value,...][+trait[=value]]...`.

Only the form is looked at here; what names and values mean is said by values.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import BadValue

GRAMMAR = "NAME[@FILE.toml|@tuned][:param=value,...][+trait[=value]]..."

_DRIVE = r"(?:[A-Za-z]:(?=[\\/]))?"  # of Windows; the colon is no colon of ours
_END = r"(?=[@:+]|$)"
_NAME = re.compile(_DRIVE + r"[^@:+]*")
_PATH = re.compile(_DRIVE + r".*?\.py" + _END)
_SET = re.compile(r".*?\.toml(?=[:+]|$)|[^:+]*")
_TRAIT = re.compile(r"\+(?![\d.])")  # the plus of 1e+5 begins no trait


@dataclass(frozen=True)
class StrategyText:
    """The parts of a strategy's text.

    Attributes
    ----------
    name : name or path
    set : path of a .toml file with values, or the name of a shipped set such as 'tuned'; '' if none is given
    params : (name, value) as written
    traits : (name, value) as written, None without a value
    """

    name: str
    set: str
    params: tuple[tuple[str, str], ...]
    traits: tuple[tuple[str, str | None], ...]


def is_path(name: str) -> bool:
    """Whether a strategy is given by path."""
    return name.endswith(".py") or "/" in name or "\\" in name


def split_strategy(text: str) -> StrategyText:
    """Take the text of a strategy apart.  Raises BadValue for one of another form."""
    if "\0" in text:
        raise BadValue(f"strategy {text!r} has a letter with the number 0, which no name and no path has")
    name, rest = _cut_name(text)
    set_ = ""
    if rest.startswith("@"):
        set_ = _matched(_SET, rest[1:])
        rest = rest[1 + len(set_) :]
        if not set_:
            raise BadValue(f"strategy {text}: nothing after '@'; a strategy is written {GRAMMAR}")
    head, *traits = _TRAIT.split(rest)
    if head and not head.startswith(":"):
        raise BadValue(f"strategy {text}: {head!r} has no place there; a strategy is written {GRAMMAR}")
    params = [_split_param(name, part) for part in head[1:].split(",") if part.strip()]
    return StrategyText(name, set_, tuple(params), tuple(_split_trait(name, part) for part in traits))


def _matched(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found.group() if found else ""


def _cut_name(text: str) -> tuple[str, str]:
    """Name and the rest: a path may have signs of the grammar in its folders, and ends with .py."""
    name = _matched(_NAME, text)
    if is_path(name):
        name = _matched(_PATH, text) or name
    return name, text[len(name) :]


def _split_param(name: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise BadValue(f"strategy {name}: parameters are written param=value, not {part!r}")
    return key.strip(), value.strip()


def _split_trait(name: str, part: str) -> tuple[str, str | None]:
    key, equals, value = part.partition("=")
    if not key.strip():
        raise BadValue(f"strategy {name}: a trait has no name; traits are written +trait or +trait=value")
    return key.strip(), value.strip() if equals else None
