"""Whether what stands in the manifest of a data set can be what this program wrote there: a disk or a stranger may have changed it.

Names of files are checked most of all: whoever reads, copies or removes what a manifest names must not leave its folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..rows.tables_out import SUMMARY, TABLES
from ..ruleset import PLAYER_COUNTS

_TABLES = tuple(table.name for table in TABLES)
_HEX = re.compile(r"[0-9a-f]{64}")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and _HEX.fullmatch(value) is not None


def _is_list_of(check: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(check, value))


def _is_strategy(value: Any) -> bool:
    return isinstance(value, dict) and _is_text(value.get("text")) and _is_text(value.get("source_hash"))


def _is_table(value: Any) -> bool:
    return isinstance(value, str) and value in _TABLES


def _is_players(value: Any) -> bool:
    return _is_count(value) and value in PLAYER_COUNTS


_RUN: Mapping[str, Callable[[Any], bool]] = {
    "players": lambda value: _is_list_of(_is_players)(value) and len(set(value)) == len(value) > 0,
    "games": lambda value: _is_count(value) and value > 0,
    "seed": _is_count,
    "seats": _is_text,
    "tables": lambda value: _is_list_of(_is_table)(value) and {table.name for table in SUMMARY} <= set(value),
    "events": _is_text,
    "strategies": lambda value: _is_list_of(_is_strategy)(value) and len(value) > 0,
    "rules": lambda value: isinstance(value, dict),
    "cards": _is_list_of(lambda change: _is_list_of(_is_text)(change) and len(change) == 4),
    "board": lambda value: isinstance(value, dict),
    "tables_hash": _is_text,
    "engine": _is_text,
}
_ABOUT: Mapping[str, Callable[[Any], bool]] = {
    "command": _is_text, "run_hash": _is_text, "versions": lambda value: isinstance(value, dict),
    "content_hash": lambda value: isinstance(value, dict),
}  # fmt: skip
_PART = {"players": _is_players, "first_game": _is_count, "last_game": _is_count, "games": _is_count}
_FILE = {"file": _is_text, "rows": _is_count, "sha256": _is_hex, "content": _is_hex}


def fault_of(manifest: Mapping[str, Any]) -> str:
    """What is wrong with the manifest of a data set, '' if nothing is.  It has a table `run` and a list `parts`."""
    run = manifest["run"]
    wrong = [f"run.{name}" for name, check in _RUN.items() if not check(run.get(name))]
    wrong += [name for name, check in _ABOUT.items() if not check(manifest.get(name))]
    wrong += [f"parts[{number}]" for number, part in enumerate(manifest["parts"]) if not wrong and not _is_part(part, run)]
    return f"{wrong[0]} is not what this program writes there" if wrong else ""


def _is_part(part: Any, run: Mapping[str, Any]) -> bool:
    if not isinstance(part, dict) or not all(check(part.get(name)) for name, check in _PART.items()):
        return False
    first, last, files = part["first_game"], part["last_game"], part.get("files")
    if part["players"] not in run["players"] or not first <= last < run["games"] or part["games"] != last - first + 1:
        return False
    return isinstance(files, dict) and set(files) == set(run["tables"]) and all(_is_file(file, name, part) for name, file in files.items())


def _is_file(file: Any, table: str, part: Mapping[str, Any]) -> bool:
    if not isinstance(file, dict) or not all(check(file.get(name)) for name, check in _FILE.items()):
        return False
    return file["file"] == f"{table}/players={part['players']}/part-{part['first_game']:09d}.parquet"


def is_listed_file(part: Any, folder: str) -> bool:
    """Whether an entry of the list `parts` of a long run's manifest (part_files.py) names a file in `folder`."""
    return (
        isinstance(part, dict)
        and all(_is_count(part.get(name)) for name in ("number", "rows"))
        and _is_hex(part.get("sha256"))
        and part.get("file") == f"{folder}/part-{part['number']:05d}.parquet"
    )
