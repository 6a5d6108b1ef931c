"""A battle going on."""

from __future__ import annotations

from dataclasses import dataclass

from .data import Row


@dataclass
class Revealed:
    """A card on the table in a battle."""

    card: str
    row: Row
    cancelled: bool = False  # by Thor's Primacy, 6.4.1
    declared: int = 0  # value of a quest declared a battle card, 6.5.4


@dataclass
class Battle:
    """What a battle has to remember."""

    province: str
    pillager: int
    fighters: list[int]  # in battle order, 6.2.5
    revealed: dict[int, list[Revealed]]
    kills: list[int]  # figures destroyed in this battle, by owner
