"""Pillaging: the call to battle, who fights, and what a successful pillage brings.  Rules 6.1, 6.2, 6.9, 6.10.9."""

from .cards import monster_card, monster_copy
from .effects.battle import note_valkyrie
from .effects.pillage import (
    extra_pillage_reward,
    leader_in_province,
    leader_pillage_all_stats,
    leader_pillage_move,
    leader_pillage_stat,
)
from .events import (
    EVENT_JOIN,
    EVENT_LEADER_MOVED,
    EVENT_PILLAGE,
    EVENT_PILLAGED,
    REASON_CARD,
    REASON_TOKEN,
    SOURCE_PILLAGE,
    add_glory,
    record_figure,
    record_place,
)
from .figures import (
    figures_in_area,
    figures_in_place,
    is_repeated_monster,
    move_figure,
    room,
)
from .flow import (
    ACTION_DECLINE,
    ACTION_JOIN,
    QUESTION_JOIN,
    STEP_CALL,
    STEP_CARDS,
    STEP_DOMAIN,
    STEP_GATHER,
    STEP_GRACE,
    STEP_LEADER,
    STEP_PILLAGE_OVER,
    STEP_SUCCESS,
    add_option,
    ask,
    push,
    seat_after,
)
from .ids import (
    EFFECT_NONE,
    N_PROVINCES,
    TOKEN_GLORY,
    TOKEN_YGGDRASIL,
    YGGDRASIL_REWARD_ALL_STATS,
)
from .jit import kernel
from .stats import N_STATS, raise_stat
from .tables import (
    FIGURE_MONSTER,
    N_FIGURES,
    N_MONSTER_SLOTS,
    N_SEATS,
    NO_CARD,
    NO_COPY,
)


@kernel
def start_pillage(game, log, seat, province):
    """STEP_PILLAGE: the pillager names a province and calls to battle.  Rules 5.9, 6.1."""
    battle = game.battle
    battle.province = province
    battle.pillager = seat
    battle.token_stat = -1
    battle.declines = 0
    battle.n_order = 0
    battle.winner = -1
    for other in range(N_SEATS):
        battle.fights[other] = 0
        for monster in range(N_MONSTER_SLOTS):
            battle.valkyrie[other, monster] = 0
        battle.n_cards[other] = 0
        battle.text[other] = EFFECT_NONE
        battle.amount[other] = 0
        battle.quest_value[other] = 0
        battle.total[other] = 0
        battle.destroyed[other] = 0
        battle.blessed[other] = 0
    record_place(game, log, EVENT_PILLAGE, seat, province, game.board.pillaged[province])
    push(game, STEP_GATHER)
    push(game, STEP_CALL, seat_after(game, seat), 0)


@kernel
def call_to_battle(game, tables, seat, asked):
    """STEP_CALL: ask the next player whether a figure joins; `asked` players have been asked.  Rule 6.1."""
    battle = game.battle
    if room(game.board, tables, battle.province) <= 0 or battle.declines >= game.clock.players:
        return
    if tables.rule.call_to_battle != 0 and asked >= game.clock.players:
        return
    push(game, STEP_CALL, seat_after(game, seat), asked + 1)
    ask(game, QUESTION_JOIN, seat)


@kernel
def list_join(game, tables, options, seat):
    """Options of QUESTION_JOIN: figures in adjacent provinces, or decline.  Ships are never in a province.  Rule 6.1.1."""
    n = add_option(options, 0, ACTION_DECLINE)
    place = game.battle.province
    for origin in range(N_PROVINCES):
        if tables.adjacent[origin, place] and figures_in_place(game.board, origin, seat) > 0:
            for figure in range(N_FIGURES):
                if game.board.figures[origin, seat, figure] > 0:
                    if not is_repeated_monster(game, tables, seat, figure, origin):
                        card = monster_card(game.clans[seat], figure)
                        n = add_option(options, n, ACTION_JOIN, card, figure, origin, place)
    return n


