"""The example queries that come with the package: each runs, and gives what a small data set holds by hand."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny_runs import write_run

from bloodrage_sim.cli import main
from bloodrage_sim.datasets.queries import query_texts

CARDS = [
    {"copy": 0, "card": "fire_giant", "number": 0, "age": 1, "kind": "monster", "name": "Fire Giant"},
    {"copy": 1, "card": "fire_giant", "number": 0, "age": 1, "kind": "monster", "name": "Fire Giant"},
    {"copy": 2, "card": "thors_hammer", "number": 1, "age": 1, "kind": "battle", "name": "Thor's Hammer"},
]
GAMES = [
    {"game": 0, "deal": 0, "doomed_1": "gimle", "doomed_2": "horgr", "doomed_3": "utgard"},
    {"game": 1, "deal": 0, "doomed_1": "gimle", "doomed_2": "horgr", "doomed_3": "utgard"},
    {"game": 2, "deal": 1, "doomed_1": "elvagar", "doomed_2": "horgr", "doomed_3": "utgard"},
]
WINNERS = ("loki", "quests", "loki")


def players() -> list[dict[str, object]]:
    """Two players a game, loki at seat 0."""
    return [
        {"game": game["game"], "deal": game["deal"], "seat": seat, "strategy": name, "win_share": float(winner == name)}
        for game, winner in zip(GAMES, WINNERS, strict=True)
        for seat, name in enumerate(("loki", "quests"))
    ]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of two deals."""
    path = tmp_path_factory.mktemp("queries") / "run"
    deals = [
        # taken by the first to look; taken by the second; left over: both looked, 3 rounds
        {"game": 0, "copy": 0, "age": 1, "first_seat": 0, "round": 1, "taken_by": 0},
        {"game": 1, "copy": 0, "age": 1, "first_seat": 0, "round": 2, "taken_by": 1},
        {"game": 2, "copy": 1, "age": 1, "first_seat": 1, "round": 0, "taken_by": -1},
        {"game": 2, "copy": 2, "age": 1, "first_seat": 1, "round": 1, "taken_by": 1},
    ]
    plays = [
        {"game": 0, "seat": 1, "age": 1, "copy": 2, "fate": "battle_lost"},
        {"game": 0, "seat": 1, "age": 1, "copy": 2, "fate": "battle_won"},
        {"game": 1, "seat": 1, "age": 1, "copy": 2, "fate": "battle_watch"},
        {"game": 2, "seat": 1, "age": 1, "copy": 2, "fate": "battle_stolen"},
        {"game": 2, "seat": 1, "age": 1, "copy": 0, "fate": "upgrade"},
    ]
    ledger = [
        {"game": 0, "seat": 0, "age": 1, "source": "battle", "copy": -1, "glory": 5},
        {"game": 0, "seat": 0, "age": 1, "source": "battle", "copy": -1, "glory": 1},
        {"game": 2, "seat": 0, "age": 2, "source": "quest", "copy": -1, "glory": 9},
        {"game": 1, "seat": 1, "age": 1, "source": "battle", "copy": -1, "glory": 3},
    ]
    board = [
        {"game": 0, "age": 1, "place": "gimle", "seat": 0, "figures": 2, "ragnarok_deaths": 2},
        {"game": 0, "age": 1, "place": "gimle", "seat": 1, "figures": 3, "ragnarok_deaths": 3},
        {"game": 1, "age": 1, "place": "horgr", "seat": 1, "figures": 4},
        {"game": 2, "age": 1, "place": "elvagar", "seat": 1, "figures": 1, "ragnarok_deaths": 1},
        {"game": 2, "age": 2, "place": "horgr", "seat": 1, "figures": 3},
    ]
    tables = {"games": GAMES, "players": players(), "deals": deals, "plays": plays, "ledger": ledger, "board": board}
    write_run(path, ("loki", "quests"), tables, CARDS)
    return path


