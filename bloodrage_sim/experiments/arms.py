"""An arm of an experiment: the interventions of its table, and what the loop needs to carry them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..errors import BadValue, unknown
from ..ruleset import Ruleset
from .building import ArmBuilder
from .cards import SpareCards
from .interventions import lineup, rule
from .interventions.battle_result import KEY as RESULT
from .interventions.battle_result import BattleResult
from .interventions.deal import DealCard, all_deals, copies_for, lay_deals
from .interventions.force import read_forbid, read_force
from .interventions.fork import Fork
from .interventions.mask import Hide
from .interventions.picks import read_ban_pick, read_ban_play, read_draft_quota, read_force_pick
from .interventions.replace import ReplaceCard
from .interventions.start import KEY as START
from .interventions.start import Start
from .interventions.state import SetState
from .reading import read_number, read_text, tables_of


class Intervention(Protocol):
    """What is laid on an arm through its builder."""

    def lay(self, builder: ArmBuilder) -> None: ...


READERS: Mapping[str, Callable[[Any, str], Intervention]] = {
    "replace": ReplaceCard.read,
    "force_pick": read_force_pick,
    "ban_pick": read_ban_pick,
    "ban_play": read_ban_play,
    "draft_quota": read_draft_quota,
    "force": read_force,
    "forbid": read_forbid,
    "set_state": SetState.read,
    "hide": Hide.read,
}
ARM_KEYS = (*lineup.KEYS, *rule.KEYS, "deal", *READERS, "fork", START, RESULT, "dose")
_ORDERS = ("force_pick", "ban_pick", "ban_play", "draft_quota", "force", "forbid")


@dataclass(frozen=True)
class Arm:
    """An arm as its table says.

    Attributes
    ----------
    line_up : who plays
    rules : by what rules
    deals : cards dealt
    laid : other interventions
    fork : the fork and the branch that is taken, None if there is none
    start : position that games start from, None for the start of the game
    result : result of a battle that it brings about, None if there is none
    dose : of a dose curve
    table : the table itself
    where : its place, for messages
    """

    line_up: lineup.LineUp
    rules: rule.Rules
    deals: tuple[DealCard, ...]
    laid: tuple[Intervention, ...]
    fork: tuple[Fork, str] | None
    start: Start | None
    result: BattleResult | None
    dose: float | None
    table: Mapping[str, Any]
    where: str

    def same_as(self, other: Arm) -> bool:
        """Whether both tables say the same, doses left aside."""
        return {**self.table, "dose": 0} == {**other.table, "dose": 0}

    @property
    def cuts_options(self) -> bool:
        """Whether it forces or forbids options, so that it is told how often that happened."""
        return self.fork is not None or self.result is not None or any(key in self.table for key in _ORDERS)

    @property
    def changes_games(self) -> bool:
        """Whether it changes cards or numbers, so that it is told in how many games."""
        return any(key in self.table for key in ("replace", "set_state"))


def read_arm(table: Mapping[str, Any], fork: Fork | None, folder: Path, where: str) -> Arm:
    """The arm of a table with known keys.  folder : of the file, for paths.  Raises BadValue, UnknownName, BadScenario."""
    branch = None
    if "fork" in table:
        if fork is None:
            raise BadValue(f"{where}: fork needs a table [fork] in the file")
        name = read_text(table, "fork", where)
        if name not in fork.branches:
            raise unknown("branch of the fork", name, fork.branches, where)
        branch = (fork, name)
    return Arm(
        line_up=lineup.LineUp.read(table, where),
        rules=rule.Rules.read(table, where),
        deals=tuple(DealCard.read(item, place) for item, place in tables_of(table, "deal", where)),
        laid=tuple(read(item, place) for key, read in READERS.items() for item, place in tables_of(table, key, where)),
        fork=branch,
        start=Start.read(table, folder, where),
        result=BattleResult.read(table, where),
        dose=read_number(table, "dose", where) if "dose" in table else None,
        table=dict(table),
        where=where,
    )


@dataclass(frozen=True)
class BuiltArm:
    """An arm at a table of some players, ready to be played.

    Attributes
    ----------
    slots : strategy texts by slot; slot 0 is the focal one, the next `fixed` are always seated
    fixed : how many opponents are always seated
    ruleset : rules of the arm
    tables : TABLES array of one record, spare cards included
    orders : ORDERS record
    start : GAME array of the position that games start from, None for the start of the game
    result : result of a battle that is brought about, None if there is none
    """

    slots: tuple[str, ...]
    fixed: int
    ruleset: Ruleset
    tables: np.recarray
    orders: Any
    start: np.recarray | None
    result: BattleResult | None


def build_arms(
    arms: Mapping[str, Arm],
    base: str,
    pool: Sequence[str],
    players: int,
    rulesets: Mapping[str, Ruleset],
    names: Callable[[str], str],
) -> dict[str, BuiltArm]:
    """All arms of an experiment, which share reserved copies and spare cards.

    base, pool : focal strategy and opponents where the arms do not say
    rulesets : by arm, its changes included
    names : name of the strategy that a text means
    Raises BadValue, UnknownName.
    """
    spare = SpareCards()
    slots = {name: arm.line_up.slots(base, pool, players) for name, arm in arms.items()}
    deals = all_deals([arm.deals for arm in arms.values()])
    builders = {}
    for name, arm in arms.items():
        tables = rulesets[name].tables()
        builder = builders[name] = ArmBuilder(players, tables, spare, [names(text) for text in slots[name]])
        lay_deals(arm.deals, deals, copies_for(deals, tables, players), builder)
        for intervention in arm.laid:
            intervention.lay(builder)
        if arm.fork is not None:
            arm.fork[0].lay(arm.fork[1], builder)
    built = {}
    for name, builder in builders.items():
        spare.write(builder.tables)
        fixed = len(arms[name].line_up.with_others)
        position = arms[name].start
        start = None if position is None else position.games(players, rulesets[name])
        built[name] = BuiltArm(slots[name], fixed, rulesets[name], builder.tables, builder.record, start, arms[name].result)
    _check_seating(built, arms)
    return built


def _check_seating(built: Mapping[str, BuiltArm], arms: Mapping[str, Arm]) -> None:
    """Raise BadValue unless all arms seat opponents alike."""
    first, *others = built
    for name in others:
        if (len(built[name].slots), built[name].fixed) != (len(built[first].slots), built[first].fixed):
            raise BadValue(
                f"{arms[name].where} names {len(built[name].slots) - 1} opponents, {built[name].fixed} of them always seated, "
                f"{arms[first].where} {len(built[first].slots) - 1} and {built[first].fixed}; give all arms as many"
            )
