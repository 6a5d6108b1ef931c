"""What came of testing a claim, whatever the design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

SUPPORTED, REFUTED, INCONCLUSIVE = "supported", "refuted", "inconclusive"
NOT_EXERCISED, NOT_TESTABLE = "not exercised", "not testable"
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
    """One verdict for several numbers of players: theirs if they agree, else inconclusive."""
    verdicts = set(by_players.values())
    return verdicts.pop() if len(verdicts) == 1 else INCONCLUSIVE


def holds(truth: bool) -> str:
    """The verdict of a proof."""
    return SUPPORTED if truth else REFUTED
