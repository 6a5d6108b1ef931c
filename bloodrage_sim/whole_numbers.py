"""Whole numbers in texts that people write."""

from __future__ import annotations

_MOST_DIGITS = 18  # more than any number that is allowed anywhere, and none that int() refuses


def whole_number(text: str) -> int | None:
    """The number that a text is, None for anything but 1 to 18 digits 0 to 9, with blanks around them."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def whole_numbers(text: str) -> list[int | str]:
    """'2, 4' as [2, 4]; what is no number stays text, for whoever checks them to tell."""
    return [part if (number := whole_number(part)) is None else number for part in text.split(",")]
