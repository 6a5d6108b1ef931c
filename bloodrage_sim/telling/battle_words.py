"""The words of a pillage and of a battle, and the names that all of a told game uses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..data import reader
from ..layout import Line
from ..notation import card_name, figure_name, place_name
from ..rules import ids
from ..rules.tables import FIGURE_NAMES, NO_CARD
from .event_rules import event_rule, reason_of
from .standing import Standing
from .stepping import Move, WatchedGame

SHORT_FIGURES = {"warrior": "W", "leader": "L", "ship": "S", "mystic": "M"}


def clan_names() -> list[str]:
    """Names of the clans by seat."""
    return [row["id"] for row in reader.board()["clan_name"]]


def counted(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


@dataclass
class Pillage:
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


class BattleTeller:
    """What the words of a told game need: names, what is known of the game, and the pillage that is going on.

    Parameters
    ----------
    watched : WatchedGame that has not begun
    lang : 'en' or 'pl', language of the names of cards
    """

    def __init__(self, watched: WatchedGame, lang: str) -> None:
        self.watched = watched
        self.tables = watched.game.tables[0]
        self.lang = lang
        self.standing = Standing(watched.game.record, self.tables)
        self._clans = clan_names()
        self._pillage: Pillage | None = None
        self._last_move: Move | None = None

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
                shown.append(counted(count, name) if count > 1 else name)
        return (" " if short else ", ").join(shown)

    def _village_note(self, place: int) -> str:
        villages = int(self.tables.villages[place]) if place < ids.N_PROVINCES else 0
        return f" · villages {self.standing.crowd(place)}/{villages}" if villages else ""

    def _pay(self, event: Any) -> str:
        seat = int(event.seat)
        before = self.standing.rage[seat]
        self.standing.follow(event)
        return f"rage {before} → {self.standing.rage[seat]}"

    # ------------------------------------------------------------ the call to battle

    def _tell_pillage(self, event: Any) -> Line:
        province = int(event.place)
        self._pillage = Pillage(province, int(event.seat))
        token = ids.TOKEN_NAMES[int(self.watched.game.record.board.token[province])]
        again = " once more" if event.value else ""
        note = "token: all stats" if token == "yggdrasil" else f"token: {token}"
        return Line(f"{self.clan(event.seat)} pillages {place_name(province)}{again}", "5.9", note)

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
            return [
                Line(f"{self.clan(pillage.pillager)} is alone: no battle", "6.2.2", self._area_words(pillage.pillager))
            ]
        return [
            Line(
                f"{self.clan(seat)} takes part",
                "6.2.1",
                f"{self._area_words(seat)}: STR {standing.strength(seat, province)}",
            )
            for seat in pillage.fighters
        ]

    def _area_words(self, seat: int) -> str:
        assert self._pillage is not None
        return ", ".join(
            filter(None, (self.figures_at(place, seat) for place in self.standing.area(self._pillage.province)))
        )

    # ------------------------------------------------------------ events: battle

    def _tell_join(self, event: Any) -> Line:
        self.standing.follow(event)
        text = f"{self.clan(event.seat)}: {self.figure(event)} comes from {place_name(event.origin)}"
        return Line(text, "6.1", self._village_note(int(event.place)).removeprefix(" · "))

    def _reveal(self, event: Any) -> str:
        self.standing.follow(event)
        if self._pillage is not None:
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
            self._pillage.cards.clear()
            self._pillage.cancelled.clear()
        return Line(
            f"{self.card(event.card)} of {self.clan(event.seat)} ends the reveal",
            "6.4.2",
            f"all cards together +{event.value}",
        )

    def _tell_text(self, event: Any) -> Line:
        rule = "6.5.2" if self.tables.effect[event.card] == ids.EFFECT_SMITE else "6.5.3"
        if self._pillage is not None:
            self._pillage.cause = rule
        return Line(f"{self.card(event.card)} of {self.clan(event.seat)} acts", rule)

    def _tell_declare(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.declared[int(event.seat)] = int(event.value)
        return Line(
            f"{self.clan(event.seat)}'s {self.card(event.card)} counts as a battle card",
            "6.5.4",
            f"{self.card(event.card)} +{event.value}",
        )

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
                value = self._quest_value(seat)
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
                best = max(best, self._quest_value(enemy), *values)
        return best

    def _quest_value(self, seat: int) -> int:
        """STR of a revealed quest: as declared, or the best that the sheet gives if that is automatic.  Rule 6.5.4."""
        assert self._pillage is not None
        if self.tables.rule.quest_as_battle == ids.QUEST_AS_BATTLE_OPTIONAL:
            return self._pillage.declared.get(seat, 0)
        first = self._pillage.cards.get(seat, [NO_CARD])[0]
        if first == NO_CARD or self.tables.kind[first] != ids.CARD_KIND_QUEST:
            return 0
        sheet = [card for card in self.standing.sheet[seat] if card != NO_CARD]
        return max(
            (int(self.tables.amount[c]) for c in sheet if self.tables.effect[c] == ids.EFFECT_QUEST_AS_BATTLE),
            default=0,
        )

    def _tell_won(self, event: Any) -> Line:
        if self._pillage is not None:
            self._pillage.winner = int(event.seat)
            self._pillage.cause = "6.8.1"
        return Line(f"{self.clan(event.seat)} wins", "6.7.3")

    def _tell_lost(self, event: Any) -> Line:
        note = ""
        if self._pillage is not None:
            self._pillage.cause = "6.8.1"
            best = max(self._pillage.totals.values())
            if list(self._pillage.totals.values()).count(best) > 1:
                note = f"tied at {best}: nobody wins"
        return Line(f"{self.clan(event.seat)} loses", "6.7.3", note)

    def _tell_failed(self, event: Any) -> Line:
        return Line(f"{place_name(event.place)} is not pillaged", "6.10.1")

    def _tell_pillaged(self, event: Any) -> Line:
        self.standing.follow(event)
        return Line(f"{place_name(event.place)} is pillaged by {self.clan(event.seat)}", "6.9.1")

    def _tell_raise(self, event: Any) -> Line:
        self.standing.follow(event)
        seat, stat = int(event.seat), int(event.value)
        note = f"step {self.standing.steps[seat][stat]}, {ids.STAT_NAMES[stat]} {self.standing.value(seat, stat)}"
        text = f"{self.clan(seat)} raises {ids.STAT_NAMES[stat]} ({self._why(event)})"
        return Line(text, event_rule(event, self.tables), note)

    def _why(self, event: Any) -> str:
        """What raised a stat or changed the rage of a clan."""
        reason = reason_of(event)
        if reason == "token":
            return "pillage token"
        return ("quest " if reason == "quest" else "") + self.card(event.card)

    def _tell_destroyed(self, event: Any) -> Line:
        self.standing.follow(event)
        count = int(event.value)
        name = self.figure(event)
        what = counted(count, name) if count > 1 else name
        return Line(
            f"{self.clan(event.seat)}: {what} in {place_name(event.origin)} destroyed",
            "6.11.5",
            f"cause {self._cause()}",
        )

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
        return Line(
            f"{self.clan(event.seat)}: {self.figure(event)} flees to {place_name(event.place)}",
            "6.11.3a",
            f"flees from {place_name(event.origin)}",
        )

    def _tell_saved(self, event: Any) -> Line:
        return Line(
            f"{self.clan(event.seat)}: {self.figure(event)} in {place_name(event.place)} is saved",
            "6.11.3c",
            f"{self.figure(event)} stays",
        )

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
