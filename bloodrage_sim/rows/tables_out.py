"""The tables of a data set: the only place that names, types and explains their columns.

A table is a list of columns.  Kernels fill *rows*, packed numpy records with the columns in order; neighbouring columns
with the same `field` (glory by source) are one array there.  All integers are signed, because SQL cannot subtract
unsigned ones below zero.  A column that follows from others is left out where it would cost much: the card, age and kind
of a `copy` stand in the table `cards`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ..rules.events import EVENT_NAMES, REASON_NAMES, SOURCE_NAMES, SOURCE_RULES
from ..rules.flow import QUESTION_NAMES
from ..rules.ids import N_AGES, N_PROVINCES, PHASE_NAMES, PLACE_NAMES, STAT_NAMES
from ..rules.ruin import CAUSE_NAMES
from ..rules.state import N_BOARD_PLACES

SCHEMA_VERSION = 2
AGE_ENDS = ("none", "rage", "pillaged")  # by AGE_END_* of rules/action.py
STRATEGIES = "strategies"  # words of a column that the line-up of the run gives

PER_GAME, PER_PLAYER, MANY = "game", "player", "many"  # how many rows of a table a game has

DTYPES = {"i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64", "f4": "float32"}


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes
    ----------
    name : as in the files and DataFrames
    dtype : numpy type of the number in a row; for words, of their code
    meaning : one sentence with the unit
    words : the words that the codes stand for, or STRATEGIES; () for a number
    field : field of the rows; columns with the same one are an array there
    rising : whether the values rise slowly from row to row
    scattered : whether many different values stand in no order
    """

    name: str
    dtype: str
    meaning: str
    words: tuple[str, ...] | str = ()
    field: str = ""
    rising: bool = False
    scattered: bool = False

    @property
    def shown_type(self) -> str:
        """The type as told to users."""
        return "string" if self.words else DTYPES[self.dtype]


@dataclass(frozen=True)
class Table:
    """A table: its name, what a row is, its columns, and how many rows a game has: PER_GAME, PER_PLAYER or MANY."""

    name: str
    meaning: str
    rows: str
    columns: tuple[Column, ...]

    @property
    def row(self) -> np.dtype:
        """Packed dtype of a row, one field per column."""
        return np.dtype([(column.name, "<" + column.dtype) for column in self.columns])

    @property
    def kernel_row(self) -> np.dtype:
        """The same bytes with arrays where columns share a field, as kernels fill them."""
        fields: list[tuple[Any, ...]] = []
        for name, group in groupby(self.columns, key=lambda column: column.field or column.name):
            columns = list(group)
            fields.append((name, columns[0].dtype, (len(columns),)) if columns[0].field else (name, columns[0].dtype))
        return np.dtype(fields)


def _by(field: str, dtype: str, prefix: str, names: Sequence[str], meaning: str) -> tuple[Column, ...]:
    """One column for each name; `{}` in the meaning stands for it."""
    return tuple(Column(f"{prefix}{name}", dtype, meaning.format(name), field=field) for name in names)


_AGES = tuple(str(age) for age in range(1, N_AGES + 1))
_PROVINCES = PLACE_NAMES[:N_PROVINCES]
_BOARD = PLACE_NAMES[:N_BOARD_PLACES]
_GAME = Column("game", "i8", "number of the game in the run, from 0, for this number of players", rising=True)
_DEAL = Column("deal", "i8", "number of the deal; games of one deal share decks, tokens and first player", rising=True)
_COPY = Column("copy", "i2", "physical card: key of the table cards")
_SEAT = Column("seat", "i1", "seat, clockwise from 0")
_AGE = Column("age", "i1", "age, 1 to 3")

GAMES = Table(
    "games",
    "one row per game",
    PER_GAME,
    (
        _GAME,
        _DEAL,
        Column("rotation", "i1", "turn of the line-up: slot j sits at seat (j + rotation) mod players"),
        Column("first_player", "i1", "seat that is first player in age 1"),
        *(
            Column(f"doomed_{age}", "i1", f"province that Ragnarok destroys in age {age}", _PROVINCES, field="doomed")
            for age in _AGES
        ),
        Column("gone", "i2", "provinces destroyed before the game: bit 0 for myrkulor, 1 for elvagar, ... as on the board"),
        Column("turns", "i2", "turns of all seats in the action phases"),
        Column("decisions", "i4", "decisions with two options or more"),
        Column("battles", "i2", "battles fought"),
        Column("pillages", "i2", "successful pillages"),
        *(
            Column(
                f"age_{age}_end",
                "i1",
                f"why the action phase of age {age} ended: nobody took turns any more, or all was pillaged",
                AGE_ENDS,
                field="age_end",
            )
            for age in _AGES
        ),
    ),
)  # fmt: skip

