"""Battles: cards, totals, and everything up to the end of the pillage.  Rules 6.3 to 6.8, 6.10."""

from .cards import discard, find_card, forget_known, remove_from_hand, return_to_hand
from .draft import choose_card, list_unchosen
from .effects.battle import (
    cancel_enemy_text,
    copy_highest_enemy_card,
    glory_for_enemy_kills,
    glory_per_destroyed,
    glory_per_enemy_kill,
    late_play,
    pay_prowess,
    quest_as_battle,
    smite,
    tide,
    warrior_on_battle_loss,
    watch,
    winner_glory,
    winner_rage_and_glory,
    winner_raise_stat,
)
from .events import (
    EVENT_DECLARE,
    EVENT_FAILED,
    EVENT_LATE,
    EVENT_LOST,
    EVENT_REVEAL,
    EVENT_TEXT,
    EVENT_TOTAL,
    EVENT_WON,
    REASON_WATCH,
    SOURCE_BATTLE,
    add_glory,
    record_card,
    record_place,
)
from .figures import stat_value, strength
from .flow import (
    ACTION_ADD,
    ACTION_DECLINE,
    ACTION_PLAY,
    QUESTION_CARD,
    QUESTION_LATE,
    QUESTION_TIDE,
    STEP_BACKSTAB,
    STEP_BATTLE_GLORY,
    STEP_BEFORE,
    STEP_BLESSING,
    STEP_CARDS,
    STEP_CLEAR_WINNER,
    STEP_DECLARE,
    STEP_DESTROY,
    STEP_HANDS,
    STEP_LATE,
    STEP_POISON,
    STEP_PROWESS,
    STEP_REVEAL,
    STEP_SPOILS,
    STEP_SUCCESS,
    STEP_SUCCOR,
    STEP_TIDE,
    STEP_TOTALS,
    STEP_TRICKERY,
    add_option,
    ask,
    push,
)
from .ids import (
    CARD_KIND_BATTLE,
    EFFECT_NONE,
    EFFECT_SMITE,
    EFFECT_TIDE,
    PLACE_RESERVE,
    STAT_AXES,
)
from .invade import put_figure
from .jit import kernel
from .ruin import CAUSE_BATTLE, begin_ruin, count_doomed, doom_clan, spare
from .state import ZONE_REVEALED
from .tables import FIGURE_WARRIOR, NO_CARD, NO_COPY

# ---------------------------------------------------------------- 6.3 play cards


@kernel
def ask_cards(game, seat):
    """STEP_CARDS: ask every participant with cards, in seat order; then all are revealed.  Rule 6.3.1."""
    if seat == 0:
        for other in range(game.clock.players):
            game.secret.n_chosen[other] = 0
    if seat < game.clock.players:
        push(game, STEP_CARDS, seat + 1)
        if game.battle.fights[seat] and game.clans[seat].hand > 0:
            ask(game, QUESTION_CARD, seat)
    else:
        push(game, STEP_REVEAL)


@kernel
def list_cards(game, tables, options, seat):
    """Options of QUESTION_CARD: the different cards of the hand."""
    n = list_unchosen(game, tables, options, ACTION_PLAY, seat, game.secret.hand[seat], game.clans[seat].hand)
    if tables.rule.battle_card != 0:
        n = add_option(options, n, ACTION_DECLINE)
    return n


@kernel
def answer_card(game, tables, seat, option):
    """Note the card; it stays in the hand until the reveal."""
    if option.action == ACTION_PLAY:
        choose_card(game, tables, seat, game.secret.hand[seat], game.clans[seat].hand, option.card)


@kernel
def reveal_card(game, tables, log, seat, copy, event):
    """A card of the hand lies open before its player."""
    battle = game.battle
    card = game.secret.card_of[copy]
    remove_from_hand(game, seat, copy, ZONE_REVEALED)
    forget_known(game, seat, card)
    battle.card[seat, battle.n_cards[seat]] = card
    game.secret.revealed[seat, battle.n_cards[seat]] = copy
    battle.n_cards[seat] += 1
    record_card(game, log, event, seat, card, copy, tables.battle_str[card])


@kernel
def reveal(game, tables, log):
    """STEP_REVEAL: all cards are revealed, then Primacy and Watch act.  Rules 6.3.2, 6.4."""
    battle = game.battle
    for seat in range(game.clock.players):
        battle.text[seat] = EFFECT_NONE
        battle.text_card[seat] = NO_CARD
        battle.quest_value[seat] = 0
        if battle.fights[seat] and game.secret.n_chosen[seat] > 0:
            copy = game.secret.chosen[seat, 0]
            card = game.secret.card_of[copy]
            reveal_card(game, tables, log, seat, copy, EVENT_REVEAL)
            if tables.kind[card] == CARD_KIND_BATTLE:
                battle.text[seat] = tables.effect[card]
                battle.text_card[seat] = card
                battle.amount[seat] = tables.amount[card]
        game.secret.n_chosen[seat] = 0
    cancel_enemy_text(game, tables, log)
    if watch(game, tables, log):
        for seat in range(game.clock.players):
            discard_revealed(game, log, seat, REASON_WATCH)
        push(game, STEP_CARDS, 0)
    else:
        push(game, STEP_BEFORE, 0)


