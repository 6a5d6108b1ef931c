"""The commands that list: cards, rules; and warmup."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bloodrage_sim.cli import main
from bloodrage_sim.data import reader
from bloodrage_sim.ruleset import PLAYER_COUNTS, check_options, copies_of, rule_defaults


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="bloodrage")


# ---------------------------------------------------------------- cards


def test_all_cards_are_listed():
    result = run("cards")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    for row in reader.card_rows():
        assert any(line.startswith(f"{row['id']} ") and row["name_en"] in line for line in lines)
    assert f"{len(reader.card_rows())} cards" in lines
    assert all(len(line) <= 100 for line in lines)


def test_one_card():
    lines = run("cards", "troll").output.splitlines()
    assert lines[:4] == [
        "id     name   kind     age  cost  STR  glory  2p  3p  4p  5p",
        "troll  Troll  monster    1     2    2      ·   1   1   1   1",
        "    When it invades a province all enemy Warriors there are destroyed.",
        "",
    ]
    assert lines[4] == "1 card"


def test_ages_of_a_card():
    assert [line.split()[4] for line in run("cards", "tyrs_crush").output.splitlines() if line.startswith("tyrs")] == [
        "1",
        "2",
        "3",
    ]
    only = [line for line in run("cards", "tyrs_crush@2").output.splitlines() if line.startswith("tyrs")]
    assert [line.split()[4] for line in only] == ["2"]


@pytest.mark.parametrize("players", PLAYER_COUNTS)
@pytest.mark.parametrize("age", [1, 2, 3])
def test_deck_of_an_age(players, age):
    lines = run("cards", "--players", players, "--age", age).output.splitlines()
    deck = [row for row in reader.card_rows() if row["age"] == str(age) and copies_of(row, players)]
    size = sum(copies_of(row, players) for row in deck)
    assert f"{len(deck)} cards, {size} copies with {players} players" in lines


def test_kinds():
    upgrades = run("cards", "--kind", "upgrade", "--csv").output
    kinds = {row["kind"] for row in csv.DictReader(io.StringIO(upgrades))}
    assert kinds == {"warrior", "leader", "ship", "monster", "clan"}


def test_polish_names():
    output = run("cards", "tyrs_crush@1", "fenrir", "--lang", "pl").output
    assert "Miażdżący Cios Tyra" in output
    assert "Fenrir" in output  # no Polish name is known
    assert "names in Polish where there is one; the texts are in English" in output.splitlines()
    assert "names in Polish" not in run("cards", "troll").output


def test_cards_as_csv():
    rows = list(csv.DictReader(io.StringIO(run("cards", "--csv").output)))
    assert len(rows) == len(reader.card_rows())
    for row, card in zip(rows, reader.card_rows(), strict=True):
        assert (row["id"], row["name"], row["text"]) == (card["id"], card["name_en"], card["text_en"])
        assert row["cost"] == card["cost_or_str"]


def test_variants_are_marked():
    assert "(variant promo, not built yet)" in " ".join(run("cards", "fenrir").output.split())


def test_nothing_fits():
    result = run("cards", "troll", "--age", 3)
    assert (result.exit_code, result.output) == (0, "no cards fit\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trol"], "Error: unknown card 'trol'; did you mean troll?"),
        (["troll@2"], "Error: card 'troll' has no age '2'; allowed: 1"),
    ],
)
def test_wrong_cards(arguments, message):
    result = run("cards", *arguments)
    assert result.exit_code == 2
    assert result.output.splitlines() == [message]


# ---------------------------------------------------------------- rules


def test_all_rules_are_listed():
    result = run("rules")
    assert result.exit_code == 0
    lines = result.output.splitlines()
    for row in reader.rule_rows():
        line = next(line for line in lines if line.startswith(f"{row['name']} "))
        assert line.split()[-1] == row["rule"]
        assert row["values"].replace("|", " | ") in line
        assert f"    {row['meaning']}" in lines


def test_one_rule():
    assert run("rules", "march").output.splitlines() == [
        "option  values, the default first  rule",
        "march   anywhere | adjacent        5.6.1",
        "    how far a march goes",
    ]


def test_numbers_of_rules():
    """All that scenarios, rule options and games told cite are explained."""
    known = {row["rule"] for row in reader.rule_number_rows()}
    cited = {row["rule"] for row in reader.rule_rows()} | set((Path(__file__).parent / "rule_numbers.txt").read_text().split())
    told = run("play", "--players", 4, "--seed", 3).output
    cited |= set(re.findall(r"(?<![\d.])\d{1,2}\.\d{1,2}(?:\.\d{1,2}[a-f]?)?(?![\d.])", told))
    assert len(cited) > 120 and cited <= known
    lines = run("rules", "--numbers").output.splitlines()
    assert [line.split()[0] for line in lines if line and not line.startswith(" ")] == [row["rule"] for row in reader.rule_number_rows()]


def test_numbers_below_a_number():
    assert [line.split()[0] for line in run("rules", "--numbers", "6.1", "12.3").output.splitlines()] == [
        "6.1", "6.1.1", "6.1.2", "6.1.3", "6.1.4", "12.3",
    ]  # fmt: skip
    wrong = run("rules", "--numbers", "6.77")
    assert (wrong.exit_code, wrong.output.startswith("Error: unknown rule number '6.77'")) == (2, True)
    assert run("rules", "--numbers", "--toml").exit_code == 2


def test_rules_as_toml_are_the_defaults():
    given = tomllib.loads(run("rules", "--toml").output)
    assert given == rule_defaults()
    assert check_options(given, "a test") == rule_defaults()


def test_toml_can_be_played(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(run("rules", "--toml").output)
    plain = run("play", "--players", 2, "--seed", 3)
    assert run("play", "--players", 2, "--seed", 3, "--rules", path).output == plain.output


def test_wrong_rule():
    result = run("rules", "mrch")
    assert result.exit_code == 2
    assert result.output.splitlines() == ["Error: unknown rule option 'mrch'; did you mean march, ship_march?"]


# ---------------------------------------------------------------- warmup


def test_warmup_when_all_is_there():
    run("warmup")
    result = run("warmup")
    assert result.exit_code == 0
    assert result.output.splitlines()[0].startswith("nothing to do: the game core and ")
    assert result.output.splitlines()[1].startswith("kept in ")


def test_warmup_compiles_a_strategy(tmp_path):
    path = tmp_path / "first.py"
    path.write_text(
        "from bloodrage_sim.strategy_api import strategy\n"
        "@strategy()\n"
        "def decide(view, options, n, tables, params, memory, key):\n"
        "    return 0\n"
    )
    run("warmup")
    result = run("warmup", "--strategy", path)
    assert result.exit_code == 0
    assert result.output.splitlines()[0].startswith("compiled in ")
    assert result.output.splitlines()[0].endswith(f": {path}")


def test_warmup_of_an_unknown_strategy():
    result = run("warmup", "--strategy", "rondom")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == "Error: unknown strategy 'rondom'; did you mean random?"


@pytest.mark.parametrize("name", ["play", "cards", "rules", "warmup"])
def test_help(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: bloodrage {name}")
