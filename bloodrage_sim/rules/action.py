"""The action phase: turns and actions.  Rule 5; invading stands in invade.py, pillaging in pillage.py."""

from .cards import (
    discard,
    find_card,
    forget_known,
    forget_known_quests,
    is_upgrade,
    monster_card,
    remove_from_hand,
    slot_with_effect,
)
from .effects.action import action_repillage, action_sacrifice_for_stat, pay_repillage
from .effects.invade import action_invade_from_valhalla, pay_invade_from_valhalla
from .effects.sheet import refresh_sheet, upgrade_discount
from .events import (
    EVENT_MARCH,
    EVENT_PASS,
    EVENT_QUEST,
    EVENT_REPLACED,
    EVENT_UPGRADE,
    REASON_ACTION,
    REASON_PASS,
    REASON_REPLACED,
    REASON_START,
    REASON_UNSPENT,
    change_rage,
    enter_phase,
    record_card,
    record_event,
    record_figure,
)
from .figures import (
    figures_in_area,
    figures_in_place,
    is_open_fjord,
    is_repeated_monster,
    move_figure,
    places_with_room,
    remove_monster,
    room,
    stat_value,
)
from .flow import (
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_MARCH,
    ACTION_MARCH_FIGURE,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_QUEST,
    ACTION_REPLACE,
    ACTION_SACRIFICE,
    ACTION_UPGRADE,
    QUESTION_FREE_INVADE,
    QUESTION_MARCH,
    QUESTION_REPLACE,
    QUESTION_SACRIFICE,
    QUESTION_TURN,
    STEP_CHECKPOINT,
    STEP_DESTROY,
    STEP_DISCARD,
    STEP_FREE_INVADE,
    STEP_PILLAGE,
    STEP_RAGE_LOST,
    STEP_RAISE,
    STEP_TURN,
    STEP_TURN_OVER,
    add_option,
    ask,
    push,
    seat_after,
)
from .ids import (
    CARD_KIND_CLAN,
    CARD_KIND_MONSTER,
    CARD_KIND_QUEST,
    EFFECT_ACTION_SACRIFICE_FOR_STAT,
    N_FJORDS,
    N_PROVINCES,
    PHASE_ACTION,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    STAT_RAGE,
)
from .invade import invade, invade_cost, list_invades
from .jit import kernel
from .ruin import CAUSE_SACRIFICE, clear_ruin, count_doomed
from .state import N_BOARD_PLACES, ZONE_QUEST, ZONE_SHEET
from .stats import can_raise
from .tables import FIGURE_MONSTER, N_FIGURES, NO_CARD, NO_COPY, SLOT_FIRST

AGE_END_RAGE = 1  # nobody takes turns
AGE_END_PILLAGED = 2  # every province is pillaged

# The rules let two clans go on for ever: one sends a ship from Valhalla by Frigga's Domain and pillages with Loki's Trickery
# in hand, the other beats it with Thor's Ascension and takes its cards back by Tyr's Prowess; no rage is lost on the way.
# Players would stop at some time; so does a clan after this many turns.  The most else was 42, in 1,100,000 games.
MOST_TURNS = 100  # of a clan in an age

_SLOT_FIRST = SLOT_FIRST


# ---------------------------------------------------------------- turns


@kernel
def start_action(game, tables, log):
    """STEP_ACTION: rage := the rage stat, and the first player begins.  Rule 5.1."""
    enter_phase(game, log, PHASE_ACTION)
    for seat in range(game.clock.players):
        clan = game.clans[seat]
        rage = stat_value(game.clans[seat], tables, STAT_RAGE)
        change_rage(game, log, seat, rage - clan.rage, REASON_START, NO_COPY)
        clan.passed = 0
    push(game, STEP_TURN, game.clock.first_player)
    push(game, STEP_CHECKPOINT, PHASE_ACTION, 0)


@kernel
def takes_turns(game, tables, seat):
    """Whether `seat` takes turns in this phase.  Rules 5.2, 5.2.2."""
    clan = game.clans[seat]
    if game.tally[seat].turns_age[game.clock.age - 1] >= MOST_TURNS:
        return False
    return clan.rage > 0 and (clan.passed == 0 or tables.rule.passed_player != 0)


