"""The state of a game as one record: the only place that says fields, shapes and units.

Open information stands in named parts (`board`, `doom`, `clans`, `clock`, `battle`, `flow`, `ruin`, `history`), which
the view of a seat copies whole; what a player may not know stands in `secret`.  Arrays by seat have N_SEATS rows; seats
from `clock.players` on are unused.  A seat, place, card or copy that is not there is -1.
"""

from __future__ import annotations

import numpy as np

from . import ids
from .tables import (
    MAX_PACK,
    N_CARDS,
    N_COPIES,
    N_FIGURES,
    N_MONSTER_SLOTS,
    N_SEATS,
    N_SLOTS,
)

MAX_HAND = 48
MAX_REVEALED = 12
MAX_PENDING = 32
MAX_CHOSEN = 8
N_QUESTIONS = 24
N_SOURCES = 9
N_CAUSES = 4
MAX_OPTIONS = 320
MAX_EVENTS = 65536  # of a log
GAME_EVENTS = 8192  # room that a log must have for one more game
N_BOARD_PLACES = ids.N_PROVINCES + ids.N_FJORDS
MAX_ORDERS = 16  # of an experiment

# where a copy is
ZONE_BOX = 0  # not in this game
ZONE_DECK = 1  # in a deck, or dealt out of the game unseen (4.2)
ZONE_PACK = 2
ZONE_HAND = 3
ZONE_SHEET = 4
ZONE_QUEST = 5
ZONE_REVEALED = 6  # face up in the battle going on
ZONE_DISCARD = 7  # face up
ZONE_DUMPED = 8  # left over in the draft, face down

BOARD = np.dtype(
    [
        ("figures", "i1", (ids.N_PLACES, N_SEATS, N_FIGURES)),  # count of figures
        ("count", "i1", (ids.N_PLACES, N_SEATS)),  # figures of a clan in a place, the reserve left out
        ("crowd", "i1", (ids.N_PROVINCES,)),  # figures in the province (villages taken)
        ("token", "i1", (ids.N_PROVINCES,)),  # TOKEN_* id
        ("pillaged", "i1", (ids.N_PROVINCES,)),  # bool
        ("destroyed", "i1", (ids.N_PROVINCES,)),  # bool
    ],
    align=True,
)

CLAN = np.dtype(
    [
        ("rage", "i2"),  # left to spend
        ("glory", "i2"),
        ("stats", "i1", (3,)),  # step 1..6 by STAT
        ("passed", "i1"),  # bool
        ("hand", "i1"),  # number of cards
        ("quests", "i1"),  # number of committed quests
        ("on_board", "i1"),  # figures on the board, for the horns limit
        ("sheet", "i2", (N_SLOTS,)),  # CARD id by slot
        # what the sheet gives, kept up to date by effects/sheet.refresh_sheet
        ("effects", "i8"),  # bit per EFFECT_* id
        ("figure_str", "i2", (N_FIGURES,)),  # STR points by figure
        ("pair_str", "i2"),  # STR points of two Warriors in one province (1.5.1)
        ("ship_like", "i1", (N_FIGURES,)),  # bool by figure (1.4.1)
        ("monster_effect", "i2", (N_MONSTER_SLOTS,)),  # EFFECT_* id
    ],
    align=True,
)

CLOCK = np.dtype(
    [
        ("players", "i1"),
        ("age", "i1"),  # 1..3
        ("phase", "i1"),  # PHASE_* id
        ("first_player", "i1"),  # seat
        ("turn", "i1"),  # seat on turn, -1 outside turns
        ("draft_round", "i1"),  # 0, 1, ...
        ("domain_used", "i1"),  # bool: Thor's Domain used in this turn (7.3)
    ],
    align=True,
)

STEP = np.dtype([("kind", "i2"), ("a", "i2"), ("b", "i2"), ("c", "i2")], align=True)  # a, b, c as its kernel says

FLOW = np.dtype(
    [
        ("pending", STEP, (MAX_PENDING,)),  # steps still to run, the last one first
        ("depth", "i2"),
        ("question", "i2"),  # QUESTION_* id that is open, QUESTION_NONE
        ("seat", "i2"),  # who is asked, -1
        ("a", "i2"),  # what the question is about; its meaning stands with the question
        ("b", "i2"),
        ("march_from", "i1"),  # a march or sacrifice that is being composed
        ("march_to", "i1"),
        ("moved", "i1"),  # figures that have moved in it
    ],
    align=True,
)

