"""`bloodrage strategies`: what it lists and explains, and the check of a strategy, good or bad."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bloodrage_sim import strategy_check
from bloodrage_sim.batch import Silent, simulate
from bloodrage_sim.cli import main
from bloodrage_sim.plugins.loading import import_strategy, strategy_names
from bloodrage_sim.strategy_check import Check
from bloodrage_sim.tactics.style import STYLE_PARAMS
from bloodrage_sim.tactics.traits import TRAITS_TABLE


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["strategies", *map(str, arguments)], prog_name="bloodrage")


def refused(*arguments: object) -> str:
    """Error message of a command that must refuse its input with one line and status 2."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    (line,) = result.output.splitlines()
    return line.removeprefix("Error: ")


def write(path: Path, body: str = "return 0", declaration: str = "@strategy()", before: str = "") -> Path:
    """A strategy file with this body of `decide`."""
    lines = "\n    ".join(body.splitlines())
    path.write_text(
        f'"""Takes the first option.\n\nAlways.\n"""\nfrom bloodrage_sim.strategy_api import *\n{before}\n\n{declaration}\n'
        f"def decide(view, options, n, tables, params, memory, key):\n    {lines}\n"
    )
    return path


# ---------------------------------------------------------------- lists and pages


def test_all_are_listed(monkeypatch):
    broken = metadata.EntryPoint("broken_e", "no_such_module_e", "bloodrage.strategies")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [broken])
    result = run()
    assert result.exit_code == 0
    lines = result.output.splitlines()
    for name in strategy_names():
        first = import_strategy(name).doc.strip().splitlines()[0]
        assert any(line.split("  ")[0] == name and first[:40] in line for line in lines)
    assert any(" ".join(line.split()).startswith("broken_e (strategy broken_e: no_such_module_e cannot be") for line in lines)
    assert all(len(line) <= 100 for line in lines)


def test_page_without_traits():
    assert run("random").output.splitlines() == [
        "random",
        "",
        "Plays any legal move.",
        "",
        "It passes with probability 0.03, or when nothing else is legal, and takes the other options with",
        "equal chance. With `by=kind` it first draws the kind of action (invade, march, upgrade, ...) and",
        "then one option of that kind, which meets more card effects.",
        "",
        "Parameters, written random:by=VALUE,...",
        "  name     default   range  meaning",
        "  by        option  a word  what is drawn first: an option, or a kind of action: option, kind",
        "  passing     0.03  0 to 1  probability to pass on a turn",
        "",
        "It takes no traits.",
    ]


def test_page_with_traits():
    output = run("greedy").output
    assert "Traits that can be laid over it, written greedy+TRAIT or greedy+TRAIT=VALUE:" in output
    traits = run("--traits").output
    for name, trait in TRAITS_TABLE.items():
        line = next(line for line in output.splitlines() if line.startswith(f"  {name} "))
        assert line in traits and trait.param.meaning.split()[0] in line
        assert line.split()[1] == ("-" if trait.alone is None else f"{trait.alone:g}")
        assert all(word in " ".join(output.split()) for word in trait.param.names)
    assert "(not with front_load, rush_pillage)" in " ".join(output.split())
    assert all(len(line) <= 100 for line in output.splitlines())


def test_page_of_a_style(tmp_path):
    path = write(tmp_path / "mine.py", declaration="@strategy(style={'battle': 1.75})")
    (tmp_path / "mine.tuned.toml").write_text("players = 4\nscore = 0.31\n[params]\nquest = 2\n")
    output = run(f"{path}@tuned:deny=1").output
    assert f"canonical form: {path}@tuned:deny=1" in output
    assert f"Set of values {path}@tuned: players 4, score 0.31" in output
    cells = {line.split()[0]: line.split()[1:3] for line in output.splitlines() if line.startswith("  ")}
    assert (cells["battle"], cells["quest"], cells["deny"]) == (["1.75", "1.75"], ["2", "1"], ["1", "0.15"])
    assert set(STYLE_PARAMS) < set(cells) and set(TRAITS_TABLE) < set(cells)
    plain = run(write(tmp_path / "plain.py", declaration="@strategy(compiled=False)")).output
    assert "It has no parameters." in plain and "It is plain Python, not compiled, and so it is slower by far." in plain


def test_wrong_input(tmp_path):
    assert refused("randon").startswith("unknown strategy 'randon'; did you mean random")
    one = "--check takes one strategy: a name, or the path of a file"
    assert (
        refused("--check") == refused("--check", "random", "greedy") == refused("--check", "random", "--traits") == one
    )
    assert refused("random", "--games", 5) == "--games and --seed go with --check"
    assert refused("--check", tmp_path / "no.py").startswith(
        f"strategy file {tmp_path / 'no.py'} does not exist; give "
    )
    assert "contradict each other" in refused("--check", "greedy+rush_pillage+rage_pacing")
    (tmp_path / "broken.py").write_text("def")
    assert "cannot be loaded: SyntaxError" in refused("--check", tmp_path / "broken.py")


