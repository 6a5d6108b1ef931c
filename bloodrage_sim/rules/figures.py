"""Figures on the board: where they are, where they may go, what they are worth.  Rules 1.1 to 1.5, 5.3, 5.4."""

from .cards import monster_card
from .effects.sheet import invade_yggdrasil
from .ids import (
    N_PROVINCES,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
    STAT_HORNS,
)
from .jit import kernel
from .tables import FIGURE_MONSTER, FIGURE_WARRIOR, N_FIGURES, N_MONSTER_SLOTS

UNLIMITED = 100  # room in Yggdrasil: more than all figures of five clans


@kernel
def is_province(place):
    """Whether PLACE `place` is a province."""
    return 0 <= place < N_PROVINCES


@kernel
def room(board, tables, province):
    """Empty villages of `province`; UNLIMITED where there are none (1.2)."""
    if tables.villages[province] == 0:
        return UNLIMITED
    return tables.villages[province] - board.crowd[province]


@kernel
def places_with_room(board, tables):
    """Provinces with room for one more figure, Yggdrasil included: bit per province."""
    open_places = 0
    for province in range(N_PROVINCES):
        if board.destroyed[province] == 0 and room(board, tables, province) > 0:
            open_places |= 1 << province
    return open_places


@kernel
def is_open_fjord(board, tables, fjord):
    """Whether figures may be placed in PLACE `fjord`.  Rule 1.3.2."""
    if tables.rule.dead_fjord != 0:
        return True
    pair = tables.supports[fjord - N_PROVINCES]
    return board.destroyed[pair[0]] == 0 or board.destroyed[pair[1]] == 0


@kernel
def move_figure(game, seat, figure, origin, place):
    """Move one figure of `seat` and keep the counts of provinces and of the board.  Places: any PLACE id."""
    board = game.board
    board.figures[origin, seat, figure] -= 1
    board.figures[place, seat, figure] += 1
    board.count[origin, seat] -= 1
    board.count[place, seat] += 1
    if origin < N_PROVINCES:
        board.crowd[origin] -= 1
    if place < N_PROVINCES:
        board.crowd[place] += 1
    was_on_board = origin < PLACE_VALHALLA
    is_on_board = place < PLACE_VALHALLA
    if is_on_board and not was_on_board:
        game.clans[seat].on_board += 1
    elif was_on_board and not is_on_board:
        game.clans[seat].on_board -= 1


@kernel
def remove_monster(game, seat, figure):
    """Take the monster in FIGURE slot `figure` out of the game, wherever it is.  Rule 5.7.3."""
    for place in range(PLACE_RESERVE + 1):
        if game.board.figures[place, seat, figure] > 0:
            if place != PLACE_RESERVE:
                move_figure(game, seat, figure, place, PLACE_RESERVE)
            game.board.figures[PLACE_RESERVE, seat, figure] = 0


@kernel
def figures_in_place(board, place, seat):
    """Number of figures of `seat` in one place, not for the reserve."""
    return board.count[place, seat]


@kernel
def figures_in_area(board, tables, province, seat):
    """Number of figures of `seat` in `province` and its fjord.  Rule 1.3.1."""
    total = figures_in_place(board, province, seat)
    fjord = tables.fjord_of[province]
    if fjord >= 0:
        total += figures_in_place(board, fjord, seat)
    return total


@kernel
def strength_in_province(board, clan, tables, province, seat):
    """STR points of the figures of `seat` in `province` itself, pairs included.  Rule 1.5."""
    figures = board.figures[province, seat]
    warriors = figures[FIGURE_WARRIOR]
    if clan.pair_str > 0:
        total = clan.pair_str * (warriors // 2) + clan.figure_str[FIGURE_WARRIOR] * (warriors % 2)
    else:
        total = clan.figure_str[FIGURE_WARRIOR] * warriors
    for figure in range(FIGURE_WARRIOR + 1, N_FIGURES):
        total += clan.figure_str[figure] * figures[figure]
    if tables.fjord_of[province] < 0:
        for monster in range(N_MONSTER_SLOTS):
            figure = FIGURE_MONSTER + monster
            if figures[figure] > 0 and invade_yggdrasil(clan, figure):
                total += tables.amount[monster_card(clan, figure)] - clan.figure_str[figure]
    return total


@kernel
def strength_in_fjord(board, clan, fjord, seat):
    """STR points of the ships of `seat` in PLACE `fjord`, which count in both its provinces.  Rule 1.3.1."""
    ships = board.figures[fjord, seat]
    total = 0
    for figure in range(N_FIGURES):
        total += clan.figure_str[figure] * ships[figure]
    return total


@kernel
def strength(board, clan, tables, province, seat):
    """STR points of `seat` in the area of `province`, pairs and ships included, cards not.  Rule 1.5."""
    total = strength_in_province(board, clan, tables, province, seat)
    fjord = tables.fjord_of[province]
    if fjord >= 0:
        total += strength_in_fjord(board, clan, fjord, seat)
    return total


@kernel
def stat_value(clan, tables, stat):
    """Value of a stat track of `seat`: rage, glory a battle, or figures.  Rule 1.6."""
    return tables.track[stat, clan.stats[stat] - 1]


@kernel
def may_invade(clan, tables):
    """Whether the horns limit lets `seat` invade.  Rule 5.3."""
    return clan.on_board < stat_value(clan, tables, STAT_HORNS)


@kernel
def has_free_village(board, tables, province):
    """Whether any figure but a ship may invade `province` as far as the place goes; never Yggdrasil.  Rule 5.4.1."""
    return province != PLACE_YGGDRASIL and board.destroyed[province] == 0 and room(board, tables, province) > 0


@kernel
def is_repeated_monster(game, tables, seat, figure, place):
    """Whether `figure` in `place` equals the monster in an earlier slot there, so that it is no answer of its own."""
    if figure <= FIGURE_MONSTER:
        return False
    for earlier in range(FIGURE_MONSTER, figure):
        if game.board.figures[place, seat, earlier] > 0:
            if tables.face[monster_card(game.clans[seat], earlier)] == tables.face[monster_card(game.clans[seat], figure)]:
                return True
    return False
