"""Replay recorded games of an independent implementation and compare every question, legal list, digest and score.

    python scripts/replay_traces.py FILE.jsonl.gz...

Exit status 1 if any game disagrees; the position of the first disagreement is written as a scenario file (--out).
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bloodrage_sim.game import Game
from bloodrage_sim.notation import canonical_move, find_card, find_move, legal_moves, move_stems, place_name, play_path
from bloodrage_sim.play import set_up_blank
from bloodrage_sim.position import figures_at, hand_of, position_of, provinces_where, quests_of, upgrades_of
from bloodrage_sim.rules import flow, ids
from bloodrage_sim.rules.engine import PAUSE_AFTER_STEPS, PAUSE_AT_QUESTIONS
from bloodrage_sim.rules.state import ZONE_DECK, ZONE_PACK, new_games
from bloodrage_sim.rules.tables import N_COPIES
from bloodrage_sim.ruleset import make_ruleset

# our name of a question -> the kind of a recorded decision
KINDS = {
    "draft": "draft", "turn": "turn", "free_invade": "free_invade", "succor": "succor", "thors_domain": "thors_domain",
    "blessing": "blessing", "witch": "witch", "join": "join", "card": "card", "tide": "tide", "late": "late",
    "protect": "protect", "raise": "raise", "hammers": "hammers", "prowess": "prowess", "discard": "discard",
}  # fmt: skip
# the phase of a digest -> the checkpoint (phase, number) at which it was taken
CHECKPOINTS = {
    (ids.PHASE_ACTION, 0): "draft",
    (ids.PHASE_ACTION, 1): "turn",
    (ids.PHASE_ACTION, 2): "action",
    (ids.PHASE_DISCARD, 0): "discard",
    (ids.PHASE_QUEST, 0): "quest",
    (ids.PHASE_RAGNAROK, 0): "ragnarok",
    (ids.PHASE_RELEASE, 0): "release",
}


class Disagreement(Exception):
    """The first difference in a game."""


@dataclass
class Replay:
    """One recorded game being replayed."""

    trace: dict[str, Any]

    def __post_init__(self) -> None:
        trace = self.trace
        ruleset = make_ruleset(trace["rules"], where=f"trace {trace['id']}")
        tables, games = ruleset.tables(), new_games(1)
        self.game = Game(games, tables)
        set_up_blank(games, tables, trace["players"])
        record = games[0]
        for seat in range(trace["players"]):
            record.slot[seat] = seat
        places = ids.PLACE_NAMES
        record.clock.first_player = trace["first_player"]
        for name, token in trace["tokens"].items():
            record.board.token[places.index(name)] = ids.TOKEN_NAMES.index(token)
        record.board.token[ids.PLACE_YGGDRASIL] = ids.TOKEN_YGGDRASIL
        record.doom[:] = [places.index(name) for name in trace["doom"]]
        for name in trace["destroyed"]:
            record.board.destroyed[places.index(name)] = 1
        step = record.flow.pending[0]
        step.kind, step.a, step.b, step.c = flow.STEP_AGE, 1, -1, -1
        record.flow.depth = 1
        self.decisions = 0
        self.digests = 0
        tagged = trace["deviations_at"]
        self.last_decision = min((tag["n"] for tag in tagged), default=len(trace["decisions"]))
        self.last_digest = min((tag["digest"] for tag in tagged), default=len(trace["digests"]))
        self.tagged = bool(tagged)

    def set_packs(self) -> None:
        """Replace the packs just dealt by the recorded ones."""
        record, table = self.game.record, self.game.tables[0]
        secret, age = record.secret, int(record.clock.age)
        for copy in range(N_COPIES):
            if secret.zone[copy] == ZONE_PACK:
                secret.zone[copy] = ZONE_DECK
        for seat, pack in enumerate(self.trace["packs"][age - 1]):
            copies = []
            for name in pack:
                card = find_card(f"{name}@{age}", age)
                copy = next(c for c in range(N_COPIES) if secret.card_of[c] == card and secret.zone[c] == ZONE_DECK)
                secret.zone[copy] = ZONE_PACK
                copies.append(copy)
            copies.sort(key=lambda copy: (int(table.face[secret.card_of[copy]]), copy))
            secret.pack[seat, : len(copies)] = copies
            secret.pack_size[seat] = len(copies)
        self.game.run(pause=PAUSE_AT_QUESTIONS)

    def digest(self) -> dict[str, Any]:
        """The position as the traces write it."""
        game, record = self.game, self.game.record
        seats = range(int(record.clock.players))
        places = [place for place in range(ids.PLACE_RESERVE)]
        return {
            "age": int(record.clock.age),
            "glory": [int(record.clans[seat].glory) for seat in seats],
            "rage": [int(record.clans[seat].rage) for seat in seats],
            "stats": [[int(step) for step in record.clans[seat].stats] for seat in seats],
            "hands": [sorted(hand_of(game, seat)) for seat in seats],
            "quests": [sorted(quests_of(game, seat)) for seat in seats],
            "upgrades": [sorted(upgrades_of(game, seat)) for seat in seats],
            "figures": [
                {place_name(place): sorted(names) for place in places if (names := figures_at(record, seat, place))}
                for seat in seats
            ],
            "pillaged": sorted(provinces_where(record.board.pillaged)),
            "destroyed": sorted(provinces_where(record.board.destroyed)),
        }

    def check_digest(self, phase: str) -> None:
        if self.digests >= self.last_digest:
            return
        recorded = self.trace["digests"][self.digests]
        number, self.digests = self.digests, self.digests + 1
        if recorded["phase"] != phase or recorded["n"] != self.decisions:
            raise Disagreement(
                f"digest {number}: recorded after {recorded['phase']} and {recorded['n']} decisions, "
                f"here after {phase} and {self.decisions}"
            )
        ours = self.digest()
        for key, value in ours.items():
            theirs = recorded[key]
            if key in ("hands", "quests", "upgrades"):
                theirs = [sorted(names) for names in theirs]
            elif key == "figures":
                theirs = [{place: sorted(names) for place, names in seat.items()} for seat in theirs]
            elif key in ("pillaged", "destroyed"):
                theirs = sorted(theirs)
            if value != theirs:
                raise Disagreement(f"digest {number} ({phase}): {key} recorded {theirs}, here {value}")

    def check_decision(self) -> None:
        """Compare the open question with the next recorded decision and answer it as recorded."""
        game = self.game
        stems = move_stems(game)
        question = game.question
        if len(stems) == 1:
            play_path(game, legal_moves(game)[stems[0]], PAUSE_AT_QUESTIONS + PAUSE_AFTER_STEPS)
            return
        if self.decisions >= self.last_decision:
            raise StopIteration
        recorded = self.trace["decisions"][self.decisions]
        asked = f"seat {game.seat} {KINDS.get(question, question)}"
        where = f"decision {self.decisions}"
        if (recorded["seat"], recorded["kind"]) != (game.seat, KINDS.get(question)):
            raise Disagreement(f"{where}: recorded seat {recorded['seat']} {recorded['kind']}, here {asked}")
        if stems != recorded["legal"]:
            missing = sorted(set(recorded["legal"]) - set(stems))
            added = sorted(set(stems) - set(recorded["legal"]))
            raise Disagreement(f"{where} ({asked}): legal here but not recorded {added}, recorded but not here {missing}")
        legal = legal_moves(game, like=canonical_move(recorded["move"], game))
        move = find_move(recorded["move"], game, legal)
        if move is None:
            raise Disagreement(f"{where} ({asked}): recorded move {recorded['move']!r} is not legal here")
        self.decisions += 1
        play_path(game, legal[move], PAUSE_AT_QUESTIONS + PAUSE_AFTER_STEPS)

    def run(self) -> None:
        """Replay to the end or to the first tagged deviation.  Raises Disagreement."""
        game = self.game
        game.run(pause=PAUSE_AT_QUESTIONS + PAUSE_AFTER_STEPS)
        dealt = 0
        while self.digests < self.last_digest or self.decisions < self.last_decision or not self.tagged:
            if game.stopped:
                step = game.record.flow.pending[game.record.flow.depth]
                self.check_digest(CHECKPOINTS[int(step.a), int(step.b)])
                game.run(pause=PAUSE_AT_QUESTIONS + PAUSE_AFTER_STEPS)
            elif not game.n:
                break
            elif game.question == "draft" and dealt < game.record.clock.age:
                dealt += 1
                self.set_packs()
            else:
                try:
                    self.check_decision()
                except StopIteration:
                    return
        if not self.tagged:
            self.check_end()

    def check_end(self) -> None:
        record, final = self.game.record, self.trace["final"]
        glory = [int(record.clans[seat].glory) for seat in range(self.trace["players"])]
        winners = [seat for seat, value in enumerate(glory) if value == max(glory)]
        if self.decisions != len(self.trace["decisions"]) or self.digests != len(self.trace["digests"]):
            raise Disagreement(f"over after {self.decisions} decisions and {self.digests} digests")
        if glory != final["glory"] or winners != final["winners"]:
            raise Disagreement(f"final glory recorded {final['glory']} (winners {final['winners']}), here {glory} ({winners})")


def toml_value(value: Any) -> str:
    """A value of a position as inline TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_value(item)}" for key, item in value.items()) + " }"
    return json.dumps(value)


