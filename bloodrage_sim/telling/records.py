"""A watched game as plain records: one for each event and decision, in order, then one with the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..notation import place_name
from ..rules import ids
from ..rules.events import EVENT_NAMES, SOURCE_NAMES
from ..rules.flow import QUESTION_RULES
from ..rules.tables import NO_CARD
from .event_rules import event_rule, reason_of
from .narrate import Teller, win_shares
from .stepping import Decision, Move, WatchedGame


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
        "rule": event_rule(event, teller.tables),
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
    if reason_of(event):
        record["reason"] = reason_of(event)
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
