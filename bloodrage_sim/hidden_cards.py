"""Drawing the cards that a seat does not see, so that they fit all that it does see.  For imagine.py.

How many cards of each age lie hidden in hands and among quests is no guess: as many cards of an age entered hands as the
draft gives (4.3, 4.4), and those that do not lie open must be there.  What is drawn is which cards these are and who has
them.
"""

import numpy as np

from .rules.cards import insert_sorted
from .rules.chance import PURPOSE_HIDDEN, below, draw, sort_by_draws
from .rules.draft import choose_card, is_chosen
from .rules.flow import QUESTION_CARD, QUESTION_DISCARD, QUESTION_DRAFT
from .rules.ids import CARD_KIND_QUEST, DRAFT_OFF, N_AGES, PHASE_DRAFT
from .rules.jit import kernel
from .rules.state import (
    MAX_HAND,
    ZONE_BOX,
    ZONE_DECK,
    ZONE_DISCARD,
    ZONE_DUMPED,
    ZONE_HAND,
    ZONE_PACK,
    ZONE_QUEST,
)
from .rules.tables import N_CARDS, N_COPIES, N_SEATS, NO_CARD, NO_COPY

ANY = -1  # for an age or for whether a copy was seen

# numbers of draws for PURPOSE_HIDDEN; the shuffle has those below N_COPIES
_DRAW_QUEST = 256
_DRAW_OWNER = _DRAW_QUEST + N_SEATS * MAX_HAND
_DRAW_CHOICE = _DRAW_OWNER + N_AGES * N_COPIES


# ---------------------------------------------------------------- the pool of hidden copies


@kernel
def note_seen(game, view):
    """Set the bits of the copies that the seat of `view` saw in packs: of equal copies those that lie open first.

    So a hidden copy without the bit was surely not seen as long as no equal copy is in the open.
    """
    secret = game.secret
    left = np.empty(N_CARDS, np.int16)
    for card in range(N_CARDS):
        left[card] = view.own.seen[card]
        secret.seen_cards[view.seat, card] = view.own.seen[card]
    for hidden in range(2):
        for copy in range(N_COPIES):
            card, zone = secret.card_of[copy], secret.zone[copy]
            if card != NO_CARD and zone != ZONE_BOX and (zone == ZONE_DECK) == (hidden == 1) and left[card] > 0:
                secret.seen[copy] |= 1 << view.seat
                left[card] -= 1


@kernel
def shuffle_hidden(game, tables, key):
    """The copies of this and earlier ages that do not lie open, shuffled: int16 array of N_COPIES, NO_COPY where none is."""
    pool = np.full(N_COPIES, NO_COPY, np.int16)
    n = 0
    for copy in range(N_COPIES):
        if game.secret.zone[copy] == ZONE_DECK and tables.age[game.secret.card_of[copy]] <= game.clock.age:
            pool[n] = copy
            n += 1
    sort_by_draws(pool, n, key, PURPOSE_HIDDEN)
    return pool


@kernel
def take_from(game, tables, pool, seat, age, quest, seen):
    """Take the first copy out of the pool that fits; NO_COPY if none does.

    age : of the card, or ANY;  quest : bool, only a quest will do;  seen : bool, whether `seat` saw it in a pack, or ANY
    """
    for position in range(N_COPIES):
        copy = pool[position]
        if copy == NO_COPY:
            continue
        card = game.secret.card_of[copy]
        fits = (age == ANY or tables.age[card] == age) and (quest == 0 or tables.kind[card] == CARD_KIND_QUEST)
        if fits and (seen == ANY or (game.secret.seen[copy] >> seat & 1) == seen):
            pool[position] = NO_COPY
            return int(copy)
    return NO_COPY


@kernel
def take_rather(game, tables, pool, seat, age, seen):
    """Take a copy of `age` that `seat` saw (seen = 1) or did not see (0); the other way if there is none."""
    copy = take_from(game, tables, pool, seat, age, 0, seen)
    return copy if copy != NO_COPY else take_from(game, tables, pool, seat, age, 0, ANY)


