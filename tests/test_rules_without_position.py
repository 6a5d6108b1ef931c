"""Rules that a position cannot show, or not wholly: what is secret, what never comes, what happens only once."""

from __future__ import annotations

import random
from typing import Any

import pytest
from random_games import clear_leftovers, new_game, walk

from bloodrage_sim.game import Game
from bloodrage_sim.notation import play_move
from bloodrage_sim.position import build_game, position_of
from bloodrage_sim.rules import events, ids
from bloodrage_sim.rules.state import ZONE_DECK, ZONE_PACK
from bloodrage_sim.rules.tables import N_COPIES
from bloodrage_sim.ruleset import make_ruleset

PLAYERS = (2, 3, 4, 5)


def begin(players: list[dict[str, Any]], age: int = 1, log_size: int = 0, ruleset: Any = None, **more: Any) -> Game:
    """A game at its first question, from the tables of the players."""
    position = {"players": len(players), "age": age, "phase": "action", "player": players, "current": 0} | more
    game = build_game(position, ruleset or make_ruleset())
    game = Game(game.games, game.tables, log_size)
    game.run()
    return game


def play_all(game: Game, *moves: str) -> None:
    for move in moves:
        play_move(move, game)


def copies_in(game: Game, zone: int) -> set[int]:
    return {copy for copy in range(N_COPIES) if game.record.secret.zone[copy] == zone}


def other_views_after_each_answer(game: Game) -> int:
    """Whatever the seat that is asked answers, nobody else can see it while answers are still to come.

    Returns how many answers were compared.
    """
    asker, players = game.seat, int(game.record.clock.players)

    def moment(at: Game) -> tuple[Any, ...]:
        return at.question, int(at.record.clock.age), int(at.record.clock.draft_round)

    seen: dict[int, set[bytes]] = {seat: set() for seat in range(players) if seat != asker}
    still_open = 0
    for choice in range(game.n):
        twin = game.copy()
        twin.apply(choice)
        if moment(twin) == moment(game) and twin.seat >= asker:  # the same seat again: the second card of two
            still_open += 1
            for seat in seen:
                seen[seat].add(clear_leftovers(twin.view(seat)))
    for seat, views in seen.items():
        assert len(views) <= 1, f"seat {seat} sees what seat {asker} answered to {game.question}"
    return still_open


@pytest.mark.parametrize("players", PLAYERS)
def test_the_rest_of_the_deck_is_never_seen(players):
    """4.2: what is not dealt is out of the game: 4 cards of each age with 2 players, otherwise 2."""
    game = new_game(players, 3, 1, log_size=6_000)
    out = set()
    for age in (1, 2, 3):
        while game.record.clock.age < age:
            walk(game, "kind", 1)
        deck = {int(copy) for copy in game.tables[0].deck[players, age - 1] if copy >= 0}
        rest = copies_in(game, ZONE_DECK) & deck
        assert len(rest) == (4 if players == 2 else 2)
        assert len(copies_in(game, ZONE_PACK)) == 8 * players
        out |= rest
    walk(game, "kind", -1)
    assert game.over and int(game.record.n_events) <= 6_000
    assert out <= copies_in(game, ZONE_DECK)
    dealt = {int(event["copy"]) for event in game.events if event.kind == events.EVENT_DEALT}
    assert len(dealt) == 3 * 8 * players
    moved = [event for event in game.events if event.kind != events.EVENT_DECISION]  # there, `copy` is an intent
    assert out.isdisjoint(int(event["copy"]) for event in moved)


@pytest.mark.parametrize("players", PLAYERS)
def test_draft_choices_are_simultaneous(players):
    """4.3, 4.4, 18: nobody sees what was kept before all have kept."""
    checked = 0
    for deal in range(6):
        game = new_game(players, 5, deal)
        while game.question == "draft":
            checked += other_views_after_each_answer(game)
            walk(game, "option", 1)
    assert checked >= 150