BATTLE = np.dtype(
    [
        ("province", "i1"),  # PLACE_*; -1 when no pillage is going on
        ("pillager", "i1"),
        ("token_stat", "i1"),  # stat that the token raised, -1 (6.9.4)
        ("declines", "i1"),  # in a row, in the call to battle and for late cards
        ("n_order", "i1"),  # participants
        ("order", "i1", (N_SEATS,)),  # seats in battle order (6.2.5)
        ("fights", "i1", (N_SEATS,)),  # bool by seat: is a participant
        ("valkyrie", "i2", (N_SEATS, N_MONSTER_SLOTS)),  # glory per enemy figure destroyed, by monster slot (6.2.4)
        ("card", "i2", (N_SEATS, MAX_REVEALED)),  # revealed CARD ids
        ("n_cards", "i1", (N_SEATS,)),
        ("text", "i2", (N_SEATS,)),  # EFFECT_* of the card played in 6.3, EFFECT_NONE if cancelled or without effect
        ("text_card", "i2", (N_SEATS,)),  # CARD id of that card, cancelled or not
        ("amount", "i2", (N_SEATS,)),  # its number
        ("quest_value", "i2", (N_SEATS,)),  # STR of a quest declared a battle card (6.5.4)
        ("total", "i2", (N_SEATS,)),  # STR points
        ("winner", "i1"),  # seat, -1
        ("destroyed", "i1", (N_SEATS,)),  # figures destroyed in this battle, by owner
        ("blessed", "i1", (N_SEATS,)),  # bool: put a Warrior by Loki's Blessing
    ],
    align=True,
)

RUIN = np.dtype(  # the destruction that is going on (6.11)
    [
        ("cause", "i1"),  # CAUSE_* id
        ("first", "i1"),  # seat that decides first
        ("place", "i1", (2,)),  # province and fjord, or the places of a sacrifice
        ("doomed", "i1", (2, N_SEATS, N_FIGURES)),  # count by place, owner and figure
    ],
    align=True,
)

HISTORY = np.dtype(
    [
        ("discards", "u1", (N_CARDS,)),  # cards discarded face up in this game
        ("known", "u1", (N_SEATS, N_CARDS)),  # cards publicly known to be in a hand
    ],
    align=True,
)

SECRET = np.dtype(
    [
        ("key", "u8"),  # of all chance to come
        ("card_of", "i2", (N_COPIES,)),  # CARD id by copy; experiments may change it
        ("zone", "u1", (N_COPIES,)),  # ZONE_*
        ("seen", "u1", (N_COPIES,)),  # bit per seat that saw the copy in a pack
        ("seen_cards", "u1", (N_SEATS, N_CARDS)),  # copies of each CARD that a seat saw in a pack
        ("hand", "i2", (N_SEATS, MAX_HAND)),  # COPY ids, sorted by face and number; clans.hand of them
        ("quests", "i2", (N_SEATS, MAX_HAND)),  # COPY ids in the order committed; clans.quests of them
        ("sheet", "i2", (N_SEATS, N_SLOTS)),  # COPY ids
        ("revealed", "i2", (N_SEATS, MAX_REVEALED)),  # COPY ids, beside battle.card
        ("pack", "i2", (N_SEATS, MAX_PACK)),  # COPY ids, sorted like a hand
        ("pack_size", "i1", (N_SEATS,)),
        ("chosen", "i2", (N_SEATS, MAX_CHOSEN)),  # COPY ids answered in a simultaneous decision
        ("n_chosen", "i1", (N_SEATS,)),
    ],
    align=True,
)

MEMORY = np.dtype([("intent", "i2"), ("ints", "i4", (16,)), ("reals", "f8", (8,))], align=True)

TALLY = np.dtype(  # counts for results, by seat
    [
        ("turns_age", "i2", (ids.N_AGES,)),
        ("battles", "i2"),  # took part in
        ("battles_won", "i2"),
        ("pillages", "i2"),  # successful
        ("pillages_unopposed", "i2"),
        ("quests_committed", "i2"),
        ("quests_done", "i2"),
        ("deaths", "i2", (N_CAUSES,)),  # own figures destroyed, by CAUSE
        ("drafted", "i2"),
        ("played", "i2"),  # upgrades played, quests committed, battle cards that left the hand for good
        ("passes", "i2"),
        ("rage_passed", "i2"),  # rage given up by passing
        ("monsters", "i2"),  # monster upgrades played
        ("ships_lost", "i2"),  # own ships destroyed, Sea Serpents too
        ("locked", "i2"),  # provinces with a figure of the clan in every village when the action phase ends
        ("glory_by", "i2", (N_SOURCES,)),  # ledger by SOURCE
        ("glory_age", "i2", (ids.N_AGES,)),  # ledger by age
        ("stood", "i1", (ids.N_AGES, N_BOARD_PLACES)),  # figures by age and PLACE when the action phase ends
        ("steps", "i1", (ids.N_AGES, 3)),  # step of each STAT at the end of an age, before final scoring
    ],
    align=True,
)

