"""Stable codes of options, for stored games, forks, search and learning.

`action_code` packs the action and the fields that it uses into one number in 0..N_ACTION_CODES - 1.  It depends neither on
the position nor on the other options; two options of one question never share a code.
"""

from .flow import (
    ACTION_ADD,
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_KEEP_CARD,
    ACTION_KEEP_FIGURE,
    ACTION_MARCH,
    ACTION_MARCH_FIGURE,
    ACTION_MOVE_LEADER,
    ACTION_NAMES,
    ACTION_PASS,
    ACTION_PILLAGE,
    ACTION_PLAY,
    ACTION_PROTECT,
    ACTION_QUEST,
    ACTION_RAISE,
    ACTION_REPLACE,
    ACTION_SACRIFICE,
    ACTION_TAKE_BACK,
    ACTION_UPGRADE,
    ACTION_YES,
)
from .ids import N_PLACES, PLACE_VALHALLA
from .jit import kernel, tool
from .tables import FIGURE_MONSTER, N_CARDS

N_FIGURE_KINDS = FIGURE_MONSTER + N_CARDS  # the four of the clan, then one for each card that may bring a monster
N_VALUES = 128
_FIGURE_PLACE = N_FIGURE_KINDS * N_PLACES
_SIZES = {
    ACTION_DECLINE: 1,
    ACTION_YES: N_VALUES * (N_PLACES + 1),  # value, place + 1
    ACTION_PASS: 1,
    ACTION_KEEP_CARD: N_CARDS,
    ACTION_INVADE: 2 * _FIGURE_PLACE,  # from the reserve, from Valhalla
    ACTION_MARCH: N_PLACES * N_PLACES,
    ACTION_MARCH_FIGURE: N_FIGURE_KINDS,
    ACTION_UPGRADE: N_CARDS,
    ACTION_REPLACE: N_CARDS + 1,  # card + 1
    ACTION_QUEST: N_CARDS,
    ACTION_PILLAGE: N_PLACES,
    ACTION_SACRIFICE: _FIGURE_PLACE,
    ACTION_JOIN: _FIGURE_PLACE,
    ACTION_PLAY: N_CARDS,
    ACTION_ADD: N_CARDS,
    ACTION_KEEP_FIGURE: _FIGURE_PLACE,
    ACTION_PROTECT: _FIGURE_PLACE,
    ACTION_TAKE_BACK: N_CARDS,
    ACTION_RAISE: 3,
    ACTION_MOVE_LEADER: N_PLACES,
}
FIRST_CODE = tuple(sum(_SIZES[earlier] for earlier in range(action)) for action in range(len(ACTION_NAMES)))
N_ACTION_CODES = sum(_SIZES.values())


@kernel
def figure_place_code(option, place):
    """Number of the option's kind of figure and a PLACE id."""
    kind = int(option.figure)  # wider than its field, also without the compiler
    if option.figure >= FIGURE_MONSTER:
        kind = FIGURE_MONSTER + int(option.card)
    return kind * N_PLACES + int(place)


@tool
def action_code(option):
    """Number of an option, 0..N_ACTION_CODES - 1."""
    action = option.action
    first = FIRST_CODE[action]
    if action == ACTION_INVADE:
        half = _FIGURE_PLACE if option.origin == PLACE_VALHALLA else 0
        return first + half + figure_place_code(option, option.place)
    if action == ACTION_MARCH:
        return first + int(option.origin) * N_PLACES + int(option.place)
    if action == ACTION_JOIN:
        return first + figure_place_code(option, option.origin)
    if action == ACTION_SACRIFICE or action == ACTION_KEEP_FIGURE or action == ACTION_PROTECT:
        return first + figure_place_code(option, option.place)
    if action == ACTION_MARCH_FIGURE:
        return first + figure_place_code(option, 0) // N_PLACES
    if action == ACTION_PILLAGE or action == ACTION_MOVE_LEADER:
        return first + int(option.place)
    if action == ACTION_YES:
        return first + max(int(option.value), 0) * (N_PLACES + 1) + int(option.place) + 1
    if action == ACTION_RAISE:
        return first + int(option.value)
    if action == ACTION_REPLACE:
        return first + int(option.card) + 1
    if action == ACTION_DECLINE or action == ACTION_PASS:
        return first
    return first + int(option.card)