@kernel
def start_turn(game, tables, log, seat):
    """STEP_TURN: the next clan from `seat` on that takes turns is asked; without one the phase ends.  Rules 5.2, 5.2.4a."""
    for _ in range(game.clock.players):
        if takes_turns(game, tables, seat):
            game.clock.turn = seat
            game.clock.domain_used = 0
            game.clans[seat].passed = 0
            game.tally[seat].turns_age[game.clock.age - 1] += 1
            push(game, STEP_TURN_OVER, seat)
            ask(game, QUESTION_TURN, seat)
            return
        seat = seat_after(game, seat)
    end_action(game, tables, log, AGE_END_RAGE)


@kernel
def all_pillaged(game):
    """Whether every province that is not destroyed is pillaged."""
    for province in range(N_PROVINCES):
        if game.board.destroyed[province] == 0 and game.board.pillaged[province] == 0:
            return False
    return True


@kernel
def finish_turn(game, tables, log, seat):
    """STEP_TURN_OVER: the phase ends if everything is pillaged, otherwise the turn goes to the left.  Rule 5.2.4."""
    game.clock.turn = -1
    if tables.rule.action_end == 0 and all_pillaged(game):
        end_action(game, tables, log, AGE_END_PILLAGED)
    else:
        push(game, STEP_TURN, seat_after(game, seat))
    push(game, STEP_CHECKPOINT, PHASE_ACTION, 1)


@kernel
def count_locked(game, tables):
    """Count for every clan the provinces whose villages it holds all.  Rule 1.2."""
    for province in range(N_PROVINCES):
        villages = tables.villages[province]
        if villages > 0 and game.board.crowd[province] == villages:
            for seat in range(game.clock.players):
                if game.board.count[province, seat] == villages:
                    game.tally[seat].locked += 1


@kernel
def note_figures(game):
    """Note for the results how many figures of every clan stand where."""
    for seat in range(game.clock.players):
        for place in range(N_BOARD_PLACES):
            game.tally[seat].stood[game.clock.age - 1, place] = game.board.count[place, seat]


@kernel
def end_action(game, tables, log, reason):
    """The action phase is over.  Rule 5.2.4."""
    count_locked(game, tables)
    note_figures(game)
    game.age_end[game.clock.age - 1] = reason
    push(game, STEP_DISCARD, 0)
    push(game, STEP_CHECKPOINT, PHASE_ACTION, 2)
    push(game, STEP_RAGE_LOST)


@kernel
def lose_all_rage(game, log):
    """STEP_RAGE_LOST: all rage left is lost.  Rule 5.2.5."""
    for seat in range(game.clock.players):
        change_rage(game, log, seat, -game.clans[seat].rage, REASON_UNSPENT, NO_COPY)


# ---------------------------------------------------------------- what may be done


@kernel
def list_turn(game, tables, options, seat):
    """Options of QUESTION_TURN: all actions, and pass.  Rules 5.2 to 5.10."""
    clan = game.clans[seat]
    open_places = places_with_room(game.board, tables)
    n = add_option(options, 0, ACTION_PASS)
    n = list_invades(game, tables, options, n, seat, PLACE_RESERVE, clan.rage, open_places)
    domain = action_invade_from_valhalla(game.clans[seat], tables)
    if 0 <= domain <= clan.rage:
        n = list_invades(game, tables, options, n, seat, PLACE_VALHALLA, -1, open_places)
    if clan.rage >= tables.march_cost:
        n = list_marches(game, tables, options, n, seat, open_places)
    n = list_hand(game, tables, options, n, seat)
    n = list_pillages(game, tables, options, n, seat)
    return list_sacrifices(game, tables, options, n, seat)


@kernel
def list_marches(game, tables, options, n, seat, open_places):
    """March from each province with own figures to each other of the open places.  Rule 5.6."""
    for origin in range(N_PROVINCES):
        if figures_in_place(game.board, origin, seat) == 0:
            continue
        for place in range(N_PROVINCES):
            if place == origin or open_places >> place & 1 == 0:
                continue
            if tables.rule.march == 0 or tables.adjacent[origin, place]:
                n = add_option(options, n, ACTION_MARCH, NO_CARD, -1, origin, place)
    if tables.rule.ship_march != 0:
        n = list_ship_marches(game, tables, options, n, seat)
    return n