@kernel
def take_anywhere(game, tables, pool, quest):
    """Take whatever copy there is: of any age, at last from a later deck or the box.  Only odd positions need it."""
    copy = take_from(game, tables, pool, 0, ANY, quest, ANY)
    for other in range(N_COPIES):
        card = game.secret.card_of[other]
        if copy == NO_COPY and card != NO_CARD and (quest == 0 or tables.kind[card] == CARD_KIND_QUEST):
            later = game.secret.zone[other] == ZONE_DECK and tables.age[card] > game.clock.age
            if later or game.secret.zone[other] == ZONE_BOX:
                copy = other
    return copy


@kernel
def count_pool(game, tables, pool, age):
    """Copies of `age` left in the pool."""
    count = 0
    for copy in pool:
        if copy != NO_COPY and tables.age[game.secret.card_of[copy]] == age:
            count += 1
    return count


# ---------------------------------------------------------------- how many cards of each age


@kernel
def count_entered(game, tables, age):
    """Cards of `age` that have come into hands so far, all seats together.  Rules 4.3 to 4.5."""
    players = game.clock.players
    if tables.rule.draft == DRAFT_OFF:
        return players * tables.no_draft_deal
    if age == game.clock.age and game.clock.phase == PHASE_DRAFT:
        return players * game.clock.draft_round * tables.picks[players]
    return players * tables.keep


@kernel
def count_open(game, tables, age):
    """Cards of `age` that came into a hand and of which the seat knows where they are."""
    count = 0
    for copy in range(N_COPIES):
        zone = game.secret.zone[copy]
        if ZONE_HAND <= zone <= ZONE_DISCARD and tables.age[game.secret.card_of[copy]] == age:
            count += 1
    return count


@kernel
def count_hidden(game, tables, pool, places, hidden):
    """Write into hidden[age - 1] how many of the `places` in hands and among quests hold a card of that age.

    By the rules the sum is `places`; in a position from elsewhere cards of this age make up for it, then others.
    """
    for age in range(game.clock.age, 0, -1):
        there = min(
            count_entered(game, tables, age) - count_open(game, tables, age), count_pool(game, tables, pool, age)
        )
        hidden[age - 1] = max(0, min(there, places))
        places -= hidden[age - 1]
    for age in range(game.clock.age, 0, -1):
        more = min(places, count_pool(game, tables, pool, age) - hidden[age - 1])
        hidden[age - 1] += more
        places -= more


@kernel
def count_kept(game, tables, seat, held, kept):
    """Write into kept[seat] how many hidden cards of `seat` may be left from earlier ages.  Rules 4.1, 8.1.

    held[seat] hand cards are known already.
    """
    age = game.clock.age
    kept[seat] = tables.keep_cards[age - 2] if age >= 2 else 0
    if game.clock.phase == PHASE_DRAFT:
        kept[seat] = game.clans[seat].hand - game.clock.draft_round * tables.picks[game.clock.players]
    for position in range(held[seat]):
        if tables.age[game.secret.card_of[game.secret.hand[seat, position]]] < age:
            kept[seat] -= 1


# ---------------------------------------------------------------- the places


@kernel
def put_in_hand(game, tables, seat, held, copy):
    """Put `copy` into the hand of `seat`, of which held[seat] cards are there."""
    insert_sorted(game, tables, game.secret.hand[seat], held[seat], copy)
    held[seat] += 1
    game.secret.zone[copy] = ZONE_HAND


@kernel
def draw_age(game, hidden, bits):
    """Age of a hidden card: each hidden card is as likely as any other to lie in the place that is filled."""
    total = 0
    for age in range(1, game.clock.age + 1):
        total += hidden[age - 1]
    nth = below(bits, total)
    for age in range(1, game.clock.age):
        nth -= hidden[age - 1]
        if nth < 0:
            return age
    return int(game.clock.age)


@kernel
def take_quest(game, tables, pool, seat, hidden, kept, bits):
    """Take a quest for `seat` out of the pool, and out of the counts of hidden cards; NO_COPY if there is none."""
    age = draw_age(game, hidden, bits)
    if kept[seat] <= 0 and hidden[game.clock.age - 1] > 0:
        age = int(game.clock.age)
    copy = take_from(game, tables, pool, seat, age, 1, ANY)
    for other in range(game.clock.age, 0, -1):
        if copy == NO_COPY and hidden[other - 1] > 0:
            age = other
            copy = take_from(game, tables, pool, seat, age, 1, ANY)
    if copy == NO_COPY:
        copy = take_anywhere(game, tables, pool, 1)
    hidden[age - 1] -= 1
    if age < game.clock.age:
        kept[seat] -= 1
    return copy


