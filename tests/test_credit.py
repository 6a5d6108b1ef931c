"""Every glory that a card gives is booked to the physical card, and raises, rage and discards say why."""

from __future__ import annotations

from collections import Counter, defaultdict
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from random_games import WAYS, play_batch, random_ruleset

from bloodrage_sim.game import Game
from bloodrage_sim.notation import card_name, play_move
from bloodrage_sim.position import build_game
from bloodrage_sim.rules import events as ev
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.tables import NO_CARD, NO_COPY
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.telling.event_rules import event_rule

GAMES = 400  # for each number of players and way to play: 3,200 in all
LOG_SIZE = 6_000
PLAYERS = (2, 3, 4, 5)
# upgrades that pay glory, each by itself, in a game with six copies of each
TWINS = {
    "thors_glory": 1, "lokis_domain": 1, "odins_inspiration": 2, "valkyrie": 2, "thors_conquest": 3, "odins_throne": 3,
}  # fmt: skip

# whether an event with the reason names a card; every reason that a kind of event may have
REASONS = {
    ev.EVENT_RAISE: {ev.REASON_TOKEN: False, ev.REASON_QUEST: True, ev.REASON_CARD: True},
    ev.EVENT_RAGE: {
        ev.REASON_CARD: True, ev.REASON_START: False, ev.REASON_ACTION: None, ev.REASON_PASS: False,
        ev.REASON_UNSPENT: False, ev.REASON_STOLEN: True,
    },
    ev.EVENT_DISCARDED: dict.fromkeys(
        (ev.REASON_QUEST, ev.REASON_BATTLE, ev.REASON_WATCH, ev.REASON_REPLACED, ev.REASON_HAND), True
    ),
}  # fmt: skip
TO_SEAT = {ev.EVENT_UPGRADE, ev.EVENT_QUEST, ev.EVENT_REVEAL, ev.EVENT_LATE}  # who uses a copy from now on


# ---------------------------------------------------------------- many games


def check_copies(game: Any, events: np.recarray) -> None:
    """Events name physical cards, all of them that name a card, and each names the right one."""
    events = events[(events.kind != ev.EVENT_DECISION) & (events.card != NO_CARD)]
    copies = events["copy"]
    assert (copies != NO_COPY).all()
    assert (game.secret.card_of[copies] == events.card).all()


def check_ledger(game: Any, events: np.recarray) -> None:
    """Sums over events, by player and by copy, are what the ledger says."""
    glory = events[events.kind == ev.EVENT_GLORY]
    for seat in range(int(game.clock.players)):
        own = glory[glory.seat == seat]
        booked = np.bincount(own.source, own.value, len(ev.SOURCE_NAMES))
        assert (booked == game.tally[seat].glory_by).all()
        assert (np.bincount(own.age, own.value, 4)[1:] == game.tally[seat].glory_age).all()
        by_copy = own[own["copy"] != NO_COPY]
        named = np.bincount(by_copy["copy"], by_copy.value).sum() if len(by_copy) else 0
        plain = (ev.SOURCE_BATTLE, ev.SOURCE_PILLAGE, ev.SOURCE_RAGNAROK, ev.SOURCE_STAT_BONUS)
        assert named + own.value[own["copy"] == NO_COPY].sum() == game.clans[seat].glory
        assert set(own.source[own["copy"] == NO_COPY].tolist()) <= set(plain)
        assert not set(by_copy.source.tolist()) & {*plain} - {ev.SOURCE_PILLAGE}


def check_owners(events: np.recarray) -> None:
    """A card that gives, costs or raises lies before the clan that it says, or before the loser that takes by it."""
    user: dict[int, int] = {}
    lost = None
    for kind, seat, copy, source in zip(*(events[name].tolist() for name in ("kind", "seat", "copy", "source")), strict=True):
        if kind in TO_SEAT:
            user[copy] = seat
        elif kind == ev.EVENT_GLORY and source == ev.SOURCE_LOST:
            lost = copy
            assert user[copy] != seat
        elif kind == ev.EVENT_GLORY and copy != NO_COPY:
            assert user[copy] == seat
            assert source != ev.SOURCE_STOLEN or copy == lost
        elif kind == ev.EVENT_RAISE and copy != NO_COPY or kind == ev.EVENT_RAGE and source == ev.REASON_CARD:
            assert user[copy] == seat


