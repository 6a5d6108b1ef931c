"""Joining data sets of one run that hold different games of it, as several machines have played them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import provenance
from ..errors import BadDataSet, OutputRefused
from ..rows.tables_out import CARDS_NAME
from .dataset import DataSet, cannot_write, is_whole, locked


def merge(sources: Sequence[Path], out: Path) -> DataSet:
    """Copy the parts of the data sets in `sources` into a new one in folder `out`.

    Raises
    ------
    BadDataSet : a source that is none, of another run, with a damaged file, or with games that another has as well
    OutputRefused : `out` exists and is not empty, or cannot be written
    """
    data_sets = [DataSet.open(path) for path in sources]
    _check(data_sets)
    with locked(out):
        try:
            if out.exists() and (not out.is_dir() or any(out.iterdir())):
                raise OutputRefused(f"output {out} exists; give a new folder")
            return _copy(data_sets, out)
        except OSError as error:
            raise cannot_write(out, error) from None


def _copy(data_sets: Sequence[DataSet], out: Path) -> DataSet:
    """Copy all files into the folder; nothing is left there when that fails.  Raises OSError."""
    try:
        for data_set in data_sets:
            for part in data_set.manifest["parts"]:
                for file in part["files"].values():
                    target = out / file["file"]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(data_set.path / file["file"], target)
        cards = f"{CARDS_NAME}.parquet"
        shutil.copyfile(data_sets[0].path / cards, out / cards)
        merged = DataSet(out, _manifest(data_sets))
        merged.save()
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    return merged


def _manifest(data_sets: Sequence[DataSet]) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(json.dumps(data_sets[0].manifest))
    manifest["created"] = provenance.now()
    manifest["parts"] = [part for data_set in data_sets for part in data_set.manifest["parts"]]
    manifest["merged_from"] = [data_set.manifest["content_hash"] for data_set in data_sets]
    return manifest


def _check(data_sets: Sequence[DataSet]) -> None:
    first = data_sets[0]
    for data_set in data_sets[1:]:
        changed = provenance.differences(first.run, data_set.run)
        if changed:
            raise BadDataSet(f"{first.path} and {data_set.path} are of different runs: {'; '.join(changed[:3])}")
    for data_set in data_sets:
        for part in data_set.manifest["parts"]:
            for file in part["files"].values():
                if not is_whole(data_set.path / file["file"], file["sha256"]):
                    raise BadDataSet(
                        f"{data_set.path / file['file']} is missing or damaged; give the command that wrote it again to repair it"
                    )
    for players in first.run["players"]:
        _check_overlaps(data_sets, players)


def _check_overlaps(data_sets: Sequence[DataSet], players: int) -> None:
    parts = [(part["first_game"], part["last_game"], data_set.path) for data_set in data_sets for part in data_set.parts(players)]
    parts.sort(key=lambda part: part[:2])
    for (_, last, one), (first, _, other) in zip(parts, parts[1:], strict=False):
        if first <= last:
            raise BadDataSet(f"{one} and {other} both have game {first} with {players} players; merge one of them only")
