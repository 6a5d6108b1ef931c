"""What a tuning leaves on disk: the file of values, and beside it the state that the same command goes on with.

    FILE.toml          values and where they come from, once the search is over
    FILE.toml.state    JSON: the run, and of every generation its points, scores and win shares
"""

from __future__ import annotations

import errno
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import provenance
from ..errors import OutputRefused
from ..rows.table_files import write_file

FORMAT = "bloodrage-sim tuning"
FORMAT_VERSION = 1
_PARTS = {"points", "scores", "shares"}  # of a generation


def state_path(out: Path) -> Path:
    """The state of the tuning that writes the file `out`."""
    return out.with_name(f"{out.name}.state")


def read_state(out: Path) -> dict[str, Any] | None:
    """The state of a tuning, None if there is none.  Raises OutputRefused for a file that is something else."""
    path = state_path(out)
    try:
        state = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(path, error) from None
    except (ValueError, RecursionError):
        state = None
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise OutputRefused(f"{path} is not the state of a tuning; give another file to write")
    if state.get("format_version") != FORMAT_VERSION:
        raise OutputRefused(f"{path} has format version {state.get('format_version')}, this program reads {FORMAT_VERSION}")
    if not _is_whole(state):
        raise OutputRefused(f"{path} is damaged; remove it to begin anew")
    return state


def _is_whole(state: Mapping[str, Any]) -> bool:
    run, generations, result = state.get("run"), state.get("generations"), state.get("result")
    return (
        isinstance(run, dict)
        and state.get("run_hash") == provenance.digest_of(run)
        and isinstance(state.get("command"), str)
        and isinstance(generations, list)
        and all(isinstance(one, dict) and _PARTS <= one.keys() for one in generations)
        and (result is None or (isinstance(result, dict) and isinstance(result.get("score"), dict)))
    )


def stored_seed(out: Path) -> int | None:
    """Seed of the tuning that writes `out`, None if there is none: the same command without a seed goes on with it."""
    try:
        state = read_state(out)
    except OutputRefused:  # it is told when it is opened to write
        return None
    seed = state["run"].get("seed") if state else None
    return seed if isinstance(seed, int) else None


class Keeper:
    """The state of one tuning.

    Attributes
    ----------
    out : the file of values that comes out
    run : all that decides it, as plain data
    generations : what was played so far, as plain data
    result : what came out, as plain data; None while the search goes on
    """

    def __init__(self, out: Path | None, state: dict[str, Any]) -> None:
        self.out = out
        self._state = state

    @classmethod
    def open(cls, out: Path | None, run: Mapping[str, Any], command: str) -> Keeper:
        """A new tuning that writes `out`, or the one begun with the same `run`; None keeps it in memory.

        Raises OutputRefused if `out` is of another tuning or something else, or cannot be written.
        """
        state: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "command": command,
            "run": dict(run),
            "run_hash": provenance.digest_of(run),
            "versions": provenance.versions(),
            "generations": [],
            "result": None,
        }
        if out is not None:
            there = read_state(out)
            if there is not None and there["generations"]:  # without any there is nothing to lose
                found = provenance.differences(there["run"], run)
                if found:
                    shown = "; ".join(found[:4]) + (f"; and {len(found) - 4} more" if len(found) > 4 else "")
                    raise OutputRefused(f"{state_path(out)} holds another tuning: {shown}; give another file")
                state = there
            _check_file(out, state["run_hash"], there is not None)
        keeper = cls(out, state)
        if out is not None:
            try:
                out.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise _refused(out, error) from None
            keeper._save()
        return keeper

    @property
    def run(self) -> Mapping[str, Any]:
        return self._state["run"]

    @property
    def run_hash(self) -> str:
        return self._state["run_hash"]

    @property
    def command(self) -> str:
        """The command that began it."""
        return self._state["command"]

    @property
    def generations(self) -> list[dict[str, Any]]:
        return self._state["generations"]

    @property
    def result(self) -> dict[str, Any] | None:
        return self._state["result"]

    def add(self, generation: Mapping[str, Any]) -> None:
        """Keep a generation.  Raises OutputRefused when it cannot be written."""
        self.generations.append(dict(generation))
        self._save()

    def finish(self, result: Mapping[str, Any], text: str) -> None:
        """Keep what came out, and write the file of values with this text.  Raises OutputRefused."""
        self._state["result"] = dict(result)
        self._save()
        if self.out is not None:
            try:
                write_file(self.out, text.encode())
            except OSError as error:
                raise _refused(self.out, error) from None

    def _save(self) -> None:
        if self.out is None:
            return
        path = state_path(self.out)
        try:
            write_file(path, (json.dumps(self._state) + "\n").encode())
        except OSError as error:
            raise _refused(path, error) from None


def _check_file(out: Path, run_hash: str, begun: bool) -> None:
    """Raise OutputRefused if `out` is there already and not from this tuning."""
    try:
        search = tomllib.loads(out.read_text(encoding="utf-8")).get("search")
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refused(out, error) from None
    except ValueError:
        search = None
    if not isinstance(search, dict) or search.get("run_hash") != run_hash:
        raise OutputRefused(f"{out} is there already and not from this tuning; give another file")
    if not begun:
        raise OutputRefused(f"{out} is there already, without its state {state_path(out).name}; give another file")


def _refused(path: Path, error: OSError) -> OutputRefused:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return OutputRefused(f"the disk of {path} is full; make room and give the same command again to go on")
    return OutputRefused(f"{path} cannot be read and written: {error.strerror or error}")
