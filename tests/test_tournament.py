"""`bloodrage tournament` with real games: what is played, stopping and going on, placebo, winner, bad input."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from bloodrage_sim.batch import Silent
from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadDataSet, BadPlugin, BadValue, OutputRefused
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rows.tables_out import PLAYERS
from bloodrage_sim.running.collecting import MemorySink
from bloodrage_sim.running.runs import RunConfig, load_kit
from bloodrage_sim.running.units import Segment
from bloodrage_sim.running.workers import play_segments
from bloodrage_sim.tournament.design import orders_of_blocks
from bloodrage_sim.tournament.frames import FRAMES
from bloodrage_sim.tournament.playing import TournamentConfig, play_field, play_tournament
from bloodrage_sim.tournament.report import read_results
from bloodrage_sim.tournament.words import lines_of

BUILT_IN = Path(load_strategy.__code__.co_filename).parents[2] / "strategies"
FIELD = ("random", "random:by=kind", "random:passing=0.2")
PNG = b"\x89PNG\r\n"


def bloodrage(*arguments: object):
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="bloodrage")


def refused(*arguments: object) -> str:
    """Error message of a command that must refuse its input with one line and status 2."""
    result = bloodrage("tournament", *arguments)
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    line = result.stderr.strip().splitlines()[-1]
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def played(**given) -> pd.DataFrame:
    """Rows of a small tournament; `given` replaces its values."""
    values = {"players": 3, "strategies": FIELD, "blocks": 4, "seed": 5, "threads": 1}
    outcome = play_field(TournamentConfig(**{**values, **given}), None)
    assert outcome.keeper.complete and not outcome.interrupted
    return pd.DataFrame(outcome.keeper.rows())


def same_frames(left, right) -> None:
    """Fail unless two results have equal tables."""
    for name in FRAMES:
        pd.testing.assert_frame_equal(getattr(left, name), getattr(right, name))


@pytest.fixture(scope="module")
def copy_of_random(tmp_path_factory) -> str:
    """The strategy random under another name."""
    path = tmp_path_factory.mktemp("placebo") / "placebo.py"
    shutil.copy(BUILT_IN / "random.py", path)
    return str(path)


# --- what is played


def test_every_block_is_a_deal_in_all_rotations_of_its_order():
    rows = played()
    assert len(rows) == 10 * 4 * 3 * 3  # compositions, blocks, rotations, seats
    for (composition, block), games in rows.groupby(["composition", "block"]):
        lines = games.pivot(index="rotation", columns="seat", values="strategy").to_numpy()
        for rotation in range(3):  # who sat at seat 0 sits at seat `rotation`
            turned = [lines[rotation][(seat + rotation) % 3] for seat in range(3)]
            assert turned == lines[0].tolist(), (composition, block)
        shares = games.groupby("rotation").win_share.sum()
        assert shares.to_numpy() == pytest.approx(1)


def test_games_are_those_of_the_same_line_up_in_a_run():
    rows = played(strategies=(), tables=(FIELD,), blocks=6)
    orders, drawn = orders_of_blocks(5, FIELD, 6)
    assert len(set(drawn.tolist())) == 2  # both circular orders of three
    for block in range(6):
        kit = load_kit(RunConfig(players=(3,), games=18, seed=5, strategies=orders[drawn[block]]))
        sink = MemorySink()
        play_segments(kit, [Segment(3, 3 * block, 3 * block + 3)], sink, lambda _games: None)
        expected = sink.parts[0].rows[PLAYERS.name]
        found = rows[rows.block == block]
        for column in ("seat", "glory", "rank", "win_share", "margin"):
            assert found[column].tolist() == expected[column].tolist()
        names = [kit.strategies[number] for number in expected["strategy"]]
        assert [FIELD[number] for number in found.strategy] == names


def test_neither_threads_nor_the_rest_of_the_field_change_a_table():
    one = played(blocks=12)
    pd.testing.assert_frame_equal(one, played(blocks=12, threads=2))
    fewer = played(blocks=5)
    pd.testing.assert_frame_equal(one[one.block < 5].reset_index(drop=True), fewer)
    backwards = played(strategies=FIELD[::-1], blocks=5)
    for frame in (fewer, backwards):  # compositions are numbered by the order of strategies
        frame["composition"] = frame.groupby(["composition"])["strategy"].transform(lambda rows: str(sorted(set(rows))))
    left = fewer[fewer.composition == "[0, 1, 2]"].drop(columns="strategy").reset_index(drop=True)
    right = backwards[backwards.composition == "[0, 1, 2]"].drop(columns="strategy").reset_index(drop=True)
    pd.testing.assert_frame_equal(left, right)


def test_a_placebo_comes_out_equal(copy_of_random):
    results = play_tournament(4, ["random", copy_of_random], blocks=60, seed=11)
    (difference,) = results.differences.itertuples()
    assert difference.difference_low <= 0 <= difference.difference_high and not difference.significant
    frame = results.strategies
    assert ((frame.win_share_low <= 1) & (1 <= frame.win_share_high)).all()
    assert (frame.elo_low <= 0).sum() + (frame.elo_high >= 0).sum() >= 3
    assert "NOT significant" in "\n".join(lines_of(results))


def test_a_planted_winner_is_found():
    results = play_tournament(4, ["random", "greedy", "random:by=kind"], blocks=12, seed=3)
    frame = results.strategies.set_index("strategy")
    assert frame.win_share.idxmax() == frame.elo.idxmax() == frame.glory.idxmax() == "greedy"
    assert frame.win_share_low["greedy"] > 1.5 and frame.verdict["greedy"] in ("dominant", "healthy")
    assert frame.weight["greedy"] > 0.99 and frame.in_support["greedy"] == 1
    alone = results.invasion.set_index(["strategy", "residents"]).win_share[("greedy", "random")]
    assert alone > 4 * 0.85
    tested = results.differences.set_index(["strategy", "other"]).significant
    assert tested[("random", "greedy")] and tested[("greedy", "random:by=kind")]


# --- folders


class Interrupting(Silent):
    """Presses Ctrl-C once `games` games are done."""

    def __init__(self, games: int) -> None:
        self.limit = games

    def games(self, done: int, total: int) -> None:
        if done >= self.limit:
            self.limit = total + 1
            signal.raise_signal(signal.SIGINT)


@pytest.fixture
def ctrl_c():
    """Ctrl-C as in a terminal: whoever starts the tests in the background may have it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_stopped_and_gone_on_gives_the_same_tables(tmp_path):
    given = {"players": 3, "strategies": FIELD, "blocks": 16, "seed": 5}
    whole = play_tournament(**given, out=tmp_path / "whole")
    calls = 0
    while True:
        calls += 1
        try:
            again = play_tournament(**given, out=tmp_path / "parts", watcher=Interrupting(calls * 150))
            break
        except KeyboardInterrupt:
            manifest = json.loads((tmp_path / "parts" / "tournament.json").read_text())
            assert not manifest["complete"] and len(manifest["parts"]) <= calls
            if calls == 1:
                with pytest.raises(BadDataSet, match="lacks .* games; the command that began it plays them"):
                    read_results(tmp_path / "parts")
    assert calls >= 2
    same_frames(whole, again)
    same_frames(whole, read_results(tmp_path / "parts"))
    for name in ("strategies", "payoffs", "equilibria"):
        file = Path("tables") / f"{name}.csv"
        assert (tmp_path / "whole" / file).read_bytes() == (tmp_path / "parts" / file).read_bytes()
    assert (tmp_path / "parts" / "plots" / "equilibrium.png").read_bytes()[:6] == PNG
    # a damaged part is played again
    part = next((tmp_path / "parts" / "games").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-10])
    result = bloodrage(
        "tournament", "--players", 3, *[argument for text in FIELD for argument in ("--strategy", text)],
        "--blocks", 16, "--seed", 5, "--out", tmp_path / "parts",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert f"warning: games/{part.name} was missing or damaged; its games were played again" in result.stderr
    same_frames(whole, read_results(tmp_path / "parts"))


def test_folders_of_something_else_are_refused(tmp_path):
    base = ("--players", 2, "--strategy", "random", "--strategy", "random:by=kind", "--blocks", 3)
    assert bloodrage("tournament", *base, "--seed", 1, "--out", tmp_path / "a").exit_code == 0
    message = refused(*base, "--seed", 2, "--out", tmp_path / "a")
    assert message.removeprefix(f"output folder {tmp_path / 'a'} holds another tournament: ") == (
        "seed is 1 there, 2 here; give another folder"
    )
    message = refused(*base[:-1], 4, "--seed", 1, "--rule", "march=adjacent", "--out", tmp_path / "a")
    assert "blocks is 3 there, 4 here; rules.march is" in message
    assert bloodrage("simulate", "--games", 4, "--seed", 1, "--out", tmp_path / "b").exit_code == 0
    assert "holds files that are no tournament" in refused(*base, "--seed", 1, "--out", tmp_path / "b")
    (tmp_path / "file").write_text("")
    assert "is a file; give a new folder" in refused(*base, "--seed", 1, "--out", tmp_path / "file")
    # without a seed the same command goes on, and there is nothing left to play
    assert "all games were there already" in bloodrage("tournament", *base, "--out", tmp_path / "a").stdout
    with pytest.raises(OutputRefused, match="holds another tournament"):
        play_tournament(2, ["random", "random:by=kind"], blocks=9, seed=1, out=tmp_path / "a")


def test_command_writes_tables_plots_and_summary(tmp_path):
    field = tmp_path / "field.txt"
    field.write_text("random*3,random:by=kind\n")
    result = bloodrage(
        "tournament", "--field", field, "--table", "random,random:by=kind*3", "--games", 100, "--seed", 1,
        "--out", tmp_path / "out",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    title = "4 players, 2 strategies, 2 compositions (chosen tables), 12 blocks of 4 rotations each: 96 games, seed 1"
    assert title in result.stdout and "\n  random x3, random:by=kind: random " in result.stdout
    out = tmp_path / "out"
    assert (out / "summary.txt").read_text() in result.stdout
    for name in FRAMES:
        written = pd.read_parquet(out / "tables" / f"{name}.parquet")
        assert len(written) == len(pd.read_csv(out / "tables" / f"{name}.csv"))
    plots = {path.stem: path.read_bytes()[:6] for path in (out / "plots").iterdir()}
    assert set(plots) == {"win_share", "glory", "strength", "head_to_head", "invasion"}
    assert set(plots.values()) == {PNG}


# --- bad input


TWO = ("--strategy", "random", "--strategy", "random:by=kind")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--strategy", "random"], "a field with one strategy (random); give at least 2 different ones; known: anti_loki, "),
        ([], "a field with one strategy (none); give at least 2 different ones"),
        (["--table", "random*4"], "a field with one strategy (random); give at least 2 different ones"),
        ([*TWO, "--strategy", "random"], "strategy random is given twice"),
        ([*TWO, "--strategy", "random:by=option"], "strategy random is given twice"),  # the same, spelt out
        ([*TWO, "--players", "1"], "1 players; allowed: 2 to 5"),
        ([*TWO, "--players", "6"], "6 players; allowed: 2 to 5"),
        ([*TWO, "--blocks", "0"], "blocks is 0; allowed: whole numbers 1 to 1000000"),
        ([*TWO, "--blocks", "-3"], "blocks is -3; allowed"),
        ([*TWO, "--games", "0"], "games is 0; allowed: whole numbers 1 to 2000000"),
        (
            [*TWO, "--games", "19"],
            "19 games cannot cover 5 compositions of 4 rotations: a block of each needs 20 games, and intervals need",
        ),
        ([*TWO, "--blocks", "900000"], "are 18,000,000 games; allowed: 2,000,000, which are 100,000 blocks"),
        ([*TWO, "--blocks", "2", "--games", "100"], "--blocks and --games exclude each other"),
        ([*TWO, "--threads", "0"], "threads is 0; allowed: whole numbers 1 to 256"),
        ([*TWO, "--seed", "-1"], "seed is -1; allowed"),
        ([*TWO, "--compositions", "some"], "compositions 'some'; known: all, invasion"),
        ([*TWO, "--compositions", "invasion", "--table", "random*4"], "--compositions invasion and tables exclude"),
        ([*TWO, "--table", "random,greedy"], "table 'random,greedy' has 2 strategies for 4 players; give 4"),
        ([*TWO, "--table", "random,,greedy,greedy"], "has an empty place"),
        ([*TWO, "--field", "nowhere.txt"], "field file nowhere.txt cannot be read: No such file or directory"),
        ([*TWO, "--strategy", "rndom"], "unknown strategy 'rndom'; did you mean random?"),
        ([*TWO, "--strategy", "xyz"], "unknown strategy 'xyz'; known: "),
        ([*TWO, "--strategy", "random:by=fear"], "strategy random: by is 'fear'; allowed: option, kind"),
        ([*TWO, "--strategy", "./nowhere.py"], "strategy file ./nowhere.py does not exist"),
        ([*TWO, "--rule", "march=up"], "march"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_line(tmp_path, arguments, message):
    assert message in refused(*arguments, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_python_call_refuses_too():
    with pytest.raises(BadValue, match="give the number of blocks or of games"):
        play_tournament(4, FIELD)
    with pytest.raises(BadValue, match="blocks is True"):
        play_tournament(4, FIELD, blocks=True)


def test_a_strategy_that_misbehaves_loses_nothing_finished(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "from bloodrage_sim.strategy_api import *\n\n\n@strategy(compiled=False)\n"
        "def decide(view, options, n, tables, params, memory, key):\n    return n\n"
    )
    with pytest.raises(BadPlugin, match=r"answered .* options"):
        play_tournament(2, ["random", str(bad)], blocks=5, seed=1, out=tmp_path / "out")
    assert json.loads((tmp_path / "out" / "tournament.json").read_text())["parts"][0]["rows"] == 5 * 2 * 2


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom bloodrage_sim.cli import main\n"
        "try:\n    main(['tournament', '--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numpy', 'numba', 'pandas', 'scipy', 'choix', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
