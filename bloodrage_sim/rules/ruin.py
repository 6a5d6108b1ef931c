"""Destruction of figures: who is doomed, who escapes, what the dead pay.  Rules 6.11, 10.3."""

from .cards import monster_card
from .effects.ruin import (
    escape_to_yggdrasil,
    multiply_ragnarok_glory,
    pay_protection,
    protect_for_rage,
    ship_death_glory,
)
from .events import (
    EVENT_DESTROYED,
    EVENT_FLED,
    EVENT_SAVED,
    SOURCE_RAGNAROK,
    add_glory,
    record_figure,
)
from .figures import is_repeated_monster, move_figure
from .flow import (
    ACTION_DECLINE,
    ACTION_PROTECT,
    ACTION_YES,
    QUESTION_PROTECT,
    QUESTION_WITCH,
    STEP_DESTROY,
    STEP_PROTECT,
    STEP_WITCH,
    add_option,
    ask,
    push,
)
from .ids import PLACE_VALHALLA, PLACE_YGGDRASIL
from .jit import kernel
from .tables import FIGURE_MONSTER, N_FIGURES, N_SEATS, NO_CARD, NO_COPY

CAUSE_BATTLE = 0
CAUSE_INVADE = 1
CAUSE_SACRIFICE = 2
CAUSE_RAGNAROK = 3
CAUSE_NAMES = ("battle", "invade", "sacrifice", "ragnarok")
N_RUIN_PLACES = 2


@kernel
def clear_ruin(game, cause, first):
    """Begin a destruction with nobody doomed; `first` is the seat that decides first.  Rule 6.11.3."""
    ruin = game.ruin
    ruin.cause = cause
    ruin.first = first
    for place in range(N_RUIN_PLACES):
        ruin.place[place] = -1
        for seat in range(N_SEATS):
            for figure in range(N_FIGURES):
                ruin.doomed[place, seat, figure] = 0


@kernel
def begin_ruin(game, tables, cause, first, province):
    """Begin a destruction in the area of `province`: ruin.place 0 is the province, 1 its fjord."""
    clear_ruin(game, cause, first)
    game.ruin.place[0] = province
    game.ruin.place[1] = tables.fjord_of[province]


@kernel
def doom_figures(game, place, seat, figure):
    """Doom all figures of one kind in ruin.place[place]."""
    if game.ruin.place[place] >= 0:
        game.ruin.doomed[place, seat, figure] = game.board.figures[game.ruin.place[place], seat, figure]


@kernel
def doom_clan(game, seat):
    """Doom all figures of `seat` in the places of this destruction."""
    for place in range(N_RUIN_PLACES):
        for figure in range(N_FIGURES):
            doom_figures(game, place, seat, figure)


@kernel
def count_doomed(game, seat):
    """Number of doomed figures of `seat`."""
    total = 0
    for place in range(N_RUIN_PLACES):
        for figure in range(N_FIGURES):
            total += game.ruin.doomed[place, seat, figure]
    return total


@kernel
def ruin_index(game, seat, figure, place):
    """Index in ruin.place of a doomed `figure` of `seat` that stands in PLACE `place`."""
    if game.ruin.place[0] == place and game.ruin.doomed[0, seat, figure] > 0:
        return 0
    return 1


@kernel
def spare(game, seat, figure, place):
    """One doomed `figure` of `seat` in PLACE `place` is doomed no more."""
    game.ruin.doomed[ruin_index(game, seat, figure, place), seat, figure] -= 1


@kernel
def list_doomed(game, tables, options, n, action, seat):
    """One option for each kind of doomed figure of `seat` in each place."""
    for index in range(N_RUIN_PLACES):
        place = game.ruin.place[index]
        for figure in range(N_FIGURES):
            if game.ruin.doomed[index, seat, figure] > 0 and not is_doomed_twin(game, tables, index, seat, figure):
                n = add_option(options, n, action, monster_card(game.clans[seat], figure), figure, -1, place)
    return n


@kernel
def is_doomed_twin(game, tables, index, seat, figure):
    """Whether an equal monster in an earlier slot is doomed in the same place."""
    if not is_repeated_monster(game, tables, seat, figure, game.ruin.place[index]):
        return False
    for earlier in range(FIGURE_MONSTER, figure):
        if game.ruin.doomed[index, seat, earlier] > 0:
            return True
    return False


@kernel
def may_escape(game, tables):
    """Whether Witch and Protection work against the cause of this destruction.  Rule 6.11.3."""
    return game.ruin.cause != CAUSE_SACRIFICE or tables.rule.sacrifice_escape != 0


