"""Scenario files: a position, moves, and what must be true afterwards.  The language of tests and bug reports.

    title = "A lone pillager gets the token"
    players = 2                                   # 2 to 5
    age = 1                                       # 1 to 3
    phase = "action"                              # setup, draft, action, discard, quest, ragnarok, release or end
    source = "rule 6.9.2"                         # free text; this and all keys down to [board] may be left out
    covers = ["6.9.2"]                            # rules and cards that the file shows
    current = 0                                   # seat on turn; seats count from 0
    first_player = 0                              # default: current
    seed = 1                                      # of what is left unsaid
    stop_after = "quest"                          # stop when this phase is over, not at the next decision
    rules = { yggdrasil_reward = "all_stats" }    # rule options, see `bloodrage rules`

    [board]                                       # all may be left out
    doom = "gimle"                                # doomed in this age
    next_doom = ["andlang", "elvagar"]            # in the ages to come
    destroyed = ["horgr"]
    pillaged = ["utgard"]
    tokens = { angerboda = "rage" }               # rage, axes, horns or glory

    [draft]                                       # phase draft only: a pack for each seat
    packs = [["troll", "alfheim", "manheim"], ["jotunheim", "tyrs_smash", "odins_smite"]]

    [[player]]                                    # one for each seat; all may be left out
    rage = 6                                      # default: what the stat says
    passed = false
    glory = 0
    stats = { rage = 1, axes = 1, horns = 1 }     # steps, 1 to 6
    hand = ["tyrs_smash", "alfheim@1"]            # ids of `bloodrage cards`, with the age where it is not clear
    upgrades = ["dwarf_chieftain"]
    quests = ["alfheim"]                          # committed
    figures = { angerboda = ["leader", "warrior"], fjord_elvagar_angerboda = ["ship"], valhalla = ["warrior"] }
    [[player]]

    [[step]]                                      # one for each move, as a player at the table would say it
    seat = 0
    move = "pillage angerboda"
    [[step]]
    seat = 1
    refused = "pillage angerboda"                 # must not be legal now

    [expect]                                      # after the last step, when the next decision is open
    "player.0.stats.rage" = 2
    "player.0.figures.angerboda" = ["leader", "warrior"]
    "board.pillaged" = ["utgard", "angerboda"]    # lists in any order
    current = 1                                   # seat that decides next, -1 if none
    legal_includes = ["pass"]
    legal_excludes = ["pillage angerboda"]

`expect` also knows phase, age, board.destroyed, board.doom, discard, player.N.glory, .rage, .passed, .hand, .quests, .upgrades and .win_share,
and in phase setup deck_size.AGE and deck.AGE.CARD, copies in the deck of an age.

Moves: keep CARD (CARD CARD with two players, and for Tyr's Prowess), keep FIGURE@PLACE (Odin's Tide), invade FIGURE PLACE,
invade FIGURE@valhalla PLACE, march FROM TO FIGURE FIGURE ..., upgrade CARD, upgrade CARD replace CARD, quest CARD, pillage PROVINCE,
sacrifice FIGURE@PLACE FIGURE@PLACE, pass, join FIGURE from PROVINCE, play CARD, add CARD (a late card), protect FIGURE@PLACE,
raise STAT, yes, no, decline.  Figures are leader, warrior, ship, or the id of a monster's card; a decision with one legal answer is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .data import reader
from .errors import BadScenario, BloodRageError, nearest
from .game import Game
from .notation import (
    SIMULTANEOUS,
    canonical_move,
    card_ids,
    card_name,
    find_card,
    find_move,
    find_place,
    legal_moves,
    play_path,
)
from .position import (
    PHASES,
    build_game,
    figures_at,
    hand_of,
    names_of,
    need_int,
    need_keys,
    need_names,
    provinces_where,
    quests_of,
    upgrades_of,
)
from .rules import ids
from .rules.engine import PAUSE_AFTER_STEPS, PAUSE_AT_QUESTIONS
from .rules.state import ZONE_DISCARD
from .rules.tables import N_COPIES
from .ruleset import (
    PLAYER_COUNTS,
    Ruleset,
    check_options,
    copies_of,
    load_toml,
    make_ruleset,
)
from .whole_numbers import whole_number

_KEYS = (
    "title", "source", "players", "age", "phase", "covers", "current", "first_player", "seed", "rules", "board", "draft",
    "player", "step", "expect", "stop_after",
)  # fmt: skip
# the checkpoint (phase, number) that says that a phase is done
_DONE = {
    "draft": (ids.PHASE_ACTION, 0),
    "action": (ids.PHASE_ACTION, 2),
    "discard": (ids.PHASE_DISCARD, 0),
    "quest": (ids.PHASE_QUEST, 0),
    "ragnarok": (ids.PHASE_RAGNAROK, 0),
    "release": (ids.PHASE_RELEASE, 0),
}


@dataclass
class Outcome:
    """What came of a scenario: its title, and each thing that differed; none means ok."""

    path: str
    title: str
    differences: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.differences


class _Stop(Exception):
    """The scenario failed at a step; the rest makes no sense."""


def read_scenario(path: Path) -> dict[str, Any]:
    """A scenario file as a checked dict.  Raises BadScenario."""
    document = load_toml(path, "scenario")
    need_keys(document, _KEYS, "")
    document["players"] = need_int(document.get("players"), min(PLAYER_COUNTS), max(PLAYER_COUNTS), "players")
    document["age"] = need_int(document.get("age", 1), 1, ids.N_AGES, "age")
    phases = ("setup", *PHASES)
    if document.get("phase") not in phases:
        raise BadScenario(f"key phase: {document.get('phase')!r}; allowed: {', '.join(phases)}")
    for key in ("current", "first_player"):
        if key in document:
            need_int(document[key], 0, document["players"] - 1, key)
    document.setdefault("current", 0)
    document.setdefault("first_player", document["current"])
    need_int(document.setdefault("seed", 1), 0, 2**63 - 1, "seed")
    for key in ("title", "source"):
        if not isinstance(document.get(key, ""), str):
            raise BadScenario(f"key {key}: {document[key]!r}; allowed: a text in quotes")
    need_names(document.get("covers", []), "covers")
    if document.get("stop_after", "draft") not in tuple(_DONE):
        raise BadScenario(f"key stop_after: {document['stop_after']!r}; allowed: {', '.join(_DONE)}")
    _check_steps(document)
    return document


def _check_steps(document: dict[str, Any]) -> None:
    steps = document.setdefault("step", [])
    if not isinstance(steps, list):
        raise BadScenario("key step: must be [[step]] tables")
    for number, step in enumerate(steps):
        key = f"step.{number}"
        need_keys(step, ("seat", "move", "refused"), key)
        need_int(step.get("seat"), 0, document["players"] - 1, f"{key}.seat")
        if ("move" in step) == ("refused" in step):
            raise BadScenario(f"key {key}: needs either move or refused")
        if not isinstance(step.get("move", step.get("refused")), str):
            raise BadScenario(f"key {key}: a move is a text in quotes")
    if not isinstance(document.setdefault("expect", {}), Mapping):
        raise BadScenario("key expect: must be a table")


class _Run:
    """Plays the steps of one scenario."""

    def __init__(self, document: dict[str, Any], ruleset: Ruleset) -> None:
        self.document = document
        self.game = build_game(document, ruleset)
        self.stop = _DONE.get(document.get("stop_after", ""))
        self.pause = PAUSE_AT_QUESTIONS + (PAUSE_AFTER_STEPS if self.stop else 0)
        self.stopped = False
        self.forced: list[tuple[int, str]] = []  # decisions with one answer since the last real one
        self.held: dict[int, tuple[int, dict[str, Any]]] = {}  # steps of simultaneous decisions written early
        self.moves: dict[str, tuple[int, ...]] = {}

    def run_on(self, first: bool = False) -> None:
        """Go on to the next real decision, through decisions with one answer."""
        if first:
            self.game.run(pause=self.pause)
        while True:
            if self.game.stopped:
                step = self.game.record.flow.pending[self.game.record.flow.depth]
                if self.stop == (int(step.a), int(step.b)):
                    self.stopped = True
                    self.moves = {}
                    return
                self.game.run(pause=self.pause)
                continue
            if not self.game.n:
                self.moves = {}
                return
            self.moves = legal_moves(self.game)
            if len(self.moves) > 1:
                return
            [(text, path)] = self.moves.items()
            self.forced.append((self.game.seat, text))
            play_path(self.game, path, self.pause)

    def play(self) -> None:
        self.run_on(first=True)
        for number, step in enumerate(self.document["step"]):
            self.step(number, step)
        if self.held:
            number, step = next(iter(self.held.values()))
            if not self.may_answer(step["seat"]):
                raise _Stop(f"step {number}: seat {step['seat']} is not asked")

    def step(self, number: int, step: dict[str, Any]) -> None:
        seat, game = step["seat"], self.game
        text = step.get("move", step.get("refused"))
        where = f"step {number} (seat {seat}: {text!r})"
        try:
            move = canonical_move(text, game)
        except BloodRageError as error:
            raise BadScenario(f"{where}: {error}") from None
        if "refused" in step:
            self.refuse(seat, text, where)
            return
        if game.n and game.seat != seat and self.may_answer(seat):
            self.held[seat] = (number, step)
            return
        found = find_move(text, game, self.moves) if game.n and game.seat == seat else None
        if found is not None:
            self.take(found)
            return
        if any(seat == forced and _same(move, text) for forced, text in self.forced):
            return
        if not game.n:
            raise _Stop(f"{where}: no decision is open")
        if game.seat != seat:
            raise _Stop(f"{where}: seat {game.seat} is asked now ({game.question}); legal: {_listed(self.moves)}")
        raise _Stop(f"{where}: not legal; legal: {_listed(self.moves)}")

    def take(self, found: str) -> None:
        """Play a move, then the answers to simultaneous decisions that were written early."""
        self.forced = []
        play_path(self.game, self.moves[found], self.pause)
        self.run_on()
        while self.game.n and self.game.seat in self.held:
            number, step = self.held.pop(self.game.seat)
            next_found = find_move(step["move"], self.game, self.moves)
            if next_found is None:
                raise _Stop(f"step {number} (seat {step['seat']}: {step['move']!r}): not legal; legal: {_listed(self.moves)}")
            play_path(self.game, self.moves[next_found], self.pause)
            self.run_on()

    def may_answer(self, seat: int) -> bool:
        """Whether `seat` is still to answer the simultaneous decision that is open, and has not answered early."""
        return seat not in self.held and self.probe(seat) is not None

    def probe(self, seat: int) -> Game | None:
        """A copy of the game in which `seat` is asked in the simultaneous decision that is open now."""
        question = int(self.game.record.flow.question)
        if question not in SIMULTANEOUS:
            return self.game if self.game.seat == seat else None
        twin = self.game.copy()
        while twin.n and int(twin.record.flow.question) == question and twin.seat <= seat:
            if twin.seat == seat:
                return twin
            asked = twin.seat
            while twin.n and twin.seat == asked and int(twin.record.flow.question) == question:
                twin.apply(0, PAUSE_AT_QUESTIONS)
        return None

    def refuse(self, seat: int, text: str, where: str) -> None:
        twin = self.probe(seat) if self.game.n else None
        if twin is None:
            raise BadScenario(f"{where}: refused must name a seat that is asked; asked: {self.asked()}")
        moves = legal_moves(twin)
        if find_move(text, twin, moves) is not None:
            raise _Stop(f"{where}: legal, but should be refused")

    def asked(self) -> str:
        seats = [seat for seat in range(self.document["players"]) if self.game.n and self.probe(seat) is not None]
        return ", ".join(f"seat {seat}" for seat in seats) or "nobody"


def _same(move: str, forced: str) -> bool:
    return move == forced or {move, forced} <= {"no", "decline"}


def _listed(moves: Mapping[str, Any]) -> str:
    return ", ".join(sorted(moves)) or "nothing"


# ---------------------------------------------------------------- expectations


def _found(run: _Run, key: str) -> Any:
    """What the game says for a key of [expect].  Raises BadScenario for a key that is not known."""
    game, record = run.game, run.game.record
    parts = key.split(".")
    if key == "phase":
        return PHASES[record.clock.phase]
    if key == "age":
        return int(record.clock.age)
    if key == "current":
        return game.seat
    if key == "discard":
        return names_of(game, [copy for copy in range(N_COPIES) if record.secret.zone[copy] == ZONE_DISCARD])
    if parts[0] == "board" and len(parts) == 2 and parts[1] in ("destroyed", "pillaged", "doom"):
        return _found_board(run, parts[1])
    if parts[0] in ("deck_size", "deck"):
        return _found_deck(run.document["players"], key, parts)
    seat = whole_number(parts[1]) if parts[0] == "player" and len(parts) >= 3 else None
    if seat is not None and seat < record.clock.players:
        return _found_player(run, key, seat, parts[2:])
    known = ("phase", "current", "age", "board.destroyed", "board.pillaged", "board.doom", "player.0.glory", "player.0.rage",
             "player.0.passed", "player.0.hand", "player.0.quests", "player.0.upgrades", "player.0.stats.rage",
             "player.0.figures.valhalla", "player.0.win_share", "deck_size.1", "deck.1.troll", "discard", "legal_includes",
             "legal_excludes")  # fmt: skip
    raise BadScenario(f"key expect.{key}: unknown{nearest(key, known)}")


def _found_board(run: _Run, name: str) -> Any:
    record = run.game.record
    if name != "doom":
        return provinces_where(getattr(record.board, name))
    age = int(record.clock.age) - 1 + (record.clock.phase >= ids.PHASE_RELEASE or _ragnarok_is_done(run))
    place = int(record.doom[age]) if age < ids.N_AGES else -1
    return ids.PLACE_NAMES[place] if place >= 0 else ""


def _ragnarok_is_done(run: _Run) -> bool:
    return run.stopped and run.document.get("stop_after") == "ragnarok"


def _found_deck(players: int, key: str, parts: list[str]) -> int:
    if len(parts) < 2 or parts[1] not in ("1", "2", "3") or len(parts) != (2 if parts[0] == "deck_size" else 3):
        raise BadScenario(f"key expect.{key}: write deck_size.<age> or deck.<age>.<card>")
    rows = [row for row in reader.card_rows() if row["age"] == parts[1]]
    if parts[0] == "deck":
        if parts[2] not in card_ids():
            raise BadScenario(f"key expect.{key}: unknown card{nearest(parts[2], card_ids())}")
        rows = [row for row in rows if row["id"] == parts[2]]
    return sum(copies_of(row, players) for row in rows)


def _found_player(run: _Run, key: str, seat: int, parts: list[str]) -> Any:
    game, record = run.game, run.game.record
    clan = record.clans[seat]
    name = parts[0]
    if name == "stats" and len(parts) == 2 and parts[1] in ids.STAT_NAMES:
        return int(clan.stats[ids.STAT_NAMES.index(parts[1])])
    if name == "figures" and len(parts) == 2:
        if parts[1] in ("valhalla", "reserve"):
            return figures_at(record, seat, ids.PLACE_NAMES.index(parts[1]))
        try:
            return figures_at(record, seat, find_place(parts[1]))
        except BloodRageError as error:
            raise BadScenario(f"key expect.{key}: {error}") from None
    simple: dict[str, Any] = {
        "glory": lambda: int(clan.glory),
        "rage": lambda: int(clan.rage),
        "passed": lambda: bool(clan.passed),
        "hand": lambda: hand_of(game, seat),
        "quests": lambda: quests_of(game, seat),
        "upgrades": lambda: upgrades_of(game, seat),
        "win_share": lambda: win_shares(record)[seat],
    }
    if len(parts) == 1 and name in simple:
        return simple[name]()
    raise BadScenario(f"key expect.{key}: unknown{nearest(name, [*simple, 'stats.rage', 'figures.valhalla'])}")


def win_shares(record: Any) -> list[float]:
    """1 / k for each of the k clans with most glory, 0 for the others.  Rule 12.3."""
    glory = [int(record.clans[seat].glory) for seat in range(int(record.clock.players))]
    winners = glory.count(max(glory))
    return [1 / winners if value == max(glory) else 0.0 for value in glory]


def _canonical_expected(run: _Run, key: str, value: Any) -> Any:
    """Card names in [expect] as output writes them."""
    if key == "discard" or key.endswith((".hand", ".quests", ".upgrades")):
        names = need_names(value, f"expect.{key}")
        try:
            return [run_name(run, name) for name in names]
        except BloodRageError as error:
            raise BadScenario(f"key expect.{key}: {error}") from None
    return value


def run_name(run: _Run, name: str) -> str:
    """A card name as output writes it in the game's age."""
    table, age = run.game.tables[0], int(run.game.record.clock.age)
    return card_name(find_card(name, age), table, age)