@kernel
def list_ship_marches(game, tables, options, n, seat):
    """March from fjord to fjord, if the rule option allows it.  Rule 5.6.2."""
    for origin in range(N_PROVINCES, N_PROVINCES + N_FJORDS):
        if figures_in_place(game.board, origin, seat) == 0:
            continue
        for place in range(N_PROVINCES, N_PROVINCES + N_FJORDS):
            if place != origin and is_open_fjord(game.board, tables, place):
                n = add_option(options, n, ACTION_MARCH, NO_CARD, -1, origin, place)
    return n


@kernel
def list_hand(game, tables, options, n, seat):
    """Upgrades that can be paid, and quests.  Rules 5.7.1, 5.8."""
    clan = game.clans[seat]
    discount = upgrade_discount(game.clans[seat], tables)
    last_face = -1
    for position in range(clan.hand):
        card = game.secret.card_of[game.secret.hand[seat, position]]
        if tables.face[card] == last_face:
            continue
        last_face = tables.face[card]
        if is_upgrade(tables, card):
            if max(0, tables.cost[card] - discount) <= clan.rage and tables.slots[tables.kind[card]] > 0:
                n = add_option(options, n, ACTION_UPGRADE, card)
        elif tables.kind[card] == CARD_KIND_QUEST:
            n = add_option(options, n, ACTION_QUEST, card)
    return n


@kernel
def list_pillages(game, tables, options, n, seat):
    """Provinces with an own figure in the area that may be pillaged.  Rule 5.9."""
    repillage = action_repillage(game.clans[seat], tables)
    for province in range(N_PROVINCES):
        if game.board.destroyed[province]:
            continue
        if game.board.pillaged[province] and not 0 <= repillage <= game.clans[seat].rage:
            continue
        if figures_in_area(game.board, tables, province, seat) > 0:
            n = add_option(options, n, ACTION_PILLAGE, NO_CARD, -1, -1, province)
    return n


@kernel
def list_sacrifices(game, tables, options, n, seat):
    """The first figure of a sacrifice.  Rule 5.10.2."""
    wanted = action_sacrifice_for_stat(game.clans[seat], tables)
    if wanted >= 0 and game.clans[seat].on_board >= wanted and can_raise(game.clans[seat], -1):
        n = list_victims(game, tables, options, n, seat)
    return n


@kernel
def list_victims(game, tables, options, n, seat):
    """One option for each kind of own figure in each place of the board that is not doomed yet."""
    for place in range(PLACE_VALHALLA):
        for figure in range(N_FIGURES):
            doomed = 0
            if game.flow.moved > 0:
                for index in range(2):
                    if game.ruin.place[index] == place:
                        doomed += game.ruin.doomed[index, seat, figure]
            if game.board.figures[place, seat, figure] > doomed:
                if not is_repeated_monster(game, tables, seat, figure, place):
                    card = monster_card(game.clans[seat], figure)
                    n = add_option(options, n, ACTION_SACRIFICE, card, figure, -1, place)
    return n


# ---------------------------------------------------------------- doing it


@kernel
def answer_turn(game, tables, log, seat, option):
    """Carry out the chosen action, up to its next question."""
    action = option.action
    if action == ACTION_PASS:
        pass_turn(game, log, seat)
    elif action == ACTION_INVADE:
        if option.origin == PLACE_VALHALLA:
            pay_invade_from_valhalla(game, tables, log, seat)
        else:
            cost = invade_cost(game.clans[seat], tables, option.figure, option.place)
            change_rage(game, log, seat, -cost, REASON_ACTION, NO_COPY)
        invade(game, tables, log, seat, option.figure, option.origin, option.place)
    elif action == ACTION_MARCH:
        change_rage(game, log, seat, -tables.march_cost, REASON_ACTION, NO_COPY)
        game.flow.march_from = option.origin
        game.flow.march_to = option.place
        game.flow.moved = 0
        ask(game, QUESTION_MARCH, seat)
    elif action == ACTION_UPGRADE:
        ask(game, QUESTION_REPLACE, seat, option.card)
    elif action == ACTION_QUEST:
        commit_quest(game, tables, log, seat, option.card)
    elif action == ACTION_PILLAGE:
        if game.board.pillaged[option.place]:
            pay_repillage(game, tables, log, seat)
        push(game, STEP_PILLAGE, seat, option.place)
    else:
        clear_ruin(game, CAUSE_SACRIFICE, seat)
        game.flow.moved = 0
        sacrifice_figure(game, tables, seat, option.figure, option.place)


