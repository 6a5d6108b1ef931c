"""Texts spoilt by chance."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

VALUES = (
    "-1", "0", "1", "2", "3", "5", "7", "99", "32768", "2147483648", "99999999999999999999", "9" * 5000, "1.5", "-0.0", "1e400", "nan", "inf",
    "true", "false", '""', '"x"', '"x y"', '"\\u0000"', '"\\U0001F600"', '"../../x"', '"/dev/null"', "[]", "[1]", "[[1], 2]", "[[[[[[]]]]]]", "{}",
    "{ a = 1 }", "[{}]", "2024-01-01", "10:00:00", "0x1f", "'''", '"""',
)  # fmt: skip
LETTERS = "abz_.@3 '\"\\=,:;[]{}#+-*/~\t\n\r\0éø√😀\u202e\ufeff"
_VALUE = re.compile(r'"[^"\n]*"|\[[^\[\]\n]*\]|-?\b\d+(?:\.\d+)?\b|\btrue\b|\bfalse\b')
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

Way = Callable[[Random, str, Sequence[str]], str]


def _a_value(rng: Random, text: str, others: Sequence[str]) -> str:
    """Another value in the place of one."""
    found = list(_VALUE.finditer(text))
    if not found:
        return text
    place = rng.choice(found)
    taken = rng.choice(list(_VALUE.findall(rng.choice(others))) or ["1"]) if rng.random() < 0.5 else rng.choice(VALUES)
    return text[: place.start()] + taken + text[place.end() :]


def _a_word(rng: Random, text: str, others: Sequence[str]) -> str:
    """A word of another example in the place of one."""
    found = list(_WORD.finditer(text))
    words = _WORD.findall(rng.choice(others))
    if not found or not words:
        return text
    place = rng.choice(found)
    return text[: place.start()] + rng.choice(words) + text[place.end() :]


def _a_line(rng: Random, text: str, others: Sequence[str]) -> str:
    """A line left out, doubled, moved, or one of another example put in."""
    lines = text.splitlines() or [""]
    at, way = rng.randrange(len(lines)), rng.randrange(4)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, lines[at])
    elif way == 2:
        lines.insert(rng.randrange(len(lines)), lines.pop(at))
    else:
        lines.insert(at, rng.choice(rng.choice(others).splitlines() or [""]))
    return "\n".join(lines)


def _a_letter(rng: Random, text: str, _others: Sequence[str]) -> str:
    """A letter changed, left out or put in."""
    if not text:
        return rng.choice(LETTERS)
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(["", rng.choice(LETTERS), rng.choice(LETTERS) + text[at]]) + text[at + 1 :]


def _an_end(rng: Random, text: str, _others: Sequence[str]) -> str:
    """Cut short."""
    return text[: rng.randrange(len(text) + 1)]


def _too_much(rng: Random, text: str, _others: Sequence[str]) -> str:
    """Something long or deep put in."""
    much = rng.choice(["x" * 70_000, "[" * 3000, "a.b." * 300, "9" * 6000, "\n" * 500, "{a=" * 500, '"' * 99])
    at = rng.randrange(len(text) + 1)
    return text[:at] + much + text[at:]


_WAYS: tuple[tuple[Way, int], ...] = ((_a_value, 40), (_a_word, 20), (_a_line, 20), (_a_letter, 15), (_an_end, 3), (_too_much, 2))


def spoilt(rng: Random, examples: Sequence[str]) -> str:
    """An example changed in one to four places; now and then it stays as it is."""
    text = rng.choice(examples)
    for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 2, 3, 4])):
        way = rng.choices([way for way, _ in _WAYS], [weight for _, weight in _WAYS])[0]
        text = way(rng, text, examples)
    return text


def as_bytes(rng: Random, text: str) -> bytes:
    """The text as a file has it: mostly UTF-8, sometimes with other ends of lines, a mark at its beginning, or bytes that are no text."""
    content = text.encode("utf-8", "surrogatepass")
    way = rng.randrange(40)
    if way == 0:
        return content.replace(b"\n", b"\r\n")
    if way == 1:
        return b"\xef\xbb\xbf" + content
    if way == 2:
        return text.encode("utf-16", "surrogatepass")
    if way == 3 and content:
        at = rng.randrange(len(content))
        return content[:at] + rng.randbytes(3) + content[at:]
    return content