@kernel
def draw_quests(game, tables, pool, viewer, hidden, kept, key):
    """Fill the committed quests of all seats but `viewer`; returns how many cards are missing."""
    missing = 0
    for seat in range(game.clock.players):
        if seat != viewer:
            for position in range(game.clans[seat].quests):
                bits = draw(key, PURPOSE_HIDDEN, _DRAW_QUEST + seat * MAX_HAND + position)
                copy = take_quest(game, tables, pool, seat, hidden, kept, bits)
                if copy == NO_COPY:
                    missing += 1
                else:
                    game.secret.quests[seat, position] = copy
                    game.secret.zone[copy] = ZONE_QUEST
    return missing


@kernel
def draw_packs(game, tables, pool, viewer):
    """Fill the packs of all seats but `viewer`, as large as its own.

    The pack of the neighbour to the left was the viewer's a round ago, and so on: those hold cards that the viewer has
    seen, the others cards that it has not.
    """
    players = game.clock.players
    secret = game.secret
    for distance in range(1, players):
        seat = (viewer + distance) % players
        seen = 1 if distance <= game.clock.draft_round else 0
        secret.pack_size[seat] = 0
        for _ in range(secret.pack_size[viewer]):
            copy = take_rather(game, tables, pool, viewer, game.clock.age, seen)
            if copy != NO_COPY:
                insert_sorted(game, tables, secret.pack[seat], secret.pack_size[seat], copy)
                secret.pack_size[seat] += 1
                secret.zone[copy] = ZONE_PACK


@kernel
def set_aside(game, tables, pool, viewer, hidden):
    """Take the cards out of the pool that nobody has: dumped in the draft, or never dealt.  Rules 4.2, 4.3.

    Every pack goes round, so the viewer saw what was dumped; what was never dealt nobody saw.
    """
    players = game.clock.players
    for age in range(1, game.clock.age + 1):
        rest = count_pool(game, tables, pool, age) - hidden[age - 1]
        drafting = age == game.clock.age and game.clock.phase == PHASE_DRAFT
        dumped = players * (tables.deal - tables.keep)
        if drafting or tables.rule.draft == DRAFT_OFF:
            dumped = 0
        for nth in range(rest):
            copy = take_rather(game, tables, pool, viewer, age, 1 if nth < dumped else 0)
            if nth < dumped:
                game.secret.zone[copy] = ZONE_DUMPED


@kernel
def find_owner(game, viewer, held, kept, bits):
    """A random seat but `viewer` with room in its hand for a card of an earlier age; -1 if no hand has room."""
    players = game.clock.players
    start = below(bits, players)
    for any_hand in range(2):
        for step in range(players):
            seat = (start + step) % players
            if seat != viewer and held[seat] < game.clans[seat].hand and (kept[seat] > 0 or any_hand == 1):
                return seat
    return -1


@kernel
def draw_hands(game, tables, pool, viewer, held, hidden, kept, key):
    """Fill the hands of all seats but `viewer`; held[seat] cards are there.  Returns how many cards are missing."""
    missing = 0
    for age in range(1, game.clock.age):
        for nth in range(hidden[age - 1]):
            bits = draw(key, PURPOSE_HIDDEN, _DRAW_OWNER + age * N_COPIES + nth)
            seat = find_owner(game, viewer, held, kept, bits)
            copy = NO_COPY
            if seat >= 0:
                copy = take_from(game, tables, pool, viewer, age, 0, ANY)
            if copy != NO_COPY:
                put_in_hand(game, tables, seat, held, copy)
                kept[seat] -= 1
    for seat in range(game.clock.players):
        if seat != viewer:
            for _ in range(held[seat], game.clans[seat].hand):
                copy = take_from(game, tables, pool, viewer, game.clock.age, 0, ANY)
                if copy == NO_COPY:
                    copy = take_anywhere(game, tables, pool, 0)
                if copy == NO_COPY:
                    missing += 1
                else:
                    put_in_hand(game, tables, seat, held, copy)
    return missing


# ---------------------------------------------------------------- answers and knowledge of the others