@kernel
def discard_revealed(game, log, seat, reason):
    """Discard all revealed cards of `seat`, for a REASON."""
    battle = game.battle
    for position in range(battle.n_cards[seat]):
        game.tally[seat].played += 1
        discard(game, log, seat, game.secret.revealed[seat, position], reason)
    battle.n_cards[seat] = 0


# ---------------------------------------------------------------- 6.5 before strengths are compared


@kernel
def before_totals(game, tables, log, position):
    """STEP_BEFORE: Smite or Tide of participant number `position`, resolved completely before the next.  Rule 6.5.1."""
    battle = game.battle
    if position == battle.n_order:
        push(game, STEP_DECLARE, 0)
        return
    push(game, STEP_BEFORE, position + 1)
    seat = battle.order[position]
    text = battle.text[seat]
    if text == EFFECT_SMITE or text == EFFECT_TIDE:
        record_card(game, log, EVENT_TEXT, seat, battle.text_card[seat], game.secret.revealed[seat, 0], 0)
        push(game, STEP_DESTROY, 0)
        if text == EFFECT_SMITE:
            smite(game, tables, seat)
        else:
            tide(game, tables, seat)
            push(game, STEP_TIDE, 0, battle.amount[seat])


@kernel
def ask_tide(game, position, keeps):
    """STEP_TIDE: participant number `position` chooses the figures that stay, `keeps` of them.  Rule 6.5.3."""
    battle = game.battle
    if position < battle.n_order:
        push(game, STEP_TIDE, position + 1, keeps)
        seat = battle.order[position]
        if keeps > 0 and count_doomed(game, seat) > 0:
            ask(game, QUESTION_TIDE, seat, keeps)


@kernel
def answer_tide(game, seat, option, keeps):
    """One figure stays; ask for the next if the card lets keep more."""
    spare(game, seat, option.figure, option.place)
    if keeps > 1:
        ask(game, QUESTION_TIDE, seat, keeps - 1)


@kernel
def ask_declare(game, tables, log, position):
    """STEP_DECLARE: quests as battle cards, in battle order.  Rule 6.5.4."""
    if position < game.battle.n_order:
        push(game, STEP_DECLARE, position + 1)
        quest_as_battle(game, tables, log, game.battle.order[position])
    else:
        game.battle.declines = 0
        push(game, STEP_LATE, 0)


@kernel
def answer_declare(game, log, seat, option):
    """The revealed quest counts as a battle card of the chosen value."""
    if option.action != ACTION_DECLINE:
        game.battle.quest_value[seat] = option.value
        record_card(game, log, EVENT_DECLARE, seat, game.battle.card[seat, 0], game.secret.revealed[seat, 0], option.value)


# ---------------------------------------------------------------- 6.6, 6.7 late cards and totals


@kernel
def ask_late(game, position):
    """STEP_LATE: late cards, in battle order, lap after lap, until all decline in turn.  Rule 6.6.1."""
    battle = game.battle
    if battle.declines >= battle.n_order:
        push(game, STEP_TOTALS)
        return
    following = position + 1
    push(game, STEP_LATE, following if following < battle.n_order else 0)
    ask(game, QUESTION_LATE, battle.order[position])


@kernel
def list_late(game, tables, options, seat):
    """Options of QUESTION_LATE: the different late cards of the hand, or decline."""
    n = add_option(options, 0, ACTION_DECLINE)
    last_face = -1
    for position in range(game.clans[seat].hand):
        card = game.secret.card_of[game.secret.hand[seat, position]]
        if late_play(tables, card) and tables.face[card] != last_face:
            last_face = tables.face[card]
            n = add_option(options, n, ACTION_ADD, card)
    return n


@kernel
def answer_late(game, tables, log, seat, option):
    """One more card lies open, and the declines are counted anew; or one more decline."""
    if option.action == ACTION_DECLINE:
        game.battle.declines += 1
    else:
        game.battle.declines = 0
        copy = find_card(game, tables, game.secret.hand[seat], game.clans[seat].hand, option.card)
        reveal_card(game, tables, log, seat, copy, EVENT_LATE)


@kernel
def battle_total(game, tables, seat):
    """Total of a participant, in STR points.  Rule 6.7.1."""
    battle = game.battle
    total = strength(game.board, game.clans[seat], tables, battle.province, seat) + battle.quest_value[seat]
    for position in range(battle.n_cards[seat]):
        total += tables.battle_str[battle.card[seat, position]]
    return total + copy_highest_enemy_card(game, tables, seat, 0)


@kernel
def find_winner(game):
    """Seat with the strictly highest total, -1.  Rule 6.7.3."""
    battle = game.battle
    winner = -1
    best = -1
    for position in range(battle.n_order):
        seat = battle.order[position]
        if battle.total[seat] > best:
            best = battle.total[seat]
            winner = seat
        elif battle.total[seat] == best:
            winner = -1
    return winner