def check_reasons(events: np.recarray) -> None:
    """Every raise, change of rage and discard has a reason that fits, and names a card if a card did it."""
    for kind, reasons in REASONS.items():
        own = events[events.kind == kind]
        for reason, named in zip(own.source.tolist(), (own["copy"] != NO_COPY).tolist(), strict=True):
            assert reasons[reason] in (None, named), (ev.EVENT_NAMES[kind], ev.REASON_NAMES[reason])
    phases = {ev.REASON_HAND: ids.PHASE_DISCARD, ev.REASON_QUEST: ids.PHASE_QUEST}
    discards = events[events.kind == ev.EVENT_DISCARDED]
    for reason, phase in zip(discards.source.tolist(), discards.phase.tolist(), strict=True):
        assert phase == phases.get(reason, ids.PHASE_ACTION)


def check_sums(game: Any, events: np.recarray) -> None:
    """Rage is gone at the end, stats are what was raised, and every hand is kept or discarded."""
    for seat in range(int(game.clock.players)):
        own = events[events.seat == seat]
        rage = np.cumsum(own.value[own.kind == ev.EVENT_RAGE])
        assert rage[-1] == 0 and (rage >= 0).all()
        raised = np.bincount(own.value[own.kind == ev.EVENT_RAISE], minlength=3)
        assert (raised == game.clans[seat].stats - 1).all()
        for age in (1, 2):
            left = own[(own.age == age) & (own.phase == ids.PHASE_DISCARD)]
            kept = (left.kind == ev.EVENT_KEPT).sum()
            assert kept == 1 or kept == 0 and not (left.kind == ev.EVENT_DISCARDED).any()


def check_game(game: Any, log: np.recarray) -> None:
    assert game.n_events <= LOG_SIZE
    events = log[: game.n_events]
    check_copies(game, events)
    check_ledger(game, events)
    check_owners(events)
    check_reasons(events)
    check_sums(game, events)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", PLAYERS)
def test_events_of_random_games_say_who_and_why(players, way):
    met: Counter[tuple[int, int]] = Counter()
    for seed in range(GAMES):
        games, log = play_batch(1, players, 700_000 + seed, (way,), None, 0, LOG_SIZE)
        check_game(games[0], log)
        for kind in REASONS:
            met.update((kind, reason) for reason in log.source[: games[0].n_events][log.kind[: games[0].n_events] == kind].tolist())
    assert set(met) == {(kind, reason) for kind, reasons in REASONS.items() for reason in reasons}


def test_events_with_random_rule_options_say_who_and_why():
    for seed in range(100):
        games, log = play_batch(1, PLAYERS[seed % 4], seed, ("kind",), random_ruleset(seed), 0, LOG_SIZE)
        check_game(games[0], log)


def test_equal_upgrades_are_each_booked_their_own():
    """With many copies of a card clans own two and three of it; each that pays is named."""
    tables = make_ruleset(card_changes=[(card, str(age), "copies_4p", "6") for card, age in TWINS.items()]).tables()
    ruleset = SimpleNamespace(tables=lambda: tables)  # making them takes longer than a game
    twins: Counter[str] = Counter()
    for seed in range(1_500):
        games, log = play_batch(1, 4, seed, ("kind",), ruleset, 0, LOG_SIZE)
        check_game(games[0], log)
        events = log[: games[0].n_events]
        paid = defaultdict(set)
        for event in events[(events.kind == ev.EVENT_GLORY) & (events["copy"] != NO_COPY)]:
            paid[int(event.seat), int(event.decision), int(event.card)].add(int(event["copy"]))
        twins.update(card_name(card, tables[0], 1) for (*_, card), copies in paid.items() if len(copies) > 1)
    assert all(twins[card] for card in TWINS), twins


