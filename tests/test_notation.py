"""Moves as text: what is listed is read back, what is no move is refused, other ways to write one are understood."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from random_games import WAYS, positions

from bloodrage_sim.errors import BadValue, BloodRageError, IllegalMove, UnknownName
from bloodrage_sim.game import Game
from bloodrage_sim.notation import canonical_move, find_move, legal_moves, move_stems, play_move
from bloodrage_sim.position import build_game, hand_of
from bloodrage_sim.rules.engine import PAUSE_AT_QUESTIONS
from bloodrage_sim.rules.flow import QUESTION_NAMES
from bloodrage_sim.ruleset import make_ruleset

# questions that go on with a move begun earlier: there a text is only the rest of a move
REST = ("march", "replace", "sacrifice")
FIRST = tuple(name for name in QUESTION_NAMES[1:] if name not in REST)
FIGURES = {"horgr": ["leader", "warrior", "warrior"], "utgard": ["warrior"], "valhalla": ["warrior"]}


def begin(
    first: dict[str, Any] | None = None, *others: dict[str, Any], rules: dict[str, str] | None = None, **more: Any
) -> Game:
    """A game at its first question; clans that are not given are empty."""
    players = [first or {}, *others] if others else [first or {}, {}]
    position = {"players": len(players), "age": 2, "phase": "action", "player": players, "current": 0} | more
    game = build_game(position, make_ruleset(rules or {}))
    game.run()
    return game


def named(text: str, game: Game) -> str | None:
    """The legal move that a text names."""
    return find_move(text, game, legal_moves(game))


# ---------------------------------------------------------------- round trips


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_what_is_listed_is_canonical_and_found(players, way):
    """Every text of legal_moves, at questions of every kind, is in canonical form and names itself."""
    met: Counter[str] = Counter()
    for game in positions(players, way, 90 + players, 14, FIRST):
        moves = legal_moves(game)
        met[game.question] += 1
        assert len(set(moves.values())) == len(moves)
        texts = sorted(moves)
        for text in texts[:: 1 + len(texts) // 60]:
            assert canonical_move(text, game) == text
            assert find_move(text, game, moves) == text
        if met.total() == 70:
            break
    assert len(met) >= 5


@pytest.mark.parametrize("question", FIRST)
def test_each_kind_of_question_can_be_written(question):
    """The same at two questions of each kind, rare ones too; what is no answer of this kind is not found."""
    for seen, game in enumerate(positions(4, "kind", 12, 1, (question,))):
        moves = legal_moves(game)
        assert len(moves) >= 2
        assert {find_move(text, game, moves): canonical_move(text, game) for text in moves} == {
            text: text for text in moves
        }
        assert "pass" in moves or find_move("pass", game, moves) is None
        if seen == 1:
            break


def test_walking_only_to_one_move_finds_the_same_way():
    """legal_moves(like=...) is a short cut to one of the ways that legal_moves lists."""
    checked = 0
    for game in positions(4, "kind", 17, 9, ("turn",)):
        moves = legal_moves(game)
        for text in sorted(moves)[:: 1 + len(moves) // 8]:
            assert legal_moves(game, like=text)[text] == moves[text]
            checked += 1
        marches = {" ".join(text.split()[:3]) if text.startswith("march ") else text for text in moves}
        assert move_stems(game) == sorted(marches)
        if checked > 200:
            break
    assert checked > 200


def test_moves_by_text_lead_where_the_options_lead():
    """play_move(text) and the options of its path give the same position."""
    checked = long_moves = 0
    for game in positions(3, "option", 23, 6, FIRST):
        moves = legal_moves(game)
        text = sorted(moves)[checked % len(moves)]
        by_text, by_option = game.copy(), game.copy()
        play_move(text, by_text)
        *begin_with, last = moves[text]
        for choice in begin_with:
            by_option.run(choice, PAUSE_AT_QUESTIONS)
        by_option.run(last)
        assert by_text.games.tobytes() == by_option.games.tobytes()
        long_moves += len(begin_with) > 0
        checked += 1
        if checked == 150:
            break
    assert long_moves >= 20


# ---------------------------------------------------------------- no moves

NO_MOVES = {
    "an empty text": ("", BadValue),
    "blanks": ("   ", BadValue),
    "an unknown verb": ("attack gimle", UnknownName),
    "a verb in capitals": ("PASS", UnknownName),
    "pass with more": ("pass now", BadValue),
    "decline with more": ("decline it", BadValue),
    "yes and a word": ("yes please", BadValue),
    "yes and a negative number": ("yes -3", BadValue),
    "keep nothing": ("keep", BadValue),
    "keep an unknown card": ("keep trolll", UnknownName),
    "keep a figure nowhere": ("keep warrior@nowhere", UnknownName),
    "keep a figure without a place": ("keep warrior", BadValue),
    "invade without a place": ("invade warrior", BadValue),
    "invade an unknown place": ("invade warrior midgard", UnknownName),
    "invade with an unknown figure": ("invade worrier gimle", UnknownName),
    "invade from elsewhere": ("invade warrior@horgr gimle", BadValue),
    "invade with two": ("invade warrior warrior gimle", BadValue),
    "march without figures": ("march horgr gimle", BadValue),
    "march of a card": ("march horgr gimle tyrs_bash", UnknownName),
    "march of a figure at a place": ("march horgr gimle warrior@horgr", BadValue),
    "upgrade nothing": ("upgrade", BadValue),
    "upgrade an unknown card": ("upgrade trol", UnknownName),
    "replace without a card": ("upgrade troll replace", BadValue),
    "replace misspelt": ("upgrade troll replaces sea_serpent", BadValue),
    "quest of two": ("quest alfheim manheim", BadValue),
    "quest of no age": ("quest alfheim@4", BadValue),
    "play nothing": ("play", BadValue),
    "add an unknown card": ("add heimdals_ey", UnknownName),
    "pillage nothing": ("pillage", BadValue),
    "pillage an unknown place": ("pillage valhall", UnknownName),
    "sacrifice nothing": ("sacrifice", BadValue),
    "sacrifice without a place": ("sacrifice warrior leader", BadValue),
    "join without from": ("join warrior horgr", BadValue),
    "join by another word": ("join warrior at horgr", BadValue),
    "protect without a place": ("protect warrior", BadValue),
    "raise an unknown stat": ("raise horn", BadValue),
    "raise two": ("raise rage axes", BadValue),
}


@pytest.mark.parametrize("what", NO_MOVES)
def test_what_is_no_move_is_an_error(what):
    text, error = NO_MOVES[what]
    game = begin({"figures": FIGURES})
    with pytest.raises(error) as raised:
        canonical_move(text, game)
    assert isinstance(raised.value, BloodRageError) and str(raised.value)
    with pytest.raises(error):
        play_move(text, game)


def test_a_move_that_is_not_legal_is_another_error():
    game = begin({"figures": FIGURES})
    with pytest.raises(IllegalMove, match="seat 0: 'pillage gimle' is not legal now; legal: .*pillage horgr"):
        play_move("pillage gimle", game)


# ---------------------------------------------------------------- other ways to write a move


def test_figures_may_be_named_in_any_order():
    game = begin({"figures": FIGURES})
    assert named("march  horgr gimle warrior leader", game) == "march horgr gimle leader warrior"
    game = begin({"figures": FIGURES, "upgrades": ["friggas_sacrifice"]}, age=3)
    assert named("sacrifice warrior@utgard leader@horgr", game) == "sacrifice leader@horgr warrior@utgard"


def test_places_have_aliases():
    game = begin({"figures": {"myrkulor": ["leader"]}})
    assert named("pillage Myrkvlor", game) == "pillage myrkulor"
    assert named("march myrkulor Anolang leader", game) == "march myrkulor andlang leader"


def test_cards_may_carry_their_age():
    """Without an age a card is of the current age if it exists there, otherwise of the latest earlier one."""
    game = begin({"hand": ["alfheim@1", "alfheim", "troll", "lokis_domain"]})
    assert sorted(hand_of(game, 0)) == ["alfheim", "alfheim@1", "lokis_domain", "troll"]
    for text, move in (
        ("quest alfheim", "quest alfheim"),
        ("quest alfheim@2", "quest alfheim"),
        ("quest alfheim@1", "quest alfheim@1"),
    ):
        assert named(text, game) == move
    assert named("upgrade troll@1", game) == "upgrade troll"


def test_equal_cards_of_two_ages_are_one_answer():
    game = begin(
        {"hand": ["tyrs_smash@1", "tyrs_smash@2", "tyrs_bash"], "figures": FIGURES},
        {"figures": {"horgr": ["leader"]}, "hand": ["troll"]},
    )
    play_move("pillage horgr", game)
    while game.question == "join":
        play_move("decline", game)
    assert sorted(legal_moves(game)) == ["play tyrs_bash", "play tyrs_smash"]
    assert named("play tyrs_smash@1", game) == named("play tyrs_smash@2", game) == "play tyrs_smash"


def test_decline_is_no():
    game = begin({"figures": FIGURES}, {"figures": {"utgard": ["leader"]}})
    play_move("pillage horgr", game)
    assert game.question == "join" and "decline" in legal_moves(game)
    assert named("no", game) == named("decline", game) == "decline"
    game = begin({"hand": ["valkyrie"]})
    play_move("upgrade valkyrie", game)
    assert game.question == "free_invade" and "no" in legal_moves(game)
    assert named("decline", game) == named("no", game) == "no"


def test_an_invade_may_stand_for_yes_after_succor_and_blessing():
    game = begin({"upgrades": ["friggas_succor"]})
    play_move("invade leader gimle", game)
    assert game.question == "succor" and sorted(legal_moves(game)) == ["no", "yes"]
    assert named("invade warrior gimle", game) == named("yes", game) == "yes"
    assert named("invade warrior horgr", game) is None
    game = begin(
        {"upgrades": ["lokis_blessing"], "figures": {"gimle": ["warrior"]}}, {"figures": {"gimle": ["leader"]}}
    )
    play_move("pillage gimle", game)
    assert game.question == "blessing" and sorted(legal_moves(game)) == ["no", "yes"]
    assert named("invade warrior gimle", game) == "yes"
    assert named("invade leader gimle", game) is None


def test_yes_may_stand_for_the_only_free_invade():
    game = begin(
        {"hand": ["dark_elf"]},
        board={"destroyed": ["horgr", "utgard", "andlang", "gimle", "myrkulor", "elvagar", "angerboda"]},
    )
    play_move("upgrade dark_elf", game)
    assert sorted(legal_moves(game)) == ["invade dark_elf muspelheim", "invade dark_elf yggdrasil", "no"]
    assert named("yes", game) is None
    game = begin(
        {"hand": ["valkyrie"]},
        board={"destroyed": ["horgr", "utgard", "andlang", "gimle", "myrkulor", "elvagar", "angerboda"]},
    )
    play_move("upgrade valkyrie", game)
    assert named("yes", game) == "invade valkyrie muspelheim"


def test_upgrade_may_leave_out_the_only_card_to_replace():
    game = begin({"hand": ["lord_of_axes"], "upgrades": ["lord_of_hammers"]})
    assert named("upgrade lord_of_axes", game) == "upgrade lord_of_axes replace lord_of_hammers"
    game = begin({"hand": ["valkyrie"], "upgrades": ["troll", "sea_serpent"]})
    assert named("upgrade valkyrie", game) is None
    assert named("upgrade valkyrie replace troll", game) == "upgrade valkyrie replace troll"
    game = begin({"hand": ["valkyrie"], "upgrades": ["troll"]})
    assert named("upgrade valkyrie", game) == "upgrade valkyrie"


def test_valhalla_may_be_left_out_if_the_reserve_has_no_such_figure():
    upgrades = {"upgrades": ["friggas_domain"]}
    game = begin({"figures": {"valhalla": ["leader", "warrior"]}, **upgrades}, age=3)
    assert named("invade leader gimle", game) == "invade leader@valhalla gimle"
    assert named("invade warrior gimle", game) == "invade warrior gimle"
    assert named("invade warrior@valhalla gimle", game) == "invade warrior@valhalla gimle"


def test_both_values_of_a_quest_in_battle_are_offered():
    clan = {"hand": ["alfheim"], "upgrades": ["tyrs_domain", "tyrs_wrath"], "figures": {"gimle": ["warrior"]}}
    game = begin(clan, {"figures": {"gimle": ["leader"]}}, age=3)
    play_move("pillage gimle", game)
    assert sorted(legal_moves(game)) == ["no", "yes 3", "yes 5"]
    assert named("yes 03", game) == "yes 3" and named("yes", game) is None and named("decline", game) == "no"


def test_decline_plays_no_card_where_none_must_be_played():
    clans = [{"hand": ["tyrs_bash"], "figures": {"gimle": [figure]}} for figure in ("warrior", "leader")]
    game = begin(*clans, rules={"battle_card": "optional"})
    play_move("pillage gimle", game)
    assert sorted(legal_moves(game)) == ["decline", "play tyrs_bash"]


def test_offers_after_a_ships_invade_name_the_province():
    game = begin({"upgrades": ["friggas_succor", "thors_domain"]}, rules={"ship_invade_counts": "yes"})
    play_move("invade ship fjord_gimle_myrkulor", game)
    assert sorted(legal_moves(game)) == ["invade warrior gimle", "invade warrior myrkulor", "no"]
    play_move("no", game)
    assert sorted(legal_moves(game)) == ["no", "pillage gimle", "pillage myrkulor"]


def test_two_cards_of_one_keep_in_any_order():
    packs = [["troll", "alfheim", "manheim", "tyrs_bash"]] * 2
    game = begin(phase="draft", age=1, draft={"packs": packs})
    assert len(legal_moves(game)) == 6
    assert named("keep troll alfheim", game) == named("keep alfheim troll", game) == "keep alfheim troll"
