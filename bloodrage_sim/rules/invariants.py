"""What never changes, as one check.  Rule 19, and that the booked sources of glory sum to the glory.

`check` returns 0 or the number of the first broken invariant in INVARIANTS.
"""

from .events import booked_sum
from .figures import figures_in_place, is_open_fjord, stat_value
from .ids import (
    CARD_KIND_MONSTER,
    N_FJORDS,
    N_PROVINCES,
    N_TRACK_STEPS,
    PHASE_ACTION,
    PHASE_DISCARD,
    PHASE_RAGNAROK,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    STAT_HORNS,
)
from .jit import kernel, tool
from .state import ZONE_HAND, ZONE_PACK, ZONE_QUEST, ZONE_REVEALED, ZONE_SHEET
from .stats import N_STATS
from .tables import (
    FIGURE_MONSTER,
    N_COPIES,
    N_FIGURES,
    N_SLOTS,
    NO_CARD,
    NO_COPY,
    SLOT_FIRST,
)

INVARIANTS = (
    "none broken",
    "figures of a clan are conserved",
    "figures on the board are counted",
    "no province holds more figures than villages",
    "a destroyed province and a closed fjord hold no figures",
    "ships stand in fjords, other figures in provinces",
    "no clan has more figures on the board than its horns",
    "stats are 1 to 6",
    "rage and glory are not negative",
    "booked sources sum to the glory",
    "cards are where their zone says",
    "after the action phase nobody has rage",
    "Valhalla is empty after the release",
    "no hand is left at the end",
)
_MONSTER_SLOT = SLOT_FIRST[CARD_KIND_MONSTER]


@kernel
def check_figures(game, tables, seat):
    """Invariants 1, 2, 5 and 6 of one clan."""
    board, clan = game.board, game.clans[seat]
    on_board = 0
    for figure in range(N_FIGURES):
        wanted = tables.clan_figures[figure] if figure < FIGURE_MONSTER else 0
        if figure >= FIGURE_MONSTER and clan.sheet[_MONSTER_SLOT + figure - FIGURE_MONSTER] != NO_CARD:
            wanted = 1
        total = 0
        for place in range(PLACE_RESERVE + 1):
            count = board.figures[place, seat, figure]
            if count < 0:
                return 1
            total += count
            if place < PLACE_VALHALLA:
                on_board += count
                if count > 0 and (clan.ship_like[figure] == 1) != (place >= N_PROVINCES):
                    return 5
        if total != wanted:
            return 1
    if on_board != clan.on_board:
        return 2
    if on_board > stat_value(game.clans[seat], tables, STAT_HORNS):
        return 6
    return 0


@kernel
def check_places(game, tables):
    """Invariants 2, 3 and 4."""
    board = game.board
    for place in range(N_PROVINCES + N_FJORDS):
        total = 0
        for seat in range(game.clock.players):
            here = 0
            for figure in range(N_FIGURES):
                here += game.board.figures[place, seat, figure]
            if here != figures_in_place(game.board, place, seat):
                return 2
            total += here
        if place < N_PROVINCES:
            if total != board.crowd[place]:
                return 2
            if 0 < tables.villages[place] < total:
                return 3
            if board.destroyed[place] and total > 0 and not is_being_destroyed(game, place):
                return 4
        elif total > 0 and not is_open_fjord(game.board, tables, place) and not is_being_destroyed(game, place):
            return 4
    return 0


@kernel
def is_being_destroyed(game, place):
    """Whether the Ragnarok of this place is going on: its figures are doomed and may still flee (6.11.3)."""
    return game.clock.phase == PHASE_RAGNAROK and (game.ruin.place[0] == place or game.ruin.place[1] == place)


@kernel
def check_clan(game, tables, seat):
    """Invariants 7 to 9 of one clan."""
    clan = game.clans[seat]
    for stat in range(N_STATS):
        if not 1 <= clan.stats[stat] <= N_TRACK_STEPS:
            return 7
    if clan.rage < 0 or clan.glory < 0:
        return 8
    if booked_sum(game, seat) + tables.start_glory != clan.glory:
        return 9
    return 0


@kernel
def count_zone(game, zone):
    """Number of copies in a ZONE."""
    total = 0
    for copy in range(N_COPIES):
        if game.secret.zone[copy] == zone:
            total += 1
    return total


@kernel
def check_cards(game):
    """Invariant 10: every copy in a list has the zone of the list, and no zone has more copies than its lists."""
    secret = game.secret
    hands, packs, quests, sheets, revealed = 0, 0, 0, 0, 0
    for seat in range(game.clock.players):
        for position in range(game.clans[seat].hand):
            if secret.zone[secret.hand[seat, position]] != ZONE_HAND:
                return 10
        for position in range(secret.pack_size[seat]):
            if secret.zone[secret.pack[seat, position]] != ZONE_PACK:
                return 10
        for position in range(game.clans[seat].quests):
            if secret.zone[secret.quests[seat, position]] != ZONE_QUEST:
                return 10
        for slot in range(N_SLOTS):
            copy = secret.sheet[seat, slot]
            if (copy == NO_COPY) != (game.clans[seat].sheet[slot] == NO_CARD):
                return 10
            if copy != NO_COPY:
                sheets += 1
                if secret.zone[copy] != ZONE_SHEET or secret.card_of[copy] != game.clans[seat].sheet[slot]:
                    return 10
        hands += game.clans[seat].hand
        packs += secret.pack_size[seat]
        quests += game.clans[seat].quests
        if game.battle.province >= 0:
            revealed += game.battle.n_cards[seat]
    if hands != count_zone(game, ZONE_HAND) or packs != count_zone(game, ZONE_PACK):
        return 10
    if quests != count_zone(game, ZONE_QUEST) or sheets != count_zone(game, ZONE_SHEET):
        return 10
    if revealed != count_zone(game, ZONE_REVEALED):
        return 10
    return 0


@kernel
def check_phase(game):
    """Invariants 11 to 13."""
    for seat in range(game.clock.players):
        if game.clock.phase >= PHASE_DISCARD and game.clans[seat].rage != 0:
            return 11
        if (game.over or game.clock.phase < PHASE_ACTION) and figures_in_place(game.board, PLACE_VALHALLA, seat) > 0:
            return 12
        if game.over and game.clans[seat].hand > 0:
            return 13
    return 0


@tool
def check(game, tables):
    """Number of the first invariant that does not hold, 0 if all do.  Rule 19."""
    for seat in range(game.clock.players):
        broken = check_figures(game, tables, seat)
        if broken == 0:
            broken = check_clan(game, tables, seat)
        if broken > 0:
            return broken
    broken = check_places(game, tables)
    if broken == 0:
        broken = check_cards(game)
    if broken == 0:
        broken = check_phase(game)
    return broken
