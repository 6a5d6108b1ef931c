"""Invading and what follows an invade.  Rules 5.3, 5.4, 5.5, 5.7.5, 7."""

from .cards import monster_card
from .effects.invade import kill_on_invade, release_glory
from .effects.sheet import free_upgrade_and_invade, invade_yggdrasil
from .events import EVENT_INVADE, record_figure
from .figures import (
    is_open_fjord,
    is_province,
    is_repeated_monster,
    may_invade,
    move_figure,
    places_with_room,
)
from .flow import (
    ACTION_DECLINE,
    ACTION_INVADE,
    STEP_DESTROY,
    STEP_DOMAIN,
    STEP_SUCCOR,
    add_option,
    push,
)
from .ids import (
    CARD_KIND_LEADER,
    CARD_KIND_SHIP,
    CARD_KIND_WARRIOR,
    N_FJORDS,
    N_PROVINCES,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
)
from .jit import kernel
from .tables import FIGURE_LEADER, FIGURE_MYSTIC, FIGURE_WARRIOR, N_FIGURES


@kernel
def invade_cost(clan, tables, figure, place):
    """Rage that the action Invade costs, without pairs; only in Yggdrasil the place matters.  Rule 5.5.2."""
    if figure == FIGURE_LEADER or figure == FIGURE_MYSTIC or free_upgrade_and_invade(clan, figure):
        return 0
    if place == PLACE_YGGDRASIL and tables.rule.dark_elf_yggdrasil_cost != 0 and invade_yggdrasil(clan, figure):
        return tables.amount[monster_card(clan, figure)]
    return clan.figure_str[figure]


@kernel
def list_invades_of(game, tables, options, n, seat, figure, origin, rage, open_places):
    """Options to invade with one kind of figure from `origin`, at most for `rage` (-1: for free).  Rule 5.4.

    open_places : places_with_room
    """
    card = monster_card(game.clans[seat], figure)
    if 0 <= rage < invade_cost(game.clans[seat], tables, figure, -1):
        return n
    if game.clans[seat].ship_like[figure]:
        for fjord in range(N_PROVINCES, N_PROVINCES + N_FJORDS):
            if is_open_fjord(game.board, tables, fjord):
                n = add_option(options, n, ACTION_INVADE, card, figure, origin, fjord)
        return n
    for province in range(N_PROVINCES):
        if open_places >> province & 1 and province != PLACE_YGGDRASIL:
            n = add_option(options, n, ACTION_INVADE, card, figure, origin, province)
    if invade_yggdrasil(game.clans[seat], figure):
        if rage < 0 or invade_cost(game.clans[seat], tables, figure, PLACE_YGGDRASIL) <= rage:
            n = add_option(options, n, ACTION_INVADE, card, figure, origin, PLACE_YGGDRASIL)
    return n


@kernel
def list_invades(game, tables, options, n, seat, origin, rage, open_places):
    """Options to invade with any figure from `origin`, at most for `rage` (-1: for free).

    open_places : places_with_room
    """
    if may_invade(game.clans[seat], tables):
        for figure in range(N_FIGURES):
            if game.board.figures[origin, seat, figure] > 0:
                if not is_repeated_monster(game, tables, seat, figure, origin):
                    n = list_invades_of(game, tables, options, n, seat, figure, origin, rage, open_places)
    return n


@kernel
def put_figure(game, log, seat, figure, origin, place):
    """Move the invading figure without what follows."""
    move_figure(game, seat, figure, origin, place)
    card = monster_card(game.clans[seat], figure)
    record_figure(game, log, EVENT_INVADE, seat, card, figure, origin, place, 0)


@kernel
def invade(game, tables, log, seat, figure, origin, place):
    """Invade, with everything that follows on one's own turn.  Rule 5.4.4."""
    put_figure(game, log, seat, figure, origin, place)
    if origin == PLACE_VALHALLA and tables.rule.release_bonus != 0:
        release_glory(game, tables, log, seat, 1)
    if is_province(place) or tables.rule.ship_invade_counts != 0:
        push(game, STEP_DOMAIN, seat, place)
        push(game, STEP_SUCCOR, seat, place, 0)
        if is_province(place) and kill_on_invade(game, tables, seat, figure, place):
            push(game, STEP_DESTROY, 0)


@kernel
def list_free_invade(game, tables, options, seat, kind, monster):
    """Options of QUESTION_FREE_INVADE after an upgrade of `kind`; `monster` is the new monster's FIGURE slot.  Rule 5.7.5."""
    n = add_option(options, 0, ACTION_DECLINE)
    if not may_invade(game.clans[seat], tables):
        return n
    open_places = places_with_room(game.board, tables)
    for figure in range(N_FIGURES):
        if kind == CARD_KIND_WARRIOR:
            fits = figure == FIGURE_WARRIOR
        elif kind == CARD_KIND_LEADER:
            fits = figure == FIGURE_LEADER
        elif kind == CARD_KIND_SHIP:
            fits = game.clans[seat].ship_like[figure] == 1
        else:
            fits = figure == monster
        if fits and game.board.figures[PLACE_RESERVE, seat, figure] > 0:
            if kind != CARD_KIND_SHIP or not is_repeated_monster(game, tables, seat, figure, PLACE_RESERVE):
                n = list_invades_of(game, tables, options, n, seat, figure, PLACE_RESERVE, -1, open_places)
    return n
