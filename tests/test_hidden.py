"""The view of a seat: what it may not know leaves no trace, what it may know is there.  Rule 1.9."""

from __future__ import annotations

import random

import pytest

from bloodrage_sim.game import Game
from bloodrage_sim.rules.state import ZONE_BOX, ZONE_DECK, ZONE_DUMPED, ZONE_HAND, ZONE_PACK, ZONE_QUEST


def hidden_copies(game: Game, seat: int) -> list[int]:
    """Copies whose place `seat` does not know: other hands, packs and quests, decks and dumped cards."""
    record = game.record
    own = set(map(int, record.secret.hand[seat, : record.clans[seat].hand]))
    own |= set(map(int, record.secret.pack[seat, : record.secret.pack_size[seat]]))
    own |= set(map(int, record.secret.quests[seat, : record.clans[seat].quests]))
    zones = (ZONE_DECK, ZONE_PACK, ZONE_HAND, ZONE_QUEST, ZONE_DUMPED, ZONE_BOX)
    return [copy for copy in range(len(record.secret.zone)) if record.secret.zone[copy] in zones and copy not in own]


def swap_secrets(game: Game, seat: int, rng: random.Random) -> None:
    """Let every hidden copy be another card, forget who saw what, and change all chance to come."""
    secret = game.record.secret
    copies = hidden_copies(game, seat)
    cards = [int(secret.card_of[copy]) for copy in copies]
    rng.shuffle(cards)
    for copy, card in zip(copies, cards, strict=True):
        secret.card_of[copy] = card
    for other in range(game.record.clock.players):
        if other != seat:
            secret.n_chosen[other] = rng.randrange(2)
            secret.chosen[other, 0] = rng.choice(copies)
            secret.seen_cards[other] = 0
    secret.key = rng.getrandbits(64)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_secrets_leave_the_view_equal_to_the_byte(players: int) -> None:
    rng = random.Random(players)
    changed = 0
    for deal in range(12):
        game = Game.new(players, 31, deal)
        while not game.over:
            if rng.random() < 0.1:
                for seat in range(players):
                    before = game.view(seat).tobytes()
                    twin = game.copy()
                    swap_secrets(twin, seat, rng)
                    assert twin.view(seat).tobytes() == before
                    others = [other for other in range(players) if other != seat]
                    changed += any(twin.view(other).tobytes() != game.view(other).tobytes() for other in others)
            game.apply(rng.randrange(game.n))
    assert changed > 200  # the swaps did change what others see
