"""Cards and rule options as lines to read."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from .data import reader
from .errors import unknown
from .layout import WIDTH, show_columns
from .notation import card_ids, find_card
from .ruleset import PLAYER_COUNTS, copies_of, rule_values

_UPGRADES = ("warrior", "leader", "ship", "monster", "clan")
_EMPTY = "·"


# ---------------------------------------------------------------- cards


def card_label(row: Mapping[str, str], lang: str) -> str:
    """Name of a card: Polish if asked for and known, else English."""
    return (row["name_pl"] if lang == "pl" else "") or row["name_en"]


def choose_cards(
    rows: Sequence[dict[str, str]], names: Sequence[str], age: int | None, kind: str | None, players: int | None
) -> list[dict[str, str]]:
    """Rows of cards.csv that were asked for.  Raises UnknownName, or BadValue for an age that a card does not have."""
    wanted: set[tuple[str, str]] = set()
    for name in names:
        card_id, at, _ = name.partition("@")
        if card_id not in card_ids():
            raise unknown("card", card_id, card_ids())
        ages = [rows[find_card(name, 1)]["age"]] if at else [row["age"] for row in rows if row["id"] == card_id]
        wanted |= {(card_id, one_age) for one_age in ages}
    return [row for row in rows if (not names or (row["id"], row["age"]) in wanted) and _fits(row, age, kind, players)]


def _fits(row: Mapping[str, str], age: int | None, kind: str | None, players: int | None) -> bool:
    kinds = _UPGRADES if kind == "upgrade" else (kind,)
    return (
        (age is None or row["age"] == str(age))
        and (kind is None or row["kind"] in kinds)
        and (players is None or copies_of(row, players) > 0)
    )


def card_lines(rows: Sequence[Mapping[str, str]], lang: str, players: int | None) -> list[str]:
    """A table of cards, the text of each below its line."""
    if not rows:
        return ["no cards fit"]
    counts = PLAYER_COUNTS if players is None else (players,)
    head = ["id", "name", "kind", "age", "cost", "STR", "glory", *(f"{count}p" for count in counts)]
    table = [head]
    for row in rows:
        copies = [str(copies_of(row, count)) for count in counts]
        numbers = [row["cost_or_str"], row["battle_str"] or row["figure_str"], row["glory"]]
        cells = [row["id"], card_label(row, lang), row["kind"], row["age"], *numbers, *copies]
        table.append([cell or _EMPTY for cell in cells])
    shown = show_columns(table, right=range(3, len(head)))
    lines = [shown[0]]
    for row, line in zip(rows, shown[1:], strict=True):
        lines.append(line)
        text = row["text_en"] + (
            "" if row["source"] in ("base", "p5") else f" (variant {row['source']}, not built yet)"
        )
        if text:
            lines += textwrap.wrap(text.strip(), WIDTH - 4, initial_indent="    ", subsequent_indent="    ")
    total = (
        f", {sum(copies_of(row, players) for row in rows)} copies with {players} players" if players is not None else ""
    )
    lines += ["", f"{len(rows)} card{'' if len(rows) == 1 else 's'}{total}"]
    lines.append("cost: rage to play.  STR: of a battle card, or of the figure that an upgrade governs.")
    lines.append("2p to 5p: copies in the deck of its age with so many players.")
    if lang == "pl":
        lines.append("names in Polish where there is one; the texts are in English")
    return lines


# ---------------------------------------------------------------- rule options


def choose_rules(names: Sequence[str]) -> list[dict[str, str]]:
    """Rows of rules.csv, all or those named.  Raises UnknownName."""
    for name in names:
        if name not in rule_values():
            raise unknown("rule option", name, rule_values())
    return [row for row in reader.rule_rows() if not names or row["name"] in names]


def rule_lines(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Rule options with their values, the default first, and what they mean."""
    cells = [["option", "values, the default first", "rule"]]
    cells += [[row["name"], row["values"].replace("|", " | "), row["rule"]] for row in rows]
    shown = show_columns(cells)
    lines = [shown[0]]
    for row, line in zip(rows, shown[1:], strict=True):
        lines += [line, *textwrap.wrap(row["meaning"], WIDTH - 4, initial_indent="    ", subsequent_indent="    ")]
    return lines


def number_lines(wanted: Sequence[str]) -> list[str]:
    """What the numbers of rules are about: all, or those wanted with what stands below them.  Raises UnknownName."""
    rows = reader.rule_number_rows()
    known = [row["rule"] for row in rows]
    for number in wanted:
        if number not in known:
            raise unknown("rule number", number, known)
    chosen = [row for row in rows if not wanted or any(_is_below(row["rule"], number) for number in wanted)]
    return [line for row in chosen for line in _number_line(row)]


def _is_below(number: str, other: str) -> bool:
    """Whether a number is another one or a part of it: 6.10.7c of 6.10.7 and of 6, not of 6.1."""
    rest = number.removeprefix(other)
    return number.startswith(other) and not rest[:1].isdigit()


def _number_line(row: Mapping[str, str]) -> list[str]:
    if "." not in row["rule"]:
        return ["", f"{row['rule']:<9}{row['meaning'].upper()}"]
    return textwrap.wrap(f"{row['rule']:<9}{row['meaning']}", WIDTH, subsequent_indent=" " * 9)


def rule_toml(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """A file for --rules with the defaults."""
    lines = ["# Rule options of Blood Rage with their default values, for --rules FILE.toml."]
    for row in rows:
        values = row["values"].split("|")
        lines += ["", f"# rule {row['rule']}: {row['meaning']}", f"# allowed: {', '.join(values)}"]
        lines.append(f'{row["name"]} = "{values[0]}"')
    return lines
