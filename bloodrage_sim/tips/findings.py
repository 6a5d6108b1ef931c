"""What came of testing a claim, whatever the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SUPPORTED, REFUTED, INCONCLUSIVE = "supported", "refuted", "inconclusive"
NOT_EXERCISED, NOT_TESTABLE = "not exercised", "not testable"
PRIMARY = 4  # players
VERDICTS = (SUPPORTED, REFUTED, INCONCLUSIVE, NOT_EXERCISED, NOT_TESTABLE)


@dataclass(frozen=True)
class Finding:
    """The verdict on a claim by proof: scenarios or counting out.

    Attributes
    ----------
    verdict : one of VERDICTS
    summary : what was found, in a sentence with the numbers
    by_players : verdict by number of players, where it was told apart
    cases : the numbers or positions behind it, one mapping with the same keys each
    against : how many of the cases speak against the claim
    """

    verdict: str
    summary: str
    by_players: Mapping[int, str] = field(default_factory=dict)
    cases: Sequence[Mapping[str, Any]] = ()
    against: int = 0


def verdict_over(by_players: Mapping[int, str]) -> str:
    """The verdict that stands for all: that with four players, which the claims speak of first, else that with most."""
    return by_players[PRIMARY if PRIMARY in by_players else max(by_players)]


def holds(truth: bool) -> str:
    """The verdict of a proof."""
    return SUPPORTED if truth else REFUTED