def test_battle_cards_are_chosen_secretly():
    """6.3.1: a chosen card stays in the hand, unseen, until all are in; then all lie open."""
    hands = ["tyrs_bash", "thors_hammer"], ["tyrs_smash", "odins_smite"], ["friggas_grace", "lokis_trickery"]
    game = begin([{"hand": hand, "figures": {"horgr": ["warrior"]}} for hand in hands])
    play_all(game, "pillage horgr")
    for seat in (0, 1):
        assert (game.seat, game.question) == (seat, "card")
        assert other_views_after_each_answer(game) == 2
        play_move(f"play {hands[seat][0]}", game)
        for viewer in range(3):
            view = game.view(viewer)
            assert list(view.battle.n_cards) == [0] * 5
            assert [int(clan.hand) for clan in view.clans[:3]] == [2, 2, 2]
    play_all(game, "play friggas_grace")
    assert list(game.record.battle.total[:3]) == [3, 4, 3]


def test_discards_are_simultaneous():
    """8.1, 18: all clans decide at the same time which card to keep."""
    hands = ["tyrs_bash", "thors_hammer"], ["tyrs_smash", "troll", "alfheim"], ["friggas_grace", "manheim"]
    game = begin([{"hand": hand} for hand in hands], phase="discard")
    for seat in range(3):
        assert (game.seat, game.question) == (seat, "discard")
        assert other_views_after_each_answer(game) == (len(hands[seat]) if seat < 2 else 0)
        assert not game.view(0).history.discards.any()
        assert [int(clan.hand) for clan in game.view(0).clans[:3]] == [2, 3, 2]
        game.apply(0)
    assert game.record.history.discards.sum() == 4
    assert [int(clan.hand) for clan in game.record.clans[:3]] == [1, 1, 1]


@pytest.mark.parametrize(("figures", "winner"), [(["warrior"], -1), (["warrior", "leader"], 0)])
def test_a_total_of_0_is_a_total(figures, winner):
    """6.7.3: two totals of 0 are a tie like any other; 0 against more is lost.  Warriors have STR 0 here."""
    weak = make_ruleset(board_changes={"clan.str_warrior": 0})
    clans = [
        {"hand": ["alfheim"], "figures": {"horgr": figures}},
        {"hand": ["manheim"], "figures": {"horgr": ["warrior"]}},
    ]
    game = begin(clans, log_size=200, ruleset=weak)
    play_all(game, "pillage horgr")
    totals = [int(event.value) for event in game.events if event.kind == events.EVENT_TOTAL]
    assert totals == [3 * (len(figures) - 1), 0]
    assert int(game.record.battle.winner) == winner
    valhalla = game.record.board.count[ids.PLACE_VALHALLA]
    assert list(valhalla[:2]) == ([0, 1] if winner == 0 else [1, 1])
    assert [int(clan.hand) for clan in game.record.clans[:2]] == ([0, 1] if winner == 0 else [1, 1])


@pytest.mark.parametrize("use_it_first", (True, False))
def test_thors_domain_at_most_once_a_turn(use_it_first):
    """7.3: a second invade in the turn, which only option domain_after_blessing brings, does not offer it again."""
    ruleset = make_ruleset({"domain_after_blessing": "yes"})
    clans = [
        {"rage": 9, "hand": ["alfheim"], "upgrades": ["thors_domain", "lokis_blessing"]},
        {"hand": ["tyrs_rage"], "figures": {"gimle": ["leader"]}},
    ]
    game = begin(clans, age=2, ruleset=ruleset)
    if use_it_first:
        play_all(game, "invade warrior gimle", "yes")
    else:
        play_all(game, "invade warrior gimle", "no")
        play_all(game, "pass", "pillage gimle")
    assert game.question == "blessing" and game.record.clans[0].rage >= 6
    play_all(game, "yes")
    assert game.record.board.count[ids.PLACE_NAMES.index("gimle"), 0] == 1
    assert (game.question == "thors_domain") is not use_it_first


@pytest.mark.parametrize("players", PLAYERS)
def test_the_doom_token_moves_on(players):
    """10.4: each age destroys its own province, named from the start; after age 3 no token is left."""
    for deal in range(5):
        game = new_game(players, 8, deal)
        doom = [ids.PLACE_NAMES[place] for place in game.record.doom]
        before = set(position_of(game)["board"]["destroyed"])
        assert len({*doom, *before}) == 3 + len(before)
        for age in (1, 2, 3):
            board = position_of(game)["board"]
            assert board["doom"] == doom[age - 1] and board["next_doom"] == doom[age:]
            assert set(board["destroyed"]) == before | set(doom[: age - 1])
            while not game.over and game.record.clock.age == age:
                walk(game, random.Random(deal).choice(("kind", "option")), 1)
        assert set(position_of(game)["board"]["destroyed"]) == before | set(doom)
