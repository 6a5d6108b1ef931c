"""Tuning: a planted strategy is improved, an interrupted search goes on as if nothing had happened, bad input is told."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bloodrage_sim import cli
from bloodrage_sim.errors import BloodRageError, MissingPackage, OutputRefused
from bloodrage_sim.parameters import Param
from bloodrage_sim.plugins.loading import read_strategy
from bloodrage_sim.tuning import running
from bloodrage_sim.tuning.config import CHAMPIONS, TuneConfig
from bloodrage_sim.tuning.running import SilentWatcher, tune
from bloodrage_sim.tuning.scoring import Played, Score, draw_tables, estimate, seed_of
from bloodrage_sim.tuning.space import Axis, Space

pytest.importorskip("cma", reason="tuning needs cma: pip install 'bloodrage-sim[tune]'")

BEST = 0.7
# gives its turn away the more often the further `aim` is from BEST; `idle` has no meaning
PLANTED = f'''"""Acts, but passes with a chance that grows with the distance of `aim` from {BEST}."""
from bloodrage_sim.strategy_api import ACTION_PASS, Param, chance, strategy

PARAMS = {{
    "aim": Param(0.2, 0.0, 1.0, "best at {BEST}"),
    "idle": Param(0.5, 0.0, 1.0, "of no meaning"),
    "way": Param(0, 0, 1, "chosen by word", ("here", "there")),
}}

@strategy(params=PARAMS, survey=False)
def decide(view, options, n, tables, params, memory, key):
    idles = chance(key, 0) < abs(params[0] - {BEST})
    for option in range(n):
        if (options[option].action == ACTION_PASS) == idles:
            return option
    return 0
'''


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the planted strategy, the same for all tests so that it is compiled once."""
    path = tmp_path_factory.mktemp("planted") / "planted.py"
    path.write_text(PLANTED)
    return str(path)


def short(planted: str, **changes: object) -> TuneConfig:
    """A tuning of a few games."""
    options: dict = {"players": 3, "seed": 5, "generations": 3, "games": 12, "popsize": 4, "held_out": 30}
    return TuneConfig(planted, **{**options, **changes})


class StopAfter(SilentWatcher):
    """Ctrl-C in the middle of a generation."""

    def __init__(self, generation: int) -> None:
        self.generation = generation

    def status(self, text: str) -> None:
        if text.startswith(f"generation {self.generation} of"):
            raise KeyboardInterrupt


# ---------------------------------------------------------------- the search


def test_planted_parameter_is_found(planted: str, tmp_path: Path) -> None:
    out = tmp_path / "best.toml"
    config = TuneConfig(planted, players=3, seed=1, params=("aim",), generations=12, games=60, popsize=8, held_out=900)
    result = tune(config, out).result
    assert result is not None
    assert abs(result.values["aim"] - BEST) < 0.15
    assert result.score.difference.least > 0 and result.score.tuned.least > 1 / 3
    assert result.lines()[-1].startswith("Better than untuned")
    written = tomllib.loads(out.read_text())
    assert written["params"] == {"aim": result.values["aim"]}
    assert written["strategy"] == written["field"] == planted and written["search"]["field"] == [planted, CHAMPIONS]
    assert read_strategy(f"{planted}@{out}").settings.values["aim"] == result.values["aim"]


def test_useless_parameter_is_not_praised(planted: str) -> None:
    result = tune(short(planted, params=("idle",), held_out=60)).result
    assert result is not None
    assert result.score.difference.mean == 0
    assert result.lines()[-1].startswith("NOT SHOWN TO BE BETTER")


def test_going_on_is_the_same_as_never_stopping(planted: str, tmp_path: Path) -> None:
    config = short(planted, generations=6)  # long enough for a champion
    tune(config, tmp_path / "whole.toml")
    out = tmp_path / "parts.toml"
    for generation in (2, 6):
        assert tune(config, out, watcher=StopAfter(generation)).result is None
        assert len(json.loads((tmp_path / "parts.toml.state").read_text())["generations"]) == generation - 1
        assert not out.exists()
    assert tune(config, out).result is not None
    assert out.read_text() == (tmp_path / "whole.toml").read_text()
    again = tune(config, out)
    assert again.played == 0 and again.result is not None
    assert out.read_text() == (tmp_path / "whole.toml").read_text()


