"""Glory, rage and stats.  Rules 1.6, 1.7."""

from __future__ import annotations

from .data import STATS
from .table import Table, ask, clan_of


def add_glory(table: Table, seat: int, glory: int) -> None:
    """Give glory; it never falls below 0.  Rule 1.7."""
    clan = clan_of(table, seat)
    clan["glory"] = max(0, clan["glory"] + glory)


def stat_value(table: Table, seat: int, stat: str) -> int:
    """Value of the step that the stat stands on.  Rule 1.6."""
    value: int = table.board["tracks"][stat][clan_of(table, seat)["stats"][stat] - 1]
    return value


def raise_stat(table: Table, seat: int, stat: str) -> None:
    """One step up, lost at the last step.  Rule 1.6."""
    stats = clan_of(table, seat)["stats"]
    stats[stat] = min(table.board["tracks"]["steps"], stats[stat] + 1)


def raisable_stats(table: Table, seat: int) -> list[str]:
    """Stats below the last step.  Rule 1.6."""
    stats = clan_of(table, seat)["stats"]
    return [stat for stat in STATS if stats[stat] < table.board["tracks"]["steps"]]


def raise_stat_of_choice(table: Table, seat: int, barred: str | None = None) -> None:
    """Raise a stat of choice other than `barred`; skipped if there is none.  Rule 1.6."""
    moves = [f"raise {stat}" for stat in raisable_stats(table, seat) if stat != barred]
    if moves:
        raise_stat(table, seat, ask(table, seat, "raise", moves).split()[1])
