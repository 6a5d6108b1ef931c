"""What came of a claim that is proved: by positions, or by counting out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..experiments.verdicts import REFUTED, SUPPORTED

PRIMARY = 4  # number of players that claims speak of first


@dataclass(frozen=True)
class Proof:
    """The verdict on a claim by proof.

    Attributes
    ----------
    verdict : word of experiments.verdicts.VERDICTS
    summary : what was found, in sentences with the numbers
    by_players : verdict by number of players, where it was told apart
    cases : the numbers or positions behind it, one mapping with the same keys each
    against : how many of the cases speak against the claim
    flips : rule options as NAME=VALUE under which it comes out otherwise
    """

    verdict: str
    summary: str
    by_players: Mapping[int, str] = field(default_factory=dict)
    cases: Sequence[Mapping[str, Any]] = ()
    against: int = 0
    flips: Sequence[str] = ()


def verdict_over(by_players: Mapping[int, str]) -> str:
    """The verdict that stands for all: that with four players, which claims speak of first, else that with most."""
    return by_players[PRIMARY if PRIMARY in by_players else max(by_players)]


def holds(truth: bool) -> str:
    """The verdict of a proof."""
    return SUPPORTED if truth else REFUTED
