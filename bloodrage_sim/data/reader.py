"""Read the packaged data files as plain Python rows, unchanged."""

from __future__ import annotations

import csv
import tomllib
from functools import cache
from importlib import resources
from typing import Any

_FILES = resources.files(__package__)


def _rows(name: str) -> list[dict[str, str]]:
    with (_FILES / name).open("r", encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


@cache
def card_rows() -> list[dict[str, str]]:
    """Rows of cards.csv in file order; the row number is the CARD id of the core."""
    return _rows("cards.csv")


@cache
def rule_rows() -> list[dict[str, str]]:
    """Rows of rules.csv, one per rule option; the first of `values` is the default."""
    return _rows("rules.csv")


@cache
def rule_number_rows() -> list[dict[str, str]]:
    """Rows of rule_numbers.csv: the numbers by which code, tests and games told cite the rules, in order."""
    return _rows("rule_numbers.csv")


@cache
def board() -> dict[str, Any]:
    """board.toml as a nested dict.  Callers must not change it."""
    with (_FILES / "board.toml").open("rb") as handle:
        return tomllib.load(handle)
