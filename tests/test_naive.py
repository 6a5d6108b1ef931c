"""The slow twin (naive/) against the core, on random positions and on whole battles and phases with the same answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import naive
import numba
import numpy as np
import pytest
from random_games import WAYS, copy_of, new_game, positions, random_ruleset, walk_to_checkpoint

from bloodrage_sim.data import reader
from bloodrage_sim.game import Game
from bloodrage_sim.notation import legal_moves, move_stems, play_path
from bloodrage_sim.position import position_of
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.engine import PAUSE_AFTER_STEPS
from bloodrage_sim.rules.figures import strength
from bloodrage_sim.rules.flow import ACTION_PILLAGE
from bloodrage_sim.rules.tables import FIGURE_NAMES, N_FIGURES, N_SEATS, SLOT_FIRST
from bloodrage_sim.scenario import win_shares

POSITIONS = 625  # for each number of players and way to play: 5,000 in all
WHOLE_LISTS = 125  # of them with every march written out: 1,000 in all
BATTLES = 195  # of them with a battle: 1,560 in all
PHASE_GAMES = 90  # for each number of players
KINDS = {"declare": "quest_as_battle"}  # ours -> the slow twin's, where they differ
AGE_END = (ids.PHASE_RELEASE, 0)


# ---------------------------------------------------------------- positions


def read_position(game: Game) -> naive.Position:
    """What position_of(game, with_ages=True) says, read once more and quicker, with the rule options."""
    record, rows = game.record, reader.card_rows()
    card_of = record.secret.card_of.tolist()
    figures = record.board.figures.tolist()
    doom = record.doom.tolist()
    age, turn = int(record.clock.age), int(record.clock.turn)

    def cards(copies: Iterable[int]) -> list[str]:
        return [f"{rows[card_of[copy]]['id']}@{rows[card_of[copy]]['age']}" for copy in copies if copy >= 0]

    players = []
    for seat in range(int(record.clock.players)):
        clan, secret = record.clans[seat], record.secret
        names = [*FIGURE_NAMES] + [rows[c]["id"] for c in clan.sheet[SLOT_FIRST[ids.CARD_KIND_MONSTER] :][:2].tolist()]
        places = {}
        for place in range(ids.PLACE_RESERVE):
            counts = figures[place][seat]
            if any(counts):
                places[ids.PLACE_NAMES[place]] = [names[f] for f in range(N_FIGURES) for _ in range(counts[f])]
        players.append(
            {
                "rage": int(clan.rage),
                "passed": bool(clan.passed),
                "glory": int(clan.glory),
                "stats": dict(zip(ids.STAT_NAMES, clan.stats.tolist(), strict=True)),
                "hand": cards(secret.hand[seat, : int(clan.hand)].tolist()),
                "upgrades": cards(secret.sheet[seat].tolist()),
                "quests": cards(secret.quests[seat, : int(clan.quests)].tolist()),
                "figures": places,
            }
        )
    flags = {name: record.board[name].tolist() for name in ("destroyed", "pillaged")}
    return {
        "players": len(players),
        "age": age,
        "phase": ids.PHASE_NAMES[record.clock.phase],
        "current": turn if turn >= 0 else max(int(record.flow.seat), 0),
        "first_player": int(record.clock.first_player),
        "board": {
            "doom": ids.PLACE_NAMES[doom[age - 1]] if doom[age - 1] >= 0 else "",
            "next_doom": [ids.PLACE_NAMES[place] for place in doom[age:] if place >= 0],
            **{name: [ids.PLACE_NAMES[p] for p in range(ids.N_PROVINCES) if flag[p]] for name, flag in flags.items()},
            "tokens": {ids.PLACE_NAMES[p]: ids.TOKEN_NAMES[record.board.token[p]] for p in range(ids.N_PROVINCES - 1)},
        },
        "player": players,
        "rules": game.rules,
    }


def no_ages(cards: Iterable[str]) -> list[str]:
    """Cards without their age, but for quests: other cards of two ages are one and the same."""
    quests = naive.standard_cards()
    return sorted(card if quests[card]["kind"] == "quest" else naive.card_name(card) for card in cards)


def comparable(position: naive.Position) -> dict[str, Any]:
    """What two positions must have in common after something was played in both."""
    seats = []
    for clan in position["player"]:
        places = clan["figures"].items()
        seat = {key: clan[key] for key in ("rage", "glory", "stats")}
        seat |= {key: no_ages(clan[key]) for key in ("hand", "upgrades", "quests")}
        seat["figures"] = {place: sorted(names) for place, names in places if names and place != naive.RESERVE}
        seats.append(seat)
    board = position["board"]
    return {
        "seats": seats,
        "pillaged": sorted(board["pillaged"]),
        "destroyed": sorted(board["destroyed"]),
    }


def discards_since(game: Game, before: np.ndarray) -> list[str]:
    """Cards discarded face up since the counts `before`."""
    names = []
    counts = game.record.history.discards - before
    assert not counts[len(reader.card_rows()) :].any()
    for card, count in enumerate(counts[: len(reader.card_rows())]):
        names += [f"{reader.card_rows()[card]['id']}@{reader.card_rows()[card]['age']}"] * int(count)
    return no_ages(names)


@numba.njit
def core_strengths(games, tables, found):
    """STR by province and seat, as the core counts it."""
    for province in range(found.shape[0]):
        for seat in range(games[0].clock.players):
            found[province, seat] = strength(games[0].board, games[0].clans[seat], tables[0], province, seat)


# ---------------------------------------------------------------- the same answers in both


class Answers:
    """Answers of the core's game, recorded and given again to the slow twin, which must be asked the same."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.given: list[tuple[int, str, list[str], str]] = []
        self.next = 0

    def play(self, game: Game) -> None:
        """Answer all questions of the core by random table moves until it stops after a turn or phase."""
        while game.n and not game.stopped:
            moves = legal_moves(game)
            move = self.rng.choice(sorted(moves))
            if len(moves) > 1:
                self.given.append((game.seat, KINDS.get(game.question, game.question), sorted(moves), move))
            play_path(game, moves[move], PAUSE_AFTER_STEPS)

    def __call__(self, seat: int, kind: str, legal: list[str]) -> str:
        assert self.next < len(self.given), f"the slow twin asks seat {seat} {kind} {legal}, the core asks nothing more"
        *asked, move = self.given[self.next]
        assert asked == [seat, kind, legal]
        self.next += 1
        return move

    def check_all_asked(self) -> None:
        assert self.next == len(self.given), f"the core asked more: {self.given[self.next:]}"


