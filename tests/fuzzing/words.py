"""Kinds of inputs that are words: texts of strategies, whole command lines, and what strategies answer."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from click.testing import CliRunner

from bloodrage_sim.batch import simulate
from bloodrage_sim.cli import main
from bloodrage_sim.errors import BloodRageError
from bloodrage_sim.plugins.loading import import_strategy, known_names, read_strategy
from bloodrage_sim.tactics.style import STYLE_PARAMS
from bloodrage_sim.tactics.traits import TRAITS_TABLE

from .spoil import LETTERS, VALUES

STATUSES = (0, 1, 2)  # done, differences found, misused or failed


class Refused(BloodRageError):
    """A command ended with a status that says so."""


def run_command(arguments: list[str], folder: Path) -> None:
    """A command in this process and in `folder`.  Raises Refused, or whatever it should not have raised."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(main, arguments, prog_name="bloodrage")
    finally:
        os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in STATUSES, result.exit_code
    if result.exit_code == 2:
        said = result.output.strip().splitlines()
        assert said, "an error without words"
        raise Refused(said[-1])


class StrategyTexts:
    """As the help says that strategies are written, and nearly so."""

    def make(self, rng: Random) -> str:
        names = [*known_names(), "./none.py", "greedi", "", "random", "balanced"]
        params = [*STYLE_PARAMS, "boldness", "by", "passing", "wits", ""]
        values = ["0", "1", "-1", "0.5", "1e9", "kind", "nan", "", "rage/axes/horns", "1_0", "٣", *VALUES[:20]]
        text = rng.choice(names)
        if rng.random() < 0.2:
            text += rng.choice(["@tuned", "@none", "@x.toml", "@", "@tuned@tuned"])
        if rng.random() < 0.5:
            text += ":" + ",".join(f"{rng.choice(params)}={rng.choice(values)}" for _ in range(rng.randint(1, 3)))
        for _ in range(rng.choice([0, 0, 1, 2, 5])):
            text += f"+{rng.choice([*TRAITS_TABLE, 'lock', ''])}" + rng.choice(["", "", f"={rng.choice(values)}"])
        if rng.random() < 0.3 and text:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(LETTERS) + text[at + rng.randint(0, 1) :]
        return text

    def check(self, made: str, folder: Path) -> None:
        before = os.getcwd()
        os.chdir(folder)
        try:
            reading = read_strategy(made)
        finally:
            os.chdir(before)
        assert read_strategy(reading.settings.text).settings.text == reading.settings.text


GOOD_COMMANDS = tuple(
    text.split()
    for text in (
        "simulate --players 2 --games 2 --seed 1 --threads 1 --tables summary --out new",
        "simulate --players 3 --games 3 --seed 7 --strategy random:by=kind --seats fixed --threads 1 --events all --out new",
        "simulate --players 2 --games 2 --rule march=adjacent --rules rules.toml --cards cards.csv --board board.toml --threads 1 --out new",
        "simulate --like run --threads 1 --out new",
        "simulate --games 4 --players 2 --seed 1 --threads 1 --share 1/2 --resume --out run",
        "verify run --sample 1 --seed 1",
        "merge run --out new",
        "schema games --json",
        "schema --queries",
        "cards --lang pl --age 1 --kind quest",
        "rules",
        "strategies greedy --traits",
        "strategies balanced random",
        "strategies --check ./none.py --games 1 --seed 1",
        "scenario good.toml bad.toml",
        "play --players 2 --seed 1 --deal 3 --rotation 1 --strategy random --strategy greedy",
        "play --players 3 --seed 1 --rule march=adjacent --cards cards.csv --board board.toml",
        "tips list --priority 1 --design scenario",
        "tips show experts_backfire lock_is_good --lang pl",
        "tips run experts_backfire --players 4 --looks 1 --no-strengths --threads 1 --out taken",
        "tips report run --out new",
        "experiment trial.toml --players 2 --looks 2 --threads 1 --out new",
        "card-value troll --players 2 --blocks 1 --strategy random --measures hold,use --seed 1 --threads 1 --out new",
        "card-value troll --with fire_giant --players 3 --blocks 2 --strategy random --seed 1 --threads 1 --out new",
        "tournament --players 2 --strategy random --strategy greedy --blocks 2 --seed 1 --threads 1 --out taken",
        "tournament --table random,greedy --field field.txt --players 2 --games 8 --compositions all --threads 1 --out taken",
        "tune random --players 2 --generations 1 --games 4 --held-out 4 --popsize 4 --sigma 0.3 --seed 1 --threads 1 --out taken",
        "report run --players 2 --age 1,2 --strategy random --where glory>3 --partial --lang en --out taken",
        "compare run run --players 2 --partial --lang pl --out taken",
    )
)
WORDS = (
    "0", "1", "2", "3", "4", "5", "6", "-1", "2,3", "1,1", "x", "", " ", "1.5", "1e3", "nan", "2/2", "0/0", "١", "--", "-h", "--help", "--version",
    "run", "new", "taken", "none", "/dev/null", "/proc/x", "run/manifest.json", "new/deeper/still", ".", "..", "rules.toml", "cards.csv",
    "board.toml", "trial.toml", "good.toml", "bad.toml", "field.txt", "random", "greedy:boldness=2", "balanced+lock_province", "a=b", "=",
    "march=adjacent", "all", "summary", "games,plays", "games,,", "en", "pl", "threads", "troll", "troll@1", "troll@9", "9" * 30, "-" * 9,
    "glory > 3", "1=1) or (1=1", "; drop table players", "select", "'", "\x1b[31m", "é" * 40, "x" * 3000,
)  # fmt: skip
FILES = {
    "rules.toml": 'march = "adjacent"\n', "cards.csv": "id,age,column,value\ntroll,,copies_2p,2\n", "board.toml": "[clan]\nglory = 3\n",
    "field.txt": "random,greedy\nrandom*2\n", "bad.toml": "name = [", "taken": "a file",
}  # fmt: skip
TRIAL = """id = "trial"
claim = "Ten glory are ten glory"
players = [2]
looks = [2]
metric = "glory"
min_effect = 1
pools = [["random"]]
focal = "random"
[treatment]
set_state = [{ age = 3, glory = 10 }]
[control]
"""


