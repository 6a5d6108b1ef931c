"""Runs of many games: same content however they are divided, stopped or resumed; rows agree with the games."""

from __future__ import annotations

import errno
import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bloodrage_sim import batch
from bloodrage_sim.batch import run_to_folder, simulate
from bloodrage_sim.cast import cast_of
from bloodrage_sim.datasets import dataset
from bloodrage_sim.datasets.dataset import DataSet
from bloodrage_sim.errors import BadDataSet, BadPlugin, BadValue, OutputRefused, UnknownName
from bloodrage_sim.game import Game
from bloodrage_sim.plugins.loading import load_strategy
from bloodrage_sim.rows.table_files import empty_hash, read_metadata, sum_of_hashes
from bloodrage_sim.rows.tables_out import PLAYERS, SUMMARY, TABLES
from bloodrage_sim.rules.events import SOURCE_NAMES
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.running.collecting import MemorySink
from bloodrage_sim.running.runs import RunConfig, config_like, load_kit
from bloodrage_sim.running.units import Segment
from bloodrage_sim.running.workers import play_segments
from bloodrage_sim.summary import COLUMNS, Summary, t_quantile
from bloodrage_sim.view import new_views


def config(**given) -> RunConfig:
    """A small run; `given` replaces its values."""
    values = {"players": (4,), "games": 30, "seed": 5, "strategies": ("random",), "unit_games": 7}
    return RunConfig(**{**values, **given})


def write(path: Path, body: str, compiled: bool = True) -> str:
    """A strategy file with this body of `decide`; returns its path."""
    lines = "\n    ".join(body.splitlines())
    path.write_text(
        "import time\n"
        "from bloodrage_sim.strategy_api import *\n\n\n"
        f"@strategy(compiled={compiled})\n"
        f"def decide(view, options, n, tables, params, memory, key):\n    {lines}\n"
    )
    return str(path)


def run(out: Path, **given) -> DataSet:
    """Play a small run to a folder."""
    return run_to_folder(config(**given), out, "test").data_set


def content_of_files(data_set: DataSet) -> dict[str, str]:
    """Content hash worked out from the rows in the files."""
    totals = {}
    for table in data_set.tables:
        total = 0
        for players in data_set.run["players"]:
            empty = empty_hash(table, players, data_set.strategies)
            for rows in data_set.read(table, players):
                ends = np.searchsorted(rows["game"], np.unique(rows["game"]), side="right")
                total += sum_of_hashes(rows, ends, empty)
        totals[table.name] = f"{total % 2**256:064x}"
    return totals


