"""The sections of a report in the order of the page.  A new one is a file with a class, and a line here."""

from __future__ import annotations

import importlib

from .section import Section

SECTIONS = (
    "overview:Overview",
    "strategies:Strategies",
    "glory:Glory",
    "seats:Seats",
)


def new_sections() -> list[Section]:
    """An object of each section, for one report."""
    found = []
    for text in SECTIONS:
        module, name = text.split(":")
        found.append(getattr(importlib.import_module(f".{module}", __package__), name)())
    return found
