"""What battle cards and battle upgrades do.  Rules 6.4 to 6.7, 6.10."""

from ..cards import (
    SPOT_REVEALED,
    card_with_effect,
    copy_with_effect,
    has_effect,
    monster_card,
    monster_copy,
    monster_effect,
    take_openly,
)
from ..events import (
    EVENT_CANCELLED,
    EVENT_DECLARE,
    EVENT_STOLEN,
    EVENT_WATCH,
    REASON_CARD,
    REASON_STOLEN,
    SOURCE_CARD,
    SOURCE_LOST,
    SOURCE_STOLEN,
    add_glory,
    change_rage,
    record_card,
)
from ..figures import figures_in_area, has_free_village, may_invade
from ..flow import (
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_TAKE_BACK,
    ACTION_YES,
    QUESTION_BLESSING,
    QUESTION_DECLARE,
    QUESTION_PROWESS,
    STEP_RAISE,
    add_option,
    ask,
    push,
)
from ..ids import (
    CARD_KIND_QUEST,
    EFFECT_CANCEL_ENEMY_TEXT,
    EFFECT_COPY_HIGHEST_ENEMY_CARD,
    EFFECT_GLORY_FOR_ENEMY_KILLS,
    EFFECT_GLORY_PER_DESTROYED,
    EFFECT_GLORY_PER_ENEMY_KILL,
    EFFECT_LATE_PLAY,
    EFFECT_LOSER_STEAL_GLORY,
    EFFECT_LOSER_STEAL_RAGE,
    EFFECT_LOSER_TAKE_WINNER_CARDS,
    EFFECT_NONE,
    EFFECT_QUEST_AS_BATTLE,
    EFFECT_WARRIOR_ON_BATTLE_LOSS,
    EFFECT_WATCH,
    EFFECT_WINNER_GLORY,
    EFFECT_WINNER_KEEP_CARDS,
    EFFECT_WINNER_RAGE_AND_GLORY,
    EFFECT_WINNER_RAISE_STAT,
    PLACE_RESERVE,
    PLACE_YGGDRASIL,
    WATCH_COUNTS_EFFECTIVE,
)
from ..jit import kernel
from ..ruin import CAUSE_BATTLE, begin_ruin, doom_clan
from ..tables import FIGURE_MONSTER, FIGURE_WARRIOR, N_MONSTER_SLOTS, N_SLOTS, NO_CARD
from .sheet import pay_by_effect

# ---------------------------------------------------------------- 6.4 Primacy and Watch


@kernel
def cancel_enemy_text(game, tables, log):
    """Thor's Primacy: all texts of opponents of a Primacy player are cancelled at the same time.  Rule 6.4.1."""
    battle = game.battle
    primacies = 0
    for seat in range(game.clock.players):
        if battle.text[seat] == EFFECT_CANCEL_ENEMY_TEXT:
            primacies |= 1 << seat
    if primacies == 0:
        return
    for seat in range(game.clock.players):
        if primacies & ~(1 << seat) and battle.text[seat] != EFFECT_NONE:
            battle.text[seat] = EFFECT_NONE
            record_card(game, log, EVENT_CANCELLED, seat, battle.card[seat, 0], game.secret.revealed[seat, 0], 0)


@kernel
def watch_sum(game, tables):
    """Sum of the bonuses of all revealed cards that a Watch counts.  Rule 6.4.2 and option watch_counts."""
    battle = game.battle
    total = 0
    for seat in range(game.clock.players):
        for position in range(battle.n_cards[seat]):
            card = battle.card[seat, position]
            total += tables.battle_str[card]
            if tables.rule.watch_counts == WATCH_COUNTS_EFFECTIVE and tables.kind[card] == CARD_KIND_QUEST:
                total += best_quest_value(game.clans[seat], tables)
        if tables.rule.watch_counts == WATCH_COUNTS_EFFECTIVE:
            total += copy_highest_enemy_card(game, tables, seat, 1)
    return total


