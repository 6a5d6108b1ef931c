"""The numbers of one run as one read-only record: cards, copies, board, tracks, rule options.

Numbers reach the compiled core as data, so a what-if needs no recompiling.  A CARD id is a row of cards.csv; ids from
N_CARD_ROWS on are spare rows for blanks and patched copies.  A COPY is one physical card and points to a card.
"""

from __future__ import annotations

import numpy as np

from . import ids

N_SEATS = 5
N_SPARE_CARDS = 23
N_CARDS = ids.N_CARD_ROWS + N_SPARE_CARDS
N_COPIES = 224
N_SPARE_COPIES = 48
MAX_DECK = 64
MAX_PACK = 12
NO_CARD = -1
NO_COPY = -1

# figures of a clan, by slot; monsters are named by the card in their slot
FIGURE_WARRIOR = 0
FIGURE_LEADER = 1
FIGURE_SHIP = 2
FIGURE_MYSTIC = 3
FIGURE_MONSTER = 4  # the first of N_MONSTER_SLOTS
N_MONSTER_SLOTS = 2
N_FIGURES = FIGURE_MONSTER + N_MONSTER_SLOTS
FIGURE_NAMES = ("warrior", "leader", "ship", "mystic")

# slots of a clan sheet: first slot and room by kind of upgrade; how many may be used is a number of the board
SLOT_FIRST = (0, 1, 2, 3, 5)
SLOT_ROOM = (1, 1, 1, N_MONSTER_SLOTS, 5)
N_SLOTS = 10

RULES = np.dtype([(name, "u1") for name in ids.RULE_NAMES])

TABLES = np.dtype(
    [
        # cards, by CARD id
        ("kind", "i1", (N_CARDS,)),  # CARD_KIND_*, -1 for a spare row
        ("age", "i1", (N_CARDS,)),  # 1..3
        ("cost", "i2", (N_CARDS,)),  # rage to play an upgrade
        ("battle_str", "i2", (N_CARDS,)),  # STR points; 0 where the card has none
        ("figure_str", "i2", (N_CARDS,)),  # STR points of the figure an upgrade governs
        ("glory", "i2", (N_CARDS,)),  # glory of a quest
        ("effect", "i2", (N_CARDS,)),  # EFFECT_* id
        ("amount", "i2", (N_CARDS,)),  # the number of the effect
        ("card_region", "i1", (N_CARDS,)),  # REGION_* of a region quest
        ("face", "i2", (N_CARDS,)),  # lowest CARD id that a player cannot tell from this one (rule 18)
        # copies
        ("card_of", "i2", (N_COPIES,)),  # CARD id, NO_CARD for a spare copy
        ("deck", "i2", (N_SEATS + 1, ids.N_AGES, MAX_DECK)),  # COPY ids by number of players and age - 1
        ("deck_size", "i2", (N_SEATS + 1, ids.N_AGES)),
        # board
        ("villages", "i1", (ids.N_PROVINCES,)),  # 0: no limit
        ("region", "i1", (ids.N_PROVINCES,)),  # REGION_* id
        ("adjacent", "i1", (ids.N_PROVINCES, ids.N_PROVINCES)),  # bool
        ("fjord_of", "i1", (ids.N_PROVINCES,)),  # PLACE_* of the supporting fjord, -1 for Yggdrasil
        ("supports", "i1", (ids.N_FJORDS, 2)),  # PLACE_* of the provinces a fjord supports
        ("token_pool", "i1", (ids.N_PROVINCES - 1,)),  # TOKEN_* of the shuffled tokens
        ("token_glory", "i2"),
        ("ragnarok_glory", "i2", (ids.N_AGES,)),  # glory per figure
        ("pre_destroyed", "i1", (N_SEATS + 1,)),  # by number of players
        # clans
        ("track", "i2", (3, ids.N_TRACK_STEPS)),  # value by STAT and step - 1
        ("end_bonus", "i2", (ids.N_TRACK_STEPS,)),  # glory by step - 1
        ("start_step", "i1"),
        ("start_glory", "i2"),
        ("base_str", "i2", (4,)),  # STR by figure, without upgrades
        ("clan_figures", "i1", (4,)),  # figures of a clan at the start
        ("slots", "i1", (5,)),  # slots that may be used, by kind of upgrade
        # phases
        ("deal", "i1"),  # cards of a pack
        ("keep", "i1"),  # cards kept of the draft
        ("picks", "i1", (N_SEATS + 1,)),  # cards kept before a pack is passed, by number of players
        ("no_draft_deal", "i1"),
        ("keep_cards", "i1", (ids.N_AGES,)),  # cards kept in the discard phase
        ("march_cost", "i2"),
        ("rule", RULES),
    ],
    align=True,
)