PLAYERS = Table(
    "players",
    "one row per player of a game",
    PER_PLAYER,
    (
        _GAME,
        _DEAL,
        _SEAT,
        Column("slot", "i1", "place in the line-up"),
        Column("strategy", "i1", "strategy with its parameters", STRATEGIES),
        Column("turn_order", "i1", "seats clockwise from the first player of age 1, who has 0"),
        Column("glory", "i2", "final glory"),
        Column("margin", "i2", "glory less the most glory of any other player"),
        Column("rank", "i1", "1 + players with more glory"),
        Column("win_share", "f4", "1/k for each of k players tied for most glory, 0 for the others"),
        *(
            Column(f"glory_{name}", "i2", f"glory from source {name} (rule {rule})", field="glory_by")
            for name, rule in SOURCE_RULES.items()
        ),
        *_by("glory_age", "i2", "glory_age_", _AGES, "glory gained in age {}"),
        *_by("stats", "i1", "", [f"{name}_step" for name in STAT_NAMES], "step of the stat at the end, 1 to 6"),
        *_by("steps_1", "i1", "", [f"{name}_step_age_1" for name in STAT_NAMES], "step of the stat after age 1"),
        *_by("steps_2", "i1", "", [f"{name}_step_age_2" for name in STAT_NAMES], "step of the stat after age 2"),
        Column("turns", "i2", "turns taken"),
        *_by("turns_age", "i1", "turns_age_", _AGES[:-1], "turns taken in age {}"),
        Column("passes", "i2", "passes"),
        Column("rage_passed", "i2", "rage given up by passing"),
        Column("monsters", "i2", "monster upgrades played"),
        Column("ships_lost", "i2", "own ships destroyed, Sea Serpents too"),
        Column("provinces_locked", "i2", "provinces with an own figure in every village at the end of an action phase"),
        Column("battles", "i2", "battles taken part in"),
        Column("battles_won", "i2", "battles won"),
        Column("pillages", "i2", "successful pillages"),
        Column("pillages_unopposed", "i2", "successful pillages without a battle"),
        Column("quests_committed", "i2", "quests committed"),
        Column("quests_done", "i2", "quests fulfilled"),
        *_by("deaths", "i2", "deaths_", CAUSE_NAMES, "own figures destroyed, cause {}"),
        Column("cards_drafted", "i2", "cards kept in drafts"),
        Column("cards_played", "i2", "upgrades played, quests committed and battle cards discarded"),
    ),
)

DEALS = Table(
    "deals",
    "one row per card dealt into a pack: who looked at it follows from first_seat, round and the number of players",
    MANY,
    (
        _GAME,
        _COPY,
        _AGE,
        Column("first_seat", "i1", "seat whose pack it was dealt into; seat first_seat + k - 1 looks at it in round k"),
        Column("round", "i1", "round of the draft in which it was taken, from 1; 0 if left over, or dealt without a draft"),
        Column("taken_by", "i1", "seat that took it, -1 if it was left over"),
    ),
)

# what becomes of a card that leaves a hand, or could have; what comes first of it is told in the same row
FATES = {
    "upgrade": "upgrade played, on the sheet to the end",
    "replaced": "upgrade played, replaced later",
    "quest_done": "quest committed and fulfilled",
    "quest_failed": "quest committed, not fulfilled",
    "battle_open": "revealed in a battle that is not over; never in a finished game",
    "battle_won": "revealed, battle won, discarded",
    "battle_kept": "revealed, battle won, bought back by Tyr's Prowess",
    "battle_stolen": "revealed, battle won, taken by a loser with Loki's Poison",
    "battle_lost": "revealed, battle lost or tied, back in the hand",
    "battle_watch": "revealed, discarded by Heimdall's Watch",
    "discarded": "in the hand at the end of an age, discarded",
    "kept": "in the hand at the end of an age, kept",
}
(
    FATE_UPGRADE, FATE_REPLACED, FATE_QUEST_DONE, FATE_QUEST_FAILED, FATE_BATTLE_OPEN, FATE_BATTLE_WON, FATE_BATTLE_KEPT,
    FATE_BATTLE_STOLEN, FATE_BATTLE_LOST, FATE_BATTLE_WATCH, FATE_DISCARDED, FATE_KEPT,
) = range(len(FATES))  # fmt: skip

PLAYS = Table(
    "plays",
    "one row per use of a card, in the order of the game",
    MANY,
    (
        _GAME,
        _SEAT,
        _AGE,
        Column("copy", "i2", _COPY.meaning, scattered=True),
        Column("fate", "i1", "what became of it: " + "; ".join(f"{name}: {text}" for name, text in FATES.items()), tuple(FATES)),
        Column("battle", "i2", "battles fought in the game before it, so the number of the battle it is revealed in", rising=True),
    ),
)

LEDGER = Table(
    "ledger",
    "one row per player, age, phase, source and card that gave or took glory, by source and card; sums to final less starting glory",
    MANY,
    (
        _GAME,
        _SEAT,
        _AGE,
        Column("phase", "i1", "phase of the age", PHASE_NAMES),
        Column("source", "i1", "source of the glory", SOURCE_NAMES),
        Column("copy", "i2", "physical card that gave it: key of the table cards; -1 if none did"),
        Column("glory", "i2", "sum of the changes", scattered=True),
    ),
)