@kernel
def watch(game, tables, log):
    """Heimdall's Watch: pays its player, in battle order; returns whether one acted.  Rules 6.4.2, 6.4.3."""
    battle = game.battle
    acted = False
    for position in range(battle.n_order):
        seat = battle.order[position]
        if battle.text[seat] == EFFECT_WATCH and (not acted or tables.rule.two_watches != 0):
            acted = True
            total = watch_sum(game, tables)
            card, copy = battle.card[seat, 0], game.secret.revealed[seat, 0]
            record_card(game, log, EVENT_WATCH, seat, card, copy, total)
            add_glory(game, log, seat, total, SOURCE_CARD, card, copy)
    return acted


# ---------------------------------------------------------------- 6.5 before strengths are compared


@kernel
def smite(game, tables, seat):
    """Doom one Warrior of every other participant in the province (Odin's Smite).  Rule 6.5.2."""
    battle = game.battle
    begin_ruin(game, tables, CAUSE_BATTLE, battle.pillager, battle.province)
    for enemy in range(game.clock.players):
        if enemy != seat and battle.fights[enemy]:
            warriors = game.board.figures[battle.province, enemy, FIGURE_WARRIOR]
            game.ruin.doomed[0, enemy, FIGURE_WARRIOR] = min(warriors, battle.amount[seat])


@kernel
def tide(game, tables, seat):
    """Doom all figures of every clan that has more than it may keep (Odin's Tide).  Rule 6.5.3."""
    battle = game.battle
    begin_ruin(game, tables, CAUSE_BATTLE, battle.pillager, battle.province)
    for clan in range(game.clock.players):
        if battle.fights[clan] and figures_in_area(game.board, tables, battle.province, clan) > battle.amount[seat]:
            doom_clan(game, clan)


@kernel
def best_quest_value(clan, tables):
    """Highest STR that an upgrade of `seat` gives to a quest card in battle, 0 without one.  Rule 6.5.4."""
    best = 0
    if has_effect(clan, EFFECT_QUEST_AS_BATTLE):
        for slot in range(N_SLOTS):
            card = clan.sheet[slot]
            if card != NO_CARD and tables.effect[card] == EFFECT_QUEST_AS_BATTLE:
                best = max(best, tables.amount[card])
    return best


@kernel
def quest_as_battle(game, tables, log, seat):
    """Ask whether the revealed quest counts as a battle card, or decide it (option quest_as_battle).  Rule 6.5.4."""
    battle = game.battle
    if battle.n_cards[seat] == 0 or tables.kind[battle.card[seat, 0]] != CARD_KIND_QUEST:
        return
    if has_effect(game.clans[seat], EFFECT_QUEST_AS_BATTLE):
        if tables.rule.quest_as_battle != 0:
            battle.quest_value[seat] = best_quest_value(game.clans[seat], tables)
            card, copy = battle.card[seat, 0], game.secret.revealed[seat, 0]
            record_card(game, log, EVENT_DECLARE, seat, card, copy, battle.quest_value[seat])
        else:
            ask(game, QUESTION_DECLARE, seat)


@kernel
def list_declare(game, tables, options, seat):
    """Options of QUESTION_DECLARE: each different value, or decline."""
    n = add_option(options, 0, ACTION_DECLINE)
    for slot in range(N_SLOTS):
        card = game.clans[seat].sheet[slot]
        if card != NO_CARD and tables.effect[card] == EFFECT_QUEST_AS_BATTLE:
            repeated = False
            for earlier in range(1, n):
                repeated = repeated or options.option[earlier].value == tables.amount[card]
            if not repeated:
                n = add_option(options, n, ACTION_YES, card, -1, -1, -1, tables.amount[card])
    return n


# ---------------------------------------------------------------- 6.6, 6.7 late cards and totals


@kernel
def late_play(tables, card):
    """Whether `card` may be added after the reveal (Heimdall's Eye, Gaze).  Rule 6.6.1."""
    return tables.effect[card] == EFFECT_LATE_PLAY


@kernel
def copy_highest_enemy_card(game, tables, seat, quests_count):
    """STR of the Heimdall's Sight of `seat`: the highest single card of an opponent; 0 without an active Sight.  Rule 6.7.2.

    quests_count: bool, take quests at the value that their player's upgrades would give (option watch_counts).
    """
    battle = game.battle
    if battle.text[seat] != EFFECT_COPY_HIGHEST_ENEMY_CARD:
        return 0
    best = 0
    for enemy in range(game.clock.players):
        if enemy != seat and battle.fights[enemy]:
            for position in range(battle.n_cards[enemy]):
                card = battle.card[enemy, position]
                value = tables.battle_str[card]
                if tables.kind[card] == CARD_KIND_QUEST:
                    value = best_quest_value(game.clans[enemy], tables) if quests_count else battle.quest_value[enemy]
                best = max(best, value)
    return best


