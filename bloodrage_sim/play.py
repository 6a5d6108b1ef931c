"""The loop that plays games: ask, apply, until the end.  It is the only caller of strategies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.typed import List

from .rules.chance import PURPOSE_DECISION, draw
from .rules.effects.sheet import refresh_sheet
from .rules.engine import CHECK_INVARIANTS, PAUSE_AT_QUESTIONS, PAUSED, advance, answer
from .rules.events import EVENT_DECISION, begin_event
from .rules.invariants import check
from .rules.jit import (
    CACHE_FOLDER,
    JIT,
    THOUGHTS_FOLDER,
    argument_types,
    caching_thoughts,
    entry,
    is_compiled,
    kernel,
    load_entries,
    name_types,
)
from .rules.kept_code import keep_with_care
from .rules.options import action_code
from .rules.setup import set_up_empty, set_up_game
from .rules.state import BOARD, CLAN, EVENT, GAME, GAME_EVENTS, LOG, MEMORY, N_QUESTIONS, OPTION, OPTIONS
from .rules.tables import N_SEATS, TABLES
from .steering.changes import arrange, is_due, make_changes
from .steering.channels import blot
from .steering.orders import CHANGE, ORDER, ORDERS, SIEVE, note_orders, restrict
from .tactics.style import STYLE
from .tactics.survey import survey_board
from .tactics.traits import TRAITS
from .view import VIEW, look

MAX_PARAMS = 32
PARAMS = np.dtype(  # by slot of the line-up
    [
        ("of", "f8", (N_SEATS, MAX_PARAMS)),  # own parameters of the strategy
        ("style", STYLE, (N_SEATS,)),
        ("traits", TRAITS, (N_SEATS,)),
        ("orders", ORDERS),
    ],
    align=True,
)

# what is done for the strategy of a slot before it is asked
ASK_PYTHON = 0  # the loop returns for an answer
SHOW_VIEW = 1
SURVEY_BOARD = 2
APPRAISE_OPTIONS = 3

# why play_games returned; the games before the one it names are over
DONE = 0
NEEDS_ANSWER = 1  # an uncompiled strategy, or Python itself, decides next
BAD_ANSWER = 2  # a strategy returned no index of its options
STOPPED = 3  # after a turn or a phase, because that was asked for
BROKEN = 4  # an invariant does not hold
LOG_FULL = 5  # a log that keeps games has no room for one more

FUNCTIONS: Any = None  # numba's type of a pair of deciders and appraiser
if JIT:
    _record = numba.from_dtype
    _options = types.Array(_record(OPTION), 1, "C")
    _params = types.Array(types.float64, 1, "C")
    DECIDE = types.int64(
        _record(VIEW), _options, types.int64, _record(TABLES), _params, _record(MEMORY), types.uint64
    )
    APPRAISE = types.int64(
        _record(VIEW), _options, types.int64, _record(TABLES), _record(STYLE), _record(TRAITS), types.uint64
    )
    name_types("game", _record(GAME))
    name_types("tables", _record(TABLES))
    name_types("view", _record(VIEW))
    name_types("option", _record(OPTION))
    name_types("happening", _record(EVENT))
    name_types("clan", _record(CLAN))
    name_types("board", _record(BOARD))
    name_types("memory", _record(MEMORY))
    name_types("params", _params)
    name_types("log", _record(LOG))
    name_types("options", _record(OPTIONS))
    name_types("copies items", types.Array(types.int16, 1, "C"))
    name_types("key bits z seed", types.uint64)
    name_types("games", types.Array(_record(GAME), 1, "C"))
    name_types("views", types.Array(_record(VIEW), 1, "C"))
    name_types("tables_", types.Array(_record(TABLES), 1, "C"))
    name_types("style", _record(STYLE))
    name_types("traits", _record(TRAITS))
    name_types("orders", _record(ORDERS))
    name_types("mandate", _record(ORDER))
    name_types("sieve", _record(SIEVE))
    name_types("change", _record(CHANGE))
    _appraiser = types.FunctionType(APPRAISE)
    _deciders = types.UniTuple(types.FunctionType(DECIDE), N_SEATS)
    FUNCTIONS = types.Tuple((_deciders, _appraiser))
    name_types("appraiser", _appraiser)
    name_types("deciders", _deciders)
    name_types("functions_", types.ListType(FUNCTIONS))
    name_types("logs", types.Array(_record(LOG), 1, "C"))
    name_types("buffers", types.Array(_record(OPTIONS), 1, "C"))
    name_types("service found", types.Array(types.int64, 1, "C"))
    name_types("params_", types.Array(_record(PARAMS), 1, "C"))


@kernel
def decision_key(game, slot):
    """uint64 key for the chance of the open decision, by slot, age, kind of question and how many of it came before."""
    question = int(game.flow.question)
    count = int(game.asked[game.flow.seat, question])
    index = (int(game.clock.age) * N_QUESTIONS + question) * 65536 + count
    return draw(game.secret.key, PURPOSE_DECISION + slot, index)


@kernel
def note_decision(game, log, slot, option):
    """Count a real decision and report it with the intent that its strategy left in its memory."""
    seat = game.flow.seat
    index = begin_event(game, log, EVENT_DECISION, seat)
    if index >= 0:
        event = log.event[index]
        event.card = option.card
        event.figure = option.figure
        event.origin = option.origin
        event.place = option.place
        event.value = action_code(option)
        event.copy = game.memory[slot].intent
        event.source = game.flow.question
    game.decisions += 1
    game.asked[seat, game.flow.question] += 1


@entry
def play_games(
    games, first, tables_, logs, buffers, views, functions_, service, params_, given, limit, pause, found
):  # fmt: skip
    """Play games[first:] in turn, each from where it stands.

    Parameters
    ----------
    games : GAME array, changed in place; new games must be set up
    first : int, index of the game to begin with
    tables_ : TABLES array of one record
    logs : LOG array of one record for the events
    buffers : OPTIONS array of one record; holds the options of the open question when NEEDS_ANSWER is returned
    views : VIEW array of one record, scratch
    functions_ : what bind_functions gave: decide functions by slot of the line-up, and the appraise function
    service : int64 array by slot, what is done before a strategy is asked: ASK_PYTHON, SHOW_VIEW, SURVEY_BOARD, ...
    params_ : PARAMS array of one record, by slot
    given : int, answer to the open question of games[first], -1 if there is none
    limit : int, most decisions to take before returning NEEDS_ANSWER, -1 for no limit
    pause : int, sum of PAUSE_* and CHECK_INVARIANTS of rules/engine.py
    found : int64 array of 3, written: status (DONE, NEEDS_ANSWER, ...), number of options, and the slot that is asked, its
        answer or the invariant
    """
    tables = tables_[0]
    view = views[0]
    options = buffers[0]
    log = logs[0]
    params = params_[0]
    orders = params.orders
    deciders, appraiser = functions_[0]
    for index in range(first, games.shape[0]):
        game = games[index]
        if log.keep != 0 and log.capacity - log.begin < GAME_EVENTS:
            found[0] = LOG_FULL
            return index
        if orders.active != 0 and game.trial.arranged == 0:
            arrange(game, tables, orders)
        while game.over == 0:
            # an answer that comes with the call may be to a question with a single answer
            n = advance(game, tables, log, options, pause | PAUSE_AT_QUESTIONS if given >= 0 else pause)
            if n == 0:
                break
            if n == PAUSED:
                found[0] = STOPPED
                return index
            slot = game.slot[game.flow.seat]
            choice = given
            listed = n
            if orders.active != 0:
                if given < 0 and orders.stop_age == game.clock.age and orders.stop_phase == game.clock.phase:
                    break
                if given < 0 and is_due(game):
                    make_changes(game, tables, log, orders)
                    continue  # the options may be others now
                n = restrict(game, tables, options, n, game.flow.seat, orders)
                if n == 1 < listed and given < 0:
                    choice = 0
            if choice < 0:
                if service[slot] == ASK_PYTHON or limit == 0:
                    found[0] = NEEDS_ANSWER
                    found[1] = n
                    found[2] = slot
                    return index
                look(game, tables, game.flow.seat, view)
                if orders.masked[slot] != 0:
                    blot(game, view, orders.masked[slot])
                key = decision_key(game, slot)
                if service[slot] >= SURVEY_BOARD:
                    survey_board(view, tables)
                if service[slot] >= APPRAISE_OPTIONS:
                    appraiser(view, options.option[:], n, tables, params.style[slot], params.traits[slot], key)
                choice = deciders[slot](view, options.option[:], n, tables, params.of[slot], game.memory[slot], key)
            given = -1
            if choice < 0 or choice >= n:
                found[0] = BAD_ANSWER
                found[1] = n
                found[2] = choice
                return index
            if limit > 0:
                limit -= 1
            if listed >= 2:
                note_decision(game, log, slot, options.option[choice])
            if orders.active != 0:
                note_orders(game, options.option[choice])
            answer(game, tables, log, options.option[choice])
            if pause & CHECK_INVARIANTS:
                found[2] = check(game, tables)
                if found[2] > 0:
                    found[0] = BROKEN
                    return index
        if log.keep != 0:
            log.begin += game.n_events
    found[0] = DONE
    return games.shape[0]


@entry
def bind_functions(deciders, appraiser):
    """A list of one pair, the functions as play_games takes them; they must live as long as the list.

    Python hands over a list of functions fifty times as fast as the functions themselves, whose types are resolved anew
    in every call: two milliseconds, for which a strategy in plain Python would wait in each of its decisions.

    deciders : tuple of N_SEATS compiled decide functions, by slot of the line-up
    appraiser : the compiled appraise function, for slots that want APPRAISE_OPTIONS
    """
    functions_ = List.empty_list(FUNCTIONS)
    functions_.append((deciders, appraiser))
    return functions_


@entry
def set_up_games(games, tables_, players, seed, first_deal, rotations, first_game):
    """Set up new games: game number first_game + i is deal (number // rotations), turned by (number % rotations).

    games : GAME array of zeros; rotations : int, games of one deal.  Rule 2.
    """
    for index in range(games.shape[0]):
        number = first_game + index
        set_up_game(games[index], tables_[0], players, seed, first_deal + number // rotations, number % rotations)


@entry
def set_up_blank(games, tables_, players):
    """Set up games[0], which must be zero, with nothing dealt or laid out, for a position from elsewhere."""
    set_up_empty(games[0], tables_[0], players)


@entry
def refresh_sheets(games, tables_):
    """Work out what the sheets of games[0] give, after they were written from outside."""
    for seat in range(games[0].clock.players):
        refresh_sheet(games[0], tables_[0], seat)


@entry
def look_into(games, index, tables_, seat, views):
    """Fill views[0] with what `seat` may know of games[index], and survey the board."""
    look(games[index], tables_[0], seat, views[0])
    survey_board(views[0], tables_[0])


@entry
def show_options(games, index, tables_, buffers, n, views, functions_, params_, appraised):
    """Fill views[0] for the open decision of games[index], as the loop does before it asks a compiled strategy.

    buffers : holds the n options of the open question
    appraised : int, whether to appraise them

    Returns the uint64 key for the chance of the decision.
    """
    game = games[index]
    tables = tables_[0]
    view = views[0]
    seat = game.flow.seat
    slot = game.slot[seat]
    key = decision_key(game, slot)
    params = params_[0]
    look(game, tables, seat, view)
    if params.orders.masked[slot] != 0:
        blot(game, view, params.orders.masked[slot])
    survey_board(view, tables)
    if appraised != 0:
        _, appraiser = functions_[0]
        appraiser(view, buffers[0].option[:], n, tables, params.style[slot], params.traits[slot], key)
    return key


@entry
def reseed(games, index, key):
    """Replace the key of all chance to come in games[index]: decks of later ages and draws of strategies."""
    games[index].secret.key = key


ENTRIES = (play_games, bind_functions, set_up_games, set_up_blank, refresh_sheets, look_into, show_options, reseed)
_NAME = "core"


def needs_compiling() -> bool:
    """Whether the next `prepare` has to compile the core, which takes some minutes."""
    return JIT and not is_compiled(CACHE_FOLDER, _NAME) and not play_games.signatures


def prepare(progress: Callable[[int, int], None] | None = None) -> None:
    """Compile the core, or load it from the cache.  progress(done, all) is called while compiling."""
    if not JIT or play_games.signatures:
        return
    load_entries(ENTRIES, [argument_types(function.py_func) for function in ENTRIES], CACHE_FOLDER, _NAME, progress)


def decide_nothing(view, options, n, tables, params, memory, key):
    """Stands where no compiled strategy plays; it is never asked."""
    return 0


def appraise_nothing(view, options, n, tables, style, traits, key):
    """Stands in for tactics.appraisal.appraise where no strategy wants it."""
    return 0


def compile_appraise(function: Callable[..., Any]) -> Any:
    """Compile an appraise function for APPRAISE, the signature that the loop calls."""
    if not JIT:
        return function
    with caching_thoughts():
        dispatcher = entry(function)
    load_entries([dispatcher], [APPRAISE], THOUGHTS_FOLDER, function.__name__)
    return dispatcher


def compile_decide(function: Callable[..., Any], cache: bool) -> Any:
    """Compile a decide function for DECIDE, the one signature of all strategies."""
    if not JIT:
        return function
    with caching_thoughts():
        dispatcher = keep_with_care(numba.njit(nogil=True, cache=cache and CACHE_FOLDER is not None)(function))
    dispatcher.compile(DECIDE)
    dispatcher.disable_compile()
    return dispatcher