def test_threads_do_not_matter(planted: str, tmp_path: Path) -> None:
    files = [tmp_path / f"{threads}.toml" for threads in (1, 2)]
    for threads, file in enumerate(files, 1):
        tune(short(planted, threads=threads), file)
    assert files[0].read_text() == files[1].read_text()


def test_seeds_and_opponents_of_games(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All candidates of a generation play the same games; other generations and the end have others."""
    calls: list[tuple] = []

    def play(scorer: object, candidate: str, tables: list, seed: int) -> Played:
        calls.append((seed, tuple(tables)))
        return Played(np.array([0.3, 0.4]), np.array([0.0, 1.0]))

    monkeypatch.setattr(running.Scorer, "play", play)
    tune(short(planted, generations=12, against=("random", CHAMPIONS)))
    training, held_out = calls[:-2], calls[-2:]
    for generation in range(12):
        assert len(set(training[4 * generation : 4 * generation + 4])) == 1
    assert len({seed for seed, _ in training}) == 12
    assert len(set(held_out)) == 1 and held_out[0][0] not in {seed for seed, _ in training}
    assert {name for table in held_out[0][1] for name in table.opponents} == {"random"}
    late = {name for table in training[-1][1] for name in table.opponents}
    assert "random" in late and any(name.startswith(f"{planted}:aim=") for name in late)


# ---------------------------------------------------------------- pieces


def test_seats_are_shared_evenly() -> None:
    tables = draw_tables(["a", "b", "b", "c"], players=4, deals=50, most=6, seed=3)
    seats = [name for table in tables for name in table.opponents]
    assert len(tables) == 6 and len(seats) == 18
    assert 8 <= seats.count("b") <= 10 and min(seats.count("a"), seats.count("c")) >= 4
    assert tables[0].first == 0 and tables[-1].stop == 50
    assert all(one.stop == other.first for one, other in zip(tables, tables[1:]))
    assert tables == draw_tables(["a", "b", "b", "c"], 4, 50, 6, 3)
    assert tables != draw_tables(["a", "b", "b", "c"], 4, 50, 6, 4)
    assert [table.opponents for table in draw_tables(["a"], 3, 50, 6, 1)] == [("a", "a")]


def test_seeds() -> None:
    seeds = {seed_of(seed, what, number) for seed in range(3) for what in ("training", "held-out") for number in range(50)}
    assert len(seeds) == 300 and 0 <= min(seeds) and max(seeds) < 2**63


def test_scales() -> None:
    even, by_factors = Axis("x", Param(1.0, 0.0, 4.0, "")), Axis("x", Param(1.0, 0.01, 100.0, ""))
    assert not even.by_factors and by_factors.by_factors
    assert even.value(0.25) == 1.0 and even.coordinate(1.0) == 0.25
    assert by_factors.coordinate(1.0) == pytest.approx(0.5)
    assert by_factors.value(0.5) == 1.0 and by_factors.value(1.0) == 100.0 and by_factors.value(0.0) == 0.01
    assert even.value(1 / 3) == 1.333


def test_text_of_a_candidate(planted: str) -> None:
    space = Space(f"{planted}:way=there,idle=0.25", ("aim",))
    assert space.text_of({"aim": 0.5}) == f"{planted}:idle=0.25,way=there,aim=0.5"
    assert space.shown({"aim": 0.5}) == {"aim": 0.5, "idle": 0.25, "way": "there"}
    assert Space("greedy+lock_province", ()).text_with("x.toml") == "greedy@x.toml+lock_province"
    assert [axis.name for axis in Space(planted).axes] == ["aim", "idle"]


def test_intervals() -> None:
    assert estimate(np.array([0.0, 1.0])).half_width == pytest.approx(12.706 * 0.5, rel=1e-4)
    share = np.array([0.5, 0.25, 0.0, 0.25])
    score = Score.of(Played(share + 0.1, share), Played(share, share), 4)
    assert score.games == 16 and score.difference.mean == pytest.approx(0.1)
    assert score.difference.half_width == pytest.approx(0, abs=1e-12)
    assert Score.from_data(json.loads(json.dumps(score.as_data()))) == score


# ---------------------------------------------------------------- what cannot be


def test_bad_input(planted: str, tmp_path: Path) -> None:
    (tmp_path / "blank.py").write_text(
        "from bloodrage_sim.strategy_api import strategy\n\n\n@strategy()\ndef decide(view, options, n, tables, params, "
        "memory, key):\n    return 0\n"
    )
    blank = str(tmp_path / "blank.py")
    file = tmp_path / "file"
    file.write_text("not ours")
    other = tmp_path / "other.toml"
    other.write_text("x = 1\n")
    for arguments, words in [
        (["nobody"], "unknown strategy 'nobody'"),
        ([blank], "has no parameters, so there is nothing to tune"),
        ([planted, "--params", "aim,goal"], "unknown parameter 'goal'"),
        ([planted, "--params", "way"], "only numbers can be tuned"),
        ([planted, "--params", "aim,aim"], "aim is given twice"),
        ([planted, "--against", "somebody"], "unknown strategy 'somebody'"),
        ([planted, "--players", "6"], "6 players; allowed: 2 to 5"),
        ([planted, "--generations", "0"], "generations is 0; allowed: whole numbers 1 to"),
        ([planted, "--popsize", "3"], "popsize is 3; allowed"),
        ([planted, "--sigma", "nan"], "sigma is nan; allowed"),
        ([planted, "--held-out", "7"], "held_out is 7; allowed: whole numbers 8 to"),
        ([planted, "--out", str(other)], "is there already and not from this tuning"),
        ([planted, "--out", str(file)], "must end in .toml"),
        ([planted, "--out", str(file / "x.toml")], "cannot be"),
    ]:
        if "--out" not in arguments:
            arguments = [*arguments, "--out", str(tmp_path / "x.toml")]
        done = CliRunner().invoke(cli.main, ["tune", "--seed", "1", *arguments])
        assert done.exit_code == 2, arguments
        assert words in done.output and done.output.count("\n") == 1, done.output
    assert other.read_text() == "x = 1\n" and not list(tmp_path.glob("*.state"))


def test_another_tuning_of_the_same_file(planted: str, tmp_path: Path) -> None:
    out = tmp_path / "one.toml"
    tune(short(planted, generations=1), out)
    before = out.read_text()
    with pytest.raises(OutputRefused, match="generations is 1 there, 2 here; popsize is 4 there, 5 here"):
        tune(short(planted, generations=2, popsize=5), out)
    (tmp_path / "one.toml.state").write_text("{}")
    with pytest.raises(OutputRefused, match="is not the state of a tuning"):
        tune(short(planted, generations=1), out)
    (tmp_path / "one.toml.state").unlink()
    with pytest.raises(OutputRefused, match="without its state one.toml.state"):
        tune(short(planted, generations=1), out)
    assert out.read_text() == before


def test_damaged_state(planted: str, tmp_path: Path) -> None:
    out, state = tmp_path / "one.toml", tmp_path / "one.toml.state"
    tune(short(planted, generations=1), out)
    good = json.loads(state.read_text())
    state.write_text(json.dumps({**good, "generations": [{"points": []}]}))
    with pytest.raises(OutputRefused, match="is damaged"):
        tune(short(planted, generations=1), out)
    moved = np.array(good["generations"][0]["points"]) + 0.01
    state.write_text(json.dumps({**good, "generations": [{**good["generations"][0], "points": moved.tolist()}]}))
    with pytest.raises(OutputRefused, match="generation 1 was not played with the points"):
        tune(short(planted, generations=1), out)


def test_missing_package(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cma", None)
    with pytest.raises(MissingPackage, match=r"pip install 'bloodrage-sim\[tune\]'"):
        tune(short(planted))


def test_misbehaving_strategy(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(PLANTED.replace("return 0\n", "return 99\n").replace("return option", "return n"))
    with pytest.raises(BloodRageError, match="wrong.py.* answered"):
        tune(short(str(path)))


def test_command(planted: str, tmp_path: Path) -> None:
    out = tmp_path / "new" / "best.toml"
    arguments = ["tune", planted, "--players", "2", "--generations", "2", "--games", "8", "--popsize", "4"]
    arguments += ["--held-out", "20", "--against", "random", "--out", str(out)]
    done = CliRunner().invoke(cli.main, arguments)
    assert done.exit_code == 0, done.output
    assert "Against random at 2 players, 20 games of a seed not used in tuning" in done.output
    assert f"use it as {planted}@{out}; seed {tomllib.loads(out.read_text())['seed']}" in done.output
    assert "it was done already" in CliRunner().invoke(cli.main, arguments).output  # without a seed it finds its own