# --- what is played


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rows_agree_with_games(players):
    with pytest.warns(UserWarning):
        results = simulate(players, 2 * players + 1, 9, threads=2)
    games, rows = results.games, results.players
    assert len(games) == 2 * players + 1 and len(rows) == players * len(games)
    assert (games.deal == games.game // players).all() and (games.rotation == games.game % players).all()
    assert (rows.glory == rows[[f"glory_{name}" for name in SOURCE_NAMES]].sum(axis=1)).all()
    assert (rows.glory == rows[["glory_age_1", "glory_age_2", "glory_age_3"]].sum(axis=1)).all()
    for _, table in rows.groupby("game"):
        best = table.glory.max()
        tied = (table.glory == best).sum()
        assert table.win_share.tolist() == [np.float32(1 / tied) if glory == best else 0 for glory in table.glory]
        assert table["rank"].tolist() == [1 + int((table.glory > glory).sum()) for glory in table.glory]
        assert table.margin.tolist() == [
            glory - max(table.glory[table.seat != seat]) for seat, glory in zip(table.seat, table.glory, strict=True)
        ]
        rotation = games.rotation[table.game.iloc[0]]
        assert ((table.slot + rotation) % players == table.seat).all()
        first = games.first_player[table.game.iloc[0]]
        assert ((table.seat - first) % players == table.turn_order).all()
    sums = rows.groupby("game")[["turns", "pillages"]].sum()
    assert (sums.turns.to_numpy() == games.turns).all() and (sums.pillages.to_numpy() == games.pillages).all()


def test_a_game_alone_is_the_game_of_the_run():
    results = simulate(3, 9, 21, "random:by=kind", threads=1)
    strategy = load_strategy("random:by=kind")
    game, cast = Game.new(3, 21, deal=2, rotation=1), cast_of([strategy] * 3)
    while not game.over:
        views = new_views(1)
        slot = int(game.record.slot[game.seat])
        key = cast.show(game.games, 0, game.tables, game.buffer, game.n, views, slot)
        memory = game.record.memory[slot]
        game.apply(int(strategy.decide(views[0], game.options, game.n, game.tables[0], strategy.params, memory, key)))
    rows = results.players[results.players.game == 7]
    assert [int(game.record.clans[seat].glory) for seat in range(3)] == rows.glory.tolist()
    assert int(game.record.decisions) == results.games.decisions[7]


def test_line_up_sits_as_said(tmp_path):
    line_up = ["random", "random:by=kind", "random", "random:passing=0.1"]
    rotating = simulate(4, 8, 1, line_up).players
    fixed = simulate(4, 8, 1, line_up, seats="fixed").players
    turned = simulate(4, 40, 1, line_up, seats="random")
    assert rotating.strategy[:4].tolist() == line_up
    assert (fixed.slot == fixed.seat).all() and fixed.deal.nunique() == 8
    assert (rotating.slot != rotating.seat).any() and rotating.deal.nunique() == 2
    assert set(turned.games.rotation) == {0, 1, 2, 3} and turned.games.deal.nunique() == 40
    by_slot = {slot: set(rows.strategy) for slot, rows in turned.players.groupby("slot")}
    assert by_slot == {slot: {name} for slot, name in enumerate(line_up)}


def test_plain_python_plays_as_compiled(tmp_path):
    body = "return pick(key, 0, n)"
    compiled = write(tmp_path / "fast.py", body)
    plain = write(tmp_path / "slow.py", body, compiled=False)
    fast = simulate(3, 6, 2, compiled).players.drop(columns="strategy")
    slow = simulate(3, 6, 2, plain).players.drop(columns="strategy")
    pd.testing.assert_frame_equal(fast, slow)
    mixed = simulate(3, 6, 2, [plain, compiled, plain]).players.drop(columns="strategy")
    pd.testing.assert_frame_equal(fast, mixed)


# --- same content


@pytest.mark.parametrize("seats", ["rotate", "fixed", "random"])
def test_division_changes_nothing(tmp_path, seats):
    ways = [
        {"threads": 1, "unit_games": 7, "part_games": 50_000},
        {"threads": 2, "unit_games": 1, "part_games": 11},
        {"threads": 3, "unit_games": 0, "part_games": 4},
    ]
    found = [run(tmp_path / str(number), seats=seats, players=(3, 2), **way) for number, way in enumerate(ways)]
    assert len({json.dumps(data_set.content_hash()) for data_set in found}) == 1
    assert [len(data_set.parts(3)) for data_set in found] == [1, 3, 8]
    assert all(content_of_files(data_set) == data_set.content_hash() for data_set in found)
    in_memory = play_in_memory(config(seats=seats, players=(3, 2), threads=2))
    assert in_memory == found[0].content_hash()


def play_in_memory(settings: RunConfig) -> dict[str, str]:
    """Content hash of a run that is not written."""
    kit, sink = load_kit(settings), MemorySink()
    segments = [Segment(players, 0, settings.games) for players in settings.players]
    assert not play_segments(kit, segments, sink, lambda games: None)
    return {table.name: f"{sum(part.sums[table.name] for part in sink.parts) % 2**256:064x}" for table in SUMMARY}


def test_content_hash_sees_every_difference(tmp_path):
    base = run(tmp_path / "a").content_hash()
    for number, other in enumerate(
        [{"seed": 6}, {"games": 29}, {"seats": "fixed"}, {"strategies": ("random:by=kind",)}]
    ):
        assert run(tmp_path / str(number), **other).content_hash() != base


def test_files_are_read_by_pandas_and_hold_their_provenance(tmp_path):
    data_set = run(tmp_path / "d", players=(2, 4), part_games=12)
    frame = pd.read_parquet(tmp_path / "d" / "players")
    assert frame.groupby("players", observed=True).size().to_dict() == {2: 60, 4: 120}
    assert set(frame.columns) == {"players", *(column.name for column in PLAYERS.columns)}
    results = batch.read_results(tmp_path / "d")
    assert len(results.games) == 60 and results.content_hash == data_set.content_hash()
    metadata = read_metadata(tmp_path / "d/games/players=4/part-000000012.parquet")
    assert metadata["run"] == data_set.run and (metadata["first_game"], metadata["last_game"]) == (12, 23)
    assert metadata["run"]["strategies"][0]["source_hash"] == load_strategy("random").source_hash
    part = data_set.parts(4)[1]
    assert (part["first_game"], part["last_game"], part["games"]) == (12, 23, 12)
    assert part["files"]["players"]["rows"] == 48 and part["files"]["games"]["rows"] == 12


# --- stopping and going on


def interrupt_after(games: int):
    """A watcher that sends Ctrl-C to this process once, when so many games are collected."""

    class Watcher(batch.Silent):
        sent = 0.0

        def games(self, done: int, total: int) -> None:
            if done >= games and not self.sent:
                self.sent = time.monotonic()
                os.kill(os.getpid(), signal.SIGINT)

    return Watcher()


@pytest.fixture
def ctrl_c():
    """Ctrl-C as Python has it, whatever the test runner made of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_and_go_on(tmp_path, ctrl_c):
    settings = config(games=20_000, part_games=500, threads=2, unit_games=0)
    watcher = interrupt_after(1200)
    outcome = run_to_folder(settings, tmp_path / "a", "test", watcher)
    assert outcome.interrupted and time.monotonic() - watcher.sent < 1
    done = outcome.data_set.games_done
    assert 1200 <= done < 20_000
    assert len(batch.read_results(tmp_path / "a").games) == done
    again = run_to_folder(settings, tmp_path / "a", "test")
    assert again.played == 20_000 - done and again.data_set.complete
    whole = run_to_folder(settings, tmp_path / "b", "test").data_set
    assert again.data_set.content_hash() == whole.content_hash() == content_of_files(again.data_set)
    assert run_to_folder(settings, tmp_path / "a", "test").played == 0


def test_interrupt_in_a_slow_strategy(tmp_path, ctrl_c):
    slow = write(tmp_path / "slow.py", "time.sleep(0.005)\nreturn n - 1", compiled=False)
    settings = config(strategies=(slow,), games=100, unit_games=0)
    watcher = interrupt_after(0)
    began = time.monotonic()
    outcome = run_to_folder(settings, tmp_path / "a", "test", watcher)
    assert outcome.interrupted and time.monotonic() - max(began, watcher.sent) < 1
    assert outcome.data_set.games_done < 100


def test_second_interrupt_while_writing_leaves_a_whole_folder(tmp_path, ctrl_c, monkeypatch):
    usual = dataset.write_table

    def interrupted_write(path, table, *rest):
        if table is PLAYERS:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
        return usual(path, table, *rest)

    run_to_folder(config(games=10), tmp_path / "a", "test")
    monkeypatch.setattr(dataset, "write_table", interrupted_write)
    with pytest.raises(KeyboardInterrupt):
        run_to_folder(config(games=40, part_games=10), tmp_path / "b", "test", interrupt_after(10))
    monkeypatch.undo()
    data_set = DataSet.open(tmp_path / "b")
    assert content_of_files(data_set) == data_set.content_hash()
    listed = {file["file"] for part in data_set.manifest["parts"] for file in part["files"].values()}
    there = {path.relative_to(tmp_path / "b").as_posix() for path in (tmp_path / "b").rglob("*.*") if path.is_file()}
    assert there == listed | {"manifest.json", "cards.parquet"}
    assert run_to_folder(config(games=40, part_games=10), tmp_path / "b", "test").data_set.complete


def test_damaged_and_lost_files_are_played_again(tmp_path):
    before = run(tmp_path / "a", part_games=10).content_hash()
    lost, damaged = (tmp_path / f"a/{name}/players=4/part-0000000{first}.parquet" for name, first in
                     (("games", "00"), ("players", "20")))  # fmt: skip
    lost.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-10] + b"0123456789")
    stray = tmp_path / "a/games/players=4/part-000000015.parquet"
    stray.write_bytes(b"of a run that was killed")
    outcome = run_to_folder(config(part_games=10), tmp_path / "a", "test")
    assert outcome.played == 20 and len(outcome.data_set.damaged) == 2
    assert outcome.data_set.content_hash() == before == content_of_files(outcome.data_set)
    assert not stray.exists()


def test_missing_ranges_end_at_fixed_places(tmp_path):
    data_set = run(tmp_path / "a", part_games=10)
    data_set.manifest["parts"] = [
        {"players": 4, "first_game": 3, "last_game": 5, "games": 3},
        {"players": 4, "first_game": 6, "last_game": 20, "games": 15},
    ]
    assert data_set.missing(4, 10) == [(0, 3), (21, 30)]
    assert data_set.missing(4, 2) == [(0, 2), (2, 3), (21, 22), (22, 24), (24, 26), (26, 28), (28, 30)]


# --- strategies that misbehave


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    "body, what",
    [
        ("return n if key % np.uint64(40) == np.uint64(7) else 0", "answered"),
        ("if key % np.uint64(40) == np.uint64(7):\n    raise ValueError('no idea')\nreturn 0", "raised ValueError"),
        ("return 1 // (1 - int(key % np.uint64(40) == np.uint64(7)))", "raised ZeroDivisionError"),
    ],
)
def test_misbehaving_strategy_is_told_with_its_game(tmp_path, compiled, body, what):
    bad = write(tmp_path / "bad.py", body, compiled)
    source = (tmp_path / "bad.py").read_text()
    (tmp_path / "bad.py").write_text("import numpy as np\n" + source)
    good = write(tmp_path / "good.py", "return 0", compiled)
    told = set()
    for threads in (1, 2):
        settings = config(strategies=(good, good, bad, good), threads=threads, unit_games=2, part_games=3, games=60)
        with pytest.raises(BadPlugin) as caught:
            run_to_folder(settings, tmp_path / f"{threads}", "test")
        told.add(str(caught.value))
        data_set = DataSet.open(tmp_path / f"{threads}")
        assert content_of_files(data_set) == data_set.content_hash()
    assert len(told) == 1
    text = told.pop()
    deal, rotation = data_set.games_done // 4, data_set.games_done % 4
    assert "\n" not in text and text.startswith(f"strategy {bad} {what}")
    assert f"of deal {deal}, rotation {rotation}, seat {(2 + rotation) % 4};" in text
    assert f"bloodrage play --players 4 --seed 5 --deal {deal} --rotation {rotation} --strategy {good}" in text


@pytest.mark.parametrize("answer", ["None", "0.0", "'0'", "-1", "10**30"])
def test_plain_python_must_answer_with_an_index(tmp_path, answer):
    bad = write(tmp_path / "bad.py", f"return {answer}", compiled=False)
    with pytest.raises(BadPlugin, match="at decision 0 .the first is 0, draft. of deal 0, rotation 0"):
        simulate(2, 2, 0, bad)


# --- bad input


@pytest.mark.parametrize(
    "given, text",
    [
        ({"players": (1,)}, "1 players; allowed: 2 to 5"),
        ({"players": (4, 6)}, "6 players; allowed: 2 to 5"),
        ({"players": ()}, "no number of players; allowed: 2 to 5"),
        ({"players": (4, 4)}, "players 4,4: give each number once"),
        ({"games": 0}, "games is 0; allowed: whole numbers 1 to 1000000000"),
        ({"games": -3}, "games is -3; allowed: whole numbers 1 to 1000000000"),
        ({"seed": -1}, "seed is -1; allowed: whole numbers 0 to 9223372036854775807"),
        ({"seed": 2**63}, "seed is 9223372036854775808; allowed: whole numbers 0 to 9223372036854775807"),
        ({"threads": 0}, "threads is 0; allowed: whole numbers 1 to 256"),
        ({"seats": "rotated"}, "seats 'rotated'; did you mean rotate?"),
        ({"strategies": ("random",) * 3}, "a line-up of 3 strategies for 4 players; give 1 or 4"),
        (
            {"strategies": ("random",) * 2, "players": (2, 3)},
            "a line-up of 2 strategies with several numbers of players; give one strategy for all seats",
        ),
    ],
)
def test_bad_input_is_refused(given, text):
    with pytest.raises(BadValue) as caught:
        config(**given)
    assert str(caught.value) == text


def test_decks_too_small_are_refused():
    few = make_ruleset(card_changes=[(row["id"], "", "copies_4p", "0") for row in make_ruleset().cards[:25]])
    with pytest.raises(BadValue, match="the deck of age 1 has"):
        config(ruleset=few)


def test_unknown_strategy_leaves_no_folder(tmp_path):
    with pytest.raises(UnknownName):
        run(tmp_path / "a", strategies=("randon",))
    assert not (tmp_path / "a").exists()


def test_folder_of_another_run_is_refused(tmp_path):
    run(tmp_path / "a")
    before = (tmp_path / "a/manifest.json").read_bytes()
    other = make_ruleset({"march": "adjacent"})
    with pytest.raises(OutputRefused) as caught:
        run(tmp_path / "a", seed=6, games=31, ruleset=other)
    assert "holds another run: games is 30 there, 31 here; seed is 5 there, 6 here; " in str(caught.value)
    assert "rules.march is anywhere there, adjacent here" in str(caught.value)
    assert (tmp_path / "a/manifest.json").read_bytes() == before
    run(tmp_path / "a", threads=3, part_games=7, unit_games=1)  # these do not matter


def test_foreign_folders_are_refused(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/diary.txt").write_text("dear diary")
    (tmp_path / "file").write_text("")
    for name, text in [("mine", "holds files that are no bloodrage data set"), ("file", "is a file")]:
        with pytest.raises(OutputRefused, match=text):
            run(tmp_path / name)
    with pytest.raises(OutputRefused, match="cannot be written"):
        run(tmp_path / "file/inner")
    (tmp_path / "mine/manifest.json").write_text('{"name": "web app"}')
    with pytest.raises(OutputRefused, match="not the manifest of a bloodrage-sim data set"):
        run(tmp_path / "mine")
    (tmp_path / "mine/manifest.json").write_text("{")
    with pytest.raises(OutputRefused, match="cannot be read"):
        run(tmp_path / "mine")
    assert (tmp_path / "mine/diary.txt").read_text() == "dear diary"
    with pytest.raises(BadDataSet, match="is no data set: it has no manifest.json"):
        batch.read_results(tmp_path)


@pytest.mark.parametrize("fails_at", ["part-000000010.parquet", "manifest.json"])
def test_full_disk(tmp_path, monkeypatch, fails_at):
    usual, wrote = os.replace, []

    def replace_until_full(source, target):
        wrote.append(Path(target).name)
        if Path(target).name == fails_at and len(wrote) > 5:
            raise OSError(errno.ENOSPC, "No space left on device")
        usual(source, target)

    monkeypatch.setattr(os, "replace", replace_until_full)
    with pytest.raises(OutputRefused) as caught:
        run(tmp_path / "a", part_games=10)
    assert str(caught.value) == (
        f"the disk of {tmp_path / 'a'} is full; 10 games written before are whole; "
        "make room and give the same command again to go on"
    )
    monkeypatch.undo()
    assert len(pd.read_parquet(tmp_path / "a/games")) == 10
    assert len(pd.read_parquet(tmp_path / "a/players")) == 40
    assert not list((tmp_path / "a").rglob(".*"))
    again = run(tmp_path / "a", part_games=10)
    assert again.content_hash() == run(tmp_path / "b").content_hash()


def test_damaged_data_set_is_told(tmp_path):
    run(tmp_path / "a")
    (tmp_path / "a/players/players=4/part-000000000.parquet").write_bytes(b"junk")
    with pytest.raises(BadDataSet, match="part-000000000.parquet cannot be read"):
        batch.read_results(tmp_path / "a")


# --- the rest


def test_warning_for_games_that_do_not_fill_a_deal():
    with pytest.warns(UserWarning, match="10 games are no multiple of 4"):
        simulate(4, 10, 1)
    assert config(games=30, players=(3, 5), seats="rotate").warnings() == []
    assert config(games=10, seats="fixed").warnings() == []


def test_config_like_repeats(tmp_path):
    card = next(row["id"] for row in make_ruleset().cards if row["kind"] == "quest")
    ruleset = make_ruleset({"draft": "off"}, [(card, "", "glory", "7")], {"tracks": {"start_step": 2}})
    first = run(tmp_path / "a", ruleset=ruleset, strategies=("random:by=kind",), seats="random", players=(2, 3))
    like = config_like(tmp_path / "a", threads=2)
    assert replace(like, threads=1, unit_games=7, rule_arguments=()) == replace(
        config(ruleset=ruleset, strategies=("random:by=kind",), seats="random", players=(2, 3)), threads=1
    )
    second = run_to_folder(like, tmp_path / "b", "test").data_set
    assert second.content_hash() == first.content_hash() and second.run == first.run


def test_summary_by_hand():
    rows = np.zeros(8, [(name, "f8" if name == "win_share" else "i8") for name in COLUMNS])
    rows["deal"] = [0, 0, 0, 0, 1, 1, 1, 1]
    rows["seat"] = [0, 1] * 4
    rows["strategy"] = [0, 1, 1, 0] * 2
    rows["win_share"] = [1, 0, 0, 1, 0.5, 0.5, 1, 0]
    rows["glory"] = [10, 0, 4, 8, 6, 6, 20, 2]
    for cut in (8, 2, 6):
        summary = Summary(2, ["a", "b"])
        summary.add(rows[:cut])
        summary.add(rows[cut:])
        a, b, seat_0, seat_1 = summary.shares()
        # deal means of a: 1 and 1/4; mean 5/8, standard error 3/8
        assert (a.share, a.glory, a.players, a.deals) == (0.625, 6.5, 4, 2)
        assert a.half_width == pytest.approx(12.706 * 0.375)
        assert (b.share, b.glory) == (0.375, 7.5)
        assert (seat_0.share, seat_0.glory) == (0.625, 10.0) and seat_0.half_width == pytest.approx(12.706 * 0.125)
        assert seat_1.share == 0.375
    assert summary.games == 4


def test_t_quantile():
    known = {1: 12.706, 5: 2.571, 11: 2.201, 30: 2.042, 100: 1.984, 100_000: 1.960}
    assert {df: round(t_quantile(df), 3) for df in known} == known


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_rows_of_kernels_and_of_files_are_the_same_bytes(table):
    assert table.row.itemsize == table.kernel_row.itemsize
    assert all(column.dtype[0] in "if" and column.meaning for column in table.columns)


def test_workers_end():
    simulate(2, 10, 1, threads=3)
    assert not [thread for thread in threading.enumerate() if thread.name == "bloodrage worker"]
