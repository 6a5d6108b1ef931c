"""A game in words: every move in notation, and every event with its rule number and what it changes.

`Teller` turns the moments of a watched game into lines; `as_json` gives the same as plain records.  The words come from the
stream of events alone, with what `Standing` keeps of it, so a told game also shows what the stream says.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from .data import reader
from .notation import card_name, figure_name, find_card, legal_moves, place_name
from .rules import flow, ids
from .rules.events import EVENT_NAMES, EVENT_RULES, SOURCE_NAMES, SOURCE_RULES
from .rules.flow import QUESTION_RULES
from .rules.tables import FIGURE_NAMES, NO_CARD
from .standing import Standing
from .stepping import Decision, Moment, Move, Pause, WatchedGame

WIDTH = 100
_TEXT = 52  # columns of the text, then those of the rule, then the note
_RULE = 8
_TURN, _MOVE, _AFTER = 2, 4, 6  # indents

PHASE_WORDS = ("gods' gifts", "action", "discard", "quest", "Ragnarok", "release Valhalla", "end of the game")
PHASE_RULES = ("4", "5", "8", "9", "10", "11", "12")
SHORT_FIGURES = {"warrior": "W", "leader": "L", "ship": "S", "mystic": "M"}

# the rule of an action on a turn, and the events that say no more than the move itself
TURN_RULES = {
    flow.ACTION_PASS: "5.2.1",
    flow.ACTION_INVADE: "5.5",
    flow.ACTION_MARCH: "5.6",
    flow.ACTION_UPGRADE: "5.7",
    flow.ACTION_QUEST: "5.8",
    flow.ACTION_PILLAGE: "5.9",
    flow.ACTION_SACRIFICE: "5.10.2",
}
_SAME_AS_MOVE = {
    flow.ACTION_PASS: "pass",
    flow.ACTION_INVADE: "invade",
    flow.ACTION_MARCH: "march",
    flow.ACTION_UPGRADE: "upgrade",
    flow.ACTION_QUEST: "quest",
    flow.ACTION_PILLAGE: "pillage",
    flow.ACTION_JOIN: "join",
    flow.ACTION_ADD: "late",
    flow.ACTION_PROTECT: "saved",
    flow.ACTION_TAKE_BACK: "returned",
    flow.ACTION_RAISE: "raise",
    flow.ACTION_MOVE_LEADER: "leader_moved",
}
_YES = {"declare": "declare", "witch": "fled", "thors_domain": "pillage", "succor": "invade", "blessing": "invade"}

# glory that a card gives, by the card's effect
CARD_GLORY_RULES = {
    ids.EFFECT_WINNER_GLORY: "6.10.3",
    ids.EFFECT_WINNER_RAGE_AND_GLORY: "6.10.3",
    ids.EFFECT_GLORY_PER_DESTROYED: "6.10.4",
    ids.EFFECT_GLORY_PER_ENEMY_KILL: "6.10.5",
    ids.EFFECT_GLORY_FOR_ENEMY_KILLS: "6.10.6",
    ids.EFFECT_WATCH: "6.4.2",
    ids.EFFECT_SHIP_DEATH_GLORY: "6.11.6",
    ids.EFFECT_MULTIPLY_RAGNAROK_GLORY: "10.3",
    ids.EFFECT_MULTIPLY_QUEST_GLORY: "9.2",
    ids.EFFECT_END_GLORY_PER_FIGURE: "12.2",
}
SOURCE_WORDS = {
    "battle": "the battle is won (axes)",
    "pillage": "pillage token",
    "quest": "quest",
    "ragnarok": "figures lost in Ragnarok",
    "release": "figures back from Valhalla",
    "card": "card",
    "stat_bonus": "high stat",
    "stolen": "taken",
    "lost": "lost",
}


# ---------------------------------------------------------------- lines


@dataclass
class Line:
    """One line of a told game: text, rule number, note."""

    text: str
    rule: str = ""
    note: str = ""
    indent: int = _AFTER

    def show(self) -> str:
        """The line in columns, on several lines if it is long."""
        if not self.rule and not self.note:
            return textwrap.indent(textwrap.fill(self.text, WIDTH - self.indent - 2, subsequent_indent="  "), " " * self.indent)
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
        cells = [cell.ljust(width) if n < left else cell if n == last else cell.rjust(width) for n, (cell, width) in enumerate(zip(row, widths, strict=True))]
        text = "  ".join(cells[:-1])
        room = WIDTH - indent - len(text) - 2
        parts = textwrap.wrap(cells[-1], max(room, 20), break_on_hyphens=False) or [""]
        shown.append(" " * indent + f"{text}  {parts[0]}".rstrip())
        shown += [" " * (indent + len(text) + 2) + part for part in parts[1:]]
    return shown


def clan_names() -> list[str]:
    """Names of the clans by seat."""
    return [row["id"] for row in reader.board()["clan_name"]]


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


# ---------------------------------------------------------------- a pillage that is going on


@dataclass
class _Pillage:
    """What is known of the pillage or battle that is being told."""

    province: int
    pillager: int
    shown: bool = False  # who fights has been told
    fighters: list[int] = field(default_factory=list)
    cards: dict[int, list[int]] = field(default_factory=dict)  # CARD ids by seat
    declared: dict[int, int] = field(default_factory=dict)  # STR of a quest by seat
    cancelled: set[int] = field(default_factory=set)  # seats whose first card has no text
    cause: str = "6.8.1"  # rule of the next destruction
    totals: dict[int, int] = field(default_factory=dict)
    winner: int = -1
    succeeded: bool = False
    decided: bool = False  # won, lost or tied
    token_pass: int = 0  # how often the token has paid, and which stat last
    last_stat: int = -1
    watched: bool = False  # cards go because of Heimdall's Watch
    card_glory_paid: bool = False
    grace_used: bool = False
    poisoned: bool = False


@dataclass
class _Kept:
    """Cards of an answer in the draft whose events are still to come."""

    cards: list[str]


def _groups(events: list[Any]) -> Iterator[list[Any]]:
    """Events one by one, but those of cards that are dealt to a clan or left over with it together."""
    for _, group in groupby(enumerate(events), lambda item: _group_key(*item)):
        yield [event for _number, event in group]


def _group_key(number: int, event: Any) -> tuple[int, int]:
    together = EVENT_NAMES[event.kind] in ("dealt", "dumped")
    return (int(event.kind), int(event.seat)) if together else (-1, number)


# ---------------------------------------------------------------- the teller


class Teller:
    """Tells a watched game.

    Parameters
    ----------
    watched : WatchedGame that has not begun
    lang : 'en' or 'pl', language of the names of cards
    """

    def __init__(self, watched: WatchedGame, lang: str = "en") -> None:
        self.watched = watched
        self.tables = watched.game.tables[0]
        self.lang = lang
        self.standing = Standing(watched.game.record, self.tables)
        self.first_player = int(watched.game.record.clock.first_player)
        self._clans = clan_names()
        self._pillage: _Pillage | None = None
        self._draft_moves: dict[int, Move] = {}  # answers by seat that are not out yet
        self._draft: dict[int, _Kept] = {}
        self._last_move: Move | None = None
        self._replaced = False
        self._phase_losses = False
        self._words: dict[str, Callable[[Any], Line | None]] = {
            name: getattr(self, f"_tell_{name}") for name in EVENT_NAMES
        }

    # ------------------------------------------------------------ names

    def clan(self, seat: int) -> str:
        """Name of a clan."""
        return self._clans[seat]

    def player(self, seat: int) -> str:
        """Seat, clan and strategy."""
        return f"seat {seat} {self.clan(seat)} ({self.watched.strategy_of(seat).text})"

    def card(self, card: int) -> str:
        """Name of a card in the language chosen."""
        if not 0 <= card < len(reader.card_rows()):
            return f"card {card}"
        row = reader.card_rows()[card]
        name = row["name_pl"] if self.lang == "pl" else ""
        return name or row["name_en"]

    def card_id(self, card: int) -> str:
        """A card in notation."""
        return card_name(card, self.tables, self.standing.age)

    def figure(self, event: Any) -> str:
        """The figure of an event."""
        return figure_name(int(event.figure), int(event.card))

    def figures_at(self, place: int, seat: int, short: bool = False) -> str:
        """Figures of a clan in a place, in words or as 'L 2W troll'."""
        shown = []
        for figure, count in enumerate(self.standing.figures[place][seat]):
            name = figure_name(figure, self.standing.monster(seat, figure)) if count else ""
            if count and short:
                shown.append((str(count) if count > 1 else "") + SHORT_FIGURES.get(name, name))
            elif count:
                shown.append(_counted(count, name) if count > 1 else name)
        return (" " if short else ", ").join(shown)

    # ------------------------------------------------------------ telling

    def tell(self, moment: Moment) -> list[Line]:
        """Lines of one moment."""
        events = [self.watched.game.log[number] for number in range(moment.begin, moment.end)]
        if isinstance(moment, Pause):
            return self._tell_pause(moment)
        lines: list[Line] = []
        if isinstance(moment, Move):
            self._last_move = moment
            lines += self._tell_move(moment, events)
        else:
            lines += self._tell_events(events)
        return lines

    def _tell_events(self, events: list[Any]) -> list[Line]:
        lines: list[Line] = []
        self._phase_losses = bool(events) and all(EVENT_NAMES[event.kind] == "rage" for event in events)
        for group in _groups(events):
            if len(group) > 1:
                lines.append(self._tell_cards(group))
            else:
                lines += self._tell_event(group[0])
        return lines

    def _tell_cards(self, events: list[Any]) -> Line:
        """One line for several cards that are dealt to a clan or left over with it."""
        line = next(line for event in events if (line := self._words[EVENT_NAMES[event.kind]](event)))
        head = line.text.rpartition(" ")[0]
        return Line(f"{head} {', '.join(self.card_id(event.card) for event in events)}", line.rule)

    def _tell_event(self, event: Any) -> list[Line]:
        """Lines of one event; what has to be told before it comes first."""
        name = EVENT_NAMES[event.kind]
        lines = self._introduce(name)
        action = name == "phase" and event.value == ids.PHASE_ACTION
        if action:
            lines += self._table_lines(f"after {PHASE_WORDS[ids.PHASE_DRAFT]}")
        line = self._words[name](event)
        if line is not None:
            lines.append(line)
        if action:
            shown = ", ".join(f"{self.clan(seat)} {rage}" for seat, rage in enumerate(self.standing.rage))
            lines.append(Line("rage is what the stat says", "5.1", shown, _MOVE))
        return lines

    def _tell_move(self, move: Move, events: list[Any]) -> list[Line]:
        """The line of a move, with what its own events say as a note, and then the other events."""
        if move.question == "draft":
            self._draft_moves[move.seat] = move
            return self._tell_events([event for event in events if EVENT_NAMES[event.kind] != "decision"])
        lines = self._introduce(f"decision {move.question}")
        on_turn = move.question == "turn"
        if on_turn:
            lines.append(self._turn_line(move.seat))
        line = Line(move.text, self._move_rule(move), indent=_MOVE)
        if not on_turn:
            line.text = f"{self.clan(move.seat)}: {move.text}"
            line.indent = _AFTER
        lines.append(line)
        notes, rest = self._split(move, events)
        line.note = " · ".join(filter(None, notes))
        return lines + rest

    def _split(self, move: Move, events: list[Any]) -> tuple[list[str], list[Line]]:
        """Notes from the events that the move itself is, and lines of those that follow from it."""
        same = self._same_event(move)
        notes = [f"intent {move.decisions[0].intent}" if move.decisions[0].intent else ""]
        rest: list[Line] = []
        paying = True
        for event in events:
            name = EVENT_NAMES[event.kind]
            if name == "decision":
                continue
            own = event.seat == move.seat
            if own and name == same:
                line = self._words[name](event)
                if line is not None and line.note not in notes:
                    notes.append(line.note)
                if line is not None and move.text == "yes":
                    words = line.text.partition(": ")[2] or line.text
                    notes.insert(0, words)
                if name not in ("march", "returned"):
                    same, paying = "", name == "pass"
            elif own and name == "rage" and event.value < 0 and paying:
                notes.append(self._pay(event))
            else:
                rest += self._tell_event(event)
        return notes, rest

    def _same_event(self, move: Move) -> str:
        if move.text in ("no", "decline"):
            return ""
        return _YES.get(move.question) or _SAME_AS_MOVE.get(move.decisions[0].action, "")

    def _move_rule(self, move: Move) -> str:
        action = move.decisions[0].action
        if move.question == "raise":
            return self._raise_rule()
        if move.question != "turn":
            return QUESTION_RULES[move.question]
        if action == flow.ACTION_INVADE and "@valhalla" in move.text:
            return "5.10.1"
        return TURN_RULES[action]

    def _turn_line(self, seat: int) -> Line:
        standing = self.standing
        horns = standing.value(seat, ids.STAT_HORNS)
        counts = f"rage {standing.rage[seat]}, figures {standing.on_board(seat)} of {horns}, {_counted(standing.hand[seat], 'card')}"
        return Line(f"{self.player(seat)}  {counts}", indent=_TURN)

    def _pay(self, event: Any) -> str:
        seat = int(event.seat)
        before = self.standing.rage[seat]
        self.standing.follow(event)
        return f"rage {before} → {self.standing.rage[seat]}"

    def _introduce(self, what: str) -> list[Line]:
        """Who fights, once the call to battle is over."""
        pillage = self._pillage
        if pillage is None or pillage.shown or what in ("join", "decision join", "pillage"):
            return []
        pillage.shown = True
        standing, province = self.standing, pillage.province
        order = [(pillage.pillager + turn) % standing.players for turn in range(standing.players)]
        pillage.fighters = [seat for seat in order if standing.in_area(province, seat)]
        if len(pillage.fighters) == 1:
            return [Line(f"{self.clan(pillage.pillager)} is alone: no battle", "6.2.2", self._area_words(pillage.pillager))]
        return [
            Line(f"{self.clan(seat)} takes part", "6.2.1", f"{self._area_words(seat)}: STR {standing.strength(seat, province)}")
            for seat in pillage.fighters
        ]

    def _area_words(self, seat: int) -> str:
        assert self._pillage is not None
        return ", ".join(filter(None, (self.figures_at(place, seat) for place in self.standing.area(self._pillage.province))))

    # ------------------------------------------------------------ events: phases, draft, hand

    def _tell_decision(self, event: Any) -> Line | None:
        """Told with its move."""
        return None

    def _tell_phase(self, event: Any) -> Line:
        self._pillage = None
        age, phase = int(event.age), int(event.value)
        self.standing.follow(event)
        if phase == ids.PHASE_DRAFT and age > 1:
            self.first_player = (self.first_player + 1) % self.standing.players
        title = f"Age {age} · {PHASE_WORDS[phase]}" if phase != ids.PHASE_END else "End of the game"
        return Line(title, f"{PHASE_RULES[phase]}", self._phase_note(age, phase), indent=0)

    def _phase_note(self, age: int, phase: int) -> str:
        if phase == ids.PHASE_DRAFT:
            return f"first player {self.clan(self.first_player)}"
        if phase == ids.PHASE_QUEST:
            return "most STR: " + (self._most_str() or "nobody anywhere")
        if phase == ids.PHASE_RAGNAROK:
            province = int(self.watched.game.record.doom[age - 1])
            return f"doomed {place_name(province)}" if province >= 0 else "nothing is doomed"
        return ""

    def _most_str(self) -> str:
        """Who has strictly most STR where.  Rule 9.3."""
        shown = []
        for province in range(ids.N_PROVINCES):
            strengths = [self.standing.strength(seat, province) for seat in range(self.standing.players)]
            best = max(strengths)
            if province in self.standing.destroyed or best == 0:
                continue
            leaders = [self.clan(seat) for seat, value in enumerate(strengths) if value == best]
            shown.append(f"{place_name(province)} {leaders[0] if len(leaders) == 1 else 'tied'} {best}")
        return ", ".join(shown)

    def _tell_dealt(self, event: Any) -> Line:
        self.standing.follow(event)
        rule = "4.5" if self.tables.rule.draft == ids.DRAFT_OFF else "4.2"
        return Line(f"{self.clan(event.seat)} is dealt {self.card_id(event.card)}", rule, self.card(event.card))

    def _tell_drafted(self, event: Any) -> Line | None:
        """The answer of a seat is told with its first card; a second card (4.4) is in the same answer."""
        self.standing.follow(event)
        seat, name = int(event.seat), self.card_id(event.card)
        told = self._draft.get(seat)
        if told is not None and name in told.cards:
            told.cards.remove(name)
            return None
        move = self._draft_moves.pop(seat, None)
        text, note = f"keep {name}", f"{self.card(event.card)} · not asked"
        if move is not None:
            self._draft[seat] = _Kept(move.text.split()[1:])
            self._draft[seat].cards.remove(name)
            intent = move.decisions[-1].intent
            names = ", ".join(self.card(find_card(card, self.standing.age)) for card in move.text.split()[1:])
            text, note = move.text, names + (f" · intent {intent}" if intent else "")
        return Line(f"{int(event.value) + 1}  {self.clan(seat)}: {text}", "4.4" if self.standing.players == 2 else "4.3", note, _MOVE)

    def _tell_dumped(self, event: Any) -> Line:
        rule = "4.4" if self.standing.players == 2 else "4.3"
        return Line(f"left over with {self.clan(event.seat)}: {self.card_id(event.card)}", rule, self.card(event.card))

    def _tell_kept(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)} keeps {self.card(event.card)}", "8.1")

    def _tell_discarded(self, event: Any) -> Line:
        seat = int(event.seat)
        self.standing.follow(event)
        text = f"{self.card(event.card)} of {self.clan(seat)} is discarded"
        phase = self.standing.phase
        if phase == ids.PHASE_DISCARD:
            return Line(text, "8.1" if self.standing.age < ids.N_AGES else "8.2")
        if phase == ids.PHASE_QUEST:
            return Line(text, "9.2")
        if self._replaced:
            self._replaced = False
            return Line(text, "5.7.3")
        if self._pillage is not None and self._pillage.watched:
            return Line(text, "6.4.2")
        return Line(text, "6.10.7d")

    # ------------------------------------------------------------ events: turns

    def _tell_pass(self, event: Any) -> Line:
        seat = int(event.seat)
        return Line(f"{self.clan(seat)} passes, not asked: nothing else is legal", "5.2.1", f"gives up {event.value} rage" if event.value else "", _TURN)

    def _tell_rage(self, event: Any) -> Line:
        seat, value = int(event.seat), int(event.value)
        note = self._pay(event)
        if self._phase_losses:
            return Line(f"{self.clan(seat)} loses the rage left", "5.2.5", note)
        if self._pillage is None:
            return Line(f"{self.clan(seat)} {'gains' if value > 0 else 'loses'} {abs(value)} rage", EVENT_RULES["rage"], note)
        if value > 0 and seat == self._pillage.winner:
            return Line(f"{self.clan(seat)} gains {value} rage", "6.10.3", note)
        return Line(f"{self.clan(seat)} {'takes' if value > 0 else 'loses'} {abs(value)} rage", "6.10.7e", note)

    def _tell_invade(self, event: Any) -> Line:
        self.standing.follow(event)
        seat, place = int(event.seat), int(event.place)
        counts = f"figures {self.standing.on_board(seat)}/{self.standing.value(seat, ids.STAT_HORNS)}"
        return Line(f"{self.clan(seat)}: {self.figure(event)} invades {place_name(place)}", "5.4", f"{counts}{self._village_note(place)}")

    def _village_note(self, place: int) -> str:
        villages = int(self.tables.villages[place]) if place < ids.N_PROVINCES else 0
        return f" · villages {self.standing.crowd(place)}/{villages}" if villages else ""

    def _tell_march(self, event: Any) -> Line:
        self.standing.follow(event)
        place = int(event.place)
        text = f"{self.clan(event.seat)}: {self.figure(event)} goes from {place_name(event.origin)} to {place_name(place)}"
        return Line(text, "5.6", self._village_note(place).removeprefix(" · "))

    def _tell_upgrade(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{self.clan(event.seat)} plays {self.card(event.card)}", "5.7", f"{self.card(event.card)}, cost {self._cost(event)}")

    def _cost(self, event: Any) -> int:
        charm = self.standing.has_effect(int(event.seat), ids.EFFECT_UPGRADE_DISCOUNT)
        return max(0, int(self.tables.cost[event.card]) - int(charm and self.tables.effect[event.card] != ids.EFFECT_UPGRADE_DISCOUNT))

    def _tell_replaced(self, event: Any) -> Line:
        self.standing.follow(event)
        self._replaced = True
        figure = ", and its figure leaves the game" if self.tables.kind[event.card] == ids.CARD_KIND_MONSTER else ""
        return Line(f"{self.card(event.card)} of {self.clan(event.seat)} is replaced{figure}", "5.7.3")

    def _tell_quest(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{self.clan(event.seat)} commits to {self.card(event.card)}", "5.8", f"{self.card(event.card)} for {self.tables.glory[event.card]} glory")

    def _tell_pillage(self, event: Any) -> Line:
        province = int(event.place)
        self._pillage = _Pillage(province, int(event.seat))
        token = ids.TOKEN_NAMES[int(self.watched.game.record.board.token[province])]
        again = " once more" if event.value else ""
        note = "token: all stats" if token == "yggdrasil" else f"token: {token}"
        return Line(f"{self.clan(event.seat)} pillages {place_name(province)}{again}", "5.9", note)

    # ------------------------------------------------------------ events: battle

    def _tell_join(self, event: Any) -> Line:
        self.standing.follow(event)
        text = f"{self.clan(event.seat)}: {self.figure(event)} comes from {place_name(event.origin)}"
        return Line(text, "6.1", self._village_note(int(event.place)).removeprefix(" · "))

    def _reveal(self, event: Any) -> str:
        self.standing.follow(event)
        if self._pillage is not None:
            self._pillage.watched = False
            self._pillage.cards.setdefault(int(event.seat), []).append(int(event.card))
        if self.tables.kind[event.card] != ids.CARD_KIND_BATTLE:
            return "no battle card: 0"
        sight = self.tables.effect[event.card] == ids.EFFECT_COPY_HIGHEST_ENEMY_CARD
        return f"{self.card(event.card)} {'+X' if sight else f'+{event.value}'}"

    def _tell_reveal(self, event: Any) -> Line:
        note = self._reveal(event)
        return Line(f"{self.clan(event.seat)} reveals {self.card_id(event.card)}", "6.3", note)

    def _tell_late(self, event: Any) -> Line:
        note = self._reveal(event)
        return Line(f"{self.clan(event.seat)} adds {self.card_id(event.card)}", "6.6", note)

    def _tell_cancelled(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.cancelled.add(int(event.seat))
        return Line(f"the text of {self.clan(event.seat)}'s {self.card(event.card)} is cancelled", "6.4.1")

    def _tell_watch(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.watched = True
            self._pillage.cards.clear()
            self._pillage.cancelled.clear()
        return Line(f"{self.card(event.card)} of {self.clan(event.seat)} ends the reveal", "6.4.2", f"all cards together +{event.value}")

    def _tell_text(self, event: Any) -> Line:
        rule = "6.5.2" if self.tables.effect[event.card] == ids.EFFECT_SMITE else "6.5.3"
        if self._pillage is not None:
            self._pillage.cause = rule
        return Line(f"{self.card(event.card)} of {self.clan(event.seat)} acts", rule)

    def _tell_declare(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.declared[int(event.seat)] = int(event.value)
        return Line(f"{self.clan(event.seat)}'s {self.card(event.card)} counts as a battle card", "6.5.4", f"{self.card(event.card)} +{event.value}")

    def _tell_total(self, event: Any) -> Line:
        seat, total = int(event.seat), int(event.value)
        parts, cards = self._card_values(seat)
        figures = total - cards
        by_board = self.standing.strength(seat, int(event.place))
        if self._pillage is not None:
            self._pillage.totals[seat] = total
        odd = "" if figures == by_board else f" (the board gives {by_board})"
        shown = " + ".join([f"figures {figures}{odd}", *parts])
        return Line(f"{self.clan(seat)} has {total}", "6.7.1", shown)

    def _card_values(self, seat: int) -> tuple[list[str], int]:
        """What each revealed card of `seat` adds, and the sum.  Rules 6.7.1, 6.7.2."""
        pillage = self._pillage
        parts: list[str] = []
        total = 0
        for position, card in enumerate(pillage.cards.get(seat, []) if pillage else []):
            value = int(self.tables.battle_str[card])
            assert pillage is not None
            if self.tables.kind[card] == ids.CARD_KIND_QUEST:
                value = pillage.declared.get(seat, 0)
            elif self.tables.effect[card] == ids.EFFECT_COPY_HIGHEST_ENEMY_CARD:
                value = 0 if position == 0 and seat in pillage.cancelled else self._highest_enemy_card(seat)
            parts.append(f"{self.card(card)} {value}")
            total += value
        return parts, total

    def _highest_enemy_card(self, seat: int) -> int:
        pillage = self._pillage
        assert pillage is not None
        best = 0
        for enemy, cards in pillage.cards.items():
            if enemy != seat:
                values = [int(self.tables.battle_str[card]) for card in cards]
                best = max(best, pillage.declared.get(enemy, 0), *values)
        return best

    def _tell_won(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.winner = int(event.seat)
            self._pillage.decided = True
            self._pillage.cause = "6.8.1"
        return Line(f"{self.clan(event.seat)} wins", "6.7.3")

    def _tell_lost(self, event: Any) -> Line:
        note = ""
        if self._pillage is not None:
            self._pillage.decided = True
            self._pillage.cause = "6.8.1"
            best = max(self._pillage.totals.values())
            if list(self._pillage.totals.values()).count(best) > 1:
                note = f"tied at {best}: nobody wins"
        return Line(f"{self.clan(event.seat)} loses", "6.7.3", note)

    def _tell_failed(self, event: Any) -> Line:
        return Line(f"{place_name(event.place)} is not pillaged", "6.10.1")

    def _tell_pillaged(self, event: Any) -> Line:
        self.standing.follow(event)
        if self._pillage is not None:
            self._pillage.succeeded = True
        return Line(f"{place_name(event.place)} is pillaged by {self.clan(event.seat)}", "6.9.1")

    def _tell_raise(self, event: Any) -> Line:
        rule = self._raise_rule(int(event.value))
        self.standing.follow(event)
        seat, stat = int(event.seat), int(event.value)
        note = f"step {self.standing.steps[seat][stat]}, {ids.STAT_NAMES[stat]} {self.standing.value(seat, stat)}"
        return Line(f"{self.clan(seat)} raises {ids.STAT_NAMES[stat]}", rule, note)

    def _raise_rule(self, stat: int = -1) -> str:
        """Rule that a raise comes from; `stat` if it came by itself, -1 if the clan chose it."""
        pillage = self._pillage
        if self.standing.phase == ids.PHASE_QUEST:
            return "9.2"
        if pillage is None or pillage.card_glory_paid:
            return "5.10.2" if pillage is None else "6.10.3"
        if stat >= 0 and pillage.succeeded:
            rule = self._token_rule(pillage, stat)
            if rule:
                return rule
        card = pillage.cards.get(pillage.pillager, [NO_CARD])[0]
        grace = card != NO_CARD and self.tables.effect[card] == ids.EFFECT_PILLAGE_EXTRA_STAT
        if grace and not pillage.grace_used and pillage.pillager not in pillage.cancelled:
            pillage.grace_used = stat < 0
            return "6.9.4"
        return "6.9.5"

    def _token_rule(self, pillage: _Pillage, stat: int) -> str:
        """6.9.2 for a stat that the token raises, 6.9.3 for the Frost Giant's, '' if something else raises it."""
        token = int(self.watched.game.record.board.token[pillage.province])
        by_token = token == stat or token == ids.TOKEN_YGGDRASIL
        giants = self.standing.monsters_in(pillage.province, pillage.pillager, ids.EFFECT_EXTRA_PILLAGE_REWARD)
        if not by_token:
            return ""
        if stat <= pillage.last_stat or pillage.token_pass == 0:
            pillage.token_pass += 1
        pillage.last_stat = stat
        if pillage.token_pass > 1 + giants:
            return ""
        return "6.9.2" if pillage.token_pass == 1 else "6.9.3"

    def _tell_destroyed(self, event: Any) -> Line:
        self.standing.follow(event)
        count = int(event.value)
        name = self.figure(event)
        what = _counted(count, name) if count > 1 else name
        return Line(f"{self.clan(event.seat)}: {what} in {place_name(event.origin)} destroyed", "6.11.5", f"cause {self._cause()}")

    def _cause(self) -> str:
        if self.standing.phase == ids.PHASE_RAGNAROK:
            return "Ragnarok, 10.1"
        if self._pillage is not None:
            words = {"6.5.2": "Odin's Smite", "6.5.3": "Odin's Tide", "6.8.1": "battle"}
            return f"{words[self._pillage.cause]}, {self._pillage.cause}"
        if self._last_move is not None and self._last_move.text.startswith("sacrifice"):
            return "sacrifice, 5.10.2"
        return "invade, 7.1"

    def _tell_fled(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{self.clan(event.seat)}: {self.figure(event)} flees to {place_name(event.place)}", "6.11.3a", f"flees from {place_name(event.origin)}")

    def _tell_saved(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)}: {self.figure(event)} in {place_name(event.place)} is saved", "6.11.3c", f"{self.figure(event)} stays")

    def _tell_returned(self, event: Any) -> Line:
        self.standing.follow(event)
        winner = self._pillage is not None and self._pillage.winner == event.seat
        return Line(f"{self.clan(event.seat)} takes back {self.card(event.card)}", "6.10.7c" if winner else "6.10.7a")

    def _tell_stolen(self, event: Any) -> Line:
        self.standing.follow(event)
        winner = self.clan(self._pillage.winner) if self._pillage is not None else "the winner"
        return Line(f"{self.clan(event.seat)} takes {self.card(event.card)} of {winner}", "6.10.7b")

    def _tell_leader_moved(self, event: Any) -> Line:
        self.standing.follow(event)
        text = f"{self.clan(event.seat)}: {FIGURE_NAMES[event.figure]} steps to {place_name(event.place)}"
        return Line(text, "6.9.5", self._village_note(int(event.place)).removeprefix(" · "))

    # ------------------------------------------------------------ events: glory and later phases

    def _tell_glory(self, event: Any) -> Line:
        seat, value = int(event.seat), int(event.value)
        source = SOURCE_NAMES[event.source]
        before = self.standing.glory[seat]
        self.standing.follow(event)
        named = event.card != NO_CARD and source in ("card", "quest", "release", "stolen", "lost")
        why = self.card(event.card) if named else SOURCE_WORDS[source]
        if source in ("stolen", "lost"):
            why = f"{SOURCE_WORDS[source]} by {why}"
        text = f"{self.clan(seat)} {'gains' if value > 0 else 'loses'} {abs(value)} glory: {why}"
        return Line(text, self._glory_rule(event, source), f"glory {before} → {self.standing.glory[seat]}")

    def _glory_rule(self, event: Any, source: str) -> str:
        if source == "card" and event.card != NO_CARD:
            return CARD_GLORY_RULES.get(int(self.tables.effect[event.card]), SOURCE_RULES[source])
        if source == "battle" and self._pillage is not None:
            self._pillage.card_glory_paid = True
        if source == "pillage" and self._pillage is not None:
            self._pillage.token_pass += 1
            return "6.9.2" if self._pillage.token_pass == 1 else "6.9.3"
        return SOURCE_RULES[source]

    def _tell_quest_done(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)} fulfils {self.card_id(event.card)}", "9.2", f"pays {event.value}")

    def _tell_quest_failed(self, event: Any) -> Line:
        dead = sum(self.standing.figures[ids.PLACE_VALHALLA][int(event.seat)])
        fallen = self.tables.effect[event.card] == ids.EFFECT_FIGURES_IN_VALHALLA
        return Line(f"{self.clan(event.seat)} fails {self.card_id(event.card)}", "9.2", f"{dead} in Valhalla" if fallen else "")

    def _tell_ragnarok(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{place_name(event.place)} is destroyed", "10.1")

    def _tell_released(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{self.clan(event.seat)}: {_counted(int(event.value), 'figure')} back from Valhalla", "11.1")

    # ------------------------------------------------------------ tables

    def _tell_pause(self, pause: Pause) -> list[Line]:
        """After a turn the pillage is told; after a phase comes a table."""
        self._pillage = None
        if pause.phase == ids.PHASE_ACTION and pause.number != 2:
            return []  # a turn, or the end of the draft, whose table stands before the action phase
        return self._table_lines(f"after {PHASE_WORDS[pause.phase]}")

    def _table_lines(self, title: str) -> list[Line]:
        return [Line(row, indent=0) for row in self.standing_table(title)]

    def standing_table(self, title: str) -> list[str]:
        """What each clan has now."""
        rows = [[title, "glory", "rage", "r/a/h", "cards", "quests", "figures"]]
        standing = self.standing
        for seat in range(standing.players):
            rows.append(
                [
                    self.clan(seat),
                    str(standing.glory[seat]),
                    str(standing.rage[seat]),
                    "/".join(map(str, standing.steps[seat])),
                    str(standing.hand[seat]),
                    str(standing.quests[seat]),
                    self._places(seat),
                ]
            )
        return show_table(rows, _TURN)

    def _places(self, seat: int) -> str:
        shown = [
            f"{place_name(place)} {figures}"
            for place in range(ids.N_PLACES)
            if (figures := self.figures_at(place, seat, short=True))
        ]
        return "; ".join(shown)

    def header(self) -> list[str]:
        """The players and the board before the first event."""
        record = self.watched.game.record
        lines = [f"  seat {seat} {self.clan(seat):<8} {self.watched.strategy_of(seat).text}" for seat in range(self.standing.players)]
        doom = ", ".join(f"age {age + 1} {place_name(int(place))}" for age, place in enumerate(record.doom) if place >= 0)
        tokens = ", ".join(
            f"{place_name(place)} {ids.TOKEN_NAMES[record.board.token[place]]}"
            for place in range(ids.N_PROVINCES - 1)
            if place not in self.standing.destroyed
        )
        lines.append(Line(f"first player: {self.clan(self.first_player)} (2.1)", indent=_TURN).show())
        lines.append(Line(f"destroyed from the start: {', '.join(map(place_name, sorted(self.standing.destroyed))) or 'nothing'} (2.5)", indent=_TURN).show())
        lines.append(Line(f"doomed: {doom} (2.4)", indent=_TURN).show())
        lines.append(Line(f"tokens: {tokens} (2.3)", indent=_TURN).show())
        if self.lang == "pl":
            lines.append("  names of cards in Polish; the story and the notation stay as they are")
        return lines

    def ledger(self) -> list[str]:
        """Glory by source, rank and win share of each clan at the end."""
        record, players = self.watched.game.record, self.standing.players
        clans = [self.clan(seat) for seat in range(players)]
        rows = [["glory by source", "rule", *clans, ""]]
        for number, source in enumerate(SOURCE_NAMES):
            values = [int(record.tally[seat].glory_by[number]) for seat in range(players)]
            rows.append([source, SOURCE_RULES[source], *(str(value) if value else "·" for value in values), ""])
        for age in range(ids.N_AGES):
            rows.append([f"in age {age + 1}", "", *(str(int(record.tally[seat].glory_age[age])) for seat in range(players)), ""])
        glory = [int(record.clans[seat].glory) for seat in range(players)]
        rows.append(["glory", "1.7", *map(str, glory), ""])
        rows.append(["rank", "12.3", *(str(1 + sum(other > value for other in glory)) for value in glory), ""])
        rows.append(["win share", "12.3", *(f"{share:.3g}" for share in win_shares(glory)), ""])
        return show_table(rows, _TURN, left=2)


def win_shares(glory: list[int]) -> list[float]:
    """1 / k for each of the k clans with most glory.  Rule 12.3."""
    best = max(glory)
    return [1 / glory.count(best) if value == best else 0.0 for value in glory]


# ---------------------------------------------------------------- the whole story


def tell_game(watched: WatchedGame, lang: str = "en", age: int | None = None, until_decision: int = -1) -> Iterator[str]:
    """Lines of a whole game, or of one age of it, or up to a decision.  The end is always told as it comes."""
    teller = Teller(watched, lang)
    yield from teller.header()
    for moment in watched.watch(until_decision):
        begun = teller.standing.age
        lines = teller.tell(moment)
        if age is None or age in (begun, teller.standing.age):
            yield from _shown(lines)
    if watched.game.over:
        yield ""
        yield from teller.standing_table("at the end")
        yield ""
        yield from teller.ledger()
    else:
        yield ""
        yield from teller.standing_table(f"after decision {watched.decisions}")
        yield from _open_question(watched, teller)


def _shown(lines: list[Line]) -> Iterator[str]:
    for line in lines:
        if line.indent == 0 and line.rule:
            yield ""
        yield line.show() if line.indent or line.rule else line.text


def _open_question(watched: WatchedGame, teller: Teller) -> Iterator[str]:
    """What is asked now, and the legal moves."""
    game = watched.game
    seat = game.seat
    yield Line(f"{teller.player(seat)} is asked: {game.question} ({QUESTION_RULES[game.question]})", indent=_TURN).show()
    yield Line(f"legal: {', '.join(sorted(legal_moves(game)))}", indent=_TURN).show()


def tell_moves(watched: WatchedGame, age: int | None = None, until_decision: int = -1) -> Iterator[str]:
    """Only the moves, one a line: number of the decision, seat, clan, notation."""
    clans = clan_names()
    for moment in watched.watch(until_decision):
        if isinstance(moment, Move):
            told_age = int(watched.game.log[moment.begin].age)
            if age is None or age == told_age:
                yield f"{moment.decisions[0].number:>4}  seat {moment.seat} {clans[moment.seat]:<8} {moment.text}"


# ---------------------------------------------------------------- JSON


def json_records(watched: WatchedGame, age: int | None = None, until_decision: int = -1) -> Iterator[dict[str, Any]]:
    """One plain dict for each event and decision, in order, then one with the result."""
    teller = Teller(watched)
    standing = teller.standing
    for moment in watched.watch(until_decision):
        decisions = iter(moment.decisions if isinstance(moment, Move) else ())
        move = moment.text if isinstance(moment, Move) else ""
        for number in range(moment.begin, moment.end):
            event = watched.game.log[number]
            standing.follow(event)
            record = _event_record(teller, event)
            if EVENT_NAMES[event.kind] == "decision":
                record = _decision_record(watched, record, next(decisions), move)
                move = ""
            if age is None or age == record["age"]:
                yield record
    yield _result_record(watched, teller)


def _event_record(teller: Teller, event: Any) -> dict[str, Any]:
    name = EVENT_NAMES[event.kind]
    seat = int(event.seat)
    record: dict[str, Any] = {
        "type": "event",
        "event": name,
        "rule": SOURCE_RULES[SOURCE_NAMES[event.source]] if name == "glory" else EVENT_RULES[name],
        "age": int(event.age),
        "phase": ids.PHASE_NAMES[event.phase],
        "decision": int(event.decision),
    }
    if seat >= 0:
        record |= {"seat": seat, "clan": teller.clan(seat)}
    if event.card != NO_CARD:
        record["card"] = teller.card_id(int(event.card))
    if event.figure >= 0:
        record["figure"] = teller.figure(event)
    for key in ("origin", "place"):
        if event[key] >= 0:
            record[key] = place_name(int(event[key]))
    if name == "phase":
        record["phase"] = ids.PHASE_NAMES[event.value]
    elif name == "raise":
        record |= {"stat": ids.STAT_NAMES[event.value], "step": teller.standing.steps[seat][event.value]}
    elif name != "decision":
        record["value"] = int(event.value)
    if name == "glory":
        record |= {"source": SOURCE_NAMES[event.source], "glory": teller.standing.glory[seat]}
    if name == "rage":
        record["rage"] = teller.standing.rage[seat]
    return record


def _decision_record(watched: WatchedGame, record: dict[str, Any], decision: Decision, move: str) -> dict[str, Any]:
    """The record of a decision; `move` stands only with the first decision of a move."""
    kept = {key: record[key] for key in ("age", "phase", "decision", "seat", "clan")}
    made: dict[str, Any] = {"type": "decision", "rule": QUESTION_RULES[decision.question], **kept}
    made |= {
        "strategy": watched.strategy_of(decision.seat).text,
        "question": decision.question,
        "options": decision.n,
        "choice": decision.choice,
        "option": decision.text,
    }
    if move:
        made["move"] = move
    if decision.intent:
        made["intent"] = decision.intent
    return made


def _result_record(watched: WatchedGame, teller: Teller) -> dict[str, Any]:
    record, players = watched.game.record, watched.players
    glory = [int(record.clans[seat].glory) for seat in range(players)]
    over = watched.game.over
    clans = []
    for seat in range(players):
        by_source = {source: int(record.tally[seat].glory_by[number]) for number, source in enumerate(SOURCE_NAMES)}
        clan: dict[str, Any] = {"seat": seat, "clan": teller.clan(seat), "strategy": watched.strategy_of(seat).text}
        clan |= {"glory": glory[seat], "glory_by": by_source}
        if over:
            clan |= {"rank": 1 + sum(other > glory[seat] for other in glory), "win_share": win_shares(glory)[seat]}
        clans.append(clan)
    return {"type": "result", "over": over, "decisions": watched.decisions, "clans": clans}