def compare_turn(game: Game, position: naive.Position, whole: bool) -> None:
    """The list of moves of a turn: whole, or of marches only from where to where."""
    slow = naive.turn_moves(position)
    if whole:
        assert sorted(legal_moves(game)) == slow
    else:
        assert move_stems(game) == sorted({" ".join(m.split()[:3]) if m.startswith("march ") else m for m in slow})


def compare_strengths(game: Game, position: naive.Position) -> None:
    """STR of all clans in all provinces that are not destroyed."""
    found = np.zeros((ids.N_PROVINCES, N_SEATS), np.int64)
    core_strengths(game.games, game.tables, found)
    table = naive.open_table(position, naive.nobody, None, None)
    for province in range(ids.N_PROVINCES):
        name = ids.PLACE_NAMES[province]
        if not naive.is_destroyed(table, name):
            slow = [naive.strength_in(table, seat, name) for seat in range(position["players"])]
            assert found[province, : position["players"]].tolist() == slow, name


def choose_pillage(game: Game, position: naive.Position, rng: random.Random) -> tuple[str, int] | None:
    """A pillage that is legal now, with an enemy in the area if there is one, and the option for it."""
    seat = game.seat
    legal = {}
    for choice, option in enumerate(game.legal().tolist()):
        if option[0] == ACTION_PILLAGE:
            legal[ids.PLACE_NAMES[option[4]]] = choice
    table = naive.open_table(position, naive.nobody, None, None)
    others = [other for other in range(position["players"]) if other != seat]
    contested = [name for name in legal if any(naive.figures_in_area(table, other, name) for other in others)]
    if not legal:
        return None
    name = rng.choice(contested or sorted(legal))
    return name, legal[name]


