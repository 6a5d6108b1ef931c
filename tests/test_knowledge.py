"""What a seat may know is in its view, and nothing that it is asked depends on what it may not know.  Rule 1.9.

That secrets leave the view alone is in test_hidden.py.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numba
import numpy as np
import pytest
from random_games import WAYS, clear_leftovers, new_game, positions, walk

from bloodrage_sim.data import reader
from bloodrage_sim.game import Game
from bloodrage_sim.notation import play_move
from bloodrage_sim.position import build_game
from bloodrage_sim.rules.state import ZONE_DECK, ZONE_DISCARD, ZONE_DUMPED, ZONE_HAND, ZONE_PACK, ZONE_QUEST
from bloodrage_sim.rules.tables import N_CARDS, N_COPIES
from bloodrage_sim.ruleset import make_ruleset

SECRET_ZONES = (ZONE_DECK, ZONE_PACK, ZONE_HAND, ZONE_QUEST, ZONE_DUMPED)
PLAYERS = (2, 3, 4, 5)


# ---------------------------------------------------------------- secrets exchanged


def places_of_secrets(game: Game, seat: int) -> list[tuple[str, int, int]]:
    """Where copies lie that `seat` does not know: (list, other seat, position); hand cards that are known stay."""
    record, found = game.record, []
    for other in range(int(record.clock.players)):
        if other == seat:
            continue
        known = Counter({card: int(count) for card, count in enumerate(record.history.known[other]) if count})
        for position in range(int(record.clans[other].hand)):
            card = int(record.secret.card_of[record.secret.hand[other, position]])
            if known[card] > 0:
                known[card] -= 1
            else:
                found.append(("hand", other, position))
        found += [("pack", other, position) for position in range(int(record.secret.pack_size[other]))]
        found += [("quests", other, position) for position in range(int(record.clans[other].quests))]
    return found


def exchange_secrets(game: Game, seat: int, rng: random.Random) -> bool:
    """Exchange all copies that `seat` does not know, in the game and in decks, at random; False if nothing moved.

    A copy may so come where the rules would not have it (an upgrade among the quests); the view must not show it.
    """
    secret = game.record.secret
    places = places_of_secrets(game, seat)
    inside = [int(getattr(secret, name)[other, position]) for name, other, position in places]
    outside = [copy for copy in range(N_COPIES) if secret.zone[copy] in (ZONE_DECK, ZONE_DUMPED)]
    hidden = inside + outside
    assert all(secret.zone[copy] in SECRET_ZONES for copy in hidden) and len(set(hidden)) == len(hidden)
    shuffled = hidden[:]
    rng.shuffle(shuffled)
    become = dict(zip(hidden, shuffled, strict=True))
    zones = {copy: int(secret.zone[copy]) for copy in hidden}
    for (name, other, position), copy in zip(places, inside, strict=True):
        getattr(secret, name)[other, position] = become[copy]
    for copy in hidden:
        secret.zone[become[copy]] = zones[copy]
    for other in range(int(game.record.clock.players)):
        if other != seat:
            for position in range(int(secret.n_chosen[other])):
                chosen = int(secret.chosen[other, position])
                secret.chosen[other, position] = become.get(chosen, chosen)
    secret.key = rng.getrandbits(64)
    return become != {copy: copy for copy in hidden}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", PLAYERS)
def test_other_hands_leave_view_and_options_alone(players, way):
    """With all unknown copies exchanged, a seat sees the same, and if it is asked it has the same options."""
    rng = random.Random(players)
    moved = asked = 0
    for number, game in enumerate(positions(players, way, 60 + players, 12)):
        for seat in range(players):
            twin = game.copy()
            moved += exchange_secrets(twin, seat, rng)
            assert clear_leftovers(twin.view(seat)) == clear_leftovers(game.view(seat))
            if seat == game.seat:
                options = game.legal().copy()
                twin.run()
                assert twin.n == game.n and twin.legal().tolist() == options.tolist()
                asked += 1
        if number == 40:
            break
    assert moved > 35 * players and asked == 41


# ---------------------------------------------------------------- what may be known is there


def cards_of(game: Game, copies: np.ndarray) -> list[int]:
    return [int(game.record.secret.card_of[copy]) for copy in copies]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_view_has_all_that_its_seat_may_know(players):
    """Own hand, pack, quests and first pick, discards, and how often each card came by in the draft."""
    totals, rng = Counter[str](), random.Random(players)
    for deal in range(2):
        game = new_game(players, 5, deal)
        seen: list[set[int]] = [set() for _ in range(players)]
        while not game.over:
            record = game.record
            for seat in range(players):
                secret = record.secret
                pack = secret.pack[seat, : int(secret.pack_size[seat])]
                seen[seat] |= set(map(int, pack))
                if rng.random() > 0.3:
                    continue  # only the packs must be looked at every time
                view = game.view(seat)
                hand = secret.hand[seat, : int(record.clans[seat].hand)]
                quests = secret.quests[seat, : int(record.clans[seat].quests)]
                assert view.own.hand[: view.own.hand_size].tolist() == cards_of(game, hand)
                assert view.own.pack[: view.own.pack_size].tolist() == cards_of(game, pack)
                assert view.own.quests[: view.clans[seat].quests].tolist() == cards_of(game, quests)
                count = np.bincount(cards_of(game, np.array(sorted(seen[seat]), np.int64)), minlength=N_CARDS)
                assert view.own.seen.tolist() == count.tolist()
                discards = [copy for copy in range(N_COPIES) if secret.zone[copy] == ZONE_DISCARD]
                assert (
                    view.history.discards.tolist()
                    == np.bincount(cards_of(game, np.array(discards, np.int64)), minlength=N_CARDS).tolist()
                )
                chosen = int(secret.n_chosen[seat]) if game.question == "draft" else 0
                if chosen:
                    assert view.own.chosen == secret.card_of[secret.chosen[seat, 0]]
                totals.update(
                    pack=len(pack), quests=len(quests), discards=len(discards), seen=int(count.sum()), chosen=chosen
                )
            walk(game, "kind", 1)
    needed = ("pack", "quests", "discards", "seen", "chosen")
    assert all(totals[name] > 20 for name in needed), totals


@numba.njit
def count_known(games, found):
    """Add to `found`: copies known to be in hands, cards of which more are known than are there, copies in hands."""
    game = games[0]
    for seat in range(game.clock.players):
        for card in range(game.history.known.shape[1]):
            known = int(game.history.known[seat, card])
            there = 0
            if known > 0:
                for position in range(game.clans[seat].hand):
                    there += game.secret.card_of[game.secret.hand[seat, position]] == card
            found[0] += known
            found[1] += known > there
        found[2] += game.clans[seat].hand


@pytest.mark.parametrize("players", PLAYERS)
def test_known_cards_are_really_in_the_hand(players):
    """history.known never says more than the hand holds: in 500 games, looked at every few decisions."""
    found, rng = np.zeros(3, np.int64), random.Random(players)
    for deal in range(125):
        game = new_game(players, 77, deal)
        while not game.over:
            count_known(game.games, found)
            assert found[1] == 0, f"deal {deal}: known {game.record.history.known.nonzero()}"
            walk(game, WAYS[deal % 2], rng.randint(1, 12))
    assert 500 < found[0] < found[2]


def begin_battle(*clans: dict[str, Any]) -> Game:
    """A battle for Gimle, the call over, of clans with these hands and figures."""
    players = [{"hand": hand, "figures": {"gimle": figures}} for hand, figures in clans]
    position = {"players": len(players), "age": 3, "phase": "action", "player": players, "current": 0}
    game = build_game(position, make_ruleset())
    game.run()
    play_move("pillage gimle", game)
    return game


def known_in(game: Game, seat: int) -> list[str]:
    """Names of the cards that everybody knows to be in the hand of `seat`."""
    counts = game.view((seat + 1) % 2).history.known[seat].tolist()
    return [reader.card_rows()[card]["id"] for card, count in enumerate(counts) for _ in range(count)]


def test_returned_cards_are_known():
    """6.10.7a: a loser takes its card back in the open, and it is known until it leaves the hand."""
    game = begin_battle((["tyrs_crush", "troll"], ["leader"]), (["tyrs_rage", "alfheim"], ["leader"]))
    play_move("play tyrs_crush", game)
    play_move("play tyrs_rage", game)
    assert known_in(game, 0) == ["tyrs_crush"] and known_in(game, 1) == []
    assert game.view(0).history.discards.sum() == 1


def test_stolen_cards_are_known():
    """6.10.7b: so does the player of Loki's Poison with the winner's cards."""
    game = begin_battle((["lokis_poison", "troll"], ["warrior"]), (["tyrs_rage", "alfheim"], ["leader"]))
    play_move("play lokis_poison", game)
    play_move("play tyrs_rage", game)
    assert sorted(known_in(game, 0)) == ["lokis_poison", "tyrs_rage"] and known_in(game, 1) == []


def test_a_discarded_card_is_known_no_more():
    """8.1: known cards that are thrown away leave the knowledge with the hand; the kept one stays in it."""
    game = begin_battle((["tyrs_crush", "troll"], ["leader"]), (["tyrs_rage", "alfheim"], ["leader"]))
    play_move("play tyrs_crush", game)
    play_move("play tyrs_rage", game)
    kept, thrown = game.copy(), game.copy()
    for twin, card in ((kept, "tyrs_crush"), (thrown, "troll")):
        twin.record.clock.age = 2  # in age 3 nothing is kept
        while twin.question != "discard":
            play_move("pass", twin)
        play_move(f"keep {card}", twin)
    assert known_in(kept, 0) == ["tyrs_crush"] and known_in(thrown, 0) == []
