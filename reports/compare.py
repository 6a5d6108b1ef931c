"""Two runs side by side: what differs between them, and what changed in wins, glory, cards and tempo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import provenance
from ..data import reader
from ..datasets.dataset import read_manifest
from ..errors import BadDataSet, BadValue
from ..listings import card_label
from ..statistics.ratios import Ratio
from .compare_counts import ACTIONS, BY_GAME, CARD_RATIOS, SOURCES, STRENGTH
from .compare_frames import change_frame
from .compare_groups import groups_of
from .compare_pairs import TwoRuns, count_runs
from .frames import joined
from .source import Filters, Source
from .tallies import ALL

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Comparison:
    """What was counted of two runs.

    Attributes
    ----------
    first, second : their folders
    differing : one phrase for each thing in which the runs differ
    damaged : files that were left out, of both
    runs : by number of players that both have, what was counted
    groups : by number of players, names of the groups of players that are compared
    by_group, by_game, by_card : changes, see compare_frames.change_frame, with a column players; the first also has a column
        group, the last card and age
    """

    first: Path
    second: Path
    differing: Sequence[str]
    damaged: Sequence[str]
    runs: Mapping[int, TwoRuns]
    groups: Mapping[int, Sequence[str]]
    by_group: DataFrame
    by_game: DataFrame
    by_card: DataFrame


def compare(first: Path, second: Path, players: Sequence[int] = (), partial: bool = False, lang: str = "en") -> Comparison:
    """Compare the runs in two folders.

    players : numbers of players to tell; () for all that both runs have
    partial : leave out damaged parts
    lang : of card names, 'en' or 'pl'

    Raises
    ------
    BadDataSet : a folder without a run, a damaged one and not partial, or runs that have nothing to compare
    BadValue : numbers of players that are not in both
    """
    if first.resolve() == second.resolve():
        raise BadValue(f"both runs are {first}; give two")
    there, here = (read_manifest(path)["run"] for path in (first, second))
    told = _common_players(there, here, players)
    groups = {n: groups_of(there, here, n) for n in told}
    runs, damaged = {}, []
    for n in told:
        sources = [Source(path, Filters(players=(n,)), partial) for path in (first, second)]
        runs[n] = count_runs(*sources, n, groups[n])
        damaged += [file for source in sources for file in source.damaged]
        if not all(runs[n].games):
            raise BadDataSet(f"{first} and {second} have no deal with {n} players in common, though their seed is the same")
    names = {n: groups[n].names for n in told}
    of_players: dict[str, Ratio] = {name: (name, "players") for name in (*STRENGTH, *SOURCES, *ACTIONS)}
    by_group = _changes(runs, "players", of_players, lambda n: {"group": (ALL, *names[n])})
    doubled = by_group["players"].map({n: len(of_one) == 1 for n, of_one in names.items()}) & (by_group["group"] == ALL)
    return Comparison(
        first,
        second,
        provenance.differences(there, here, places=("in the first", "in the second")),
        damaged,
        runs,
        names,
        by_group[~doubled].reset_index(drop=True),
        _changes(runs, "games", {name: (name, "games") for name in BY_GAME}, lambda _: {}),
        _card_changes(runs, lang),
    )


def _common_players(there: Mapping[str, Any], here: Mapping[str, Any], asked: Sequence[int]) -> tuple[int, ...]:
    common = [n for n in there["players"] if n in here["players"]]
    if not common:
        raise BadDataSet(
            f"the runs have no number of players in common: {_listed(there['players'])} in the first, "
            f"{_listed(here['players'])} in the second"
        )
    for n in asked:
        if n not in common:
            raise BadValue(f"--players {n}: both runs have games with {_listed(common)} players")
    return tuple(asked) or tuple(common)


def _card_changes(runs: Mapping[int, TwoRuns], lang: str) -> DataFrame:
    rows = reader.card_rows()
    labels = {"card": [card_label(row, lang) for row in rows], "age": [int(row["age"]) for row in rows]}
    frame = _changes(runs, "cards", CARD_RATIOS, lambda _: labels)
    return frame[frame["n"] > 0].reset_index(drop=True)


def _changes(
    runs: Mapping[int, TwoRuns],
    family: str,
    ratios: Mapping[str, Ratio],
    labels: Callable[[int], Mapping[str, Sequence[Any]]],
) -> DataFrame:
    frames = []
    for players, counted in runs.items():
        frame = change_frame(counted, family, ratios, labels(players))
        frame.insert(0, "players", players)
        frames.append(frame)
    return joined(frames)


def _listed(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))
