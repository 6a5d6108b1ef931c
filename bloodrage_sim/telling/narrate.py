"""A game in words: every move in notation, and every event with its rule number and what it changes.

`Teller` turns the moments of a watched game into lines; records.py gives the same as plain records.  The words come
from the stream of events alone, with what `Standing` keeps of it, so a told game also shows what the stream says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..layout import AFTER, Line, show_table
from ..notation import find_card, legal_moves, place_name
from ..rules import flow, ids
from ..rules.events import EVENT_NAMES, SOURCE_NAMES, SOURCE_RULES
from ..rules.flow import QUESTION_RULES
from ..rules.tables import NO_CARD
from .battle_words import BattleTeller, clan_names, counted
from .event_rules import event_rule, reason_of
from .stepping import Moment, Move, Pause, WatchedGame

_TURN, _MOVE = 2, 4  # indents; what follows has AFTER

PHASE_WORDS = ("gods' gifts", "action", "discard", "quest", "Ragnarok", "release Valhalla", "end of the game")
PHASE_RULES = ("4", "5", "8", "9", "10", "11", "12")

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

_SEVERAL = {flow.ACTION_MARCH, flow.ACTION_TAKE_BACK}  # a move of several equal events
_COSTLY = {"turn", "thors_domain", "protect", "prowess"}  # questions whose answer may cost rage

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


@dataclass
class _Kept:
    """Cards of an answer in the draft whose events are still to come."""

    cards: list[str]


def _groups(events: list[Any]) -> Iterator[list[Any]]:
    """Events one by one, but cards dealt to a clan or left over with it together, and the rage that all start with."""
    for _, group in groupby(enumerate(events), lambda item: _group_key(*item)):
        yield [event for _number, event in group]


def _group_key(number: int, event: Any) -> tuple[int, int]:
    if EVENT_NAMES[event.kind] in ("dealt", "dumped"):
        return (int(event.kind), int(event.seat))
    return (int(event.kind), -1) if reason_of(event) == "start" else (-1, number)


def _costs(move: Move, events: list[Any], same: str) -> set[int]:
    """Which of the events of a move are the rage that it costs."""
    if move.question not in _COSTLY or not same:
        return set()
    reasons = ("pass",) if same == "pass" else ("action", "card")
    return {
        number
        for number, event in enumerate(events)
        if EVENT_NAMES[event.kind] == "rage"
        and event.seat == move.seat
        and event.value < 0
        and reason_of(event) in reasons
    }


# ---------------------------------------------------------------- the teller


class Teller(BattleTeller):
    """Tells a watched game.

    Parameters
    ----------
    watched : WatchedGame that has not begun
    lang : 'en' or 'pl', language of the names of cards
    """

    def __init__(self, watched: WatchedGame, lang: str = "en") -> None:
        super().__init__(watched, lang)
        self.first_player = int(watched.game.record.clock.first_player)
        self._draft_moves: dict[int, Move] = {}  # answers by seat that are not out yet
        self._draft: dict[int, _Kept] = {}
        self._words: dict[str, Callable[[Any], Line | None]] = {
            name: getattr(self, f"_tell_{name}") for name in EVENT_NAMES
        }

    # ------------------------------------------------------------ telling

    def tell(self, moment: Moment) -> list[Line]:
        """Lines of one moment."""
        events = [self.watched.game.log[number] for number in range(moment.begin, moment.end)]
        if isinstance(moment, Pause):
            lines = self._tell_pause(moment)
        elif isinstance(moment, Move):
            self._last_move = moment
            lines = self._tell_move(moment, events)
        else:
            lines = self._tell_events(events)
        for line in lines:
            line.age = line.age or self.standing.age
        return lines

    def _tell_events(self, events: list[Any]) -> list[Line]:
        lines: list[Line] = []
        for group in _groups(events):
            if len(group) > 1:
                lines.append(self._tell_group(group))
            else:
                lines += self._tell_event(group[0])
        return lines

    def _tell_group(self, events: list[Any]) -> Line:
        """One line for several cards that are dealt to a clan or left over with it, or for the rage that all start with."""
        line = [self._words[EVENT_NAMES[event.kind]](event) for event in events][0]
        assert line is not None
        if EVENT_NAMES[events[0].kind] == "rage":
            shown = ", ".join(f"{self.clan(seat)} {rage}" for seat, rage in enumerate(self.standing.rage))
            return Line("rage is what the stat says", line.rule, shown, _MOVE)
        head = line.text.rpartition(" ")[0]
        return Line(f"{head} {', '.join(self.card_id(event.card) for event in events)}", line.rule)

    def _tell_event(self, event: Any) -> list[Line]:
        """Lines of one event; what has to be told before it comes first."""
        name = EVENT_NAMES[event.kind]
        lines = self._introduce(name)
        if name == "phase" and event.value == ids.PHASE_ACTION:
            lines += self._table_lines(f"after {PHASE_WORDS[ids.PHASE_DRAFT]}")
        line = self._words[name](event)
        if line is not None:
            lines.append(line)
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
        line = Line(move.text, self._move_rule(move, events), indent=_MOVE)
        if not on_turn:
            line.text = f"{self.clan(move.seat)}: {move.text}"
            line.indent = AFTER
        lines.append(line)
        notes, rest = self._split(move, events)
        line.note = " · ".join(filter(None, notes))
        return lines + rest

    def _split(self, move: Move, events: list[Any]) -> tuple[list[str], list[Line]]:
        """Notes from the events that the move itself is, and lines of those that follow from it."""
        same, several = self._same_event(move), move.decisions[0].action in _SEVERAL
        notes = [f"intent {move.decisions[0].intent}" if move.decisions[0].intent else ""]
        rest: list[Line] = []
        told: list[str] = []
        events = [event for event in events if EVENT_NAMES[event.kind] != "decision"]
        costs = _costs(move, events, same)
        for number, event in enumerate(events):
            name = EVENT_NAMES[event.kind]
            if number in costs:
                notes.append(self._pay(event))
            elif name == same and event.seat == move.seat:
                added = self._own_notes(move, name, event, notes)
                if name == "march" and told:
                    del notes[-len(told) :]  # only the count after the last figure
                notes, told = notes + added, added
                same = same if several else ""
            else:
                rest += self._tell_event(event)
        return notes, rest

    def _own_notes(self, move: Move, name: str, event: Any, notes: list[str]) -> list[str]:
        """What the event of a move adds to its line: counts, and words where the move says only yes."""
        line = self._words[name](event)
        if line is None:
            return []
        words = line.text.partition(": ")[2] or line.text
        added = [words, line.note] if move.text.startswith("yes") else [line.note]
        if name == "raise":
            added = [self._why(event), line.note]
        return [note for note in added if note and note not in notes]

    def _same_event(self, move: Move) -> str:
        if move.text in ("no", "decline"):
            return ""
        return _YES.get(move.question) or _SAME_AS_MOVE.get(move.decisions[0].action, "")

    def _move_rule(self, move: Move, events: list[Any]) -> str:
        action = move.decisions[0].action
        if move.question == "raise":
            return next(event_rule(event, self.tables) for event in events if EVENT_NAMES[event.kind] == "raise")
        if move.question != "turn":
            return QUESTION_RULES[move.question]
        if action == flow.ACTION_INVADE and "@valhalla" in move.text:
            return "5.10.1"
        return TURN_RULES[action]

    def _turn_line(self, seat: int) -> Line:
        standing = self.standing
        horns = standing.value(seat, ids.STAT_HORNS)
        counts = f"rage {standing.rage[seat]}, figures {standing.on_board(seat)} of {horns}"
        counts += f", {counted(standing.hand[seat], 'card')}"
        return Line(f"{self.player(seat)}  {counts}", indent=_TURN)

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
        return Line(
            f"{int(event.value) + 1}  {self.clan(seat)}: {text}",
            "4.4" if self.standing.players == 2 else "4.3",
            note,
            _MOVE,
        )

    def _tell_dumped(self, event: Any) -> Line:
        rule = "4.4" if self.standing.players == 2 else "4.3"
        return Line(f"left over with {self.clan(event.seat)}: {self.card_id(event.card)}", rule, self.card(event.card))

    def _tell_kept(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)} keeps {self.card(event.card)}", "8.1")

    def _tell_discarded(self, event: Any) -> Line:
        seat = int(event.seat)
        self.standing.follow(event)
        return Line(f"{self.card(event.card)} of {self.clan(seat)} is discarded", event_rule(event, self.tables))

    # ------------------------------------------------------------ events: turns

    def _tell_pass(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)} passes, not asked: nothing else is legal", "5.2.1", indent=_TURN)

    def _tell_rage(self, event: Any) -> Line:
        value, reason = int(event.value), reason_of(event)
        note = self._pay(event)
        gains = "takes" if reason == "stolen" else "gains"
        words = f"{gains if value > 0 else 'loses'} {abs(value)} rage"
        if reason in ("pass", "unspent"):
            words = "loses the rage left"
        elif reason == "start":
            words = f"has {self.standing.rage[event.seat]} rage"
        elif event.card != NO_CARD:
            words += f": {self._why(event)}"
        return Line(f"{self.clan(event.seat)} {words}", event_rule(event, self.tables), note)

    def _tell_invade(self, event: Any) -> Line:
        self.standing.follow(event)
        seat, place = int(event.seat), int(event.place)
        counts = f"figures {self.standing.on_board(seat)}/{self.standing.value(seat, ids.STAT_HORNS)}"
        return Line(
            f"{self.clan(seat)}: {self.figure(event)} invades {place_name(place)}",
            "5.4",
            f"{counts}{self._village_note(place)}",
        )

    def _tell_march(self, event: Any) -> Line:
        self.standing.follow(event)
        place = int(event.place)
        text = (
            f"{self.clan(event.seat)}: {self.figure(event)} goes from {place_name(event.origin)} to {place_name(place)}"
        )
        return Line(text, "5.6", self._village_note(place).removeprefix(" · "))

    def _tell_upgrade(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(
            f"{self.clan(event.seat)} plays {self.card(event.card)}",
            "5.7",
            f"{self.card(event.card)}, cost {event.value}",
        )

    def _tell_replaced(self, event: Any) -> Line:
        self.standing.follow(event)
        figure = ", and its figure leaves the game" if self.tables.kind[event.card] == ids.CARD_KIND_MONSTER else ""
        return Line(f"{self.card(event.card)} of {self.clan(event.seat)} is replaced{figure}", "5.7.3")

    def _tell_quest(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(
            f"{self.clan(event.seat)} commits to {self.card(event.card)}",
            "5.8",
            f"{self.card(event.card)} for {self.tables.glory[event.card]} glory",
        )

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
        elif source == "pillage" and event.card != NO_CARD:
            why = f"{why} once more, {self.card(event.card)}"
        text = f"{self.clan(seat)} {'gains' if value > 0 else 'loses'} {abs(value)} glory: {why}"
        return Line(text, event_rule(event, self.tables), f"glory {before} → {self.standing.glory[seat]}")

    def _tell_quest_done(self, event: Any) -> Line:
        return Line(f"{self.clan(event.seat)} fulfils {self.card_id(event.card)}", "9.2", f"pays {event.value}")

    def _tell_quest_failed(self, event: Any) -> Line:
        dead = sum(self.standing.figures[ids.PLACE_VALHALLA][int(event.seat)])
        fallen = self.tables.effect[event.card] == ids.EFFECT_FIGURES_IN_VALHALLA
        return Line(
            f"{self.clan(event.seat)} fails {self.card_id(event.card)}", "9.2", f"{dead} in Valhalla" if fallen else ""
        )

    def _tell_ragnarok(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{place_name(event.place)} is destroyed", "10.1")

    def _tell_released(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{self.clan(event.seat)}: {counted(int(event.value), 'figure')} back from Valhalla", "11.1")

    def _tell_turned_up(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line("the pillage tokens turn up", "11.3")

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
        lines = [
            f"  seat {seat} {self.clan(seat):<8} {self.watched.strategy_of(seat).text}"
            for seat in range(self.standing.players)
        ]
        destroyed = ", ".join(map(place_name, sorted(self.standing.destroyed)))
        doom = ", ".join(
            f"age {age + 1} {place_name(int(place))}" for age, place in enumerate(record.doom) if place >= 0
        )
        tokens = ", ".join(
            f"{place_name(place)} {ids.TOKEN_NAMES[record.board.token[place]]}"
            for place in range(ids.N_PROVINCES - 1)
            if place not in self.standing.destroyed
        )
        lines.append(Line(f"first player: {self.clan(self.first_player)} (2.1)", indent=_TURN).show())
        lines.append(
            Line(
                f"destroyed from the start: {destroyed or 'nothing'} (2.5)",
                indent=_TURN,
            ).show()
        )
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
            rows.append(
                [f"in age {age + 1}", "", *(str(int(record.tally[seat].glory_age[age])) for seat in range(players)), ""]
            )
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


def tell_game(
    watched: WatchedGame, lang: str = "en", age: int | None = None, until_decision: int = -1
) -> Iterator[str]:
    """Lines of a whole game, or of one age of it, or up to a decision.  The end is always told as it comes."""
    teller = Teller(watched, lang)
    yield from teller.header()
    for moment in watched.watch(until_decision):
        for line in teller.tell(moment):
            if age in (None, line.age):
                yield from _shown(line)
    if watched.game.over:
        yield ""
        yield from teller.standing_table("at the end")
        yield ""
        yield from teller.ledger()
    else:
        yield ""
        yield from teller.standing_table(f"after decision {watched.decisions}")
        yield from _open_question(watched, teller)


def _shown(line: Line) -> Iterator[str]:
    if line.indent == 0 and line.rule:
        yield ""
    yield line.show() if line.indent or line.rule else line.text


def _open_question(watched: WatchedGame, teller: Teller) -> Iterator[str]:
    """What is asked now, and the legal moves."""
    game = watched.game
    seat = game.seat
    yield Line(
        f"{teller.player(seat)} is asked: {game.question} ({QUESTION_RULES[game.question]})", indent=_TURN
    ).show()
    yield Line(f"legal: {', '.join(sorted(legal_moves(game)))}", indent=_TURN).show()


def tell_moves(watched: WatchedGame, age: int | None = None, until_decision: int = -1) -> Iterator[str]:
    """Only the moves, one a line: number of the decision, seat, clan, notation."""
    clans = clan_names()
    for moment in watched.watch(until_decision):
        if isinstance(moment, Move):
            told_age = int(watched.game.log[moment.begin].age)
            if age is None or age == told_age:
                yield f"{moment.decisions[0].number:>4}  seat {moment.seat} {clans[moment.seat]:<8} {moment.text}"