# ---------------------------------------------------------------- 6.10 after the battle


@kernel
def winner_glory(game, tables, log, seat):
    """Thor's Hammer of the winner.  Rule 6.10.3."""
    if game.battle.text[seat] == EFFECT_WINNER_GLORY:
        card, copy = game.battle.card[seat, 0], game.secret.revealed[seat, 0]
        add_glory(game, log, seat, game.battle.amount[seat], SOURCE_CARD, card, copy)


@kernel
def winner_rage_and_glory(game, tables, log, seat):
    """Thor's Ascension of the winner.  Rule 6.10.3."""
    if game.battle.text[seat] == EFFECT_WINNER_RAGE_AND_GLORY:
        card, copy = game.battle.card[seat, 0], game.secret.revealed[seat, 0]
        change_rage(game, log, seat, game.battle.amount[seat], REASON_CARD, copy)
        add_glory(game, log, seat, game.battle.amount[seat], SOURCE_CARD, card, copy)


@kernel
def winner_raise_stat(game, seat):
    """Thor's Oath of the winner.  Rule 6.10.3."""
    if game.battle.text[seat] == EFFECT_WINNER_RAISE_STAT:
        push(game, STEP_RAISE, seat, -1, SPOT_REVEALED)


@kernel
def destroyed_in_battle(game, but):
    """Figures destroyed in this battle, those of seat `but` left out (-1: all)."""
    total = 0
    for owner in range(game.clock.players):
        if owner != but:
            total += game.battle.destroyed[owner]
    return total


@kernel
def glory_per_destroyed(game, tables, log, seat):
    """Odin's Judgement, win or lose.  Rule 6.10.4."""
    if game.battle.text[seat] == EFFECT_GLORY_PER_DESTROYED:
        glory = game.battle.amount[seat] * destroyed_in_battle(game, -1)
        add_glory(game, log, seat, glory, SOURCE_CARD, game.battle.card[seat, 0], game.secret.revealed[seat, 0])


@kernel
def glory_per_enemy_kill(game, log, seat):
    """Valkyries that took part.  Rule 6.10.5."""
    for monster in range(N_MONSTER_SLOTS):
        if game.battle.valkyrie[seat, monster] > 0:
            glory = game.battle.valkyrie[seat, monster] * destroyed_in_battle(game, seat)
            figure = FIGURE_MONSTER + monster
            add_glory(game, log, seat, glory, SOURCE_CARD, monster_card(game.clans[seat], figure), monster_copy(game, seat, figure))


@kernel
def note_valkyrie(game, tables, seat):
    """Note what Valkyries of `seat` in the battle will pay per enemy figure.  Rule 6.2.4."""
    battle = game.battle
    for monster in range(N_MONSTER_SLOTS):
        figure = FIGURE_MONSTER + monster
        battle.valkyrie[seat, monster] = 0
        if game.board.figures[battle.province, seat, figure] > 0:
            if monster_effect(game.clans[seat], figure) == EFFECT_GLORY_PER_ENEMY_KILL:
                battle.valkyrie[seat, monster] = tables.amount[monster_card(game.clans[seat], figure)]


@kernel
def glory_for_enemy_kills(game, tables, log, seat):
    """Thor's Glory: once, if two or more enemy figures were destroyed.  Rule 6.10.6."""
    if has_effect(game.clans[seat], EFFECT_GLORY_FOR_ENEMY_KILLS) and destroyed_in_battle(game, seat) >= 2:
        pay_by_effect(game, tables, log, seat, EFFECT_GLORY_FOR_ENEMY_KILLS, 1)


@kernel
def loser_take_winner_cards(game, tables, log):
    """STEP_POISON: the first loser with Loki's Poison takes the winner's revealed cards.  Rule 6.10.7b."""
    battle = game.battle
    winner = battle.winner
    for position in range(battle.n_order):
        seat = battle.order[position]
        if seat != winner and battle.text[seat] == EFFECT_LOSER_TAKE_WINNER_CARDS:
            for index in range(battle.n_cards[winner]):
                take_openly(game, tables, log, seat, game.secret.revealed[winner, index], EVENT_STOLEN)
            battle.n_cards[winner] = 0
            return