def compare_pillage(game: Game, position: naive.Position, rng: random.Random, counts: Counter[str]) -> None:
    """A whole pillage, with a battle if anybody else takes part."""
    chosen = choose_pillage(game, position, rng)
    if chosen is None or game.rules.get("domain_after_blessing") == "yes":
        return
    name, choice = chosen
    twin = copy_of(game)
    answers = Answers(rng)
    twin.apply(choice, PAUSE_AFTER_STEPS)
    answers.play(twin)
    assert twin.stopped
    slow = naive.battle(position, game.seat, name, answers)
    answers.check_all_asked()
    assert comparable(read_position(twin)) == comparable(slow)
    assert discards_since(twin, game.record.history.discards) == no_ages(slow["discard"])
    counts["pillages"] += 1
    counts["answers in pillages"] += len(answers.given)
    if twin.record.battles > game.record.battles:
        counts["battles"] += 1
        assert twin.record.battle.destroyed[: position["players"]].tolist() == slow["destroyed_in_battle"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_turns_strengths_and_battles(players, way, say):
    """Moves of a turn, strengths, and a whole pillage from each position."""
    rng = random.Random(100 * players + len(way))
    counts: Counter[str] = Counter()
    for game in positions(players, way, 40 + players, 4, ("turn",)):
        position = read_position(game)
        whole = counts["positions"] * WHOLE_LISTS % POSITIONS < WHOLE_LISTS
        compare_turn(game, position, whole)
        counts["whole lists"] += whole
        compare_strengths(game, position)
        if counts["battles"] < BATTLES:
            compare_pillage(game, position, rng, counts)
        counts["positions"] += 1
        if counts["positions"] == POSITIONS:
            break
    say(f"\n  slow twin, {players} players, by {way}: {dict(counts)}")
    assert counts["positions"] >= POSITIONS
    assert counts["whole lists"] >= WHOLE_LISTS
    assert counts["battles"] >= BATTLES


def test_positions_are_read_as_position_of_writes_them():
    """The quick reading of positions above and position_of agree."""
    for seen, game in enumerate(positions(4, "kind", 7, 9)):
        ours = read_position(game)
        del ours["rules"]
        assert ours == position_of(game, with_ages=True)
        if seen == 60:
            break


# ---------------------------------------------------------------- phases


def compare_phase(game: Game, stop: tuple[int, int], slow: Any, rng: random.Random, counts: Counter[str]) -> Game:
    """Play one phase in both from the checkpoint where `game` stands; returns the core's game at the next one."""
    before = read_position(game)
    twin = copy_of(game)
    answers = Answers(rng)
    twin.run(pause=PAUSE_AFTER_STEPS)
    answers.play(twin)
    after = slow(before, answers)
    answers.check_all_asked()
    ours, theirs = comparable(read_position(twin)), comparable(after)
    if stop == AGE_END and twin.record.clock.age < ids.N_AGES:
        theirs["pillaged"] = []  # the tokens are turned up by then (11.3)
    assert ours == theirs
    if stop == (ids.PHASE_QUEST, 0):
        assert discards_since(twin, game.record.history.discards) == no_ages(after["discard"])
        counts["quests"] += sum(len(clan["quests"]) for clan in before["player"])
    if stop == (ids.PHASE_RAGNAROK, 0):
        doomed = [name for name in after["board"]["destroyed"] if name not in before["board"]["destroyed"]]
        assert doomed == [before["board"]["doom"]]
        was = [sum(clan["glory"] for clan in position["player"]) for position in (before, after)]
        counts["Ragnaroks with dead"] += was[1] > was[0]
    if stop == AGE_END:
        counts["releases with figures"] += any(naive.VALHALLA in clan["figures"] for clan in before["player"])
    assert twin.stopped
    return twin


def release(position: naive.Position, answers: naive.Answers) -> naive.Position:
    return naive.release_phase(position)


PHASES = (((ids.PHASE_QUEST, 0), naive.quest_phase), ((ids.PHASE_RAGNAROK, 0), naive.ragnarok_phase), (AGE_END, release))


@pytest.mark.parametrize("players", (2, 3, 4, 5))
def test_phases_and_final_scoring(players, say):
    """Quest phase, Ragnarok and release of every age, and the final scoring."""
    rng = random.Random(players)
    counts: Counter[str] = Counter()
    for deal in range(PHASE_GAMES):
        ruleset = random_ruleset(1000 * players + deal) if deal % 4 == 3 else None
        game = new_game(players, 70 + players, deal, ruleset)
        for _ in range(ids.N_AGES):
            assert walk_to_checkpoint(game, WAYS[deal % 2], ids.PHASE_DISCARD)
            for stop, slow in PHASES:
                game = compare_phase(game, stop, slow, rng, counts)
                counts[ids.PHASE_NAMES[stop[0]]] += 1
        before = read_position(game)
        game.run()
        after = naive.final_scoring(before)
        assert game.over
        assert comparable(read_position(game)) == comparable(after)
        assert win_shares(game.record) == naive.win_shares(after)
        counts["final scorings"] += 1
    say(f"\n  slow twin, {players} players: {dict(counts)}")
    assert counts["quest"] == counts["ragnarok"] == counts["release"] == 3 * PHASE_GAMES >= 250
    assert counts["final scorings"] == PHASE_GAMES
    assert min(counts["quests"], counts["Ragnaroks with dead"], counts["releases with figures"]) >= 60


def test_wrong_answers_of_the_twin_would_show():
    """The comparisons see a single glory, figure or card too many: they cannot pass by comparing nothing."""
    game = new_game(3, 1, 0)
    assert walk_to_checkpoint(game, "kind", ids.PHASE_ACTION, 2)
    good = comparable(read_position(game))
    game.record.clans[1].glory += 1
    assert comparable(read_position(game)) != good
    game.record.clans[1].glory -= 1
    assert comparable(read_position(game)) == good
    game.record.board.figures[ids.PLACE_VALHALLA, 0, 0] += 1
    assert comparable(read_position(game)) != good
    game.record.board.figures[ids.PLACE_VALHALLA, 0, 0] -= 1
    game.record.clans[0].hand -= 1
    assert comparable(read_position(game)) != good