# ---------------------------------------------------------------- worked by hand

EMPTY = {"destroyed": ["elvagar", "gimle", "andlang", "utgard"], "pillaged": []}


def play(phase: str, age: int, board: dict[str, Any], players: list[dict[str, Any]], *moves: str) -> Game:
    """A position with a log after some moves."""
    doom = {} if phase in ("release", "end") else {"doom": "myrkulor"}
    position = {"players": len(players), "age": age, "phase": phase, "board": EMPTY | doom | board, "player": players}
    built = build_game(position | ({"current": 0} if phase == "action" else {}), make_ruleset())
    game = Game(built.games, built.tables, LOG_SIZE)
    game.sheets = [[int(copy) for copy in row if copy != NO_COPY] for row in game.record.secret.sheet]
    game.run()
    for move in moves:
        play_move(move, game)
    return game


def told(game: Game, kind: int) -> list[tuple[Any, ...]]:
    """(seat, value, source or reason, card, rule) of the events of a kind."""
    names = ev.SOURCE_NAMES if kind == ev.EVENT_GLORY else ev.REASON_NAMES
    return [
        (int(event.seat), int(event.value), names[event.source], _card(game, event), event_rule(event, game.tables[0]))
        for event in game.events
        if event.kind == kind
    ]


def _card(game: Game, event: Any) -> str:
    return "" if event.card == NO_CARD else card_name(int(event.card), game.tables[0], int(event.age))


def by_copy(game: Game, source: int = ev.SOURCE_CARD) -> dict[int, int]:
    """Glory by copy from one source."""
    found: dict[int, int] = defaultdict(int)
    for event in game.events:
        if event.kind == ev.EVENT_GLORY and event.source == source:
            found[int(event["copy"])] += int(event.value)
    return dict(found)


def test_two_conquests():
    own = {"upgrades": ["thors_conquest"] * 2, "figures": {"muspelheim": ["leader", "warrior"]}}
    game = play("end", 3, {}, [own, {}])
    first, second = game.sheets[0]
    assert by_copy(game) == {first: 6, second: 6}


def test_two_thrones_multiply_by_four():
    own = {"upgrades": ["odins_throne"] * 2, "quests": ["yggdrasil"], "figures": {"yggdrasil": ["warrior"]}}
    game = play("quest", 3, {}, [own, {}])
    first, second = game.sheets[0]
    assert by_copy(game) == {first: 11, second: 22}
    assert list(by_copy(game, ev.SOURCE_QUEST).values()) == [11]
    assert game.record.clans[0].glory == 44


def test_two_inspirations_multiply_by_four():
    own = {"upgrades": ["odins_inspiration", "thors_conquest", "odins_inspiration"], "figures": {"myrkulor": ["leader", "warrior"]}}
    game = play("ragnarok", 3, {}, [own, {}])
    first, _, second = game.sheets[0]
    assert by_copy(game) == {first: 8, second: 16}
    assert game.record.tally[0].glory_by[ev.SOURCE_RAGNAROK] == 8


def test_two_wraths_release():
    own = {"upgrades": ["lokis_wrath"] * 2, "figures": {"valhalla": ["warrior", "warrior"]}}
    game = play("release", 3, {}, [own, {}])
    assert by_copy(game, ev.SOURCE_RELEASE) == dict.fromkeys(game.sheets[0], 6)


