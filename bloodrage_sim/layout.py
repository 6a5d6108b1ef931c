"""Lines and tables of at most 100 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH = 100
_TEXT = 52  # columns of the text of a told line, then those of the rule, then the note
_RULE = 8
AFTER = 6  # indent of what follows from a move


@dataclass
class Line:
    """One line of a told game: text, rule number, note; the age it belongs to."""

    text: str
    rule: str = ""
    note: str = ""
    indent: int = AFTER
    age: int = 0

    def show(self) -> str:
        """The line in columns, on several lines if it is long."""
        if not self.rule and not self.note:
            return textwrap.indent(
                textwrap.fill(self.text, WIDTH - self.indent - 2, subsequent_indent="  "), " " * self.indent
            )
        room = _TEXT - self.indent - 2
        left = textwrap.wrap(self.text, room, subsequent_indent="  ", break_on_hyphens=False) or [""]
        right = textwrap.wrap(self.note, WIDTH - _TEXT - _RULE, break_on_hyphens=False) or [""]
        rows = [" " * self.indent + part for part in left]
        rows[-1] = f"{rows[-1]:<{_TEXT}}{self.rule:<{_RULE}}{right[0]}"
        rows += [" " * (_TEXT + _RULE) + part for part in right[1:]]
        return "\n".join(row.rstrip() for row in rows)


def show_table(rows: list[list[str]], indent: int, left: int = 1) -> list[str]:
    """Rows of cells in columns; the first `left` columns and the last one are flush left, the others right."""
    last = len(rows[0]) - 1
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    shown = []
    for row in rows:
        cells = [
            cell.ljust(width) if n < left else cell if n == last else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        text = "  ".join(cells[:-1])
        room = WIDTH - indent - len(text) - 2
        parts = textwrap.wrap(cells[-1], max(room, 20), break_on_hyphens=False) or [""]
        shown.append(" " * indent + f"{text}  {parts[0]}".rstrip())
        shown += [" " * (indent + len(text) + 2) + part for part in parts[1:]]
    return shown


def show_columns(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Rows of cells in columns two blanks apart; the columns in `right` are flush right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    flush = set(right)
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if column in flush else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
