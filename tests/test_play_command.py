"""A told game is the simulated game, says everything, and can be replayed from its notation."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from bloodrage_sim.cast import cast_of
from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadPlugin
from bloodrage_sim.game import Game
from bloodrage_sim.layout import Line
from bloodrage_sim.notation import find_move, legal_moves, play_path
from bloodrage_sim.play import DONE, play_games, set_up_games
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.events import EVENT_NAMES
from bloodrage_sim.rules.state import new_games, new_log, new_options
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.telling.narrate import Teller
from bloodrage_sim.telling.standing import Standing
from bloodrage_sim.telling.stepping import Move, Pause, WatchedGame
from bloodrage_sim.view import new_views

KIND, OPTION = "random:by=kind", "random"
GAMES = [(players, 40 + players, deal, deal % players) for players in (2, 3, 4, 5) for deal in range(4)]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["play", *map(str, arguments)], prog_name="bloodrage")


@cache
def line_up(*texts: str):
    return tuple(load_strategy(text) for text in texts)


def simulated(players: int, seed: int, deal: int, rotation: int, strategies) -> list[int]:
    """Final glory by seat of the game as play_games plays it in one go."""
    tables, games = make_ruleset().tables(), new_games(1)
    set_up_games(games, tables, players, np.uint64(seed), deal, players, rotation)
    strategies = strategies if len(strategies) > 1 else strategies * players
    found, cast = np.zeros(3, np.int64), cast_of(strategies).arguments
    play_games(games, 0, tables, new_log(0), new_options(), new_views(1), *cast, -1, -1, 0, found)
    assert found[0] == DONE
    return glory_of(games[0])


def glory_of(record) -> list[int]:
    return [int(record.clans[seat].glory) for seat in range(int(record.clock.players))]


def watched(players: int, seed: int, deal: int, rotation: int, *texts: str) -> WatchedGame:
    return WatchedGame(players, line_up(*(texts or (KIND,))), seed, deal, rotation)


# ---------------------------------------------------------------- the same game


@pytest.mark.parametrize(("players", "seed", "deal", "rotation"), GAMES)
def test_told_game_is_the_simulated_one(players, seed, deal, rotation):
    texts = (KIND, *[OPTION] * (players - 1))
    game = watched(players, seed, deal, rotation, *texts)
    list(game.watch())
    assert game.game.over
    assert glory_of(game.game.record) == simulated(players, seed, deal, rotation, line_up(*texts))


def test_plain_python_strategy_plays_the_same_game(tmp_path):
    path = tmp_path / "plain.py"
    path.write_text(
        "from bloodrage_sim.strategies.random import decide as compiled\n"
        "from bloodrage_sim.strategy_api import strategy\n"
        "@strategy(compiled=False, params=compiled.params)\n"
        "def decide(view, options, n, tables, params, memory, key):\n"
        "    return compiled.function(view, options, n, tables, params, memory, key)\n"
    )
    mixed = watched(3, 5, 2, 1, f"{path}:by=kind", KIND, f"{path}:by=kind")
    list(mixed.watch())
    assert glory_of(mixed.game.record) == simulated(3, 5, 2, 1, line_up(KIND))


@pytest.mark.parametrize(("players", "seed", "deal", "rotation"), GAMES)
def test_moves_can_be_replayed(players, seed, deal, rotation):
    told = watched(players, seed, deal, rotation)
    moves = [moment for moment in told.watch() if isinstance(moment, Move)]
    replayed = Game.new(players, seed, deal, rotation)
    for move in moves:
        assert replayed.seat == move.seat
        legal = legal_moves(replayed, move.text)
        found = find_move(move.text, replayed, legal)
        assert found == move.text
        play_path(replayed, legal[found])
    assert replayed.over
    assert glory_of(replayed.record) == glory_of(told.game.record)


# ---------------------------------------------------------------- what the events say


@pytest.mark.parametrize(("players", "seed", "deal", "rotation"), GAMES)
def test_standing_follows_the_game(players, seed, deal, rotation):
    """The stream of events says where every figure is, and all rage, glory, stats, hands and sheets."""
    told = watched(players, seed, deal, rotation)
    standing = Standing(told.game.record, told.game.tables[0])
    for moment in told.watch():
        for number in range(moment.begin, moment.end):
            standing.follow(told.game.log[number])
        if isinstance(moment, Pause):
            assert vars_of(standing) == vars_of(Standing(told.game.record, told.game.tables[0]))
    assert vars_of(standing) == vars_of(Standing(told.game.record, told.game.tables[0]))


def vars_of(standing: Standing) -> dict[str, object]:
    left_out = ("tables", "age", "phase", "_emptied")
    return {name: value for name, value in vars(standing).items() if name not in left_out}


@cache
def told_lines() -> tuple[Line, ...]:
    """Every line of some games."""
    lines: list[Line] = []
    for game in GAMES:
        told = watched(*game)
        teller = Teller(told)
        for moment in told.watch():
            lines += teller.tell(moment)
    return tuple(lines)


def test_every_kind_of_event_has_words():
    teller = Teller(watched(3, 1, 0, 0))
    assert all(callable(getattr(teller, f"_tell_{name}")) for name in EVENT_NAMES)


@pytest.mark.parametrize(("players", "seed", "deal", "rotation"), GAMES)
def test_every_event_is_told_once(players, seed, deal, rotation):
    told = watched(players, seed, deal, rotation)
    teller = Teller(told)
    counts: Counter[str] = Counter()

    def counting(name, tell):
        def count(event):
            counts[name] += 1
            return tell(event)

        return count

    # rage is told as a line or as the price of a move; both say what is left
    teller._words = {name: tell if name == "rage" else counting(name, tell) for name, tell in teller._words.items()}
    teller._pay = counting("rage", teller._pay)
    for moment in told.watch():
        teller.tell(moment)
    happened = Counter(EVENT_NAMES[event.kind] for event in told.game.events)
    del happened["decision"]  # a decision is told as its move
    assert counts == happened


def test_lines_have_rule_numbers_and_add_up():
    for line in told_lines():
        row = line.show()
        assert all(len(part) <= 100 for part in row.splitlines())
        if line.indent == 6:
            assert line.rule, row
        assert "the board gives" not in row


def test_glory_is_told_with_the_running_sum():
    told = watched(4, 1, 0, 0)
    teller = Teller(told)
    shown = [line for moment in told.watch() for line in teller.tell(moment)]
    for seat in range(4):
        last = [
            line.note for line in shown if line.text.startswith(f"{teller.clan(seat)} ") and " glory: " in line.text
        ]
        assert last[-1].endswith(f"→ {glory_of(told.game.record)[seat]}")


def test_only_quests_are_resolved():
    """A quest that fails is a quest card (rule 9.2): one that is not is a fault of the core."""
    for game in GAMES[:8]:
        told = watched(*game)
        list(told.watch())
        for event in told.game.events:
            if EVENT_NAMES[event.kind] in ("quest_done", "quest_failed"):
                assert told.game.tables[0].kind[event.card] == ids.CARD_KIND_QUEST


# ---------------------------------------------------------------- misbehaving strategies


def write_strategy(path: Path, body: str, compiled: bool = True) -> str:
    path.write_text(
        "from bloodrage_sim.strategy_api import *\n"
        f"@strategy(compiled={compiled})\n"
        f"def decide(view, options, n, tables, params, memory, key):\n{body}"
    )
    return str(path)


@pytest.mark.parametrize("compiled", [True, False])
def test_answer_out_of_range(tmp_path, compiled):
    path = write_strategy(tmp_path / "far.py", "    return n if view.flow.question == QUESTION_TURN else 0\n", compiled)
    result = run("--players", 3, "--seed", 1, "--strategy", path)
    assert result.exit_code == 2
    last = result.output.splitlines()[-1]
    assert last.startswith("Error: answer ")
    assert f"are allowed, of strategy {path} at seat " in last
    assert "(turn); options: pass, " in last


@pytest.mark.parametrize("compiled", [True, False])
def test_strategy_that_raises(tmp_path, compiled):
    path = write_strategy(tmp_path / "boom.py", '    raise ValueError("too hard")\n', compiled)
    if compiled:
        path = write_strategy(
            tmp_path / "boom.py", '    if n > 1:\n        raise ValueError("too hard")\n    return 0\n'
        )
    result = run("--players", 2, "--seed", 1, "--strategy", path)
    assert result.exit_code == 2
    last = result.output.splitlines()[-1]
    assert last.startswith(
        f"Error: ValueError (too hard) in strategy {path} at seat 0, decision 0 (draft); options: keep "
    )


def test_answer_that_is_no_number(tmp_path):
    path = write_strategy(tmp_path / "none.py", "    return None\n", compiled=False)
    with pytest.raises(BadPlugin, match="answer None, but 0 to 7 are allowed, of strategy"):
        list(watched(2, 3, 0, 0, path).watch())


def test_intent_is_shown(tmp_path):
    path = write_strategy(tmp_path / "minded.py", "    memory.intent = 7\n    return 0\n")
    result = run("--players", 2, "--seed", 1, "--strategy", path)
    assert result.exit_code == 0
    assert "    pass                                            5.2.1   intent 7" in result.output


# ---------------------------------------------------------------- the command


def test_story():
    result = run("--players", 2, "--seed", 7, "--strategy", KIND)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[0] == "Blood Rage: 2 players, seed 7, deal 0, rotation 0"
    assert lines[1] == "  seat 0 wolf     random:by=kind"
    assert "Age 1 · action                                      5" in lines
    assert "    1  wolf: keep lokis_trickery tyrs_bash          4.4     Loki's Trickery, Tyr's Bash" in lines
    assert "  glory by source  rule     wolf  raven" in lines
    assert "  rank             12.3        2      1" in lines
    assert all(len(line) <= 100 for line in lines)


def test_moves_only():
    result = run("--players", 2, "--seed", 7, "--strategy", KIND, "--moves")
    lines = result.output.splitlines()
    assert lines[1] == "   0  seat 0 wolf     keep lokis_trickery tyrs_bash"
    told = watched(2, 7, 0, 0)
    assert len(lines) - 1 == sum(isinstance(moment, Move) for moment in told.watch())


def test_json():
    result = run("--players", 3, "--seed", 2, "--strategy", KIND, "--json")
    records = [json.loads(line) for line in result.output.splitlines()]
    told = watched(3, 2, 0, 0)
    list(told.watch())
    assert len(records) == len(told.game.events) + 1
    assert all(record["rule"] for record in records[:-1])
    assert sum(record["type"] == "decision" for record in records) == told.decisions
    clans = records[-1]["clans"]
    assert [clan["glory"] for clan in clans] == glory_of(told.game.record)
    assert all(sum(clan["glory_by"].values()) == clan["glory"] for clan in clans)
    for seat, clan in enumerate(clans):
        glory = [record["glory"] for record in records if record.get("event") == "glory" and record["seat"] == seat]
        assert (glory or [0])[-1] == clan["glory"]
    assert sum(clan["win_share"] for clan in clans) == pytest.approx(1)


def test_one_age():
    output = run("--players", 3, "--seed", 2, "--strategy", KIND, "--age", 2).output
    assert "Age 2 · action" in output
    assert "Age 1 ·" not in output
    assert "Age 3 ·" not in output
    assert "glory by source" in output


def test_until_decision():
    output = run("--players", 3, "--seed", 2, "--strategy", KIND, "--until-decision", 18).output
    assert "after decision 18" in output
    assert "seat 1 raven (random:by=kind) is asked: turn (5.2)" in output
    assert "glory by source" not in output


def test_polish_names():
    output = run("--players", 3, "--seed", 2, "--strategy", KIND, "--lang", "pl").output
    assert "names of cards in Polish; the story and the notation stay as they are" in output
    assert "Bracia Broni" in output
    assert "keep brothers_in_arms" in output


def test_seed_is_drawn_and_told():
    output = run("--players", 2).output
    assert output.startswith("Blood Rage: 2 players, seed ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--players", "6"], "Error: 6 players; allowed: 2 to 5"),
        (["--players", "3", "--rotation", "3"], "Error: rotation 3; allowed: 0 to 2 with 3 players"),
        (["--deal", "-1"], "Error: deal -1; allowed: 0 to 2**63 - 1"),
        (["--seed", "-1"], "Error: seed -1; allowed: 0 to 2**63 - 1"),
        (["--strategy", "rondom"], "Error: unknown strategy 'rondom'; did you mean random?"),
        (
            ["--strategy", "random", "--strategy", "random"],
            "Error: 2 strategies for 4 players; give --strategy once, or 4 times",
        ),
        (
            ["--rule", "march=x"],
            "Error: rule option march in --rule has no value 'x'; allowed: anywhere, adjacent",
        ),
        (["--moves", "--json"], "Error: --moves and --json exclude each other"),
    ],
)
def test_misuse(arguments, message):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.output.splitlines() == [message]


def test_rule_options_are_played():
    output = run("--players", 3, "--seed", 2, "--strategy", KIND, "--rule", "draft=off").output
    assert " is dealt " in output
    assert "keep " not in output.split("Age 1 · discard")[0]
