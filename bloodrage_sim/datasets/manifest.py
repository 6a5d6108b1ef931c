"""The manifest of a folder of results: reading it, and telling whether a folder holds the very run that is asked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from .. import provenance
from ..errors import BadDataSet, OutputRefused


def read_manifest_file(path: Path, file: str, format_: str, version_key: str, version: int, thing: str) -> dict[str, Any]:
    """The manifest in folder `path`.

    file : its name; format_, version : what it must say of itself; thing : what such a folder holds, for the messages
    Raises BadDataSet for a folder without it, and for a manifest that cannot be read or is of another version.
    """
    place = path / file
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadDataSet(f"{path} is no {thing}: it has no {file}") from None
    except (OSError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BadDataSet(f"{place} cannot be read: {error}") from None
    if not isinstance(found, dict) or found.get("format") != format_:
        raise BadDataSet(f"{place} is not the manifest of a bloodrage-sim {thing}")
    if found.get(version_key) != version:
        raise BadDataSet(
            f"{path} has {version_key.replace('_', ' ')} {found.get(version_key)}, this program reads {version}; "
            "use the version that wrote it, or play the run again"
        )
    if not isinstance(found.get("run"), dict) or not isinstance(found.get("parts"), list):
        raise BadDataSet(f"{place} is damaged: it has no run or no list of parts")
    return found


def holds_something(path: Path, ours: Collection[str] = ()) -> bool:
    """Whether a folder holds more than what is left of a start that failed: empty folders, temporary files, files named `ours`.

    Raises OSError; a file in place of the folder holds something.
    """
    if not path.exists():
        return False
    if not path.is_dir():
        return True
    return any(not (place.is_dir() or place.name in ours or _is_temporary(place.name)) for place in path.rglob("*"))


def _is_temporary(name: str) -> bool:
    """Whether a file is one that table_files.write_file began."""
    return name.startswith(".") and name.endswith(".tmp")


def new_manifest(format_: str, version_key: str, version: int, run: Mapping[str, Any], command: str) -> dict[str, Any]:
    """What every manifest begins with: of what form it is, and what made it; nothing is there yet."""
    return {
        "format": format_,
        version_key: version,
        "created": provenance.now(),
        "updated": "",
        "command": command,
        "run": dict(run),
        "run_hash": provenance.digest_of(run),
        "versions": provenance.versions(),
        "complete": False,
        "parts": [],
    }


def manifest_of_same_run(
    path: Path, run: Mapping[str, Any], file: str, read: Callable[[Path], dict[str, Any]], thing: str, held: str
) -> dict[str, Any]:
    """The manifest of a folder that holds just this run already; OutputRefused for any other folder.

    file : its name; read : reads it, or raises BadDataSet; thing, held : what the folder should hold, for the messages
    """
    if not path.is_dir():
        raise OutputRefused(f"output {path} is a file; give a new folder")
    if not (path / file).exists():
        raise OutputRefused(f"output folder {path} holds files that are no {thing}; give a new or empty folder")
    try:
        found = read(path)
    except BadDataSet as error:
        raise OutputRefused(f"output folder {path} cannot be continued: {error}") from None
    changed = provenance.differences(found["run"], run)
    if changed:
        shown = "; ".join(changed[:4]) + (f"; and {len(changed) - 4} more" if len(changed) > 4 else "")
        raise OutputRefused(f"output folder {path} holds another {held}: {shown}; give another folder")
    return found
