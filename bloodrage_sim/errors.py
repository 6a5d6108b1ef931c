"""Every error a user can meet.  Each says what came, where, what is allowed and what to do."""

from __future__ import annotations

import difflib
import threading
from typing import Iterable


class BloodRageError(Exception):
    """Base of all errors with a one-line message for the user; commands exit with `exit_status`."""

    exit_status = 2


class UnknownName(BloodRageError):
    """A name (strategy, card, rule option, value, place) that nothing has."""


class BadValue(BloodRageError):
    """A value out of its range or of the wrong form."""


class BadFile(BloodRageError):
    """A file that cannot be read as what it should be."""


class BadScenario(BadFile):
    """A scenario file that is malformed or describes an impossible position."""


class IllegalMove(BloodRageError):
    """A well-formed move that the rules do not allow now."""


class BadPlugin(BloodRageError):
    """A strategy that cannot be loaded or compiled, or that misbehaves in a game."""


class MissingPackage(BloodRageError):
    """A package that is not installed, for a command that is an extra."""


class OutputRefused(BloodRageError):
    """An output folder that holds something else or cannot be written."""


class BadDataSet(BloodRageError):
    """A folder that is no data set, or a damaged one."""


def nearest(name: str, known: Iterable[str], count: int = 3) -> str:
    """' (did you mean x, y?)' with the known names closest to `name`; if none is close, '; known: ...'."""
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), names, n=count, cutoff=0.55)
    if close:
        return f"; did you mean {', '.join(close)}?"
    listed = ", ".join(names) if len(names) <= 40 else ", ".join(names[:40]) + ", ..."
    return f"; known: {listed}"


def unknown(what: str, name: str, known: Iterable[str], where: str = "") -> UnknownName:
    """The error for an unknown name, with the nearest known ones."""
    place = f" in {where}" if where else ""
    return UnknownName(f"unknown {what} {name!r}{place}{nearest(name, known)}")


def one_line(error: BaseException) -> str:
    """An error of somebody else's code in one line, whatever it is: its class, and the first line of what it says."""
    try:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    except Exception:  # noqa: BLE001  an error that cannot even be printed
        lines = []
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines else type(error).__name__


def shown(value: object) -> str:
    """A value of somebody else's code in one short line, whatever it is."""
    try:
        return " ".join(repr(value).split())[:40]
    except Exception:  # noqa: BLE001  a value that cannot even be printed
        return f"a {type(value).__name__}"


def is_ctrl_c(error: BaseException) -> bool:
    """Whether an error is Ctrl-C and nothing that somebody else's code raised: that comes to the main thread alone."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()