@kernel
def answer_join(game, log, seat, option):
    """One figure joins, and the declines are counted anew; or one more decline.  Rule 6.1.3."""
    if option.action == ACTION_DECLINE:
        game.battle.declines += 1
    else:
        game.battle.declines = 0
        move_figure(game, seat, option.figure, option.origin, option.place)
        record_figure(game, log, EVENT_JOIN, seat, option.card, option.figure, option.origin, option.place, 0)


@kernel
def gather(game, tables):
    """STEP_GATHER: note who fights, in battle order; alone the pillager succeeds at once.  Rule 6.2."""
    battle = game.battle
    battle.n_order = 0
    seat = battle.pillager
    for _ in range(game.clock.players):
        if figures_in_area(game.board, tables, battle.province, seat) > 0:
            battle.order[battle.n_order] = seat
            battle.n_order += 1
            battle.fights[seat] = 1
            note_valkyrie(game, tables, seat)
        seat = seat_after(game, seat)
    push(game, STEP_PILLAGE_OVER)
    if battle.n_order == 1:
        game.tally[battle.pillager].pillages_unopposed += 1
        push(game, STEP_SUCCESS)
    else:
        game.battles += 1
        for position in range(battle.n_order):
            game.tally[battle.order[position]].battles += 1
        push(game, STEP_CARDS, 0)


@kernel
def succeed(game, tables, log):
    """STEP_SUCCESS: mark the province and take the reward of the token.  Rules 6.9.1 to 6.9.3."""
    battle = game.battle
    seat, province = battle.pillager, battle.province
    game.board.pillaged[province] = 1
    game.tally[seat].pillages += 1
    record_place(game, log, EVENT_PILLAGED, seat, province, 0)
    take_token_reward(game, tables, log, seat, province, NO_COPY)
    for figure in range(FIGURE_MONSTER, N_FIGURES):
        for _ in range(extra_pillage_reward(game, tables, seat, province, figure)):
            take_token_reward(game, tables, log, seat, province, monster_copy(game, seat, figure))
    push(game, STEP_LEADER)
    push(game, STEP_GRACE)


@kernel
def take_token_reward(game, tables, log, seat, province, copy):
    """Give `seat` the reward of the token in `province`; copy: the card that gives it once more, NO_COPY.  Rules 6.9.2, 6.9.3."""
    token = game.board.token[province]
    reason = REASON_TOKEN if copy == NO_COPY else REASON_CARD
    if token != TOKEN_GLORY and token != TOKEN_YGGDRASIL:
        game.battle.token_stat = token
        raise_stat(game, log, seat, token, reason, copy)
    elif token == TOKEN_YGGDRASIL and tables.rule.yggdrasil_reward == YGGDRASIL_REWARD_ALL_STATS:
        for stat in range(N_STATS):
            raise_stat(game, log, seat, stat, reason, copy)
    else:
        card = game.secret.card_of[copy] if copy != NO_COPY else NO_CARD
        add_glory(game, log, seat, tables.token_glory, SOURCE_PILLAGE, card, copy)


@kernel
def after_success(game, tables, log):
    """STEP_LEADER: the effects of a leader upgrade, if a leader of the pillager is there now.  Rules 6.9.5, 6.9.6."""
    seat, province = game.battle.pillager, game.battle.province
    if leader_in_province(game.board, seat, province):
        leader_pillage_stat(game, tables, seat)
        leader_pillage_all_stats(game, tables, log, seat)
        leader_pillage_move(game, seat)


@kernel
def answer_hammers(game, log, seat, option):
    """The Leader steps to an adjacent province.  Rule 6.9.5."""
    if option.action != ACTION_DECLINE:
        move_figure(game, seat, option.figure, option.origin, option.place)
        record_figure(game, log, EVENT_LEADER_MOVED, seat, NO_CARD, option.figure, option.origin, option.place, 0)


@kernel
def finish_pillage(game, tables):
    """STEP_PILLAGE_OVER: the pillage is over; Thor's Domain may follow a Blessing.  Rules 6.10.8, 6.10.9."""
    battle = game.battle
    if tables.rule.domain_after_blessing != 0:
        for position in range(battle.n_order - 1, -1, -1):
            seat = battle.order[position]
            if battle.blessed[seat]:
                push(game, STEP_DOMAIN, seat, battle.province)
    battle.province = -1