@kernel
def count_answers(game, tables, seat):
    """Answers that `seat` has given to the simultaneous decision that is open, if its turn to answer is over."""
    flow = game.flow
    if seat >= flow.seat:
        return 0
    hand = game.clans[seat].hand
    if flow.question == QUESTION_DRAFT:
        return min(tables.picks[game.clock.players], game.secret.pack_size[seat])
    if flow.question == QUESTION_CARD:
        return 1 if game.battle.fights[seat] and hand > 0 else 0
    if flow.question == QUESTION_DISCARD:
        keep = tables.keep_cards[game.clock.age - 1]
        return keep if hand > keep else 0
    return 0


@kernel
def choose_from(game, tables, seat, copies, n, answers, key):
    """Choose at random among copies[:n] until `answers` are chosen; a battle card may be declined if the rules say so."""
    declinable = game.flow.question == QUESTION_CARD and tables.rule.battle_card != 0
    while game.secret.n_chosen[seat] < min(answers, n):
        bits = draw(key, PURPOSE_HIDDEN, _DRAW_CHOICE + seat * MAX_HAND + game.secret.n_chosen[seat])
        start = below(bits, n + 1 if declinable else n)
        if start == n:
            return
        while is_chosen(game, seat, copies[start]):
            start = (start + 1) % n
        choose_card(game, tables, seat, copies, n, game.secret.card_of[copies[start]])


@kernel
def draw_choices(game, tables, view, key):
    """What seats have answered that no one may see yet; of the viewer's own answers its view shows the first.  Rule 18."""
    secret = game.secret
    drafting = game.flow.question == QUESTION_DRAFT
    for seat in range(game.clock.players):
        secret.n_chosen[seat] = 0
        copies = secret.pack[seat] if drafting else secret.hand[seat]
        n = int(secret.pack_size[seat]) if drafting else int(game.clans[seat].hand)
        answers = count_answers(game, tables, seat)
        if seat == view.seat:
            if view.own.chosen != NO_CARD:
                choose_card(game, tables, seat, copies, n, view.own.chosen)
            elif game.flow.question == QUESTION_CARD:
                answers = 0  # it declined
        choose_from(game, tables, seat, copies, n, answers, key)


@kernel
def note_seen_by_others(game, viewer):
    """Who of the others saw what: each its own cards, and the packs that came by.  Rule 4.3."""
    secret = game.secret
    players = game.clock.players
    for seat in range(players):
        for position in range(game.clans[seat].hand):
            secret.seen[secret.hand[seat, position]] |= 1 << seat
        for position in range(game.clans[seat].quests):
            secret.seen[secret.quests[seat, position]] |= 1 << seat
        for position in range(secret.pack_size[seat]):
            for ago in range(min(game.clock.draft_round + 1, players)):
                secret.seen[secret.pack[seat, position]] |= 1 << ((seat - ago) % players)
    for seat in range(players):
        if seat != viewer:
            for card in range(N_CARDS):
                secret.seen_cards[seat, card] = 0
            for copy in range(N_COPIES):
                if secret.seen[copy] >> seat & 1 == 1:
                    secret.seen_cards[seat, secret.card_of[copy]] += 1


@kernel
def draw_hidden(game, tables, view, held, key):
    """Fill all hidden places of `game`, in which everything that the seat of `view` knows has its place.

    held : int16 array by seat, hand cards that are there.  Returns how many cards are missing.  Changes `game` in place.
    """
    viewer = view.seat
    note_seen(game, view)
    pool = shuffle_hidden(game, tables, key)
    places = 0
    kept = np.zeros(N_SEATS, np.int16)
    for seat in range(game.clock.players):
        if seat != viewer:
            places += game.clans[seat].hand - held[seat] + game.clans[seat].quests
            count_kept(game, tables, seat, held, kept)
    hidden = np.zeros(N_AGES, np.int16)
    count_hidden(game, tables, pool, places, hidden)
    missing = draw_quests(game, tables, pool, viewer, hidden, kept, key)
    draw_packs(game, tables, pool, viewer)
    set_aside(game, tables, pool, viewer, hidden)
    missing += draw_hands(game, tables, pool, viewer, held, hidden, kept, key)
    if missing == 0:
        draw_choices(game, tables, view, key)
        note_seen_by_others(game, viewer)
    return missing