def test_two_valkyries_and_two_glories():
    """Three enemies die: each Valkyrie pays 6; each Thor's Glory 2."""
    own = {
        "hand": ["tyrs_rage"],
        "upgrades": ["valkyrie", "valkyrie", "thors_glory", "thors_glory"],
        "figures": {"muspelheim": ["valkyrie", "valkyrie"]},
    }
    other = {"figures": {"muspelheim": ["leader", "warrior", "warrior"]}}
    game = play("action", 3, {"tokens": {"muspelheim": "horns"}}, [own, other], "pillage muspelheim")
    assert by_copy(game) == {copy: 6 if number < 2 else 2 for number, copy in enumerate(game.sheets[0])}


def test_only_the_valkyrie_that_takes_part_pays():
    own = {"hand": ["tyrs_rage"], "upgrades": ["troll", "valkyrie"], "figures": {"muspelheim": ["troll", "valkyrie"]}}
    twin = own | {"upgrades": ["valkyrie", "valkyrie"], "figures": {"muspelheim": ["leader", "valkyrie"]}}
    other = {"figures": {"muspelheim": ["leader", "warrior"]}}
    board = {"tokens": {"muspelheim": "horns"}}
    game = play("action", 2, board, [own, other], "pillage muspelheim")
    assert by_copy(game) == {game.sheets[0][1]: 4}
    game = play("action", 2, board, [twin, other])
    slot = next(slot for slot in range(2) if game.record.board.figures[ids.PLACE_MUSPELHEIM, 0, 4 + slot])
    play_move("pillage muspelheim", game)
    assert by_copy(game) == {game.sheets[0][slot]: 4}


def test_two_frost_giants_take_the_token_again():
    own = {"upgrades": ["frost_giant"] * 2, "figures": {"muspelheim": ["frost_giant", "frost_giant"]}}
    game = play("action", 3, {"tokens": {"muspelheim": "glory"}}, [own, {}], "pillage muspelheim")
    assert by_copy(game, ev.SOURCE_PILLAGE) == {NO_COPY: 5} | dict.fromkeys(game.sheets[0], 5)
    assert [row[4] for row in told(game, ev.EVENT_GLORY)] == ["6.9.2", "6.9.3", "6.9.3"]
    game = play("action", 3, {"tokens": {"muspelheim": "axes"}}, [own, {}], "pillage muspelheim")
    by_giant = (0, ids.STAT_AXES, "card", "frost_giant", "6.9.3")
    assert told(game, ev.EVENT_RAISE) == [(0, ids.STAT_AXES, "token", "", "6.9.2"), by_giant, by_giant]
    assert [int(event["copy"]) for event in game.events if event.kind == ev.EVENT_RAISE][1:] == game.sheets[0]


def test_backstab_and_trickery_name_the_losers_card():
    own = {"hand": ["tyrs_rage"], "glory": 5, "figures": {"muspelheim": ["leader"]}}
    board = {"tokens": {"muspelheim": "horns"}}
    for card, found in (
        ("lokis_backstab", [(0, -2, "lost", "lokis_backstab", "6.10.7f"), (1, 2, "stolen", "lokis_backstab", "6.10.7f")]),
        ("lokis_trickery", [(0, -1, "stolen", "lokis_trickery", "6.10.7e"), (1, 1, "stolen", "lokis_trickery", "6.10.7e")]),
    ):
        other = {"hand": [card], "figures": {"muspelheim": ["warrior"]}}
        game = play("action", 2, board, [own, other], "pillage muspelheim")
        kind = ev.EVENT_GLORY if card == "lokis_backstab" else ev.EVENT_RAGE
        assert [row for row in told(game, kind) if row[3]] == found
        copies = {int(event["copy"]) for event in game.events if event.kind == kind and event.card != NO_CARD}
        assert copies == {int(game.record.secret.hand[1, 0])}  # a loser has its card back


def raises(game: Game) -> list[tuple[Any, ...]]:
    return [row[2:] for row in told(game, ev.EVENT_RAISE)]