def _check_expectations(run: _Run, expect: Mapping[str, Any], outcome: Outcome) -> None:
    for key, value in _flat(expect).items():
        if key in ("legal_includes", "legal_excludes"):
            _check_legal(run, key, need_names(value, f"expect.{key}"), outcome)
            continue
        found = _found(run, key)
        wanted = _canonical_expected(run, key, value)
        if isinstance(found, list) and isinstance(wanted, list):
            same = Counter(found) == Counter(map(str, wanted))
        elif isinstance(found, float) and isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
            same = abs(found - wanted) < 1e-3
        else:
            same = type(found) is type(wanted) and found == wanted
        if not same:
            outcome.differences.append(f"{key}: expected {value!r}, found {found!r}")


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat


def _check_legal(run: _Run, key: str, texts: list[str], outcome: Outcome) -> None:
    if not run.game.n:
        raise BadScenario(f"key expect.{key}: no decision is open at the end")
    for text in texts:
        try:
            legal = find_move(text, run.game, run.moves) is not None
        except BloodRageError as error:
            raise BadScenario(f"key expect.{key}: {error}") from None
        if legal != (key == "legal_includes"):
            said = "is not legal" if key == "legal_includes" else "is legal"
            outcome.differences.append(f"{key}: {text!r} {said}; legal: {_listed(run.moves)}")


