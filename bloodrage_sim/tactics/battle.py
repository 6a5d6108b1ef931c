"""The appraisal of cards in a battle: what winning and losing are worth, and how likely each card makes them.  Rules 6.3 to 6.10."""

from __future__ import annotations

from ..rules.cards import effect_amount
from ..rules.effects.battle import late_play
from ..rules.ids import (
    CARD_KIND_BATTLE,
    CARD_KIND_QUEST,
    EFFECT_COPY_HIGHEST_ENEMY_CARD,
    EFFECT_GLORY_PER_DESTROYED,
    EFFECT_LOSER_STEAL_GLORY,
    EFFECT_LOSER_STEAL_RAGE,
    EFFECT_LOSER_TAKE_WINNER_CARDS,
    EFFECT_PILLAGE_EXTRA_STAT,
    EFFECT_QUEST_AS_BATTLE,
    EFFECT_SMITE,
    EFFECT_TIDE,
    EFFECT_WATCH,
    EFFECT_WINNER_GLORY,
    EFFECT_WINNER_RAGE_AND_GLORY,
    EFFECT_WINNER_RAISE_STAT,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_WARRIOR
from .area import own_loss
from .card_worth import card_worth
from .odds import beat_odds, count_unseen
from .outlook import PRICE, axes_of, best_stat_worth, reward_worth
from .terms import (
    TERM_BATTLE,
    TERM_CARDS,
    TERM_DENY,
    TERM_LOSS,
    TERM_PILLAGE,
    TERM_QUEST,
    TERM_STATS,
    TERM_VALHALLA,
    add,
)

KEEP = 0.5  # share of a card's worth that is lost when it is discarded in mid-age
DENIED = 5.0  # what a rival's pillage that fails costs it, in glory


@kernel
def look_at_battle(view, tables):
    """Fill what the cards of a battle are judged by: the unseen cards, and the reward."""
    count_unseen(view, tables)
    province = int(view.battle.province)
    fresh = view.board.pillaged[province] == 0 or view.battle.pillager == view.seat
    outlook = view.appraisal.outlook
    outlook.reward[province] = reward_worth(view, tables, province) if fresh else 0.0
    outlook.loss, outlook.pay = own_loss(view, tables, province)


@kernel
def participants(view):
    """How many clans take part in the battle."""
    count = 0
    for seat in range(view.clock.players):
        if view.battle.fights[seat]:
            count += 1
    return count


@kernel
def enemy_figures(view, tables):
    """Figures of the others in the battle."""
    province = int(view.battle.province)
    fjord = int(tables.fjord_of[province])
    count = 0
    for seat in range(view.clock.players):
        if seat != view.seat:
            count += view.board.count[province, seat]
            if fjord >= 0:
                count += view.board.count[fjord, seat]
    return count


@kernel
def enemies_with_warriors(view):
    """Rivals that Odin's Smite takes a Warrior from.  Rule 6.5.2."""
    province = int(view.battle.province)
    count = 0
    for seat in range(view.clock.players):
        if seat != view.seat and view.board.figures[province, seat, FIGURE_WARRIOR] > 0:
            count += 1
    return count


@kernel
def card_bonus(view, tables, card):
    """STR that a card may be expected to give in the battle, its text included."""
    effect = tables.effect[card]
    if tables.kind[card] == CARD_KIND_QUEST:
        return float(effect_amount(view.clans[view.seat], tables, EFFECT_QUEST_AS_BATTLE))
    if tables.kind[card] != CARD_KIND_BATTLE:
        return 0.0
    if effect == EFFECT_COPY_HIGHEST_ENEMY_CARD:
        return 2.4 + 0.4 * participants(view)
    bonus = float(tables.battle_str[card])
    if effect == EFFECT_SMITE:
        return bonus + (1.0 if enemies_with_warriors(view) > 0 else 0.0)
    return bonus


@kernel
def late_help(view, tables, but):
    """STR that late cards of the hand other than card `but` could add after the reveal, one of them at most."""
    best = 0
    for position in range(view.own.hand_size):
        card = int(view.own.hand[position])
        if card != but and late_play(tables, card):
            best = max(best, int(tables.battle_str[card]))
    return 0.8 * best


@kernel
def add_winning(view, tables, index, odds):
    """Book what a battle won with chance `odds` brings, cards left out."""
    outlook = view.appraisal.outlook
    battle = view.battle
    province = int(battle.province)
    if battle.pillager == view.seat:
        add(view, index, TERM_PILLAGE, odds * outlook.reward[province])
    else:
        add(view, index, TERM_DENY, odds * DENIED)
    add(view, index, TERM_BATTLE, odds * axes_of(view, tables))
    stake = outlook.stake[province]
    add(view, index, TERM_QUEST, odds * 0.6 * stake - (1.0 - odds) * outlook.hold[province] * stake)
    add(view, index, TERM_LOSS, -(1.0 - odds) * outlook.loss)
    add(view, index, TERM_VALHALLA, (1.0 - odds) * outlook.pay)


@kernel
def add_text(view, tables, style, index, card, odds):
    """Book what the text of a card brings when the battle is won with chance `odds`.  Rules 6.4, 6.10."""
    effect = tables.effect[card]
    amount = float(tables.amount[card])
    if effect == EFFECT_WINNER_GLORY:
        add(view, index, TERM_BATTLE, odds * amount)
    elif effect == EFFECT_WINNER_RAGE_AND_GLORY:
        add(view, index, TERM_BATTLE, odds * amount * (1.0 + PRICE))
    elif effect == EFFECT_WINNER_RAISE_STAT:
        add(view, index, TERM_STATS, odds * best_stat_worth(view))
    elif effect == EFFECT_PILLAGE_EXTRA_STAT and view.battle.pillager == view.seat:
        add(view, index, TERM_STATS, odds * best_stat_worth(view))
    elif effect == EFFECT_LOSER_STEAL_RAGE:
        add(view, index, TERM_BATTLE, (1.0 - odds) * 1.3 * PRICE * amount)
    elif effect == EFFECT_LOSER_STEAL_GLORY:
        add(view, index, TERM_BATTLE, (1.0 - odds) * amount * 1.3)
    elif effect == EFFECT_LOSER_TAKE_WINNER_CARDS:
        add(view, index, TERM_CARDS, (1.0 - odds) * 1.8)
    elif effect == EFFECT_GLORY_PER_DESTROYED:
        own = own_figures(view, tables)
        add(view, index, TERM_BATTLE, amount * (odds * enemy_figures(view, tables) + (1.0 - odds) * own))
    elif effect == EFFECT_WATCH:
        add(view, index, TERM_BATTLE, 2.3 * (participants(view) - 1))
    elif effect == EFFECT_TIDE:
        own = own_figures(view, tables)
        more = enemy_figures(view, tables) - (participants(view) - 1) - (own - 1)
        add(view, index, TERM_DENY, 2.0 * max(0, more))
        add(view, index, TERM_VALHALLA, (own - 1) * view.appraisal.outlook.death)


@kernel
def own_figures(view, tables):
    """Own figures in the battle."""
    province = int(view.battle.province)
    fjord = int(tables.fjord_of[province])
    count = int(view.board.count[province, view.seat])
    return count + int(view.board.count[fjord, view.seat]) if fjord >= 0 else count


@kernel
def appraise_card(view, tables, style, index, card):
    """A card to play face down.  Rule 6.3."""
    province = int(view.battle.province)
    points = view.survey.own[province] + card_bonus(view, tables, card)
    effect = tables.effect[card]
    if effect == EFFECT_TIDE:
        points -= 0.5 * (view.survey.own[province] - view.survey.rival[province])
    odds = beat_odds(view, points + late_help(view, tables, card))
    add_winning(view, tables, index, odds)
    if tables.kind[card] == CARD_KIND_BATTLE:
        add_text(view, tables, style, index, card, odds)
    spent = 1.0 if effect == EFFECT_WATCH else odds
    worth = max(0.2, card_worth(view, tables, style, card, int(view.clock.age)))
    add(view, index, TERM_CARDS, -spent * KEEP * worth)


@kernel
def shown_points(view, tables, seat):
    """STR of a clan in the battle with the cards that lie open, Heimdall's Sight included.  Rule 6.7."""
    battle = view.battle
    points = int(view.survey.strength[battle.province, seat]) + int(battle.quest_value[seat])
    for position in range(battle.n_cards[seat]):
        card = int(battle.card[seat, position])
        points += int(tables.battle_str[card])
        if tables.effect[card] == EFFECT_COPY_HIGHEST_ENEMY_CARD:
            points += highest_shown(view, tables, seat)
    return points


@kernel
def highest_shown(view, tables, seat):
    """Highest bonus of a card that another clan shows.  Rule 6.7.2."""
    best = 0
    for other in range(view.clock.players):
        if other != seat and view.battle.fights[other]:
            for position in range(view.battle.n_cards[other]):
                best = max(best, int(tables.battle_str[view.battle.card[other, position]]))
    return best


@kernel
def appraise_late(view, tables, style, index, card):
    """A card added after the reveal: worth it only if it turns the battle, or lets nobody win it.  Rule 6.6."""
    own = shown_points(view, tables, int(view.seat))
    best = 0
    for seat in range(view.clock.players):
        if seat != view.seat and view.battle.fights[seat]:
            best = max(best, shown_points(view, tables, seat))
    more = 0  # all late cards of the hand together
    for position in range(view.own.hand_size):
        other = int(view.own.hand[position])
        if late_play(tables, other):
            more += int(tables.battle_str[other])
    worth = max(0.2, card_worth(view, tables, style, card, int(view.clock.age)))
    if own > best or own + more < best:
        add(view, index, TERM_CARDS, -KEEP * worth)
        return
    if own + more > best:
        add_winning(view, tables, index, 0.9)
        add_winning_left_out(view, index)
        add(view, index, TERM_CARDS, -KEEP * worth)
    else:
        add(view, index, TERM_DENY, 6.0)  # a tie: nobody wins


@kernel
def add_winning_left_out(view, index):
    """Take back what losing would bring, so that declining, which is 0, is what it is compared with."""
    outlook = view.appraisal.outlook
    province = int(view.battle.province)
    add(view, index, TERM_LOSS, outlook.loss)
    add(view, index, TERM_VALHALLA, -outlook.pay)
    add(view, index, TERM_QUEST, outlook.hold[province] * outlook.stake[province])