class CommandLines:
    """Good commands with words changed.  Numbers of games stay small: a long run is no hang."""

    def make(self, rng: Random) -> list[str]:
        words = list(rng.choice(GOOD_COMMANDS))
        for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
            at, way = rng.randrange(len(words)), rng.randrange(5)
            if way < 2:
                words[at] = rng.choice(WORDS)
            elif way == 2:
                words[at] = rng.choice(rng.choice(GOOD_COMMANDS))
            elif way == 3:
                words.insert(at, rng.choice(rng.choice([WORDS, rng.choice(GOOD_COMMANDS)])))
            else:
                del words[at]
                if not words:
                    words = ["rules"]
        return words

    def check(self, made: list[str], folder: Path) -> None:
        self._set_up(folder)
        run_command([*made, *self._kept_short(made)], folder)

    def _kept_short(self, made: list[str]) -> list[str]:
        """More words where a run would be long because a number of games was left out: a long run is no hang."""
        if made[:2] == ["tips", "run"] or made[0] in ("tournament", "tune"):
            return ["--out", "taken"]
        return ["--blocks", "1"] if made[0] == "card-value" and "--blocks" not in made else []

    def _set_up(self, folder: Path) -> None:
        for name, text in FILES.items():
            (folder / name).write_text(text)
        (folder / "trial.toml").write_text(TRIAL)
        scenario = Path(__file__).resolve().parents[1] / "scenarios/rule_10_1_doomed_province_is_destroyed.toml"
        (folder / "good.toml").write_bytes(scenario.read_bytes())
        if not (folder / "run").exists():
            run_command("simulate --players 2 --games 4 --seed 1 --threads 1 --tables summary --out run".split(), folder)


class _Odd:
    """An answer that is no number and does not even print."""

    def __repr__(self) -> str:
        raise ValueError("no repr")


class _Index:
    def __index__(self) -> int:
        raise OverflowError("no index")


class _Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def _raising(kind: type[BaseException], *words: object) -> Callable[[int], Any]:
    def answer(_n: int) -> Any:
        raise kind(*words)

    return answer


def _deep(n: int) -> int:
    return _deep(n + 1)


ANSWERS: dict[str, Callable[[int], Any]] = {
    "the last": lambda n: n - 1, "a numpy number": lambda n: np.int64(n - 1), "true": lambda n: True, "n": lambda n: n, "-1": lambda n: -1,
    "2**80": lambda n: 2**80, "None": lambda n: None, "0.0": lambda n: 0.0, "text": lambda n: "0\n" * 99, "a list": lambda n: [0],
    "an array": lambda n: np.zeros(1, int), "an array of none": lambda n: np.array(0), "nan": lambda n: float("nan"), "bytes": lambda n: b"\0",
    "odd": lambda n: _Odd(), "a bad index": lambda n: _Index(), "a class": lambda n: int, "lines": _raising(ValueError, "one\ntwo\n"),
    "mute": _raising(_Mute), "the end of the program": _raising(SystemExit, 0), "ctrl-c": _raising(KeyboardInterrupt),
    "the end of a generator": _raising(GeneratorExit), "stop": _raising(StopIteration), "memory": _raising(MemoryError), "depth": _deep,
    "an error of ours": _raising(BloodRageError, "not mine"), "a missing file": _raising(FileNotFoundError, 2, "No such file", "x"),
}  # fmt: skip
PLUGIN = '''"""Answers as it is told."""
from bloodrage_sim.strategy_api import strategy

told = []


@strategy(compiled=False)
def decide(view, options, n, tables, params, memory, key):
    told[1] -= 1
    return told[0](n) if told[1] <= 0 else n - 1
'''


class Answers:
    """What a strategy in plain Python does at some decision."""

    def make(self, rng: Random) -> tuple[str, int]:
        return rng.choice(list(ANSWERS)), rng.randint(1, 150)

    def check(self, made: tuple[str, int], folder: Path) -> None:
        path = folder.parent / "plugin.py"
        if not path.exists():
            path.write_text(PLUGIN)
        told = import_strategy(str(path)).declared.function.__globals__["told"]
        told[:] = [ANSWERS[made[0]], made[1]]
        simulate(2, 2, 1, [str(path), "random"], threads=1)