TRIAL = np.dtype(  # what an experiment did to the game; all 0 outside experiments
    [
        ("course", "u8", (ids.N_AGES,)),  # hash of all decisions by age - 1
        ("arranged", "i1"),  # bool: the decks are changed
        ("changed_age", "i1"),  # age whose changes are made
        ("cutting", "i4"),  # bit per order that cut the options of the open question
        ("voiding", "i4"),  # bit per order that would have left none
        ("heeded", "i2"),  # times that an order cut options
        ("voided", "i2"),  # times that an order would have left none
        ("changes", "i2"),  # changes made
        ("obeyed", "i2", (MAX_ORDERS,)),  # times that each order cut options
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("deal", "i8"),
        ("rotation", "i2"),
        ("started", "i1"),  # bool
        ("over", "i1"),  # bool
        ("slot", "i1", (N_SEATS,)),  # slot of the line-up by seat
        ("board", BOARD),
        ("doom", "i1", (ids.N_AGES,)),  # PLACE_* of the doomed province by age - 1
        ("clans", CLAN, (N_SEATS,)),
        ("clock", CLOCK),
        ("flow", FLOW),
        ("battle", BATTLE),
        ("ruin", RUIN),
        ("history", HISTORY),
        ("secret", SECRET),
        ("memory", MEMORY, (N_SEATS,)),
        ("tally", TALLY, (N_SEATS,)),
        ("decisions", "i4"),  # real decisions taken (two answers or more)
        ("asked", "u2", (N_SEATS, N_QUESTIONS)),  # decisions of a kind in this age, for keys
        ("battles", "i2"),
        ("age_end", "i1", (ids.N_AGES,)),  # AGE_END_* by age - 1
        ("n_events", "i4"),
        ("trial", TRIAL),
    ],
    align=True,
)

OPTION = np.dtype(
    [
        ("action", "i2"),  # ACTION_* id
        ("card", "i2"),  # CARD id: the card meant, or the monster's card of a figure
        ("figure", "i1"),  # FIGURE slot
        ("origin", "i1"),  # PLACE_* it comes from
        ("place", "i1"),  # PLACE_* it goes to or stands in
        ("value", "i1"),  # STAT to raise, or STR of a quest
    ],
    align=True,
)

EVENT = np.dtype(
    [
        ("decision", "i4"),  # decisions taken before it
        ("kind", "i2"),  # EVENT_* id, which gives the rule number
        ("card", "i2"),  # CARD id
        ("copy", "i2"),  # COPY id; the intent of a decision
        ("value", "i2"),
        ("seat", "i1"),
        ("other", "i1"),  # second seat
        ("place", "i1"),
        ("origin", "i1"),
        ("figure", "i1"),
        ("source", "i1"),  # SOURCE_* of glory, REASON_* of raise, rage and discarded, QUESTION_* of a decision
        ("age", "i1"),
        ("phase", "i1"),
    ],
    align=True,
)


def new_games(n: int) -> np.recarray:
    """Record array of `n` games that have not been set up; a recarray, so that dots work without the compiler too."""
    return np.zeros(n, GAME).view(np.recarray)


# Buffers reach kernels as records too: numba counts references to an array argument atomically, in every call, and that
# would cost as much as all the rest of a game.
OPTIONS = np.dtype([("option", OPTION, (MAX_OPTIONS,))], align=True)
LOG = np.dtype(
    [
        ("capacity", "i8"),  # events it may hold
        ("begin", "i8"),  # where the events of the game going on begin
        ("keep", "i8"),  # bool: the next game is written behind this one, not over it
        ("kinds", "i8"),  # bit per EVENT_* that is recorded
        ("event", EVENT, (MAX_EVENTS,)),
    ],
    align=True,
)


def new_options() -> np.recarray:
    """Buffer for the options of one question: OPTIONS array of one record."""
    return np.zeros(1, OPTIONS).view(np.recarray)


def new_log(size: int, keep: bool = False, kinds: int = -1) -> np.recarray:
    """Buffer for up to `size` events (at most MAX_EVENTS): LOG array of one record.  With size = 0 nothing is recorded and
    it costs nothing.

    keep : whether it holds many games one behind the other, else the last one only
    kinds : bit per EVENT_* to record
    """
    log = np.zeros(1, LOG).view(np.recarray)
    log.capacity[0] = min(size, MAX_EVENTS)
    log.keep[0] = keep
    log.kinds[0] = kinds
    return log
