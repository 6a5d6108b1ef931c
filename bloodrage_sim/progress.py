"""How far a long task is: one line that rewrites itself on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_TERMINAL_SECONDS = 0.25
_PLAIN_SECONDS = 10.0
_WINDOW_SECONDS = 20.0


def show_time(seconds: float) -> str:
    """'8 s', '3 min 20 s', '2 h 05 min'."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


class Progress:
    """Tells of compiling and of games.

    Parameters
    ----------
    stream : where to write, standard error by default
    already : games done before this run, which do not count for the speed
    """

    def __init__(self, stream: TextIO | None = None, already: int = 0) -> None:
        self.stream = stream or sys.stderr
        self.already = already
        self._terminal = self.stream.isatty()
        self._last = 0.0
        self._width = 0
        self._open = False
        self._shown = already
        self._marks: list[tuple[float, int]] = []

    def compiling(self, done: int, all_: int) -> None:
        """The core is being compiled: `done` of `all_` kernels."""
        if self._is_due():
            self._show(f"compiling the game core, once per version, a few minutes: {done} of {all_} kernels")

    def games(self, done: int, total: int) -> None:
        """`done` of `total` games are there, those of earlier runs included."""
        moment = time.monotonic()
        if not self._marks:
            self._marks.append((moment, self.already))
            self._last = moment
        if done == self._shown or not (self._is_due() or done == total):
            return
        self._shown = done
        self._marks.append((moment, done))
        while len(self._marks) > 2 and moment - self._marks[1][0] > _WINDOW_SECONDS:
            del self._marks[0]
        seconds, games = moment - self._marks[0][0], done - self._marks[0][1]
        text = f"{done:,} of {total:,} games"
        if games > 0 and seconds > 0:
            text += f", {games / seconds:,.0f} games/s, {show_time((total - done) * seconds / games)} left"
        self._show(text)

    def status(self, text: str) -> None:
        """How it stands, in a line that the next one replaces."""
        if self._is_due():
            self._show(text)

    def say(self, text: str) -> None:
        """A line of its own."""
        self.close()
        print(text, file=self.stream, flush=True)

    def close(self) -> None:
        """Leave the line that rewrites itself."""
        if self._open:
            print(file=self.stream, flush=True)
            self._open = False
            self._width = 0

    def _is_due(self) -> bool:
        moment = time.monotonic()
        if moment - self._last < (_TERMINAL_SECONDS if self._terminal else _PLAIN_SECONDS):
            return False
        self._last = moment
        return True

    def _show(self, text: str) -> None:
        if self._terminal:
            print("\r" + text.ljust(self._width), end="", file=self.stream, flush=True)
            self._width = len(text)
            self._open = True
        else:
            print(text, file=self.stream, flush=True)
