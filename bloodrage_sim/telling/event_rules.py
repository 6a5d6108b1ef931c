"""The rule number of an event: of its kind, or of the source or reason and the card that it names."""

from __future__ import annotations

from typing import Any

from ..rules import ids
from ..rules.events import (
    EVENT_NAMES,
    EVENT_RULES,
    REASON_NAMES,
    REASON_RULES,
    SOURCE_NAMES,
    SOURCE_RULES,
)
from ..rules.tables import NO_CARD

REASONED = ("raise", "rage", "discarded")  # events whose `source` is a reason

# what a card gives or costs, by the card's effect
CARD_RULES = {
    ids.EFFECT_WATCH: "6.4.2",
    ids.EFFECT_EXTRA_PILLAGE_REWARD: "6.9.3",
    ids.EFFECT_PILLAGE_EXTRA_STAT: "6.9.4",
    ids.EFFECT_LEADER_PILLAGE_STAT: "6.9.5",
    ids.EFFECT_LEADER_PILLAGE_ALL_STATS: "6.9.5",
    ids.EFFECT_WINNER_GLORY: "6.10.3",
    ids.EFFECT_WINNER_RAGE_AND_GLORY: "6.10.3",
    ids.EFFECT_WINNER_RAISE_STAT: "6.10.3",
    ids.EFFECT_GLORY_PER_DESTROYED: "6.10.4",
    ids.EFFECT_GLORY_PER_ENEMY_KILL: "6.10.5",
    ids.EFFECT_GLORY_FOR_ENEMY_KILLS: "6.10.6",
    ids.EFFECT_WINNER_KEEP_CARDS: "6.10.7c",
    ids.EFFECT_PROTECT_FOR_RAGE: "6.11.3c",
    ids.EFFECT_SHIP_DEATH_GLORY: "6.11.6",
    ids.EFFECT_ACTION_REPILLAGE: "5.9.2",
    ids.EFFECT_ACTION_INVADE_FROM_VALHALLA: "5.10.1",
    ids.EFFECT_ACTION_SACRIFICE_FOR_STAT: "5.10.2",
    ids.EFFECT_PILLAGE_AFTER_INVADE: "7.3",
    ids.EFFECT_MULTIPLY_QUEST_GLORY: "9.2",
    ids.EFFECT_MULTIPLY_RAGNAROK_GLORY: "10.3",
    ids.EFFECT_END_GLORY_PER_FIGURE: "12.2",
}


def reason_of(event: Any) -> str:
    """Name of the reason of an event, '' if events of its kind have none."""
    return REASON_NAMES[event.source] if EVENT_NAMES[event.kind] in REASONED else ""


def event_rule(event: Any, tables: Any) -> str:
    """Rule number of an EVENT record."""
    name, reason = EVENT_NAMES[event.kind], reason_of(event)
    if name == "glory":
        source = SOURCE_NAMES[event.source]
        by_card = source == "card" or source == "pillage" and event.card != NO_CARD
        return _card_rule(event, tables) if by_card else SOURCE_RULES[source]
    if reason == "card":
        return _card_rule(event, tables)
    if reason == "hand" and event.age == ids.N_AGES:
        return "8.2"
    return REASON_RULES[reason] if reason else EVENT_RULES[name]


def _card_rule(event: Any, tables: Any) -> str:
    return CARD_RULES.get(int(tables.effect[event.card]), SOURCE_RULES["card"])
