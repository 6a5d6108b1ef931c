"""A card's rule is the function named after its effect, written in one file of rules/effects."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

from bloodrage_sim.data import reader
from bloodrage_sim.rules import effects

EFFECTS = sorted({row["effect"] for row in reader.card_rows() if row["source"] in ("base", "p5")} - {"none"})


def functions() -> dict[str, list[str]]:
    """Modules of rules/effects by the functions that they define themselves; what they only import does not count."""
    found: dict[str, list[str]] = {}
    for info in pkgutil.iter_modules(effects.__path__):
        module = importlib.import_module(f"{effects.__name__}.{info.name}")
        for name, value in vars(module).items():
            function = getattr(value, "py_func", value)
            if callable(function) and getattr(function, "__module__", "") == module.__name__:
                found.setdefault(name, []).append(info.name)
    return found


@pytest.mark.parametrize("effect", EFFECTS)
def test_every_effect_is_written_once(effect):
    assert len(functions().get(effect, [])) == 1


def test_there_are_effects():
    assert len(EFFECTS) == 47
