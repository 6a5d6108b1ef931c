"""`bloodrage simulate` and `bloodrage schema` from the outside: output, exit status, exact messages."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from bloodrage_sim.cli import COMMANDS, main
from bloodrage_sim.datasets.dataset import read_manifest
from bloodrage_sim.progress import Progress, show_time
from bloodrage_sim.rows.tables_out import TABLES
from bloodrage_sim.running.runs import PART_GAMES

# Ctrl-C as a terminal has it: a shell may start its background jobs with the signal ignored
PROGRAM = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from bloodrage_sim.cli import main; main(prog_name='bloodrage')",
]


def bloodrage(*arguments: object):
    """Run the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="bloodrage")


def refused(*arguments: object) -> str:
    """Error message of a command that must refuse its input with one line and status 2."""
    result = bloodrage(*arguments)
    assert result.exit_code == 2, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    line = result.stderr.strip().splitlines()[-1]
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


def test_help_is_light_and_names_the_commands():
    code = (
        "import sys\nfrom bloodrage_sim.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numpy', 'numba', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *shown, heavy = done.stdout.splitlines()
    assert heavy == "[]"
    assert any(line.split()[:1] == ["simulate"] for line in shown) and any(
        line.split()[:1] == ["schema"] for line in shown
    )


def test_commands_that_exist_are_listed_and_have_help():
    folder = Path(sys.modules[main.__module__].__file__).parent
    listed = bloodrage("--help").output
    for name in COMMANDS:
        there = (folder / f"{name.replace('-', '_')}.py").exists()
        assert (f"  {name} " in listed) == there
        if there:
            assert f"Usage: bloodrage {name}" in bloodrage(name, "--help").output
    assert bloodrage("nonsense").exit_code == 2


def test_a_run(tmp_path):
    result = bloodrage(
        "simulate", "--players", "3,4", "--games", 24, "--seed", 7, "--out", tmp_path / "a", "--threads", 2
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"^48 games played in [\d.]+ s, [\d,]+ games/s$", result.stdout, re.MULTILINE)
    assert "3 players, 24 games in 8 deals; a fair win share is 33.3 %" in result.stdout
    assert re.search(r"^  random +25\.00 %  25\.00 to 25\.00 +[\d.]+ +96$", result.stdout, re.MULTILINE)
    assert re.search(r"^  seat 3 +[\d.]+ % +[\d.]+ to [\d.]+ +[\d.]+ +24$", result.stdout, re.MULTILINE)
    assert "48 of 48 games" in result.stderr
    manifest = read_manifest(tmp_path / "a")
    assert manifest["complete"] and manifest["run"]["seed"] == 7 and manifest["games_done"] == 48
    for name, content in manifest["content_hash"].items():
        assert f"content hash of {name}: {content}" in result.stdout
    assert "all games were there already" in bloodrage(
        "simulate", "--players", "3,4", "--games", 24, "--seed", 7, "--out", tmp_path / "a"
    ).stdout  # fmt: skip


def test_like_repeats_a_run(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text('march = "adjacent"\ndraft = "off"\n')
    first = bloodrage("simulate", "--games", 9, "--strategy", "random:by=kind", "--seats", "fixed", "--rules", rules,
                      "--rule", "draft=on", "--out", tmp_path / "a")  # fmt: skip
    assert first.exit_code == 0, first.output
    run = read_manifest(tmp_path / "a")["run"]
    assert run["rules"]["march"] == "adjacent" and run["rules"]["draft"] == "on"
    assert f"seed {run['seed']}\n" in first.stderr  # drawn and told
    again = bloodrage("simulate", "--like", tmp_path / "a", "--out", tmp_path / "b", "--threads", 2)
    assert again.exit_code == 0 and f"content equal to {tmp_path / 'a'}" in again.stdout
    assert read_manifest(tmp_path / "b")["run"] == run
    assert refused("simulate", "--like", tmp_path / "a", "--out", tmp_path / "c", "--games", 3) == (
        "--like repeats a run as it was; do not give --games as well"
    )
    assert "no data set" in refused("simulate", "--like", tmp_path, "--out", tmp_path / "c")
    assert "same folder" in refused("simulate", "--like", tmp_path / "a", "--out", tmp_path / "a")


def test_same_command_without_a_seed_goes_on(tmp_path):
    command = ("simulate", "--games", 8, "--out", tmp_path / "a")
    assert bloodrage(*command).exit_code == 0
    assert "all games were there already" in bloodrage(*command).stdout


def test_warning_for_games_that_do_not_fill_a_deal(tmp_path):
    result = bloodrage("simulate", "--games", 9, "--out", tmp_path / "a")
    assert result.exit_code == 0
    assert "warning: 9 games are no multiple of 4: the last deal is not played in all rotations" in result.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--players", "1"], "1 players; allowed: 2 to 5"),
        (["--players", "2,6"], "6 players; allowed: 2 to 5"),
        (["--players", "four"], "--players is 'four'; allowed: numbers 2 to 5, separated by commas"),
        (["--players", ""], "--players is ''; allowed: numbers 2 to 5, separated by commas"),
        (["--games", "0"], "games is 0; allowed: whole numbers 1 to 1000000000"),
        (["--games", "-5"], "games is -5; allowed: whole numbers 1 to 1000000000"),
        (["--threads", "0"], "threads is 0; allowed: whole numbers 1 to 256"),
        (["--seed", "-1"], "seed is -1; allowed: whole numbers 0 to 9223372036854775807"),
        (["--seed", str(2**63)], "seed is 9223372036854775808; allowed: whole numbers 0 to 9223372036854775807"),
        (["--strategy", "random"] * 2, "a line-up of 2 strategies for 4 players; give 1 or 4"),
        (["--seats", "table"], None),
        (["--strategy", "rndom"], None),
        (["--strategy", "random:by=fear"], None),
        (["--strategy", "./nowhere.py"], None),
        (["--rule", "draft"], None),
        (["--rule", "draft=maybe"], None),
        (["--rule", "drafts=on"], None),
        (["--rules", "nowhere.toml"], "rules file nowhere.toml cannot be read: No such file or directory"),
        (["--cards", "nowhere.csv"], "card override file nowhere.csv cannot be read: No such file or directory"),
        (["--board", "nowhere.toml"], "board file nowhere.toml cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_bad_input(tmp_path, arguments, message):
    found = refused("simulate", "--out", tmp_path / "a", *arguments)
    assert message is None or found == message
    assert not (tmp_path / "a").exists()


def test_folders_that_cannot_be_used(tmp_path):
    assert bloodrage("simulate", "--games", 4, "--seed", 1, "--out", tmp_path / "a").exit_code == 0
    assert refused("simulate", "--games", 4, "--seed", 2, "--out", tmp_path / "a") == (
        f"output folder {tmp_path / 'a'} holds another run: seed is 1 there, 2 here; give another folder"
    )
    (tmp_path / "b").mkdir()
    (tmp_path / "b/notes.txt").write_text("")
    assert refused("simulate", "--out", tmp_path / "b") == (
        f"output folder {tmp_path / 'b'} holds files that are no bloodrage data set; give a new or empty folder"
    )
    assert "cannot be written" in refused("simulate", "--out", "/proc/bloodrage")
    assert "Missing option '--out'" in bloodrage("simulate").stderr


def test_plugin_that_misbehaves(tmp_path):
    path = tmp_path / "bad strategy.py"
    path.write_text(
        "from bloodrage_sim.strategy_api import strategy\n\n"
        "@strategy()\ndef decide(view, options, n, tables, params, memory, key):\n"
        "    return n + 1 if view.clock.age == 2 else 0\n"
    )
    text = refused(
        "simulate", "--games", 4, "--seed", 3, "--strategy", path, "--rule", "march=adjacent", "--out", tmp_path / "a"
    )
    assert text.startswith(f"strategy {path} answered ")
    replay = f"bloodrage play --players 4 --seed 3 --deal 0 --rotation 0 --strategy '{path}' --rule march=adjacent"
    assert text.endswith(f"to see it: {replay}")


# --- in a process of its own


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start the command in a process of its own."""
    command = [*PROGRAM, *(str(argument) for argument in arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, seconds: float = 120) -> None:
    """Wait until `condition()` holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def games_done(folder: Path) -> int:
    """Games in the manifest of a folder that is being written."""
    return read_manifest(folder)["games_done"] if (folder / "manifest.json").exists() else 0


def test_ctrl_c(tmp_path):
    folder = tmp_path / "a"
    process = start("simulate", "--games", 400_000, "--seed", 1, "--tables", "summary", "--out", folder)
    wait_for(lambda: games_done(folder) > 0)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 5  # a second, and the end of the process
    assert process.returncode == 130 and "Traceback" not in err
    done = games_done(folder)
    assert PART_GAMES < done < 400_000 and done % PART_GAMES
    assert f"stopped: {done:,} of 400,000 games are in {folder}; the same command plays the others" in out


def test_ctrl_c_while_a_strategy_hangs(tmp_path):
    hanging = tmp_path / "hang.py"
    hanging.write_text(
        "from bloodrage_sim.strategy_api import strategy\n\n"
        "@strategy()\ndef decide(view, options, n, tables, params, memory, key):\n"
        "    while tables.deal > 0:\n        n += 1\n    return n\n"
    )
    process = start("simulate", "--games", 4, "--strategy", hanging, "--out", tmp_path / "a")
    wait_for((tmp_path / "a/manifest.json").exists)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < 5 and process.returncode == 130 and "Traceback" not in err


def test_killed_run_goes_on(tmp_path):
    folder = tmp_path / "a"
    arguments = ("simulate", "--games", PART_GAMES + 12_000, "--seed", 1, "--tables", "summary", "--out", folder)
    process = start(*arguments)
    wait_for(lambda: games_done(folder) > 0)
    process.kill()
    process.communicate()
    again = bloodrage(*arguments)
    assert again.exit_code == 0 and again.stdout.startswith("12,000 games played")
    assert read_manifest(folder)["complete"]


def test_no_pandas_in_the_command(tmp_path):
    code = (
        "import sys\nfrom bloodrage_sim.cli import main\n"
        f"try:\n    main(['simulate', '--games', '4', '--out', {str(tmp_path / 'a')!r}])\n"
        "except SystemExit:\n    pass\n"
        "assert 'pyarrow' in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


# --- schema and progress


def test_schema_explains_every_column():
    shown = bloodrage("schema").output
    for table in TABLES:
        assert f"{table.name}: {table.meaning}" in shown
        for column in table.columns:
            assert re.search(
                rf"^  {column.name} +{column.shown_type} +{re.escape(column.meaning)}$", shown, re.MULTILINE
            )
    assert "players" not in json.loads(bloodrage("schema", "games", "--json").output)
    assert refused("schema", "game") == "unknown table 'game'; did you mean games?"


def test_events_are_kept_by_their_own_option(tmp_path):
    told = refused("simulate", "--games", 4, "--tables", "games,events", "--out", tmp_path / "out")
    assert told == "--tables names events; they are kept by --events sample or --events all"


class Terminal:
    """A stream that keeps what is written."""

    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.text = ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    plain, terminal = Terminal(False), Terminal(True)
    for stream in (plain, terminal):
        progress = Progress(stream, already=1000)
        for second, done in enumerate([1000, 1500, 2000, 2500]):
            clock[0] = 100 + 11 * second
            progress.games(done, 2500)
        progress.close()
    assert plain.text.splitlines() == [
        "1,500 of 2,500 games, 45 games/s, 22 s left",
        "2,000 of 2,500 games, 45 games/s, 11 s left",
        "2,500 of 2,500 games, 45 games/s, 0 s left",
    ]
    assert (
        terminal.text.startswith("\r1,500 of")
        and terminal.text.endswith("0 s left \n")
        and terminal.text.count("\n") == 1
    )
    assert [show_time(seconds) for seconds in (8.4, 200, 7500)] == ["8 s", "3 min 20 s", "2 h 05 min"]
