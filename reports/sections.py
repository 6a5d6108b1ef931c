"""The sections of a report in the order of the page.  A new one is a file with a class, and a line here."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .section import Section
    from .source import Source

SECTIONS = (
    "overview:Overview",
    "strategies:Strategies",
    "cards:Cards",
    "glory:Glory",
    "seats:Seats",
    "provinces:Provinces",
    "battles:Battles",
    "stats:Stats",
    "tempo:Tempo",
)


def new_sections(source: Source) -> list[Section]:
    """An object of each section, for a report on `source`."""
    found = []
    for text in SECTIONS:
        module, name = text.split(":")
        found.append(getattr(importlib.import_module(f".{module}", __package__), name)(source))
    return found