@kernel
def pass_turn(game, log, seat):
    """All rage is lost, and no more turns are taken in this phase.  Rule 5.2.1."""
    clan = game.clans[seat]
    record_event(game, log, EVENT_PASS, seat, clan.rage)
    game.tally[seat].passes += 1
    game.tally[seat].rage_passed += clan.rage
    change_rage(game, log, seat, -clan.rage, REASON_PASS, NO_COPY)
    clan.passed = 1


@kernel
def commit_quest(game, tables, log, seat, card):
    """Put a quest face down on the sheet.  Rule 5.8."""
    clan = game.clans[seat]
    copy = find_card(game, tables, game.secret.hand[seat], clan.hand, card)
    remove_from_hand(game, seat, copy, ZONE_QUEST)
    game.secret.quests[seat, clan.quests] = copy
    clan.quests += 1
    forget_known_quests(game, tables, seat)
    game.tally[seat].quests_committed += 1
    game.tally[seat].played += 1
    record_card(game, log, EVENT_QUEST, seat, card, copy, 0)


# ---------------------------------------------------------------- march


@kernel
def list_march(game, tables, options, seat):
    """Options of QUESTION_MARCH: the next figure that goes along, or no more.  Rule 5.6.1."""
    origin, place = game.flow.march_from, game.flow.march_to
    n = 0
    if game.flow.moved > 0:
        n = add_option(options, n, ACTION_DECLINE)
    if place < N_PROVINCES and room(game.board, tables, place) <= 0:
        return n
    for figure in range(N_FIGURES):
        if game.board.figures[origin, seat, figure] > 0:
            if not is_repeated_monster(game, tables, seat, figure, origin):
                n = add_option(options, n, ACTION_MARCH_FIGURE, monster_card(game.clans[seat], figure), figure, origin, place)
    return n


@kernel
def answer_march(game, log, seat, option):
    """Move one figure and ask for the next."""
    move_figure(game, seat, option.figure, option.origin, option.place)
    record_figure(game, log, EVENT_MARCH, seat, option.card, option.figure, option.origin, option.place, 0)
    game.flow.moved += 1
    ask(game, QUESTION_MARCH, seat)


# ---------------------------------------------------------------- upgrade


@kernel
def list_replace(game, tables, options, seat, card):
    """Options of QUESTION_REPLACE: a free slot (no card), or a card of the same kind to replace.  Rule 5.7.2."""
    kind = tables.kind[card]
    first = _SLOT_FIRST[kind]
    n = 0
    for slot in range(first, first + tables.slots[kind]):
        if game.clans[seat].sheet[slot] == NO_CARD:
            n = add_option(options, n, ACTION_REPLACE, NO_CARD)
            break
    if n == 0 or tables.rule.upgrade_slot == 0:
        for slot in range(first, first + tables.slots[kind]):
            replaced = game.clans[seat].sheet[slot]
            if replaced != NO_CARD and not _is_listed(tables, options, n, replaced):
                n = add_option(options, n, ACTION_REPLACE, replaced)
    return n


@kernel
def _is_listed(tables, options, n, card):
    for position in range(n):
        if options.option[position].card != NO_CARD and tables.face[options.option[position].card] == tables.face[card]:
            return True
    return False