# ---------------------------------------------------------------- the check


def test_check_of_a_good_file(tmp_path):
    path = write(tmp_path / "my bot.py", "return n - 1")
    result = run("--check", path, "--games", 20, "--seed", 3)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == f"{path}: Takes the first option."
    assert re.fullmatch(r"  loads          yes, compiled in [\d.]+ s", lines[1])
    assert lines[2] == "  legal          yes: 81 games at 2 to 5 players without a wrong answer or a fault"
    assert lines[3] == "  deterministic  yes: the same games again with 2 threads came out equal"
    assert re.fullmatch(
        r"  speed          a table of it alone: [\d,]+ games/s, [\d,]+ ns a decision, rules and view included", lines[4]
    )
    assert re.fullmatch(r"                 a table of greedy:   [\d,]+ games/s, [\d,]+ ns a decision", lines[5])
    assert re.fullmatch(r"                 its decisions take [\d.,]+ times as long", lines[6])
    assert lines[7:9] == [
        "One of it, greedy in all other seats, seed 3:",
        "  players  games  its win share  95 % interval     fair",
    ]
    for line, players, games, fair in zip(
        lines[9:13], (2, 3, 4, 5), (20, 21, 20, 20), ("50.0", "33.3", "25.0", "20.0"), strict=True
    ):
        pattern = (
            rf" +{players} +{games} +[\d.]+ % +[\d.]+ to [\d.]+ +{fair} %  (better|worse|no clear difference).* greedy"
        )
        assert re.fullmatch(pattern, line), line
    assert lines[13] == f"It works.  Watch a game: bloodrage play --players 2 --strategy '{path}' --strategy greedy"
    assert "162 of 162 games" in result.stderr


def test_share_is_that_of_the_run():
    check = Check("random:by=kind", 24, 5, Silent())
    list(check.run())
    for players in (2, 4):
        rows = simulate(players, 24, 5, ["random:by=kind", *["greedy"] * (players - 1)]).players
        assert check.shares[players].share == pytest.approx(rows[rows.slot == 0].win_share.mean())
        assert check.shares[players].deals == 24 // players
    assert not check.failed


def test_greedy_among_greedy_is_one_player():
    check = Check("greedy", 40, 5, Silent())
    assert "no clear difference from greedy" in "\n".join(check.run())
    assert check.shares[2].players == 40


def failed(path: Path, *arguments: object) -> list[str]:
    """Lines of a check that must fail."""
    result = run("--check", path, *arguments)
    assert result.exit_code == 1, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    lines = result.stdout.splitlines()
    assert lines[-1] == "The check failed; mend this first."
    return lines


def test_answer_out_of_range_late(tmp_path):
    path = write(tmp_path / "late.py", "return n if view.clock.age == 3 and view.clans[0].rage < 3 else n - 1")
    line = failed(path, "--games", 20)[-2]
    assert re.match(
        rf"  legal          NO: strategy {path} answered (\d+) to a question with \1 options at decision \d+ ", line
    )
    assert (
        f"to see it: bloodrage play --players 2 --seed 1 --deal 0 --rotation 0 --strategy {path} --strategy greedy"
        in line
    )


def test_file_that_does_not_compile(tmp_path):
    path = write(tmp_path / "wrong.py", "return view.rage")
    assert (
        failed(path)[-2]
        == f"  loads          NO: strategy {path} does not compile: KeyError: a record has no field 'rage'"
    )


def test_strategy_that_writes_into_the_tables(tmp_path):
    path = write(tmp_path / "cheat.py", "tables.cost[3] = 7\nreturn 0")
    assert "writes into its tables or params" in failed(path, "--games", 2)[-2]


def test_plain_python(tmp_path, monkeypatch):
    monkeypatch.setattr(strategy_check, "PLAIN_SECONDS", 0.5)
    path = write(tmp_path / "plain.py", declaration="@strategy(compiled=False)")
    result = run("--check", path)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[1] == "  loads          yes, as plain Python: slower by far than a compiled strategy"
    assert re.fullmatch(r"  games          \d+ for each number of players, as many as end in about 0 s", lines[2])
    assert lines[4] == "  deterministic  yes: the same games again came out equal"
    assert re.fullmatch(r" +its decisions take [\d,]{2,} times as long", lines[7])


@pytest.mark.parametrize("body", ["return random.randrange(n)", "count[0] += 1\nreturn count[0] % n"])
def test_plain_python_that_is_not_deterministic(tmp_path, body):
    path = write(tmp_path / "moody.py", body, "@strategy(compiled=False)", "import random\ncount = [0]")
    line = failed(path, "--games", 2)[-2]
    assert line.startswith(
        "  deterministic  NO: at 2 players game 0 (deal 0, rotation 0) differs when it is played again; draw "
    )