BATTLES = Table(
    "battles",
    "one row per participant of a battle",
    MANY,
    (
        _GAME,
        Column("battle", "i2", "number of the battle in the game, from 0"),
        _AGE,
        Column("province", "i1", "where", _PROVINCES),
        _SEAT,
        Column("pillager", "i1", "1 for the clan that pillages, 0 for the others"),
        Column("total", "i2", "its total, cards included, in STR points", scattered=True),
        Column("won", "i1", "1 for the winner, 0 for the others; a tie has no winner"),
    ),
)

BOARD = Table(
    "board",
    "one row per age, place and player that stood, pillaged or lost figures there",
    MANY,
    (
        _GAME,
        _AGE,
        Column("place", "i1", "province or fjord", _BOARD),
        _SEAT,
        Column("figures", "i1", "figures there at the end of the action phase"),
        Column("pillages", "i1", "successful pillages"),
        Column("deaths", "i1", "figures destroyed there, but for Ragnarok"),
        Column("ragnarok_deaths", "i1", "figures that Ragnarok destroyed there"),
    ),
)

REASONS = (
    "", *(f"glory_{name}" for name in SOURCE_NAMES), *REASON_NAMES, *(f"ask_{name}" for name in QUESTION_NAMES)
)  # fmt: skip
FIRST_REASON = 1 + len(SOURCE_NAMES)  # of REASON_*; SOURCE_* come before, QUESTION_* after
FIRST_QUESTION = FIRST_REASON + len(REASON_NAMES)

EVENTS = Table(
    "events",
    "one row per thing that happened in a chosen game, in order (EVENT of rules/state.py; `bloodrage play` tells a game)",
    MANY,
    (
        _GAME,
        Column("decision", "i4", "decisions taken before it", rising=True),
        Column("kind", "i1", "what happened", EVENT_NAMES),
        Column("seat", "i1", "seat it happened to, -1 for all"),
        Column("age", "i1", "age, 1 to 3"),
        Column("phase", "i1", "phase of the age", PHASE_NAMES),
        Column("card", "i2", "number of the card in the table cards, -1 if none"),
        Column("copy", "i2", "physical card, -1 if none; of a decision, the intention that its strategy noted"),
        Column("value", "i2", "amount, STR or step; of a decision, the code of the action"),
        Column("place", "i1", "place it happens at", ("", *PLACE_NAMES)),
        Column("origin", "i1", "place it came from", ("", *PLACE_NAMES)),
        Column("figure", "i1", "slot of the figure on the clan sheet, -1 if none"),
        Column("reason", "i1", "source of glory (glory_...), reason of a change, or question of a decision (ask_...)", REASONS),
    ),
)

SUMMARY = (GAMES, PLAYERS)
DETAILS = (DEALS, PLAYS, LEDGER, BATTLES, BOARD)
TABLES = (*SUMMARY, *DETAILS, EVENTS)
PARTITION = Column("players", "i1", "number of players; in the folder name players=N, not in the files")

# the one table that is the same for all games of a run; it is written once
CARDS_NAME = "cards"
CARDS_MEANING = "one row per physical card of the run's decks"
CARD_COLUMNS = {
    "copy": ("int16", "physical card: key for deals, plays and ledger"),
    "card": ("string", "card"),
    "number": ("int16", "number of the card: its row in cards.csv"),
    "age": ("int8", "age of the deck it belongs to"),
    "kind": ("string", "kind of card"),
    "god": ("string", "god"),
    "name": ("string", "English name"),
    "name_pl": ("string", "Polish name"),
    "least_players": ("int8", "fewest players with which it is in the deck, 0 if it never is"),
}


def new_rows(table: Table, n: int) -> np.recarray:
    """`n` empty rows as kernels fill them."""
    return np.zeros(n, table.kernel_row).view(np.recarray)


def flat(table: Table, rows: np.ndarray) -> np.ndarray:
    """Rows that kernels filled as records with one field per column; shares their memory."""
    return rows.view(np.ndarray).view(table.row)


def words_of(column: Column, strategies: Sequence[str]) -> tuple[str, ...]:
    """Words of a column in a run whose distinct strategies are `strategies`."""
    return tuple(strategies) if column.words == STRATEGIES else tuple(column.words)


def tables_named(names: Sequence[str]) -> tuple[Table, ...]:
    """Tables by name, in the order of TABLES."""
    return tuple(table for table in TABLES if table.name in names)


def describe_tables(tables: Sequence[Table] = TABLES) -> Mapping[str, Any]:
    """Tables and columns as plain data, for manifests and `bloodrage schema`."""
    described = {
        table.name: {
            "meaning": table.meaning,
            "columns": [
                {"name": column.name, "type": column.shown_type, "meaning": column.meaning}
                for column in (PARTITION, *table.columns)
            ],
        }
        for table in tables
    }
    described[CARDS_NAME] = {
        "meaning": CARDS_MEANING,
        "columns": [
            {"name": name, "type": type_, "meaning": meaning} for name, (type_, meaning) in CARD_COLUMNS.items()
        ],
    }
    return described