def scenario_text(replay: Replay, title: str) -> str:
    """The position at a disagreement as a scenario file."""
    position = position_of(replay.game)
    lines = [f"title = {json.dumps(title)}", f"source = {json.dumps('trace ' + replay.trace['id'])}"]
    lines += [f"{key} = {toml_value(position[key])}" for key in ("players", "age", "phase", "current", "first_player")]
    lines += ["", "[rules]"] + [f"{key} = {toml_value(value)}" for key, value in replay.trace["rules"].items()]
    lines += ["", "[board]"] + [f"{key} = {toml_value(value)}" for key, value in position["board"].items() if value]
    for player in position["player"]:
        lines += ["", "[[player]]"] + [f"{key} = {toml_value(value)}" for key, value in player.items()]
    return "\n".join(lines) + "\n"


def replay_file(path: Path, out: Path) -> tuple[int, int, Counter[str]]:
    """Replay all games of a file; returns games, games that agree, and tags of deviations met."""
    games = agreed = 0
    tags: Counter[str] = Counter()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            trace = json.loads(line)
            games += 1
            tags.update(trace["deviations"])
            replay = Replay(trace)
            try:
                replay.run()
            except Disagreement as difference:
                out.mkdir(parents=True, exist_ok=True)
                file = out / f"{trace['id']}.toml"
                file.write_text(scenario_text(replay, f"{trace['id']}: {difference}"), encoding="utf-8")
                print(f"{trace['id']}: {difference}\n    position: {file}")
            else:
                agreed += 1
    return games, agreed, tags


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, default=Path("disagreements"), help="folder for positions of disagreements")
    arguments = parser.parse_args()
    games = agreed = 0
    for path in arguments.files:
        if not path.is_file():
            parser.error(f"{path} does not exist")
        played, same, tags = replay_file(path, arguments.out)
        print(f"{path.name}: {played} games replayed, {same} in full agreement, tagged up to the tag: {dict(tags) or 'none'}")
        games, agreed = games + played, agreed + same
    print(f"{agreed} of {games} games agree")
    return 0 if agreed == games else 1


if __name__ == "__main__":
    sys.exit(main())