# ---------------------------------------------------------------- running


def run_scenario(path: Path, options: Mapping[str, str] | None = None) -> Outcome:
    """Play one scenario file and compare.  Raises BadScenario if it cannot be read as a scenario.

    `options` are rule options that go before those of the file.
    """
    try:
        document = read_scenario(path)
        outcome = Outcome(str(path), document.get("title", path.stem))
        given = document.get("rules", {})
        given = {**given, **(options or {})} if isinstance(given, Mapping) else {"rules": ""}
        ruleset = make_ruleset(check_options(given, "[rules]"))
        if document["phase"] == "setup":
            _check_setup(document, outcome)
            return outcome
        run = _Run(document, ruleset)
        try:
            run.play()
        except _Stop as stop:
            outcome.differences.append(str(stop))
            return outcome
        _check_expectations(run, document["expect"], outcome)
        return outcome
    except BloodRageError as error:
        raise BadScenario(f"{path}: {error}") from None


def _check_setup(document: dict[str, Any], outcome: Outcome) -> None:
    if document["step"]:
        raise BadScenario("key step: phase setup has no steps")
    for key, value in _flat(document["expect"]).items():
        parts = key.split(".")
        if parts[0] not in ("deck_size", "deck"):
            raise BadScenario(f"key expect.{key}: phase setup offers deck_size.<age> and deck.<age>.<card>")
        found = _found_deck(document["players"], key, parts)
        if found != value:
            outcome.differences.append(f"{key}: expected {value!r}, found {found!r}")
