"""The claims: `tips.csv` as checked rows."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from ..data import reader
from ..errors import unknown
from ..listings import card_label

FOLDER = Path(str(resources.files(__package__)))
SCENARIO, ENUMERATION, EXPERIMENT, NOT_TESTABLE = "scenario", "enumeration", "experiment", "not_testable"
DESIGNS = (SCENARIO, ENUMERATION, EXPERIMENT, NOT_TESTABLE)
PRIORITIES = (1, 2, 3)


@dataclass(frozen=True)
class Tip:
    """A claim and how it is tested.

    Attributes
    ----------
    id : also the name of its experiment file or of its folder of scenarios
    section : part of the text that it comes from
    source : page and line, e.g. 'tips page:12': the tips page (of 7 July 2026, in Polish) or help page of the game at Board Game Arena, a
        rules page in Turkish or Portuguese, or forums
    statement : 'stated' if the text says it, 'derived' if we drew it from what the text says
    claim : the claim in our words
    kind : rule_fact, quantity, behaviour, card_synergy, card_value, counter, strategy_strength, not_testable
    priority : 1 (test first) to 3
    players : numbers of players that it speaks of
    cards : ids of cards.csv
    design : scenario, enumeration, experiment or not_testable
    min_effect : the effect from which on it matters, in words; '' for rule facts
    depends : rule options as NAME=VALUE under which it may come out otherwise
    reason : why it is not tested
    """

    id: str
    section: str
    source: str
    statement: str
    claim: str
    kind: str
    priority: int
    players: tuple[int, ...]
    cards: tuple[str, ...]
    design: str
    min_effect: str
    depends: tuple[str, ...]
    reason: str

    @property
    def experiment(self) -> Path:
        """Its experiment file."""
        return FOLDER / "experiments" / f"{self.id}.toml"

    @property
    def scenarios(self) -> tuple[Path, ...]:
        """Its scenario files, sorted."""
        return tuple(sorted((FOLDER / "scenarios" / self.id).glob("*.toml")))

    def card_names(self, lang: str) -> list[str]:
        """Names of its cards, in Polish for 'pl'."""
        rows = {row["id"]: row for row in reader.card_rows()}
        return [card_label(rows[card], lang) for card in self.cards]


@cache
def tips() -> tuple[Tip, ...]:
    """All claims in the order of the file."""
    with (FOLDER / "tips.csv").open(encoding="utf-8", newline="") as handle:
        return tuple(_tip(row) for row in csv.DictReader(handle))


def _tip(row: dict[str, str]) -> Tip:
    return Tip(
        id=row["id"],
        section=row["section"],
        source=row["source"],
        statement=row["statement"],
        claim=row["claim"],
        kind=row["kind"],
        priority=int(row["priority"]),
        players=tuple(int(count) for count in row["players"].split()),
        cards=tuple(row["cards"].split()),
        design=row["design"],
        min_effect=row["min_effect"],
        depends=tuple(row["depends"].split()),
        reason=row["reason"],
    )


def find_tip(tip_id: str) -> Tip:
    """The claim with this id.  Raises UnknownName with the nearest ids."""
    for tip in tips():
        if tip.id == tip_id:
            return tip
    raise unknown("tip", tip_id, [tip.id for tip in tips()])


def choose_tips(tip_ids: Iterable[str], priority: int | None = None, design: str | None = None) -> Sequence[Tip]:
    """The claims named, or all, that have this priority and design, in the order of the file.  Raises UnknownName."""
    wanted = {find_tip(tip_id).id for tip_id in tip_ids}
    return [
        tip
        for tip in tips()
        if (not wanted or tip.id in wanted)
        and (priority is None or tip.priority == priority)
        and (design is None or tip.design == design)
    ]
