"""What a card is worth to a plan, in glory: the same numbers serve the draft, upgrades, and what is kept or given away.

The plan of a style says how many battles, deaths, pillages and quests it expects in an age; a card is worth what it adds to
them in the ages that are left.
"""

from __future__ import annotations

from ..rules.cards import has_effect
from ..rules.effects.sheet import upgrade_discount
from ..rules.figures import stat_value
from ..rules.ids import (
    CARD_KIND_BATTLE,
    CARD_KIND_CLAN,
    CARD_KIND_LEADER,
    CARD_KIND_MONSTER,
    CARD_KIND_QUEST,
    CARD_KIND_SHIP,
    CARD_KIND_WARRIOR,
    EFFECT_ACTION_INVADE_FROM_VALHALLA,
    EFFECT_ACTION_REPILLAGE,
    EFFECT_ACTION_SACRIFICE_FOR_STAT,
    EFFECT_CANCEL_ENEMY_TEXT,
    EFFECT_COPY_HIGHEST_ENEMY_CARD,
    EFFECT_COUNTS_AS_SHIP,
    EFFECT_END_GLORY_PER_FIGURE,
    EFFECT_EXTRA_PILLAGE_REWARD,
    EFFECT_EXTRA_WARRIOR_ON_INVADE,
    EFFECT_FIGURES_IN_VALHALLA,
    EFFECT_FREE_UPGRADE_AND_INVADE,
    EFFECT_GLORY_FOR_ENEMY_KILLS,
    EFFECT_GLORY_PER_DESTROYED,
    EFFECT_GLORY_PER_ENEMY_KILL,
    EFFECT_INVADE_KILL_ENEMY_NONMONSTERS,
    EFFECT_INVADE_KILL_ENEMY_WARRIORS,
    EFFECT_INVADE_YGGDRASIL,
    EFFECT_LATE_PLAY,
    EFFECT_LEADER_PILLAGE_ALL_STATS,
    EFFECT_LEADER_PILLAGE_MOVE,
    EFFECT_LOSER_STEAL_GLORY,
    EFFECT_LOSER_STEAL_RAGE,
    EFFECT_LOSER_TAKE_WINNER_CARDS,
    EFFECT_MOST_STR_PROVINCES,
    EFFECT_MOST_STR_REGION,
    EFFECT_MOST_STR_YGGDRASIL,
    EFFECT_MULTIPLY_QUEST_GLORY,
    EFFECT_MULTIPLY_RAGNAROK_GLORY,
    EFFECT_PILLAGE_AFTER_INVADE,
    EFFECT_PILLAGE_EXTRA_STAT,
    EFFECT_PROTECT_FOR_RAGE,
    EFFECT_QUEST_AS_BATTLE,
    EFFECT_RELEASE_GLORY,
    EFFECT_SHIP_DEATH_GLORY,
    EFFECT_SMITE,
    EFFECT_TIDE,
    EFFECT_UPGRADE_DISCOUNT,
    EFFECT_WARRIOR_ON_BATTLE_LOSS,
    EFFECT_WARRIOR_PAIRS,
    EFFECT_WATCH,
    EFFECT_WINNER_GLORY,
    EFFECT_WINNER_KEEP_CARDS,
    EFFECT_WINNER_RAGE_AND_GLORY,
    EFFECT_WINNER_RAISE_STAT,
    N_AGES,
    PHASE_ACTION,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
    STAT_HORNS,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER, FIGURE_SHIP, SLOT_FIRST
from .odds import most_hold_odds
from .outlook import QUEST_STAT, all_stats_worth, best_stat_worth

_SLOT_FIRST = SLOT_FIRST
_STAT = 3.6  # a stat step of choice, in glory, when its time is not known
_RAGE = 1.1  # a rage, in glory, when its time is not known


@kernel
def is_lokis(tables, card):
    """Whether a card pays for losing and dying: the cards that a Loki plan gathers."""
    effect = tables.effect[card]
    return (
        effect == EFFECT_RELEASE_GLORY
        or effect == EFFECT_WARRIOR_ON_BATTLE_LOSS
        or effect == EFFECT_SHIP_DEATH_GLORY
        or effect == EFFECT_LOSER_STEAL_RAGE
        or effect == EFFECT_LOSER_STEAL_GLORY
        or effect == EFFECT_LOSER_TAKE_WINNER_CARDS
        or effect == EFFECT_FIGURES_IN_VALHALLA
    )


@kernel
def ragnarok_left(tables, style, first_age):
    """Glory that the plan expects of Ragnarok from an age on, without Odin's Inspiration."""
    total = 0.0
    for age in range(first_age, N_AGES + 1):
        total += style.doomed * tables.ragnarok_glory[age - 1]
    return total


@kernel
def clan_card_worth(view, tables, style, card, first_age):
    """Worth of a clan upgrade from an age on, its cost left out."""
    ages = float(N_AGES + 1 - first_age)
    effect = tables.effect[card]
    amount = float(tables.amount[card])
    if effect == EFFECT_RELEASE_GLORY:
        return amount * (style.deaths + style.doomed) * ages
    if effect == EFFECT_EXTRA_WARRIOR_ON_INVADE:
        return 3.2 * amount * ages
    if effect == EFFECT_GLORY_FOR_ENEMY_KILLS:
        return amount * 0.45 * (style.wins + 0.5 * style.losses) * ages
    if effect == EFFECT_QUEST_AS_BATTLE:
        return 0.25 * amount * ages
    if effect == EFFECT_WARRIOR_ON_BATTLE_LOSS:
        return 1.3 * style.losses * ages
    if effect == EFFECT_UPGRADE_DISCOUNT:
        return 1.2 * amount * ages
    if effect == EFFECT_PROTECT_FOR_RAGE:
        return 0.8 * style.losses * ages
    if effect == EFFECT_WINNER_KEEP_CARDS:
        return 1.5 * style.wins * ages
    if effect == EFFECT_ACTION_REPILLAGE:
        return 2.0 * ages
    if effect == EFFECT_MULTIPLY_RAGNAROK_GLORY:
        return (amount - 1.0) * ragnarok_left(tables, style, first_age)
    if effect == EFFECT_PILLAGE_AFTER_INVADE:
        return 1.0 * ages
    if effect == EFFECT_ACTION_INVADE_FROM_VALHALLA:
        return 1.0 * min(style.deaths, 4.0)
    if effect == EFFECT_ACTION_SACRIFICE_FOR_STAT:
        return 0.7 * best_stat_worth(view)
    if effect == EFFECT_END_GLORY_PER_FIGURE:
        return amount * max(1.0, 0.55 * view.clans[view.seat].on_board + 2.5 - 0.5 * style.doomed)
    if effect == EFFECT_MULTIPLY_QUEST_GLORY:
        return (amount - 1.0) * style.quests_done * 9.0 * style.quest
    return 1.0


@kernel
def figure_card_worth(view, tables, style, card, first_age):
    """Worth of a warrior, leader, ship or monster upgrade from an age on, its cost left out; a free invade comes with it."""
    ages = float(N_AGES + 1 - first_age)
    effect = tables.effect[card]
    amount = float(tables.amount[card])
    body = float(tables.figure_str[card])
    kind = tables.kind[card]
    arrival = 1.5  # the free invade
    dead = view.board.figures[PLACE_VALHALLA, view.seat]
    gone = kind == CARD_KIND_LEADER and dead[FIGURE_LEADER] > 0 or kind == CARD_KIND_SHIP and dead[FIGURE_SHIP] > 0
    if gone and first_age == view.clock.age:
        ages -= 1.0  # it comes back with the next age only
        arrival = 0.0
    clan = view.clans[view.seat]
    full = view.clock.phase == PHASE_ACTION and clan.on_board >= stat_value(clan, tables, STAT_HORNS)
    if full:
        arrival = 0.0  # the horns limit lets nobody come
    if kind == CARD_KIND_WARRIOR:
        if effect == EFFECT_WARRIOR_PAIRS:
            return 1.0 + 0.8 * (amount - 2.0) * ages
        return 1.0 + 1.2 * ages
    if kind == CARD_KIND_LEADER:
        if effect == EFFECT_LEADER_PILLAGE_MOVE:
            return arrival + 1.0 * ages
        if effect == EFFECT_LEADER_PILLAGE_ALL_STATS:
            return arrival + 0.45 * style.pillages * all_stats_worth(view) * ages
        return arrival + 0.45 * style.pillages * _STAT * ages
    if kind == CARD_KIND_SHIP:
        ships = 1.6 if has_effect(view.clans[view.seat], EFFECT_COUNTS_AS_SHIP) else 1.0
        return arrival + amount * style.ships_lost * ships * ages
    worth = body * ((0.0 if full else 0.9) + 0.35 * ages)
    if effect == EFFECT_FREE_UPGRADE_AND_INVADE:
        return worth + 0.5 * ages
    if effect == EFFECT_INVADE_KILL_ENEMY_WARRIORS:
        return worth + 1.5 + 0.5 * ages
    if effect == EFFECT_INVADE_KILL_ENEMY_NONMONSTERS:
        return worth + 3.0 + 0.5 * ages
    if effect == EFFECT_INVADE_YGGDRASIL:
        return worth + 1.5 * ages
    if effect == EFFECT_GLORY_PER_ENEMY_KILL:
        return worth + 0.7 * amount * (style.wins + style.losses) * ages
    if effect == EFFECT_EXTRA_PILLAGE_REWARD:
        return worth + 1.5 * style.pillages
    if effect == EFFECT_COUNTS_AS_SHIP:
        return worth + 4.0 * style.ships_lost * ages
    return worth + 0.5


@kernel
def battle_card_worth(view, tables, style, card):
    """Worth of a battle card in the battles of one age."""
    effect = tables.effect[card]
    amount = float(tables.amount[card])
    fights = style.wins + style.losses
    worth = tables.battle_str[card] * (0.2 + 0.35 * style.wins)
    if effect == EFFECT_LOSER_STEAL_RAGE:
        return worth + 0.4 + 1.0 * style.losses
    if effect == EFFECT_LOSER_STEAL_GLORY:
        return worth + 0.4 + 1.3 * amount * style.losses
    if effect == EFFECT_LOSER_TAKE_WINNER_CARDS:
        return worth + 0.4 + 1.7 * style.losses
    if effect == EFFECT_WINNER_GLORY:
        return worth + 0.45 * amount * style.wins
    if effect == EFFECT_WINNER_RAGE_AND_GLORY:
        return worth + 0.9 * amount * style.wins
    if effect == EFFECT_WINNER_RAISE_STAT:
        return worth + 0.45 * _STAT * style.wins
    if effect == EFFECT_PILLAGE_EXTRA_STAT:
        return worth + 0.45 * _STAT * style.wins
    if effect == EFFECT_GLORY_PER_DESTROYED:
        return worth + 1.6 * amount * min(fights, 2.0)
    if effect == EFFECT_WATCH:
        return worth + 2.0 + 1.2 * min(fights, 2.0)
    if effect == EFFECT_COPY_HIGHEST_ENEMY_CARD:
        return worth + 2.5 * (0.2 + 0.35 * style.wins)
    if effect == EFFECT_SMITE:
        return worth + 0.8
    if effect == EFFECT_TIDE:
        return worth + 0.8 + 0.2 * style.deaths
    if effect == EFFECT_LATE_PLAY:
        return worth + 0.9
    if effect == EFFECT_CANCEL_ENEMY_TEXT:
        return worth + 0.9
    return worth


@kernel
def quest_odds(view, tables, style, card):
    """Chance to fulfil a quest in the age, by the board as it is and by the plan.  Rules 9.3 to 9.5."""
    effect = tables.effect[card]
    clan = view.clans[view.seat]
    early = 1.0 if clan.on_board < 3 else 0.0
    reach = 1.0  # how much of what is still to be done can be done with the rage left
    if view.clock.phase == PHASE_ACTION:
        reach = min(1.0, 0.25 * clan.rage) * min(1.0, view.appraisal.outlook.open / 3.0)
    if effect == EFFECT_MOST_STR_REGION:
        now = most_hold_odds(view, tables, int(tables.card_region[card]))
        return max(now, reach * (0.5 * early + (1.0 - early) * (0.25 + 0.55 * now)))
    if effect == EFFECT_MOST_STR_YGGDRASIL:
        return max(view.appraisal.outlook.hold[PLACE_YGGDRASIL], 0.3 * reach)
    if effect == EFFECT_FIGURES_IN_VALHALLA:
        dead = float(view.board.count[PLACE_VALHALLA, view.seat])
        return min(0.95, max(0.08, (dead + reach * style.deaths - 0.3) / (tables.amount[card] + 1.0)))
    if effect == EFFECT_MOST_STR_PROVINCES:
        return 0.2 + 0.3 * reach
    return 0.0


@kernel
def same_and_other_quests(view, tables, card):
    """How many quests like `card` the seat has, in hand or committed, and how many others, as same * 64 + other."""
    same = other = 0
    for position in range(view.own.hand_size + view.clans[view.seat].quests):
        if position < view.own.hand_size:
            mine = int(view.own.hand[position])
        else:
            mine = int(view.own.quests[position - view.own.hand_size])
        if tables.kind[mine] == CARD_KIND_QUEST:
            alike = tables.effect[mine] == tables.effect[card] and tables.card_region[mine] == tables.card_region[card]
            if alike:
                same += 1
            else:
                other += 1
    return same * 64 + other


@kernel
def quest_reward(view, tables, card):
    """What a fulfilled quest pays, its stat step included, in glory.  Rule 9.2."""
    factor = 2.0 if has_effect(view.clans[view.seat], EFFECT_MULTIPLY_QUEST_GLORY) else 1.0
    return factor * tables.glory[card] + QUEST_STAT


@kernel
def quest_card_worth(view, tables, style, card):
    """Worth of a quest in an age: its odds, less for every other quest that pulls elsewhere."""
    counts = same_and_other_quests(view, tables, card)
    same, other = counts // 64, counts % 64
    focus = 1.0 if same > 0 else max(0.5, 1.0 - 0.12 * other)
    return quest_odds(view, tables, style, card) * focus * quest_reward(view, tables, card) * style.quest


@kernel
def taste(tables, style, card):
    """The style's factor on a card by its kind."""
    kind = tables.kind[card]
    factor = style.quest_cards
    if kind == CARD_KIND_BATTLE:
        factor = style.battle_cards
    elif kind == CARD_KIND_CLAN:
        factor = style.clan_cards
    elif kind == CARD_KIND_WARRIOR:
        factor = style.warrior_cards
    elif kind == CARD_KIND_LEADER:
        factor = style.leader_cards
    elif kind == CARD_KIND_SHIP:
        factor = style.ship_cards
    elif kind == CARD_KIND_MONSTER:
        factor = style.monster_cards
    if is_lokis(tables, card):
        factor *= style.loki_cards
    return factor


@kernel
def upgrade_cost(view, tables, card):
    """Rage that playing an upgrade costs the seat.  Rule 5.7.1."""
    return max(0, int(tables.cost[card]) - upgrade_discount(view.clans[view.seat], tables))


@kernel
def upgrade_worth(view, tables, style, card, first_age):
    """Worth of an upgrade on the sheet from an age on, its cost left out, taste included."""
    if tables.kind[card] == CARD_KIND_CLAN:
        return taste(tables, style, card) * clan_card_worth(view, tables, style, card, first_age)
    return taste(tables, style, card) * figure_card_worth(view, tables, style, card, first_age)


@kernel
def worst_in_slots(view, tables, style, kind, first_age):
    """Worth of the least upgrade that a new one of this kind would replace; 0 if a slot is free.  Rule 5.7.2."""
    least = 1e9
    for slot in range(_SLOT_FIRST[kind], _SLOT_FIRST[kind] + tables.slots[kind]):
        card = int(view.clans[view.seat].sheet[slot])
        if card < 0:
            return 0.0
        least = min(least, upgrade_worth(view, tables, style, card, first_age))
    return least


@kernel
def card_worth(view, tables, style, card, first_age):
    """Worth of owning a card from the start of an age on, in glory: what the draft and the keeping of cards go by."""
    kind = int(tables.kind[card])
    if kind == CARD_KIND_QUEST:
        return taste(tables, style, card) * quest_card_worth(view, tables, style, card)
    if kind == CARD_KIND_BATTLE:
        return taste(tables, style, card) * battle_card_worth(view, tables, style, card)
    worth = upgrade_worth(view, tables, style, card, first_age)
    return worth - _RAGE * upgrade_cost(view, tables, card) - worst_in_slots(view, tables, style, kind, first_age)