@kernel
def winner_keep_cards(game, tables):
    """STEP_PROWESS: ask the winner which card to buy back.  Rule 6.10.7c."""
    winner = game.battle.winner
    card = card_with_effect(game.clans[winner], tables, EFFECT_WINNER_KEEP_CARDS)
    if card != NO_CARD and game.battle.n_cards[winner] > 0 and game.clans[winner].rage >= tables.amount[card]:
        ask(game, QUESTION_PROWESS, winner)


@kernel
def list_prowess(game, tables, options, seat):
    """Options of QUESTION_PROWESS: the next card to buy back, or no more."""
    battle = game.battle
    n = add_option(options, 0, ACTION_DECLINE)
    for position in range(battle.n_cards[seat]):
        card = battle.card[seat, position]
        repeated = False
        for earlier in range(1, n):
            repeated = repeated or tables.face[options.option[earlier].card] == tables.face[card]
        if not repeated:
            n = add_option(options, n, ACTION_TAKE_BACK, card)
    return n


@kernel
def prowess_cost(clan, tables):
    """Rage that Tyr's Prowess asks for a card."""
    return tables.amount[card_with_effect(clan, tables, EFFECT_WINNER_KEEP_CARDS)]


@kernel
def pay_prowess(game, tables, log, seat):
    """Pay Tyr's Prowess for a card.  Rule 6.10.7c."""
    copy = copy_with_effect(game, tables, seat, EFFECT_WINNER_KEEP_CARDS)
    change_rage(game, log, seat, -prowess_cost(game.clans[seat], tables), REASON_CARD, copy)


@kernel
def loser_steal_rage(game, log):
    """STEP_TRICKERY: each loser with Loki's Trickery takes rage from the winner.  Rule 6.10.7e."""
    battle = game.battle
    for position in range(battle.n_order):
        seat = battle.order[position]
        if seat != battle.winner and battle.text[seat] == EFFECT_LOSER_STEAL_RAGE:
            taken = min(battle.amount[seat], game.clans[battle.winner].rage)
            copy = game.secret.revealed[seat, 0]
            change_rage(game, log, battle.winner, -taken, REASON_STOLEN, copy)
            change_rage(game, log, seat, taken, REASON_STOLEN, copy)


@kernel
def loser_steal_glory(game, log):
    """STEP_BACKSTAB: each loser with Loki's Backstab takes glory from the winner.  Rule 6.10.7f."""
    battle = game.battle
    for position in range(battle.n_order):
        seat = battle.order[position]
        if seat != battle.winner and battle.text[seat] == EFFECT_LOSER_STEAL_GLORY:
            taken = min(battle.amount[seat], game.clans[battle.winner].glory)
            copy = game.secret.revealed[seat, 0]
            add_glory(game, log, battle.winner, -taken, SOURCE_LOST, battle.text_card[seat], copy)
            add_glory(game, log, seat, taken, SOURCE_STOLEN, battle.text_card[seat], copy)


@kernel
def warrior_on_battle_loss(game, seat):
    """Ask for Loki's Blessing.  Rule 6.10.8."""
    if has_effect(game.clans[seat], EFFECT_WARRIOR_ON_BATTLE_LOSS):
        ask(game, QUESTION_BLESSING, seat)


@kernel
def list_blessing(game, tables, options, seat):
    """Options of QUESTION_BLESSING: the Warrior, or decline."""
    province = game.battle.province
    n = add_option(options, 0, ACTION_DECLINE)
    allowed = has_free_village(game.board, tables, province)
    if province == PLACE_YGGDRASIL:
        allowed = tables.rule.blessing_in_yggdrasil != 0
    if allowed and game.board.figures[PLACE_RESERVE, seat, FIGURE_WARRIOR] > 0 and may_invade(game.clans[seat], tables):
        n = add_option(options, n, ACTION_INVADE, NO_CARD, FIGURE_WARRIOR, PLACE_RESERVE, province)
    return n
