"""Moves as text, both ways: the notation of scenarios, logs, replays and errors.

A *move* is one line of one seat, as said at the table; it may be several *questions* of the core (the figures of a march,
the card that an upgrade replaces).  `legal_moves` walks through the questions of a move on copies of the game, so the
text says exactly what the core allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from .data import reader
from .errors import BadValue, IllegalMove, UnknownName, nearest, unknown
from .game import Game
from .rules import flow, ids
from .rules.engine import PAUSE_AT_QUESTIONS
from .rules.tables import FIGURE_MONSTER, FIGURE_NAMES, NO_CARD, SLOT_FIRST
from .whole_numbers import whole_number

STATS = ids.STAT_NAMES
_MONSTER_SLOT = SLOT_FIRST[ids.CARD_KIND_MONSTER]
_CONTINUES = {flow.QUESTION_MARCH, flow.QUESTION_REPLACE, flow.QUESTION_SACRIFICE}
_MAY_CONTINUE = {flow.QUESTION_DRAFT, flow.QUESTION_DISCARD, flow.QUESTION_PROWESS, flow.QUESTION_TIDE}
_LONG_ACTIONS = {
    flow.ACTION_MARCH,
    flow.ACTION_MARCH_FIGURE,
    flow.ACTION_UPGRADE,
    flow.ACTION_SACRIFICE,
    flow.ACTION_TAKE_BACK,
    flow.ACTION_KEEP_CARD,
    flow.ACTION_KEEP_FIGURE,
}
SIMULTANEOUS = {flow.QUESTION_DRAFT, flow.QUESTION_CARD, flow.QUESTION_DISCARD}


# ---------------------------------------------------------------- names


@cache
def card_ids() -> frozenset[str]:
    """All ids of cards.csv."""
    return frozenset(row["id"] for row in reader.card_rows())


@cache
def monster_ids() -> frozenset[str]:
    """Ids of the cards that bring a monster."""
    return frozenset(row["id"] for row in reader.card_rows() if row["kind"] == "monster")


def card_name(card: int, tables: Any, age: int) -> str:
    """Name of a card in a game of `age`: the age is added to a quest of another age, or to a card that differs by age."""
    if not 0 <= card < len(reader.card_rows()):
        return f"card_{card}"
    row = reader.card_rows()[card]
    if row["kind"] == "quest" or tables.face[card] != _first_row(row["id"]):
        return row["id"] if int(row["age"]) == age else f"{row['id']}@{row['age']}"
    return row["id"]


@cache
def _first_row(card_id: str) -> int:
    return next(number for number, row in enumerate(reader.card_rows()) if row["id"] == card_id)


@cache
def find_card(text: str, age: int) -> int:
    """CARD id of `id` or `id@age`; without an age the card of the current age, else of the latest earlier one.

    Raises UnknownName or BadValue.
    """
    card_id, at, wanted = text.partition("@")
    if card_id not in card_ids():
        raise unknown("card", card_id, card_ids())
    ages = {int(row["age"]): number for number, row in enumerate(reader.card_rows()) if row["id"] == card_id}
    if at:
        number = whole_number(wanted)
        if number not in ages:
            raise BadValue(f"card {card_id!r} has no age {wanted!r}; allowed: {', '.join(map(str, ages))}")
        return ages[number]
    earlier = [found for found in ages if found <= age]
    return ages[max(earlier) if earlier else min(ages)]


def figure_name(figure: int, card: int) -> str:
    """Name of a figure: leader, warrior, ship, mystic, or the id of its monster card."""
    return FIGURE_NAMES[figure] if figure < FIGURE_MONSTER else reader.card_rows()[card]["id"]


def place_name(place: int) -> str:
    """Id of a PLACE."""
    return ids.PLACE_NAMES[place]


@cache
def find_place(text: str, any_place: bool = True) -> int:
    """PLACE id of any place, or of a province only; aliases are accepted.  Raises UnknownName."""
    names = ids.PLACE_NAMES if any_place else ids.PLACE_NAMES[: ids.N_PROVINCES]
    for row in reader.board()["province"]:
        if text.lower() in (alias.lower() for alias in row["aliases"]):
            text = row["id"]
    if text not in names:
        raise unknown("place", text, names)
    return ids.PLACE_NAMES.index(text)


# ---------------------------------------------------------------- options as words


class _Words:
    """The words of a move that is being put together: a head, and parts whose order does not matter."""

    def __init__(self, head: str, parts: tuple[str, ...] = (), tail: str = "") -> None:
        self.head, self.parts, self.tail = head, parts, tail

    def add(self, other: _Words) -> _Words:
        return _Words(self.head, self.parts + other.parts, self.tail + other.tail)

    def text(self) -> str:
        return " ".join([self.head, *sorted(self.parts)]) + self.tail

    def may_become(self, move: str) -> bool:
        """Whether more words may turn these into `move`."""
        return move.startswith(self.head) and not Counter(self.parts) - Counter(move.split()) and self.tail in move


def _option_words(game: Game, option: Any, n: int) -> _Words:
    """Words of one option of the open question of `game`, which has n options."""
    record = game.record
    question, age = int(record.flow.question), int(record.clock.age)
    action = int(option.action)

    def card() -> str:
        return card_name(int(option.card), game.tables[0], age)

    def figure() -> str:
        return figure_name(int(option.figure), int(option.card))

    origin, place = int(option.origin), int(option.place)
    if action == flow.ACTION_DECLINE:
        if question == flow.QUESTION_MARCH:
            return _Words("")
        declines = (flow.QUESTION_JOIN, flow.QUESTION_LATE, flow.QUESTION_PROTECT, flow.QUESTION_CARD)
        return _Words("decline" if question in declines else "no")
    if action == flow.ACTION_PASS:
        return _Words("pass")
    if action == flow.ACTION_KEEP_CARD or action == flow.ACTION_TAKE_BACK:
        return _Words("keep", (card(),))
    if action == flow.ACTION_INVADE:
        if question == flow.QUESTION_BLESSING or question == flow.QUESTION_SUCCOR and record.flow.a == place:
            return _Words("yes")
        grave = "@valhalla" if origin == ids.PLACE_VALHALLA else ""
        return _Words(f"invade {figure()}{grave} {place_name(place)}")
    if action == flow.ACTION_MARCH:
        return _Words(f"march {place_name(origin)} {place_name(place)}")
    if action == flow.ACTION_MARCH_FIGURE:
        return _Words("", (figure(),))
    if action == flow.ACTION_UPGRADE:
        return _Words(f"upgrade {card()}")
    if action == flow.ACTION_REPLACE:
        return _Words("", (), f" replace {card()}" if option.card != NO_CARD else "")
    if action == flow.ACTION_QUEST:
        return _Words(f"quest {card()}")
    if action == flow.ACTION_PILLAGE:
        return _Words(f"pillage {place_name(place)}")
    if action == flow.ACTION_SACRIFICE:
        return _Words("sacrifice", (f"{figure()}@{place_name(place)}",))
    if action == flow.ACTION_JOIN:
        return _Words(f"join {figure()} from {place_name(origin)}")
    if action == flow.ACTION_PLAY:
        return _Words(f"play {card()}")
    if action == flow.ACTION_ADD:
        return _Words(f"add {card()}")
    if action == flow.ACTION_KEEP_FIGURE:
        return _Words("keep", (f"{figure()}@{place_name(place)}",))
    if action == flow.ACTION_PROTECT:
        return _Words(f"protect {figure()}@{place_name(place)}")
    if action == flow.ACTION_RAISE:
        return _Words(f"raise {STATS[option.value]}")
    if action == flow.ACTION_MOVE_LEADER:
        return _Words(f"march {place_name(origin)} {place_name(place)} leader")
    if question == flow.QUESTION_DOMAIN and record.flow.a >= ids.N_PROVINCES:
        return _Words(f"pillage {place_name(place)}")
    if question == flow.QUESTION_DECLARE and n > 2:
        return _Words(f"yes {option.value}")
    return _Words("yes")


# ---------------------------------------------------------------- legal moves


def is_continued(game: Game, seat: int, first_question: int) -> bool:
    """Whether the open question goes on with a move that `seat` began at a question of kind `first_question`."""
    question = int(game.record.flow.question)
    if not game.n or game.record.flow.seat != seat:
        return False
    if question in _CONTINUES:
        return True
    if question != first_question or question not in _MAY_CONTINUE:
        return False
    if question in (flow.QUESTION_DRAFT, flow.QUESTION_DISCARD):
        return int(game.record.secret.n_chosen[seat]) > 0
    return True


Found = tuple[str, tuple[int, ...]]


@dataclass
class _Walk:
    """A walk through the questions of one move of the seat that is asked; `like` keeps it to ways to that move."""

    first_question: int
    like: str | None = None
    seen: set[Any] = field(default_factory=set)

    def moves(self, game: Game, words: _Words | None = None, path: tuple[int, ...] = ()) -> Iterator[Found]:
        """All moves that begin with what was chosen so far."""
        for choice in range(game.n):
            added = _option_words(game, game.options[choice], game.n)
            if words is not None and added.head in ("no", "decline"):
                added = _Words("")  # nothing more of what was begun
            whole = added if words is None else words.add(added)
            if self.like is None or whole.may_become(self.like):
                yield from self.onward(game, whole, choice, (*path, choice))

    def onward(self, game: Game, words: _Words, choice: int, path: tuple[int, ...]) -> Iterator[Found]:
        """The moves that go on with one option."""
        option = game.options[choice]
        if int(option.action) not in _LONG_ACTIONS:
            yield words.text(), path
            return
        mark = (words.text(), int(option.action))
        if mark in self.seen:  # the same figures or cards in another order
            return
        self.seen.add(mark)
        seat = int(game.record.flow.seat)
        twin = game.copy()
        twin.apply(choice, PAUSE_AT_QUESTIONS)
        if is_continued(twin, seat, self.first_question):
            yield from self.moves(twin, words, path)
        else:
            yield words.text(), path


def legal_moves(game: Game, like: str | None = None) -> dict[str, tuple[int, ...]]:
    """Every legal move of the seat that is asked, as text, with the options to choose one after the other.

    like : a move in canonical form; then only ways that may lead to it are walked, which is much quicker
    """
    moves: dict[str, tuple[int, ...]] = {}
    for text, path in _Walk(int(game.record.flow.question), like).moves(game):
        moves.setdefault(text, path)
    return moves


def move_stems(game: Game) -> list[str]:
    """Legal moves without the figures of a march, sorted: much quicker than `legal_moves`, enough to compare lists."""
    stems = set()
    walk = _Walk(int(game.record.flow.question))
    for choice in range(game.n):
        words = _option_words(game, game.options[choice], game.n)
        if game.options[choice].action == flow.ACTION_MARCH:
            stems.add(words.text())
        else:
            stems.update(text for text, _ in walk.onward(game, words, choice, (choice,)))
    return sorted(stems)


@dataclass(frozen=True)
class Begun:
    """A move that is being made question by question."""

    seat: int
    first_question: int
    words: _Words

    @property
    def text(self) -> str:
        """The move so far; the whole of it once it is complete."""
        return self.words.text()


def option_text(game: Game, choice: int) -> str:
    """Words of one option of the open question alone, '' for no more figures or cards of what was begun."""
    return _option_words(game, game.options[choice], game.n).text().strip()


def begin_or_continue(game: Game, choice: int, begun: Begun | None = None) -> tuple[Begun, bool]:
    """The move that option `choice` begins, or with which it goes on, and whether its seat is asked for more of it.

    Further questions with a single answer, which the core answers alone, are part of the move.
    """
    added = _option_words(game, game.options[choice], game.n)
    if begun is None:
        begun = Begun(int(game.record.flow.seat), int(game.record.flow.question), added)
    else:
        begun = _add_words(begun, added)
    if int(game.options[choice].action) not in _LONG_ACTIONS:
        return begun, False
    twin = game.copy()
    twin.apply(choice, PAUSE_AT_QUESTIONS)
    while is_continued(twin, begun.seat, begun.first_question):
        if twin.n > 1:
            return begun, True
        begun = _add_words(begun, _option_words(twin, twin.options[0], twin.n))
        twin.apply(0, PAUSE_AT_QUESTIONS)
    return begun, False


def _add_words(begun: Begun, added: _Words) -> Begun:
    if added.head in ("no", "decline"):
        added = _Words("")  # nothing more of what was begun
    return Begun(begun.seat, begun.first_question, begun.words.add(added))


def play_path(game: Game, path: tuple[int, ...], pause: int = 0) -> None:
    """Answer the questions of one move and go on to what `pause` asks for."""
    for choice in path[:-1]:
        game.apply(choice, PAUSE_AT_QUESTIONS)
    game.apply(path[-1], pause)


# ---------------------------------------------------------------- reading moves

_ONE_WORD = ("pass", "no", "decline", "yes")


def _check_figure(text: str, where: bool) -> str:
    """A figure, or figure@place if `where`, in canonical form."""
    name, at, place = text.partition("@")
    if name not in FIGURE_NAMES and name not in monster_ids():
        raise unknown("figure", name, [*FIGURE_NAMES, *monster_ids()])
    if bool(at) != where:
        raise BadValue(f"{text!r}: a figure is written {'figure@place' if where else 'without a place'} here")
    return f"{name}@{place_name(find_place(place))}" if where else name


def _card(text: str, game: Game) -> str:
    card = find_card(text, int(game.record.clock.age))
    return card_name(int(game.tables[0].face[card]), game.tables[0], int(game.record.clock.age))


def canonical_move(text: str, game: Game) -> str:
    """A move in the form that `legal_moves` gives, whether it is legal or not.

    Raises BadValue or UnknownName for text that is no move at all: unknown names, wrong number of words.
    """
    words = text.split()
    usage = ""
    if not words:
        raise BadValue("an empty move")
    verb, rest = words[0], words[1:]
    if verb in _ONE_WORD and not rest:
        return verb
    if verb == "yes":
        usage = "yes [<STR of the quest>]"
        if len(rest) == 1 and (strength := whole_number(rest[0])) is not None:
            return f"yes {strength}"
    elif verb == "keep":
        usage = "keep <card>... or keep <figure>@<place>..."
        if rest:
            if all(part.partition("@")[0] in FIGURE_NAMES or _is_figure_at(part) for part in rest):
                return " ".join(["keep", *sorted(_check_figure(part, True) for part in rest)])
            return " ".join(["keep", *sorted(_card(part, game) for part in rest)])
    elif verb == "invade":
        usage = "invade <figure> <place> or invade <figure>@valhalla <place>"
        if len(rest) == 2:
            figure, _, grave = rest[0].partition("@")
            if grave not in ("", "valhalla"):
                raise BadValue(f"{text!r}: a figure invades from the reserve or @valhalla, not @{grave}")
            name = _check_figure(figure, False) + ("@valhalla" if grave else "")
            return f"invade {name} {place_name(find_place(rest[1]))}"
    elif verb == "march":
        usage = "march <from> <to> <figure>..."
        if len(rest) >= 3:
            figures = sorted(_check_figure(part, False) for part in rest[2:])
            return " ".join(["march", place_name(find_place(rest[0])), place_name(find_place(rest[1])), *figures])
    elif verb == "upgrade":
        usage = "upgrade <card> or upgrade <card> replace <card>"
        if len(rest) == 1:
            return f"upgrade {_card(rest[0], game)}"
        if len(rest) == 3 and rest[1] == "replace":
            return f"upgrade {_card(rest[0], game)} replace {_card(rest[2], game)}"
    elif verb in ("quest", "play", "add"):
        usage = f"{verb} <card>"
        if len(rest) == 1:
            return f"{verb} {_card(rest[0], game)}"
    elif verb == "pillage":
        usage = "pillage <province>"
        if len(rest) == 1:
            return f"pillage {place_name(find_place(rest[0]))}"
    elif verb == "sacrifice":
        usage = "sacrifice <figure>@<place> <figure>@<place>"
        if rest:
            return " ".join(["sacrifice", *sorted(_check_figure(part, True) for part in rest)])
    elif verb == "join":
        usage = "join <figure> from <province>"
        if len(rest) == 3 and rest[1] == "from":
            return f"join {_check_figure(rest[0], False)} from {place_name(find_place(rest[2]))}"
    elif verb == "protect":
        usage = "protect <figure>@<place>"
        if len(rest) == 1:
            return f"protect {_check_figure(rest[0], True)}"
    elif verb == "raise":
        usage = "raise rage, raise axes or raise horns"
        if len(rest) == 1 and rest[0] in STATS:
            return f"raise {rest[0]}"
    elif verb not in _ONE_WORD:
        verbs = ("keep", "invade", "march", "upgrade", "quest", "pillage", "sacrifice", "pass", "join", "decline", "play",
                 "add", "protect", "raise", "yes", "no")  # fmt: skip
        raise UnknownName(f"{text!r} is no move{nearest(verb, verbs)}")
    raise BadValue(f"{text!r} is no move; write: {usage or verb}")


def _is_figure_at(text: str) -> bool:
    name, at, place = text.partition("@")
    return bool(at) and name in monster_ids() and not place.isdigit()


def _equivalents(move: str, game: Game, moves: dict[str, tuple[int, ...]]) -> list[str]:
    """Other legal ways to write a move that is not written as in `moves`."""
    question = int(game.record.flow.question)
    if move in ("no", "decline"):
        return [other for other in ("no", "decline") if other in moves]
    if move == "yes" and question == flow.QUESTION_FREE_INVADE:
        return [other for other in moves if other != "no"]
    if question in (flow.QUESTION_SUCCOR, flow.QUESTION_BLESSING):
        place = game.record.flow.a if question == flow.QUESTION_SUCCOR else game.record.battle.province
        return ["yes"] if move == f"invade warrior {place_name(int(place))}" and "yes" in moves else []
    if move == "yes" and question == flow.QUESTION_DECLARE:
        return []
    if move.startswith("upgrade ") and " replace " not in move:
        return [other for other in moves if other.startswith(f"{move} replace ")]
    if move.startswith("invade ") and "@" not in move:
        _, figure, place = move.split()
        if not _has_in_reserve(game, figure):
            return [other for other in (f"invade {figure}@valhalla {place}",) if other in moves]
    return []


def _has_in_reserve(game: Game, name: str) -> bool:
    record, seat = game.record, int(game.record.flow.seat)
    for figure in range(record.board.figures.shape[2]):
        if record.board.figures[ids.PLACE_RESERVE, seat, figure] > 0:
            slot = figure - FIGURE_MONSTER
            card = int(record.clans[seat].sheet[_MONSTER_SLOT + slot]) if slot >= 0 else NO_CARD
            if figure_name(figure, card) == name:
                return True
    return False


def find_move(text: str, game: Game, moves: dict[str, tuple[int, ...]]) -> str | None:
    """The key of `moves` that `text` names, None if the move is not legal.  Raises for text that is no move."""
    move = canonical_move(text, game)
    if move in moves:
        return move
    others = _equivalents(move, game, moves)
    return others[0] if len(others) == 1 else None


def play_move(text: str, game: Game, where: str = "") -> None:
    """Play one move of the seat that is asked.  Raises IllegalMove with the legal moves."""
    moves = legal_moves(game)
    move = find_move(text, game, moves)
    if move is None:
        raise IllegalMove(f"seat {game.seat}: {text!r} is not legal now; legal: {', '.join(sorted(moves))}{where}")
    play_path(game, moves[move])
