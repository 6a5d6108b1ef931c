"""Imagined states: their seat sees the same, nothing hidden comes from the truth, and they can be played on.  Rule 1.9."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import numba
import numpy as np
import pytest
from random_games import WAYS, clear_leftovers, new_game, plain_tables, positions, walk
from test_knowledge import begin_battle, exchange_secrets, known_in

from bloodrage_sim.errors import BadValue
from bloodrage_sim.game import Game
from bloodrage_sim.imagine import IMAGINED, state_from_view
from bloodrage_sim.notation import play_move
from bloodrage_sim.position import build_game, hand_of, quests_of
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.engine import CHECK_INVARIANTS, PAUSE_AFTER_STEPS
from bloodrage_sim.rules.invariants import INVARIANTS, check
from bloodrage_sim.rules.state import GAME, ZONE_BOX, ZONE_DECK, ZONE_DUMPED, ZONE_PACK
from bloodrage_sim.rules.tables import N_COPIES
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.view import new_views

PLAYERS = (2, 3, 4, 5)
POSITIONS = 60  # for each number of players and way to play


def hidden_lists(game: Game, seat: int) -> list[tuple[str, int, tuple[int, ...]]]:
    """CARD ids of the hands, quests and packs of all seats but `seat`."""
    secret, found = game.record.secret, []
    for other in range(int(game.record.clock.players)):
        if other != seat:
            clan = game.record.clans[other]
            sizes = {"hand": int(clan.hand), "quests": int(clan.quests), "pack": int(secret.pack_size[other])}
            for name, size in sizes.items():
                copies = getattr(secret, name)[other, :size]
                found.append((name, other, tuple(int(secret.card_of[copy]) for copy in copies)))
    return found


def check_cards(game: Game, truth: Game) -> None:
    """Quests are quests, no copy is in two places, and of each age as many cards are in play as in the true game."""
    record, tables = game.record, game.tables[0]
    secret = record.secret
    for seat in range(int(record.clock.players)):
        quests = secret.quests[seat, : int(record.clans[seat].quests)]
        assert all(tables.kind[secret.card_of[copy]] == ids.CARD_KIND_QUEST for copy in quests)
    in_hands = [int(copy) for seat in range(5) for copy in secret.hand[seat, : int(record.clans[seat].hand)]]
    assert len(set(in_hands)) == len(in_hands)
    for zone in (ZONE_BOX, ZONE_DECK, ZONE_PACK, ZONE_DUMPED):
        ages = [
            Counter(int(tables.age[other.card_of[copy]]) for copy in range(N_COPIES) if other.zone[copy] == zone)
            for other in (secret, truth.record.secret)
        ]
        assert ages[0] == ages[1], f"zone {zone}"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", PLAYERS)
def test_an_imagined_state_shows_the_same_and_plays_on(players, way):
    """View equal to the byte, same options, invariants, cards of each age conserved, and a whole game from there."""
    rng = random.Random(players)
    questions = set()
    for number, game in enumerate(positions(players, way, 70 + players, 25)):
        for seat in range(players):
            twin = game.imagine(seat, rng.getrandbits(64))
            assert clear_leftovers(twin.view(seat)) == clear_leftovers(game.view(seat)), game.question
            broken = check(twin.record, twin.tables[0])
            assert broken == 0, INVARIANTS[broken]
            check_cards(twin, game)
            if seat == game.seat:
                assert twin.legal().tolist() == game.legal().tolist()
            walk(twin, way, -1, CHECK_INVARIANTS)  # asserts that no invariant breaks and no answer is bad
            assert twin.over
        questions.add(game.question)
        if number == POSITIONS:
            break
    assert {"draft", "turn", "card", "join"} <= questions


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_comes_from_the_true_hidden_cards(players):
    """With all that a seat does not know exchanged, the same key gives the same state to the byte."""
    rng = random.Random(players)
    for number, game in enumerate(positions(players, "kind", 80 + players, 12)):
        for seat in range(players):
            key = rng.getrandbits(64)
            twin = game.copy()
            exchange_secrets(twin, seat, rng)
            assert game.imagine(seat, key).games.tobytes() == twin.imagine(seat, key).games.tobytes()
        if number == 40:
            break


@pytest.mark.parametrize("players", PLAYERS)
def test_other_keys_give_other_hidden_cards(players):
    """Hands, quests and packs of others differ from key to key, and decks to come too."""
    rng = random.Random(players)
    differ = tried = 0
    for number, game in enumerate(positions(players, "kind", 90 + players, 12)):
        seat = rng.randrange(players)
        first, second = (game.imagine(seat, key) for key in (1, 2))
        if any(cards for _, _, cards in hidden_lists(game, seat)):
            tried += 1
            differ += hidden_lists(first, seat) != hidden_lists(second, seat)
        assert first.record.secret.key != second.record.secret.key
        if number == 60:
            break
    assert tried > 30 and differ > 0.9 * tried


def test_hidden_cards_are_drawn_evenly():
    """First pick of age 1, four players: each copy that the seat does not see is as often in the next pack as any other."""
    game = new_game(4, 5, 0)
    counts = np.zeros(N_COPIES, np.int64)
    n = 2_000
    for key in range(n):
        twin = game.imagine(0, key)
        for copy in twin.record.secret.pack[1, :8]:
            counts[copy] += 1
    drawn = counts[counts > 0]
    hidden = int(game.tables[0].deck_size[4, 0]) - 8
    assert len(drawn) == hidden
    expected = n * 8 / hidden
    assert abs(drawn - expected).max() < 5 * np.sqrt(expected)


def test_in_the_draft_packs_hold_what_came_by():
    """4.3: a pack that the seat passed on holds only cards that it has seen; others only cards that it has not."""
    for players in PLAYERS:
        game = new_game(players, 11, 3)
        while int(game.record.clock.age) == 1 and game.question == "draft":
            for seat in range(players):
                twin = game.imagine(seat, 99)
                for distance in range(1, players):
                    pack = twin.record.secret.pack[
                        (seat + distance) % players, : int(twin.record.secret.pack_size[seat])
                    ]
                    saw = distance <= int(game.record.clock.draft_round)
                    assert {int(twin.record.secret.seen[copy]) >> seat & 1 for copy in pack} == {int(saw)}
            walk(game, "option", 1)


def test_kept_cards_stay_in_the_hands():
    """8.1: in the draft of age 2 a hand holds the card kept from age 1 beside those drafted."""
    for deal in range(5):
        game = new_game(4, 12, deal)
        while not (int(game.record.clock.age) == 2 and game.question == "draft" and game.record.clock.draft_round == 3):
            walk(game, "kind", 1)
        twin = game.imagine(0, deal)
        for seat in range(1, 4):
            hand = twin.record.secret.hand[seat, : int(twin.record.clans[seat].hand)]
            ages = Counter(int(twin.tables[0].age[twin.record.secret.card_of[copy]]) for copy in hand)
            assert ages[2] == 3 and ages[1] == len(hand) - 3


def test_known_cards_stay_known():
    """A card that was taken back in the open is in every imagined hand."""
    game = begin_battle((["tyrs_crush", "troll", "alfheim"], ["leader"]), (["tyrs_rage", "alfheim"], ["leader"]))
    play_move("play tyrs_crush", game)
    play_move("play tyrs_rage", game)
    assert known_in(game, 0) == ["tyrs_crush"]
    hands = [hand_of(game.imagine(1, key), 0) for key in range(20)]
    assert all("tyrs_crush" in hand for hand in hands) and len({tuple(hand) for hand in hands}) > 5


def test_an_upgrade_being_played_is_in_the_hand():
    """5.7.2: while a seat chooses what to replace, everybody knows the upgrade that it plays."""
    for number, game in enumerate(islice(positions(3, "kind", 4, 1, ("replace",)), 10)):
        for seat in range(3):
            twin = game.imagine(seat, number)
            assert twin.question == "replace" and twin.legal().tolist() == game.legal().tolist()
            walk(twin, "kind", -1, CHECK_INVARIANTS)


def test_positions_from_elsewhere():
    """Hands that no draft could give: sizes stay, and the game goes on."""
    hand = ["tyrs_crush", "troll", "alfheim", "lokis_poison", "friggas_charm"]
    players = [{"hand": hand * 2, "quests": ["jotunheim", "alfheim"], "rage": 5} for _ in range(5)]
    position = {"players": 5, "age": 1, "phase": "action", "player": players, "current": 0}
    game = build_game(position, make_ruleset())
    game.run()
    for seat in range(5):
        twin = game.imagine(seat, 7)
        assert clear_leftovers(twin.view(seat)) == clear_leftovers(game.view(seat))
        assert len(hand_of(twin, 1)) == 10 and len(quests_of(twin, 1)) == 2
        walk(twin, "kind", -1, CHECK_INVARIANTS)


def test_between_turns_and_after_the_end():
    """A game that stopped after a turn, or is over, is imagined where it stands."""
    game = new_game(2, 6, 1)
    walk(game, "kind", -1, PAUSE_AFTER_STEPS)
    twin = game.imagine(1, 3)
    assert twin.stopped and twin.n == 0
    assert clear_leftovers(twin.view(1)) == clear_leftovers(game.view(1))
    walk(twin, "kind", -1)
    assert twin.over and twin.imagine(0, 1).over


def test_a_seat_that_does_not_play():
    game = new_game(2, 6, 1)
    with pytest.raises(BadValue, match="seat 2; allowed: 0 to 1"):
        game.imagine(2, 1)


_GAME = GAME


@numba.njit
def imagine_twice(views, tables, memories):
    """State of a compiled search: a record of its own, used twice."""
    games = np.zeros(1, _GAME)
    done = state_from_view(views[0], tables[0], memories[0], np.uint64(5), games[0])
    first = games[0].secret.hand[1, 0]
    done += state_from_view(views[0], tables[0], memories[0], np.uint64(6), games[0])
    return done, first, games


def test_compiled_code_can_imagine():
    """state_from_view is a kernel, and a record that was used before gives the same state as a new one."""
    game = new_game(3, 8, 2)
    walk(game, "kind", 60)
    game.record.memory[0].ints[3] = 42
    views = new_views(1)
    views[0] = game.view(0)
    memories = np.ascontiguousarray(game.record.memory[:1]).view(np.recarray)
    done, _, games = imagine_twice(views, plain_tables(), memories)
    assert done == 2 * IMAGINED
    same = game.imagine(0, 6).record
    for name in ("board", "clans", "flow", "memory", "tally"):
        assert games[0][name].tobytes() == same[name].tobytes(), name
    assert games[0]["memory"][0]["ints"][3] == 42
    assert (games[0]["secret"]["zone"] == same.secret.zone).all()
