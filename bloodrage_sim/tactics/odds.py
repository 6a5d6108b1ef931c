"""Chances: to win a battle, to hold a province, by lead in STR and by what has been seen of the cards."""

from __future__ import annotations

import math

from numba import types

from ..rules.figures import room
from ..rules.ids import CARD_KIND_BATTLE, N_PROVINCES, PLACE_YGGDRASIL
from ..rules.jit import JIT, kernel, name_types

if JIT:
    name_types("worth odds factor points doubt", types.float64)  # all other numbers are whole
BATTLE_DOUBT = 1.7  # STR points: how much unknown cards blur a battle
N_BONUSES = 9
JOINER_STR = 1.4  # STR points of a figure that joins a battle, on average


@kernel
def odds_of(points, doubt):
    """Chance that a lead of `points` STR decides, if the rest is uncertain by `doubt` STR points; 0..1."""
    lead = points / doubt
    return 0.5 + 0.5 * lead / math.sqrt(1.0 + lead * lead)


@kernel
def expected_card(hand, factor):
    """Battle bonus to expect from a rival with `hand` cards, by caution `factor`.  The first card is worth most: it is the
    best of those that are left."""
    if hand == 0:
        return 0.0
    return factor * (1.5 + 0.35 * min(hand, 5))


@kernel
def count_unseen(view, tables):
    """Fill outlook.cards: shares of the cards of this age that the seat cannot see, by battle bonus.  Rule 1.9."""
    shares = view.appraisal.outlook.cards
    for bonus in range(N_BONUSES):
        shares[bonus] = 0.0
    age = int(view.clock.age)
    players = int(view.clock.players)
    total = 0.0
    for position in range(tables.deck_size[players, age - 1]):
        card = tables.card_of[tables.deck[players, age - 1, position]]
        bonus = min(int(tables.battle_str[card]), N_BONUSES - 1) if tables.kind[card] == CARD_KIND_BATTLE else 0
        shares[bonus] += 1.0
        total += 1.0
    for position in range(view.own.hand_size):
        card = view.own.hand[position]
        if tables.age[card] == age:
            bonus = min(int(tables.battle_str[card]), N_BONUSES - 1) if tables.kind[card] == CARD_KIND_BATTLE else 0
            shares[bonus] -= 1.0
            total -= 1.0
    for card in range(view.history.discards.shape[0]):
        gone = view.history.discards[card]
        if gone > 0 and tables.age[card] == age:
            bonus = min(int(tables.battle_str[card]), N_BONUSES - 1) if tables.kind[card] == CARD_KIND_BATTLE else 0
            gone_here = min(float(gone), shares[bonus])
            shares[bonus] -= gone_here
            total -= gone_here
    for bonus in range(N_BONUSES):
        shares[bonus] = max(0.0, shares[bonus]) / max(1.0, total)


@kernel
def below_odds(view, hand, points):
    """Chance that the card of a rival with `hand` cards has a bonus below `points`; it plays one of its better cards."""
    if hand == 0:
        return 1.0 if points > 0.0 else 0.0
    share = 0.0
    for bonus in range(N_BONUSES):
        if bonus < points:
            share += view.appraisal.outlook.cards[bonus]
    share = min(share, 1.0)
    return share * math.sqrt(share) if hand > 1 else share


@kernel
def beat_odds(view, points):
    """Chance to beat all others in the battle going on with `points` STR, own card included."""
    battle = view.battle
    province = int(battle.province)
    odds = 1.0
    for rival in range(view.clock.players):
        if rival != view.seat and battle.fights[rival]:
            lead = points - view.survey.strength[province, rival]
            odds *= below_odds(view, int(view.clans[rival].hand), lead)
    return odds


@kernel
def battle_odds(view, province, points):
    """Chance to win a battle in a province with `points` more STR than now against who stands there now."""
    lead = view.survey.own[province] + points + view.survey.best_card - view.appraisal.outlook.face[province]
    return odds_of(lead, BATTLE_DOUBT)


@kernel
def joining_odds(province):
    """Chance that a rival joins who could: as often as it was seen in games of these strategies."""
    return 0.5 if province == PLACE_YGGDRASIL else 0.35


@kernel
def pillage_odds(view, tables, province, points):
    """Chance that a pillage of the own clan succeeds with `points` more STR than now."""
    outlook = view.appraisal.outlook
    own = view.survey.own[province] + points
    if own <= 0.0:
        return 0.0
    if outlook.face[province] > 0.0:
        joiners = float(min(outlook.joiners[view.seat, province], room(view.board, tables, province)))
        return battle_odds(view, province, points + 0.7 * JOINER_STR * joiners)
    if outlook.come[province] > 0.0:
        contested = joining_odds(province)
        return 1.0 - contested + contested * odds_of(own + view.survey.best_card - outlook.come[province], BATTLE_DOUBT)
    return 1.0


@kernel
def battle_share(view, province):
    """Chance that a pillage of the province ends in a battle."""
    outlook = view.appraisal.outlook
    return 1.0 if outlook.face[province] > 0.0 else joining_odds(province) if outlook.come[province] > 0.0 else 0.0


@kernel
def hold_odds(view, province, points):
    """Chance to have the most STR in a province when quests are judged, with `points` more than now.  Rule 9.3."""
    own = view.survey.own[province] + points
    if own <= 0.0 or view.board.destroyed[province]:
        return 0.0
    unrest = view.appraisal.outlook.unrest
    return odds_of(own - view.survey.rival[province] - 0.5 - unrest, 0.25 + 1.3 * unrest)


@kernel
def most_hold_odds(view, tables, region):
    """Best chance to hold a province of a REGION, -1 for any province."""
    best = 0.0
    for province in range(N_PROVINCES):
        if region < 0 or tables.region[province] == region:
            best = max(best, view.appraisal.outlook.hold[province])
    return best
