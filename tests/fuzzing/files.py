"""Kinds of inputs that are files: scenarios, rules, cards, board, experiments, sets of values, fields of tournaments."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from random_games import play_batch

from bloodrage_sim.data import reader
from bloodrage_sim.experiments.cells import cells_of
from bloodrage_sim.experiments.files import read_experiment
from bloodrage_sim.experiments.running import run_experiments
from bloodrage_sim.plugins.loading import read_strategy
from bloodrage_sim.rules.engine import CHECK_INVARIANTS
from bloodrage_sim.ruleset import (
    _BOARD_RANGES,
    NOT_BUILT,
    Ruleset,
    check_decks,
    load_card_changes,
    load_toml,
    make_ruleset,
    rule_values,
)
from bloodrage_sim.scenario import run_scenario
from bloodrage_sim.tournament.design import read_field
from bloodrage_sim.tournament.playing import TournamentConfig

from .spoil import as_bytes, spoilt

ROOT = Path(__file__).resolve().parents[2]
_PLAYED_EXPERIMENTS = 25  # one in so many is played, the others are built


@cache
def texts(*patterns: str) -> tuple[str, ...]:
    """All files of the project that fit a pattern."""
    return tuple(path.read_text(encoding="utf-8") for pattern in patterns for path in sorted(ROOT.glob(pattern)))


class FileKind(ABC):
    """Inputs that are bytes of a file."""

    ending = ".toml"

    @abstractmethod
    def examples(self, rng: Random) -> tuple[str, ...]:
        """Good texts, of which one is spoilt."""

    def make(self, rng: Random) -> bytes:
        return as_bytes(rng, spoilt(rng, self.examples(rng)))

    def check(self, made: bytes, folder: Path) -> None:
        """Read it as the commands do, and use it.  Raises BloodRageError where it is refused."""
        path = folder / f"input{self.ending}"
        path.write_bytes(made)
        self.read(path, Random(len(made)))

    @abstractmethod
    def read(self, path: Path, rng: Random) -> None:
        """Read the file as the commands do, and use it.  Raises BloodRageError where it is refused."""


class Scenarios(FileKind):
    def examples(self, rng: Random) -> tuple[str, ...]:
        return texts("tests/scenarios/*.toml", "bloodrage_sim/tips/scenarios/*/*.toml")

    def read(self, path: Path, rng: Random) -> None:
        run_scenario(path)


def play(ruleset: Ruleset, rng: Random) -> None:
    """Two games of `random` by rules that were accepted, with all invariants."""
    players = rng.choice([2, 3, 4, 5])
    check_decks(ruleset, players)
    play_batch(2, players, rng.randrange(2**31), ("option", "kind"), ruleset, CHECK_INVARIANTS)


class Rules(FileKind):
    def examples(self, rng: Random) -> tuple[str, ...]:
        lines = [f'{name} = "{rng.choice(values)}"' for name, values in rule_values().items() if name not in NOT_BUILT]
        return ("\n".join(rng.sample(lines, rng.choice([1, 3, 10, len(lines)]))), "\n".join(lines))

    def read(self, path: Path, rng: Random) -> None:
        play(make_ruleset(load_toml(path, "rules file"), where=str(path)), rng)


class Cards(FileKind):
    ending = ".csv"
    columns = ("cost_or_str", "battle_str", "figure_str", "glory", "amount", "copies_2p", "copies_3p", "copies_4p", "copies_5p")

    def examples(self, rng: Random) -> tuple[str, ...]:
        rows = rng.choices(reader.card_rows(), k=rng.choice([1, 2, 10, 60]))
        lines = [self._line(row, rng) for row in rows]
        return ("\n".join(["id,age,column,value", *lines]),)

    def _line(self, row: dict[str, str], rng: Random) -> str:
        column = rng.choice([column for column in self.columns if row[column].isdigit()])
        value = rng.choice([0, 1, 2, 3, 8, 1] if column.startswith("copies") else [0, 1, 2, 9, 50, 99])
        return f"{row['id']},{rng.choice(['', row['age']])},{column},{value}"

    def read(self, path: Path, rng: Random) -> None:
        play(make_ruleset({}, load_card_changes(path)), rng)


class Board(FileKind):
    def examples(self, rng: Random) -> tuple[str, ...]:
        board = reader.board()
        lines = []
        for key, (least, most) in rng.sample(sorted(_BOARD_RANGES.items()), rng.choice([1, 1, 2, 3, 10])):
            node = board
            for part in key.split("."):
                node = node[part]
            values = [rng.choice([least, most, rng.randint(least, most)]) for _ in range(len(node) if isinstance(node, list) else 1)]
            lines.append(f"{key} = {json.dumps(values if isinstance(node, list) else values[0])}")
        outer = [row["id"] for row in board["province"] if row["villages"]]
        lines.append(f"villages.{rng.choice(outer)} = {rng.randint(1, 20)}")
        return ("\n".join(lines),)

    def read(self, path: Path, rng: Random) -> None:
        play(make_ruleset({}, (), load_toml(path, "board file"), board_where=str(path)), rng)


class Experiments(FileKind):
    def examples(self, rng: Random) -> tuple[str, ...]:
        return texts("bloodrage_sim/tips/experiments/*.toml")

    def read(self, path: Path, rng: Random) -> None:
        experiment = read_experiment(path)
        if experiment.not_testable:
            return
        cells = list(cells_of(experiment, make_ruleset()))
        if rng.randrange(_PLAYED_EXPERIMENTS) == 0 and len(cells) <= 40:
            run_experiments([replace(experiment, looks=(2,), strengths=experiment.strengths[:1])], make_ruleset(), 1)


class ParamSets(FileKind):
    def examples(self, rng: Random) -> tuple[str, ...]:
        return texts("strategies/*.toml")

    def read(self, path: Path, rng: Random) -> None:
        read_strategy(f"balanced@{path}")


class Fields(FileKind):
    ending = ".txt"
    lines = ("greedy,random*3", "greedy:boldness=0.9,random*3", "loki, quests, battle+lock_province, random:by=kind", "# a comment", "balanced*4")

    def examples(self, rng: Random) -> tuple[str, ...]:
        return ("\n".join(rng.sample(self.lines, 3)),)

    def read(self, path: Path, rng: Random) -> None:
        config = TournamentConfig(4, (), 1, 1, tables=tuple(read_field(path)))
        for text in config.given:
            read_strategy(text)
