"""The detail tables of a data set: they agree with the counts of the games, with each other and with the events."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bloodrage_sim.batch import Results, read_results, run_to_folder, simulate
from bloodrage_sim.rows.tables_out import DETAILS, TABLES
from bloodrage_sim.rules.action import MOST_TURNS
from bloodrage_sim.rules.ids import STAT_NAMES
from bloodrage_sim.ruleset import make_ruleset
from bloodrage_sim.running.collecting import MemorySink
from bloodrage_sim.running.runs import RunConfig, load_kit
from bloodrage_sim.running.units import Segment
from bloodrage_sim.running.workers import play_segments

ALL = tuple(table.name for table in TABLES[:-1])
GAMES = 120


def play(players: int, **given) -> Results:
    return simulate(players, GAMES, 7, given.pop("strategies", "random"), tables=ALL, threads=2, **given)


@pytest.fixture(scope="module", params=[2, 3, 4, 5])
def results(request) -> Results:
    return play(request.param, events="all")


def by_player(results: Results, table: str, values: str | None = None, where=None) -> np.ndarray:
    """Rows of a table, or sum of a column, by game and seat in the order of the players table."""
    frame = results.tables[table]
    if where is not None:
        frame = frame[where(frame)]
    grouped = frame.groupby(["game", "seat"])
    counts = grouped.size() if values is None else grouped[values].sum()
    keys = pd.MultiIndex.from_frame(results.players[["game", "seat"]])
    return counts.reindex(keys, fill_value=0).to_numpy()


def test_the_ledger_is_the_glory_of_every_player(results):
    players = results.players
    assert (by_player(results, "ledger", "glory") == players.glory).all()
    for source in ("battle", "pillage", "quest", "ragnarok", "release", "card", "stat_bonus", "stolen", "lost"):
        found = by_player(results, "ledger", "glory", lambda rows, source=source: rows.source == source)
        assert (found == players[f"glory_{source}"]).all(), source
    for age in (1, 2, 3):
        assert (by_player(results, "ledger", "glory", lambda rows, age=age: rows.age == age) == players[f"glory_age_{age}"]).all()
    keys = ["players", "game", "seat", "age", "phase", "source", "copy"]
    assert not results.tables["ledger"].duplicated(keys).any()


def test_two_clans_cannot_go_on_for_ever():
    """Rule 5.2 knows no end of a cycle that costs no rage: a clan stops after MOST_TURNS turns of an age."""
    kit = load_kit(RunConfig((4,), 7440, 5730, ("loki", "battle", "monsters", "pillage_rush"), tables=ALL))
    kit.prepare()
    sink = MemorySink()
    play_segments(kit, [Segment(4, 7439, 7440)], sink, lambda _games: None)
    rows = {name: rows.view(np.ndarray) for name, rows in sink.parts[0].rows.items()}
    players = rows["players"]
    assert max(players["turns"] - players["turns_age"].sum(1)) == MOST_TURNS
    ledger = rows["ledger"]
    assert [ledger["glory"][ledger["seat"] == seat].sum() for seat in range(4)] == players["glory"].tolist()


def test_every_seat_takes_six_cards_of_an_age_round_by_round(results):
    deals, n = results.tables["deals"], int(results.players.players[0])
    taken = deals[deals["round"] > 0]
    assert (taken.taken_by == (taken.first_seat + taken["round"] - 1) % n).all()
    assert (deals[deals["round"] == 0].taken_by == -1).all()
    picks, rounds = (2, 3) if n == 2 else (1, 6)
    assert (taken.groupby(["game", "age", "taken_by", "round"]).size() == picks).all()
    assert len(taken) == GAMES * 3 * n * picks * rounds
    assert (deals.groupby(["game", "age", "first_seat"]).size() == 8).all()
    assert not deals.duplicated(["game", "copy"]).any()


def test_uses_of_cards_are_those_that_were_counted(results):
    players, plays = results.players, results.tables["plays"]
    assert "battle_open" not in set(plays.fate)
    assert (by_player(results, "plays", where=lambda rows: rows.fate.isin(["quest_done", "quest_failed"])) == players.quests_committed).all()
    assert (by_player(results, "plays", where=lambda rows: rows.fate == "quest_done") == players.quests_done).all()
    gone = ["upgrade", "replaced", "quest_done", "quest_failed", "battle_won", "battle_watch"]
    assert (by_player(results, "plays", where=lambda rows: rows.fate.isin(gone)) == players.cards_played).all()


def test_a_card_is_used_by_who_has_it(results):
    """A copy is with its drafter until a loser takes it; it is gone for good when a row says so."""
    owner = results.tables["deals"].set_index(["game", "copy"]).taken_by.to_dict()
    gone = set()
    for row in results.tables["plays"].itertuples():
        key = (row.game, row.copy)
        assert key not in gone
        if row.fate == "battle_stolen":
            owner[key] = None  # whoever plays it next took it
        elif owner[key] is None:
            owner[key] = row.seat
        if row.fate not in ("battle_kept", "battle_stolen", "battle_lost", "kept"):
            gone.add(key)
        assert owner[key] in (row.seat, None)


def test_battles_are_those_that_were_counted(results):
    players, battles = results.players, results.tables["battles"]
    assert (by_player(results, "battles") == players.battles).all()
    assert (by_player(results, "battles", "won") == players.battles_won).all()
    each = battles.groupby(["game", "battle"])
    assert (each.pillager.sum() == 1).all() and (each.won.sum() <= 1).all() and (each.size() >= 2).all()
    assert (each.size().groupby("game").size().reindex(range(GAMES), fill_value=0).to_numpy() == results.games.battles).all()
    best = each.total.transform("max")
    winners = battles[battles.won == 1]
    assert (winners.total == best[winners.index]).all()
    tied = (battles.total == best).groupby([battles.game, battles.battle]).sum() > 1
    assert (tied == (each.won.sum() == 0)).all()


def test_cards_revealed_belong_to_participants_of_their_battle(results):
    plays, battles = results.tables["plays"], results.tables["battles"]
    revealed = plays[plays.fate.astype(str).str.startswith("battle_")]
    joined = revealed.merge(battles, on=["game", "battle", "seat"], suffixes=("", "_there"))
    assert len(joined) == len(revealed) and (joined.age == joined.age_there).all()
    assert (joined[joined.fate.isin(["battle_won", "battle_kept", "battle_stolen"])].won == 1).all()
    assert (joined[joined.fate == "battle_lost"].won == 0).all()


def test_the_board_is_what_was_counted(results):
    players = results.players
    assert (by_player(results, "board", "pillages") == players.pillages).all()
    assert (by_player(results, "board", "ragnarok_deaths") == players.deaths_ragnarok).all()
    others = players.deaths_battle + players.deaths_invade + players.deaths_sacrifice
    assert (by_player(results, "board", "deaths") == others).all()
    board, games = results.tables["board"], results.games.set_index("game")
    ruined = board[(board.ragnarok_deaths > 0) & ~board.place.astype(str).str.startswith("fjord")]
    for age in (1, 2, 3):
        here = ruined[ruined.age == age]
        assert (here.place.astype(str).to_numpy() == games[f"doomed_{age}"].astype(str)[here.game].to_numpy()).all()


def test_provinces_that_are_gone_are_as_many_as_the_rules_say(results):
    n = int(results.players.players[0])
    assert {int(gone).bit_count() for gone in results.games.gone} == {{2: 3, 3: 2, 4: 1, 5: 0}[n]}


def test_turns_and_steps_by_age_add_up(results):
    players = results.players
    turns = players.turns - players.turns_age_1 - players.turns_age_2
    assert (players.turns_age_1 > 0).all() and (turns >= 0).all()
    for stat in STAT_NAMES:
        assert (players[f"{stat}_step_age_1"] >= 1).all()
        assert (players[f"{stat}_step_age_1"] <= players[f"{stat}_step_age_2"]).all()
        assert (players[f"{stat}_step_age_2"] <= players[f"{stat}_step"]).all()


def test_steps_by_age_are_the_raises_told(results):
    events = results.tables["events"]
    raises = events[(events.kind == "raise") & (events.age == 1)]
    for number, stat in enumerate(STAT_NAMES):
        found = raises[raises.value == number].groupby(["game", "seat"]).size()
        keys = pd.MultiIndex.from_frame(results.players[["game", "seat"]])
        assert (1 + found.reindex(keys, fill_value=0).to_numpy() == results.players[f"{stat}_step_age_1"]).all()


def test_uses_stand_in_the_order_of_the_events(results):
    events, plays = results.tables["events"], results.tables["plays"]
    hand = (events.kind == "discarded") & (events.reason == "hand")
    begun = events[events.kind.isin(["upgrade", "quest", "reveal", "late", "kept"]) | hand]
    for column in ("game", "seat", "age", "copy"):
        assert (begun[column].to_numpy() == plays[column].to_numpy()).all(), column


def test_events_tell_the_glory_of_the_ledger(results):
    events = results.tables["events"]
    told = events[events.kind == "glory"].astype({"reason": str}).groupby(["game", "seat", "age", "reason", "copy"]).value.sum()
    ledger = results.tables["ledger"].assign(source=lambda rows: "glory_" + rows.source.astype(str)).groupby(["game", "seat", "age", "source", "copy"]).glory.sum()
    assert told.sort_index().to_dict() == ledger.sort_index().to_dict()


def test_without_a_draft_cards_belong_to_whom_they_are_dealt():
    results = play(4, ruleset=make_ruleset({"draft": "off"}, where="test"))
    deals = results.tables["deals"]
    assert (deals["round"] == 0).all() and (deals.taken_by == deals.first_seat).all()
    assert (deals.groupby(["game", "age", "taken_by"]).size() == 6).all()


def test_a_sample_of_events_is_the_same_whoever_plays_it():
    sample = simulate(2, 600, 7, events="sample", threads=2).tables["events"]
    whole = simulate(2, 600, 7, events="all", threads=1).tables["events"]
    chosen = sorted(set(sample.game))
    assert 3 <= len(chosen) <= 25  # 12 expected of 600
    assert sample.reset_index(drop=True).equals(whole[whole.game.isin(chosen)].reset_index(drop=True))


def test_detail_tables_are_equal_however_a_run_is_divided(tmp_path):
    hashes = []
    for number, (threads, unit, part) in enumerate([(1, 0, 1000), (2, 7, 33), (2, 200, 50)]):
        config = RunConfig((2, 5), 90, 3, ("random",), tables=ALL, events="sample", threads=threads, unit_games=unit, part_games=part)
        data_set = run_to_folder(config, tmp_path / str(number), "test").data_set
        hashes.append(data_set.content_hash())
    assert hashes[0] == hashes[1] == hashes[2] and set(hashes[0]) == {*ALL, "events"}
    frames = read_results(tmp_path / "1").tables
    again = read_results(tmp_path / "0").tables
    assert all(frames[table.name].equals(again[table.name]) for table in DETAILS)


def test_a_full_log_is_emptied_in_time():
    """More games in a unit than a log holds: 512 games of five players have about 300,000 events, four logs full."""
    ends = simulate(5, 512, 3, tables=ALL, events="all", threads=1)
    config = RunConfig((5,), 512, 3, ("random",), tables=ALL, events="all", unit_games=512)
    assert len(ends.tables["events"]) > 4 * 65_536 and config.unit_games == 512
    assert (by_player(ends, "ledger", "glory") == ends.players.glory).all()