def test_reasons_of_raises():
    lone = {"figures": {"yggdrasil": ["leader"]}}
    assert raises(play("action", 3, {}, [lone, {}], "pillage yggdrasil")) == [("token", "", "6.9.2")] * 3
    quest = {"quests": ["yggdrasil", "yggdrasil"], "figures": {"yggdrasil": ["warrior"]}}
    game = play("quest", 3, {}, [quest, {}], "raise axes", "raise horns")
    assert raises(game) == [("quest", "yggdrasil", "9.2")] * 2
    named = [int(event["copy"]) for event in game.events if event.kind == ev.EVENT_RAISE]
    assert named == [int(event["copy"]) for event in game.events if event.kind == ev.EVENT_QUEST_DONE]
    assert len(set(named)) == 2
    board = {"tokens": {"muspelheim": "horns"}}
    for leader, moves, count in (("lord_of_axes", ("raise axes",), 1), ("lord_of_spears", (), 3)):
        own = {"upgrades": [leader], "figures": {"muspelheim": ["leader"]}}
        game = play("action", 3, board, [own, {}], "pillage muspelheim", *moves)
        assert raises(game) == [("token", "", "6.9.2")] + [("card", leader, "6.9.5")] * count
    for card, rule in (("friggas_grace", "6.9.4"), ("thors_oath", "6.10.3")):
        own = {"hand": [card], "figures": {"muspelheim": ["leader", "warrior"]}}
        game = play("action", 3, board, [own, {"figures": {"muspelheim": ["warrior"]}}], "pillage muspelheim", "raise rage")
        assert raises(game) == [("token", "", "6.9.2"), ("card", card, rule)]
    own = {"upgrades": ["friggas_sacrifice"], "figures": {"muspelheim": ["leader", "warrior"]}}
    game = play("action", 3, board, [own, {}], "sacrifice leader@muspelheim warrior@muspelheim", "raise rage")
    assert raises(game) == [("card", "friggas_sacrifice", "5.10.2")]


def rage(game: Game) -> list[tuple[Any, ...]]:
    return [row[1:] for row in told(game, ev.EVENT_RAGE) if row[0] == 0]


def test_reasons_of_rage():
    board = {"tokens": {"muspelheim": "horns"}, "pillaged": ["muspelheim"]}
    own = {"rage": 6, "upgrades": ["tyrs_challenge"], "figures": {"muspelheim": ["leader"]}}
    game = play("action", 3, board, [own, {"rage": 1}], "pillage muspelheim", "pass", "pass")
    assert rage(game)[:2] == [(-2, "card", "tyrs_challenge", "5.9.2"), (-4, "pass", "", "5.2.1")]
    own = {"rage": 6, "upgrades": ["friggas_domain"], "figures": {"valhalla": ["warrior"]}}
    game = play("action", 3, {}, [own, {"rage": 1}], "invade warrior@valhalla muspelheim")
    assert rage(game) == [(-1, "card", "friggas_domain", "5.10.1")]
    game = play("action", 3, {}, [{"rage": 3, "hand": ["lokis_wrath"]}, {"rage": 1}], "upgrade lokis_wrath")
    assert rage(game) == [(-3, "action", "lokis_wrath", "5.2")]
    game = Game.new(2, seed=1, log_size=LOG_SIZE)
    while int(game.record.clock.phase) != ids.PHASE_ACTION:
        game.apply(0)
    assert rage(game) == [(int(game.record.clans[0].rage), "start", "", "5.1")]


def test_reasons_of_discards_and_kept_cards():
    own = {"hand": ["tyrs_rage", "troll"], "quests": ["yggdrasil"], "figures": {"yggdrasil": ["warrior"]}}
    game = play("discard", 2, {}, [own, {"hand": ["troll"]}], "keep troll", "raise axes")
    found = [(row[0], *row[2:]) for row in told(game, ev.EVENT_DISCARDED)]
    assert found == [(0, "hand", "tyrs_rage", "8.1"), (0, "quest", "yggdrasil", "9.2")]
    assert [(int(event.seat), _card(game, event)) for event in game.events if event.kind == ev.EVENT_KEPT] == [(0, "troll"), (1, "troll")]
