"""Traits: named habits that can be laid over any scripted strategy, as `NAME+trait=value`.

A trait left out is 0, which changes nothing.  A flag is 1 when it is given without a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from ..parameters import Param, record_of

STAT_ORDERS = tuple("/".join(order) for order in permutations(("rage", "axes", "horns")))


@dataclass(frozen=True)
class Trait:
    """A trait: its parameter, the value that it has when it is named alone, and the traits it contradicts."""

    param: Param
    alone: float | None = 1.0
    against: tuple[str, ...] = ()


def _flag(meaning: str, *against: str) -> Trait:
    return Trait(Param(0, 0, 3, meaning), 1.0, against)


TRAITS_TABLE = {
    # --- where figures go
    "lock_province": _flag("fills all villages of one outer province, then pillages it, and keeps its figures there"),
    "ship_first": _flag("puts its ship into a fjord before it pays for warriors"),
    "leader_first": Trait(
        Param(0, -3, 3, "invades with the leader among its first actions of an age; below 0: not in the first half")
    ),
    "concentration": Trait(Param(0, -1, 3, "invades and marches beside its own figures; below 0: away from them")),
    "avoid_imminent_pillage": _flag("keeps out of provinces that a stronger rival can pillage next"),
    "wipe_aware": _flag("late in ages 1 and 2 keeps figures where Troll and Fire Giant cannot come"),
    "preserve_units": _flag("late in ages 1 and 2 counts figures that survive at the rage that they cost"),
    "ragnarok_presence": Trait(Param(0, -3, 3, "puts figures into the doomed province; below 0: keeps out of it")),
    "yggdrasil_focus": _flag("gathers its strength in Yggdrasil"),
    "carry_yggdrasil": _flag("late in ages 1 and 2 moves into Yggdrasil for the next age"),
    "lock_target": Trait(
        Param(0, 0, 2, "which province lock_province fills", names=("best", "doomed", "safe")), alone=None
    ),
    # --- pace
    "rush_pillage": _flag("pillages as fast as it can; upgrades and quests wait", "rage_pacing"),
    "rage_pacing": _flag(
        "keeps its rage within 2 of the median of the players still in", "front_load", "rush_pillage"
    ),
    "front_load": _flag("spends rage as fast as it can: dearest action first", "rage_pacing"),
    "tempo_control": _flag("ahead in rage it leaves its safest pillage for last, behind it takes it first"),
    "rage_buffer": _flag("keeps 1 rage over before battles it means to win while Loki's Trickery is about"),
    # --- battles
    "join_threshold": Trait(
        Param(0, -1, 1, "joins a battle only with at least this chance to win it; below 0: whenever it can"), alone=None
    ),
    "pillage_to_lose": _flag("starts pillages that it means to lose, with its weakest card", "deny_losing"),
    "harass": _flag("starts losing pillages with one cheap figure against the clan with the most STR"),
    "deny_losing": _flag("gives no battles to clans that profit from losing", "pillage_to_lose"),
    "surprise_win": Trait(Param(0, 0, 1, "chance to play to win a battle that it would rather lose"), alone=0.15),
    "sabotage_leader": _flag("gives up own glory to cost the leading clan more"),
    "target_holder": _flag("in age 3 counts end-of-game cards of a clan when it chooses whom to hinder"),
    "challenge_disrupt": _flag("pillages again where a rival holds a quest lead or a stack in the doomed province"),
    # --- rewards
    "prefer_stat_tokens": _flag("of two equal pillages takes the stat", "prefer_glory_tokens"),
    "prefer_glory_tokens": _flag("of two equal pillages takes the glory", "prefer_stat_tokens"),
    "deny_rage": _flag("takes or contests rage tokens when a rival is within two steps of the top"),
    "stat_order": Trait(Param(0, 0, 6, "order in which stats are raised", names=("plan", *STAT_ORDERS)), alone=None),
    "declare_all_quests": _flag("commits every quest before its rage runs out"),
    "quest_weight": Trait(Param(0, 0, 4, "factor on quests, in the draft and on the board; 0: as it is"), alone=2.0),
    "hate_draft": Trait(Param(0, 0, 2, "share of a card's worth to the next seat that it adds in the draft"), alone=0.5),
}  # fmt: skip
TRAIT_PARAMS = {name: trait.param for name, trait in TRAITS_TABLE.items()}
TRAITS = record_of({**TRAIT_PARAMS, "laid": Param(0, 0, 1, "whether any trait is laid over the strategy")})