def by_sql(name: str, run: Path) -> list[tuple]:
    """Rows that a query in SQL gives."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(f"set variable run = '{run}'")
        return connection.execute(query_texts()[name]).fetchall()


def by_pandas(name: str, run: Path) -> list[dict]:
    """Rows that a query in pandas gives."""
    return importlib.import_module(f"bloodrage_sim.data.queries.{name}").query(run).to_dict("records")


def test_pick_rates(run: Path) -> None:
    # looks at the Fire Giant: 1, 2 and 3; taken twice, in rounds 1 and 2
    assert by_sql("pick_rates.sql", run) == [
        (2, "Thor's Hammer", 1, 1, 1, 1.0, 1.0, 0.0),
        (2, "Fire Giant", 1, 3, 6, 2 / 6, 1.5, 1 / 3),
    ]


def test_drafted_or_passed(run: Path) -> None:
    # Fire Giant: game 0 loki drafted and won; game 1 loki passed and lost, quests drafted and won; game 2 both passed
    hammer, giant = by_sql("drafted_or_passed.sql", run)[::-1]
    assert giant == (2, "Fire Giant", 1, 1.0, pytest.approx(1 / 3), pytest.approx(2 / 3), 2, 3, 2)
    assert hammer == (2, "Thor's Hammer", 1, 0.0, None, None, 1, 0, 1)


def test_glory_sources(run: Path) -> None:
    assert by_sql("glory_sources.sql", run) == [
        (2, "loki", "battle", 1, 6 / 3, 3),
        (2, "loki", "quest", 2, 9 / 3, 3),
        (2, "quests", "battle", 1, 3 / 3, 3),
    ]


def test_win_shares(run: Path) -> None:
    # by deal loki has 1 of 2 and 1 of 1: p = 2/3, pulls -1/3 and 1/3, error sqrt(2 * 2/9) / 3
    loki, quests = by_pandas("win_shares", run)
    assert loki == {
        "players": 2, "strategy": "loki", "win_share": pytest.approx(2 / 3), "standard_error": pytest.approx(2 / 9),
        "games": 3, "deals": 2,
    }  # fmt: skip
    assert quests["win_share"] == pytest.approx(1 / 3) and quests["standard_error"] == pytest.approx(2 / 9)


def test_battle_cards(run: Path) -> None:
    assert by_pandas("battle_cards", run) == [
        {"players": 2, "name": "Thor's Hammer", "age": 1, "revealed": 4, "won": 0.5, "watch": 0.25}
    ]


def test_doomed_provinces(run: Path) -> None:
    # age 1: 5, 0 and 1 figures where doom strikes; age 2: 0, 0 and 3; age 3: none
    assert by_pandas("doomed_provinces", run) == [
        {"players": 2, "age": 1, "figures": 2.0, "destroyed": 2.0, "games": 3},
        {"players": 2, "age": 2, "figures": 1.0, "destroyed": 0.0, "games": 3},
        {"players": 2, "age": 3, "figures": 0.0, "destroyed": 0.0, "games": 3},
    ]


def test_schema_shows_every_query() -> None:
    shown = CliRunner().invoke(main, ["schema", "--queries"])
    assert shown.exit_code == 0
    assert [name for name in query_texts() if f"==== {name}" in shown.output] == [
        "drafted_or_passed.sql", "glory_sources.sql", "pick_rates.sql",
        "battle_cards.py", "doomed_provinces.py", "win_shares.py",
    ]  # fmt: skip
    assert all(text.strip() in shown.output for text in query_texts().values())


def test_schema_shows_one_query_or_refuses() -> None:
    one = CliRunner().invoke(main, ["schema", "--queries", "win_shares.py"]).output
    assert one == query_texts()["win_shares.py"]
    wrong = CliRunner().invoke(main, ["schema", "--queries", "winshares.py"])
    assert (wrong.exit_code, wrong.output) == (2, "Error: unknown query 'winshares.py'; did you mean win_shares.py?\n")
    both = CliRunner().invoke(main, ["schema", "--queries", "--json"])
    assert (both.exit_code, both.output) == (2, "Error: --queries and --json exclude each other; give one of them\n")
