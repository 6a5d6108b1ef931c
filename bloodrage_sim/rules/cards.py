"""Cards in hands, in packs and on the open discard pile, and what a sheet holds.  Rules 1.8, 1.9, 18 (equal cards)."""

from .events import EVENT_DISCARDED, EVENT_RETURNED, record_card, record_reason
from .ids import CARD_KIND_CLAN, CARD_KIND_MONSTER, CARD_KIND_QUEST
from .jit import kernel
from .state import ZONE_DISCARD, ZONE_HAND
from .tables import FIGURE_MONSTER, N_CARDS, N_SLOTS, NO_CARD, NO_COPY, SLOT_FIRST

_FIRST_MONSTER_SLOT = SLOT_FIRST[CARD_KIND_MONSTER]

# where a card of a clan lies open, so that a step can name the card to come back to: a slot of its sheet, ...
SPOT_REVEALED = N_SLOTS  # the first card revealed in the battle, also after it has gone
SPOT_QUEST = N_SLOTS + 1  # and later ones: the quests in the order committed


@kernel
def has_effect(clan, effect):
    """Whether an upgrade with `effect` is on the sheet of `seat`."""
    return (clan.effects >> effect) & 1 == 1


@kernel
def effect_amount(clan, tables, effect):
    """Sum of the amounts of the upgrades with `effect` on the sheet of `seat`.  Rule 5.7.6."""
    total = 0
    if has_effect(clan, effect):
        sheet = clan.sheet
        for slot in range(N_SLOTS):
            card = sheet[slot]
            if card != NO_CARD and tables.effect[card] == effect:
                total += tables.amount[card]
    return total


@kernel
def slot_with_effect(clan, tables, effect):
    """The first slot of the sheet whose card has `effect`, -1."""
    if has_effect(clan, effect):
        sheet = clan.sheet
        for slot in range(N_SLOTS):
            card = sheet[slot]
            if card != NO_CARD and tables.effect[card] == effect:
                return slot
    return -1


@kernel
def card_with_effect(clan, tables, effect):
    """The first card on the sheet with `effect`, NO_CARD."""
    slot = slot_with_effect(clan, tables, effect)
    return clan.sheet[slot] if slot >= 0 else NO_CARD


@kernel
def copy_with_effect(game, tables, seat, effect):
    """The first copy on the sheet of `seat` with `effect`, NO_COPY."""
    slot = slot_with_effect(game.clans[seat], tables, effect)
    return game.secret.sheet[seat, slot] if slot >= 0 else NO_COPY


@kernel
def copy_at(game, seat, spot):
    """The copy that lies at a SPOT before `seat`."""
    if spot < SPOT_REVEALED:
        return game.secret.sheet[seat, spot]
    if spot == SPOT_REVEALED:
        return game.secret.revealed[seat, 0]
    return game.secret.quests[seat, spot - SPOT_QUEST]


@kernel
def _order(game, tables, copy):
    return int(tables.face[game.secret.card_of[copy]]) * 1024 + int(copy)


@kernel
def insert_sorted(game, tables, copies, n, copy):
    """Insert `copy` into copies[:n], which is sorted by face and number, so that the lowest of equal copies leads."""
    order = _order(game, tables, copy)
    hole = n
    while hole > 0 and _order(game, tables, copies[hole - 1]) > order:
        copies[hole] = copies[hole - 1]
        hole -= 1
    copies[hole] = copy


@kernel
def remove_copy(copies, n, copy):
    """Take `copy` out of copies[:n] and keep the order; returns whether it was there."""
    for position in range(n):
        if copies[position] == copy:
            for later in range(position, n - 1):
                copies[later] = copies[later + 1]
            copies[n - 1] = NO_COPY
            return True
    return False


@kernel
def find_card(game, tables, copies, n, card):
    """Lowest copy in copies[:n] that a player cannot tell from `card`, NO_COPY."""
    face = tables.face[card]
    for position in range(n):
        if tables.face[game.secret.card_of[copies[position]]] == face:
            return copies[position]
    return NO_COPY


@kernel
def add_to_hand(game, tables, seat, copy):
    """Put `copy` into the hand of `seat`."""
    insert_sorted(game, tables, game.secret.hand[seat], game.clans[seat].hand, copy)
    game.clans[seat].hand += 1
    game.secret.zone[copy] = ZONE_HAND


@kernel
def remove_from_hand(game, seat, copy, zone):
    """Take `copy` out of the hand of `seat` into `zone`."""
    remove_copy(game.secret.hand[seat], game.clans[seat].hand, copy)
    game.clans[seat].hand -= 1
    game.secret.zone[copy] = zone


@kernel
def forget_known(game, seat, card):
    """Everybody saw one `card` leave the hand of `seat`: one less is known to be in it."""
    if game.history.known[seat, card] > 0:
        game.history.known[seat, card] -= 1


@kernel
def forget_known_quests(game, tables, seat):
    """One quest left the hand of `seat` face down: of each quest known to be there, one may be gone."""
    for card in range(N_CARDS):
        if game.history.known[seat, card] > 0 and tables.kind[card] == CARD_KIND_QUEST:
            game.history.known[seat, card] -= 1


@kernel
def take_openly(game, tables, log, seat, copy, event):
    """Put a face-up `copy` into the hand of `seat`: everybody knows that it is there.  Rule 6.10.7."""
    card = game.secret.card_of[copy]
    add_to_hand(game, tables, seat, copy)
    game.history.known[seat, card] += 1
    record_card(game, log, event, seat, card, copy, 0)


@kernel
def return_to_hand(game, tables, log, seat, copy):
    """A revealed `copy` goes back to its player.  Rule 6.10.7a, c."""
    take_openly(game, tables, log, seat, copy, EVENT_RETURNED)


@kernel
def discard(game, log, seat, copy, reason):
    """Put `copy` of `seat` on the open discard pile, for a REASON."""
    card = game.secret.card_of[copy]
    game.secret.zone[copy] = ZONE_DISCARD
    game.history.discards[card] += 1
    record_reason(game, log, EVENT_DISCARDED, seat, 0, reason, copy)


@kernel
def is_upgrade(tables, card):
    """Whether `card` is a clan, leader, warrior, ship or monster upgrade."""
    return 0 <= tables.kind[card] <= CARD_KIND_CLAN


@kernel
def monster_card(clan, figure):
    """CARD id of the monster in FIGURE slot `figure`, NO_CARD for other figures and empty slots."""
    if figure < FIGURE_MONSTER:
        return NO_CARD
    return clan.sheet[_FIRST_MONSTER_SLOT + figure - FIGURE_MONSTER]


@kernel
def monster_copy(game, seat, figure):
    """COPY id of the card of the monster in FIGURE slot `figure`."""
    return game.secret.sheet[seat, _FIRST_MONSTER_SLOT + figure - FIGURE_MONSTER]


@kernel
def monster_effect(clan, figure):
    """EFFECT id of the monster in FIGURE slot `figure`, -1 for other figures."""
    if figure < FIGURE_MONSTER:
        return -1
    return clan.monster_effect[figure - FIGURE_MONSTER]