@kernel
def destroy(game, tables, log, turn):
    """STEP_DESTROY: let owner number `turn`, clockwise from ruin.first, decide, or after the last one finish."""
    players = game.clock.players
    if may_escape(game, tables):
        while turn < players:
            seat = (game.ruin.first + turn) % players
            turn += 1
            if count_doomed(game, seat) > 0:
                push(game, STEP_DESTROY, turn)
                push(game, STEP_PROTECT, seat)
                for figure in range(FIGURE_MONSTER, N_FIGURES):
                    push(game, STEP_WITCH, seat, figure)
                return
    finish_destruction(game, tables, log)


@kernel
def ask_witch(game, tables, seat, figure):
    """STEP_WITCH: may the doomed figure flee?  Rule 6.11.3a."""
    if game.ruin.cause == CAUSE_RAGNAROK and tables.rule.witch_flees_ragnarok != 0:
        return
    for index in range(N_RUIN_PLACES):
        place = game.ruin.place[index]
        if game.ruin.doomed[index, seat, figure] > 0 and escape_to_yggdrasil(game.clans[seat], figure, place):
            ask(game, QUESTION_WITCH, seat, figure, place)


@kernel
def list_witch(options):
    """Options of QUESTION_WITCH."""
    n = add_option(options, 0, ACTION_DECLINE)
    return add_option(options, n, ACTION_YES)


@kernel
def answer_witch(game, log, seat, figure, place):
    """The figure flees to Yggdrasil."""
    spare(game, seat, figure, place)
    move_figure(game, seat, figure, place, PLACE_YGGDRASIL)
    record_figure(game, log, EVENT_FLED, seat, monster_card(game.clans[seat], figure), figure, place, PLACE_YGGDRASIL, 0)


@kernel
def ask_protect(game, tables, seat):
    """STEP_PROTECT: may `seat` save one figure?  Rule 6.11.3c."""
    cost = protect_for_rage(game.clans[seat], tables)
    if cost >= 0 and game.ruin.cause != CAUSE_RAGNAROK:
        if game.clans[seat].rage >= cost and count_doomed(game, seat) > 0:
            ask(game, QUESTION_PROTECT, seat)


@kernel
def list_protect(game, tables, options, seat):
    """Options of QUESTION_PROTECT."""
    n = add_option(options, 0, ACTION_DECLINE)
    return list_doomed(game, tables, options, n, ACTION_PROTECT, seat)


@kernel
def answer_protect(game, tables, log, seat, figure, place):
    """Save one figure, and ask again."""
    pay_protection(game, tables, log, seat)
    spare(game, seat, figure, place)
    record_figure(game, log, EVENT_SAVED, seat, monster_card(game.clans[seat], figure), figure, -1, place, 0)
    push(game, STEP_PROTECT, seat)


@kernel
def finish_destruction(game, tables, log):
    """All figures still doomed go to Valhalla at once, then they pay.  Rules 6.11.5 to 6.11.7."""
    for turn in range(game.clock.players):
        seat = (game.ruin.first + turn) % game.clock.players
        dead = count_doomed(game, seat)
        if dead > 0:
            ships = bury(game, log, seat)
            game.tally[seat].deaths[game.ruin.cause] += dead
            game.tally[seat].ships_lost += ships
            if game.ruin.cause == CAUSE_BATTLE:
                game.battle.destroyed[seat] += dead
            elif game.ruin.cause == CAUSE_RAGNAROK:
                glory = dead * tables.ragnarok_glory[game.clock.age - 1]
                add_glory(game, log, seat, glory, SOURCE_RAGNAROK, NO_CARD, NO_COPY)
                multiply_ragnarok_glory(game, tables, log, seat, glory)
            ship_death_glory(game, tables, log, seat, ships)


@kernel
def bury(game, log, seat):
    """Move the doomed figures of `seat` to Valhalla; returns how many of them were ships."""
    ships = 0
    for index in range(N_RUIN_PLACES):
        place = game.ruin.place[index]
        for figure in range(N_FIGURES):
            count = game.ruin.doomed[index, seat, figure]
            for _ in range(count):
                move_figure(game, seat, figure, place, PLACE_VALHALLA)
            if count > 0:
                game.ruin.doomed[index, seat, figure] = 0
                if game.clans[seat].ship_like[figure]:
                    ships += count
                card = monster_card(game.clans[seat], figure)
                record_figure(game, log, EVENT_DESTROYED, seat, card, figure, place, PLACE_VALHALLA, count)
    return ships