@kernel
def compare_totals(game, tables, log):
    """STEP_TOTALS: find the winner; all figures of the losers are doomed.  Rules 6.7, 6.8, 6.10.1."""
    battle = game.battle
    for position in range(battle.n_order):
        seat = battle.order[position]
        battle.total[seat] = battle_total(game, tables, seat)
        record_place(game, log, EVENT_TOTAL, seat, battle.province, battle.total[seat])
    battle.winner = find_winner(game)
    begin_ruin(game, tables, CAUSE_BATTLE, battle.pillager, battle.province)
    for position in range(battle.n_order):
        seat = battle.order[position]
        if seat == battle.winner:
            game.tally[seat].battles_won += 1
            record_place(game, log, EVENT_WON, seat, battle.province, battle.total[seat])
        else:
            doom_clan(game, seat)
            record_place(game, log, EVENT_LOST, seat, battle.province, battle.total[seat])
    push(game, STEP_BATTLE_GLORY)
    if battle.winner == battle.pillager:
        push(game, STEP_SUCCESS)
    else:
        record_place(game, log, EVENT_FAILED, battle.pillager, battle.province, 0)
    push(game, STEP_DESTROY, 0)


# ---------------------------------------------------------------- 6.10 after the battle


@kernel
def pay_battle_glory(game, tables, log):
    """STEP_BATTLE_GLORY: the winner's axes, after the reward, and its card.  Rules 6.10.2, 6.10.3."""
    battle = game.battle
    push(game, STEP_SPOILS)
    if battle.winner >= 0:
        add_glory(game, log, battle.winner, stat_value(game.clans[battle.winner], tables, STAT_AXES), SOURCE_BATTLE, NO_CARD, NO_COPY)
        winner_glory(game, tables, log, battle.winner)
        winner_rage_and_glory(game, tables, log, battle.winner)
        winner_raise_stat(game, battle.winner)


@kernel
def pay_spoils(game, tables, log):
    """STEP_SPOILS: glory for destroyed figures.  Rules 6.10.4 to 6.10.6."""
    battle = game.battle
    for position in range(battle.n_order):
        glory_per_destroyed(game, tables, log, battle.order[position])
    for position in range(battle.n_order):
        glory_per_enemy_kill(game, log, battle.order[position])
    for position in range(battle.n_order):
        glory_for_enemy_kills(game, tables, log, battle.order[position])
    push(game, STEP_HANDS)


@kernel
def return_cards(game, tables, log):
    """STEP_HANDS: losers take their cards back; then the exchanges follow in the order of the rule options.  Rule 6.10.7."""
    battle = game.battle
    for position in range(battle.n_order):
        seat = battle.order[position]
        if seat != battle.winner:
            for index in range(battle.n_cards[seat]):
                return_to_hand(game, tables, log, seat, game.secret.revealed[seat, index])
            battle.n_cards[seat] = 0
    push(game, STEP_BLESSING, 0)
    if battle.winner < 0:
        return
    push(game, STEP_BACKSTAB)
    if tables.rule.prowess_vs_trickery == 0:
        push(game, STEP_TRICKERY)
    push(game, STEP_CLEAR_WINNER)
    if tables.rule.poison_vs_prowess != 0:
        push(game, STEP_POISON)
    push(game, STEP_PROWESS)
    if tables.rule.prowess_vs_trickery != 0:
        push(game, STEP_TRICKERY)
    if tables.rule.poison_vs_prowess == 0:
        push(game, STEP_POISON)


@kernel
def answer_prowess(game, tables, log, seat, option):
    """Buy back one card, and ask for the next.  Rule 6.10.7c."""
    if option.action == ACTION_DECLINE:
        return
    battle = game.battle
    revealed = game.secret.revealed[seat]
    index = 0
    while tables.face[battle.card[seat, index]] != tables.face[option.card]:
        index += 1
    pay_prowess(game, tables, log, seat)
    return_to_hand(game, tables, log, seat, revealed[index])
    battle.n_cards[seat] -= 1
    for later in range(index, battle.n_cards[seat]):
        revealed[later] = revealed[later + 1]
        battle.card[seat, later] = battle.card[seat, later + 1]
    push(game, STEP_PROWESS)


@kernel
def ask_blessing(game, position):
    """STEP_BLESSING: Loki's Blessing of loser number `position` in battle order.  Rule 6.10.8."""
    battle = game.battle
    if position < battle.n_order:
        push(game, STEP_BLESSING, position + 1)
        if battle.order[position] != battle.winner:
            warrior_on_battle_loss(game, battle.order[position])


@kernel
def answer_blessing(game, tables, log, seat, option):
    """The loser puts a Warrior; Succor may follow.  Rule 6.10.8."""
    if option.action == ACTION_DECLINE:
        return
    put_figure(game, log, seat, FIGURE_WARRIOR, PLACE_RESERVE, option.place)
    game.battle.blessed[seat] = 1
    if tables.rule.blessing_triggers_succor == 0:
        push(game, STEP_SUCCOR, seat, option.place, 0)
