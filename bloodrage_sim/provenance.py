"""What made a file: versions, the engine, the run, and how two runs differ."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from . import __version__

_PACKAGE = Path(__file__).resolve().parent
_LIBRARIES = ("numpy", "numba", "pyarrow")
_DECIDING_ROOMS, _DECIDING_FILES = ("rules", "tactics", "steering", "rows"), ("play.py", "view.py")


@cache
def versions() -> dict[str, str]:
    """Versions of this package, Python and the libraries that results pass through."""
    found = {"bloodrage-sim": __version__, "python": platform.python_version()}
    for name in _LIBRARIES:
        found[name] = metadata.version(name)
    return found


@cache
def engine_digest() -> str:
    """Hex digest (16) of the sources that decide how a game goes and what its rows say."""
    sources = [path for room in _DECIDING_ROOMS for path in (_PACKAGE / room).rglob("*.py")]
    sources += [_PACKAGE / name for name in _DECIDING_FILES]
    digest = hashlib.sha256()
    for path in sorted(sources):
        digest.update(path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def canonical(value: Any) -> bytes:
    """JSON of plain data, always in the same form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest_of(value: Any) -> str:
    """Hex SHA-256 of plain data."""
    return hashlib.sha256(canonical(value)).hexdigest()


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def command_line(arguments: Sequence[str]) -> str:
    """The command as it can be pasted into a shell."""
    return shlex.join(["bloodrage", *arguments])


def _flat(value: Any, path: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping):
        items: Any = value.items()
    elif isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        items = enumerate(value)
    else:
        return {path: value}
    found: dict[str, Any] = {}
    for key, item in items:
        found.update(_flat(item, f"{path}.{key}" if path else str(key)))
    return found


def differences(
    there: Mapping[str, Any], here: Mapping[str, Any], places: tuple[str, str] = ("there", "here")
) -> list[str]:
    """One phrase for each value in which two runs differ, e.g. 'seed is 1 there, 2 here' with these `places`."""
    left, right = _flat(there), _flat(here)
    missing = "absent"
    return [
        f"{key} is {_short(left.get(key, missing))} {places[0]}, {_short(right.get(key, missing))} {places[1]}"
        for key in dict.fromkeys([*left, *right])
        if left.get(key, missing) != right.get(key, missing)
    ]


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}..."