@kernel
def find_slot(game, tables, seat, kind, replaced):
    """First slot of `kind` that holds a card equal to `replaced` (NO_CARD: that is free)."""
    first = _SLOT_FIRST[kind]
    for slot in range(first, first + tables.slots[kind]):
        card = game.clans[seat].sheet[slot]
        if card == replaced or (card != NO_CARD and replaced != NO_CARD and tables.face[card] == tables.face[replaced]):
            return slot
    return first


@kernel
def put_on_sheet(game, tables, seat, slot, copy):
    """Place an upgrade in `slot`; a monster's figure comes into the reserve.  Rule 5.7.4."""
    card = game.secret.card_of[copy]
    game.secret.zone[copy] = ZONE_SHEET
    game.secret.sheet[seat, slot] = copy
    game.clans[seat].sheet[slot] = card
    refresh_sheet(game, tables, seat)
    if tables.kind[card] == CARD_KIND_MONSTER:
        game.board.figures[PLACE_RESERVE, seat, monster_figure(slot)] = 1


@kernel
def monster_figure(slot):
    """FIGURE slot of the monster whose card is in sheet `slot`."""
    return FIGURE_MONSTER + slot - _SLOT_FIRST[CARD_KIND_MONSTER]


@kernel
def take_off_sheet(game, tables, log, seat, slot):
    """Discard the upgrade in `slot`; a monster leaves the game.  Rule 5.7.3."""
    copy = game.secret.sheet[seat, slot]
    card = game.clans[seat].sheet[slot]
    record_card(game, log, EVENT_REPLACED, seat, card, copy, 0)
    if tables.kind[card] == CARD_KIND_MONSTER:
        remove_monster(game, seat, monster_figure(slot))
    game.clans[seat].sheet[slot] = NO_CARD
    game.secret.sheet[seat, slot] = NO_COPY
    discard(game, log, seat, copy, REASON_REPLACED)


@kernel
def answer_replace(game, tables, log, seat, card, replaced):
    """Pay for the upgrade, then put it into a free slot or in place of `replaced`.  Rules 5.7.1 to 5.7.5."""
    clan = game.clans[seat]
    cost = max(0, tables.cost[card] - upgrade_discount(game.clans[seat], tables))
    copy = find_card(game, tables, game.secret.hand[seat], clan.hand, card)
    change_rage(game, log, seat, -cost, REASON_ACTION, copy)
    kind = tables.kind[card]
    slot = find_slot(game, tables, seat, kind, replaced)
    if replaced != NO_CARD:
        take_off_sheet(game, tables, log, seat, slot)
    remove_from_hand(game, seat, copy, ZONE_SHEET)
    forget_known(game, seat, game.secret.card_of[copy])
    put_on_sheet(game, tables, seat, slot, copy)
    game.tally[seat].played += 1
    if kind == CARD_KIND_MONSTER:
        game.tally[seat].monsters += 1
    record_card(game, log, EVENT_UPGRADE, seat, card, copy, cost)
    if kind != CARD_KIND_CLAN and tables.rule.upgrade_invade == 0:
        push(game, STEP_FREE_INVADE, seat, kind, monster_figure(slot) if kind == CARD_KIND_MONSTER else -1)


@kernel
def ask_free_invade(game, seat, kind, monster):
    """STEP_FREE_INVADE: the free invade of an upgrade.  Rule 5.7.5."""
    ask(game, QUESTION_FREE_INVADE, seat, kind, monster)


# ---------------------------------------------------------------- sacrifice


@kernel
def sacrifice_figure(game, tables, seat, figure, place):
    """Doom one more figure, and ask for the next or destroy them.  Rule 5.10.2."""
    ruin = game.ruin
    index = 0
    if ruin.place[0] >= 0 and ruin.place[0] != place:
        index = 1
    ruin.place[index] = place
    ruin.doomed[index, seat, figure] += 1
    game.flow.moved += 1
    if count_doomed(game, seat) < action_sacrifice_for_stat(game.clans[seat], tables):
        ask(game, QUESTION_SACRIFICE, seat)
    else:
        push(game, STEP_RAISE, seat, -1, slot_with_effect(game.clans[seat], tables, EFFECT_ACTION_SACRIFICE_FOR_STAT))
        push(game, STEP_DESTROY, 0)
