"""Files that are no scenario: BadScenario names the file and the key, whatever is wrong with them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from bloodrage_sim.cli import main
from bloodrage_sim.errors import BadScenario
from bloodrage_sim.scenario import run_scenario

HEAD = "players = 2\nage = 1\nphase = 'action'\n"
CLANS = "[[player]]\n[[player]]\n"
GOOD = HEAD + "[board]\ndestroyed = ['horgr']\n[[player]]\nfigures = { gimle = ['leader'] }\n[[player]]\n"


def clan(line: str) -> str:
    """A file whose first clan has one line."""
    return f"{HEAD}[[player]]\n{line}\n[[player]]\n"


def board(line: str, more: str = CLANS) -> str:
    return f"{HEAD}[board]\n{line}\n{more}"


def step(line: str) -> str:
    return f"{GOOD}[[step]]\n{line}\n"


def expect(line: str) -> str:
    return f"{GOOD}[expect]\n{line}\n"


def draft(line: str) -> str:
    return f"players = 3\nage = 1\nphase = 'draft'\n[draft]\n{line}\n[[player]]\n[[player]]\n[[player]]\n"


PACK = "['troll', 'alfheim', 'manheim']"

# what is wrong -> the file, and what the message must say besides the file
BAD = {
    # the file
    "no TOML": ("players = = 2", "TOML"),
    "not UTF-8": (b"title = '\xff\xfe'\n", "TOML"),
    "a deep nest": ("title = " + "[" * 5_000, "TOML"),
    # the head
    "empty": ("", "players"),
    "no phase": ("players = 2\n[[player]]\n[[player]]\n", "phase"),
    "six players": (HEAD.replace("2", "6") + CLANS, "players"),
    "players as text": (HEAD.replace("2", "'2'") + CLANS, "players"),
    "players as true": (HEAD.replace("2", "true") + CLANS, "players"),
    "age 4": (HEAD.replace("age = 1", "age = 4") + CLANS, "age"),
    "unknown phase": (HEAD.replace("action", "battle") + CLANS, "phase"),
    "phase as number": (HEAD.replace("'action'", "3") + CLANS, "phase"),
    "phase as list": (HEAD.replace("'action'", "['action']") + CLANS, "phase"),
    "unknown key": ("playerz = 2\n" + HEAD + CLANS, "playerz.*player"),
    "current is nobody": ("current = 2\n" + HEAD + CLANS, "current"),
    "first player below 0": ("first_player = -1\n" + HEAD + CLANS, "first_player"),
    "seed as text": ("seed = 'one'\n" + HEAD + CLANS, "seed"),
    "title as number": ("title = 1\n" + HEAD + CLANS, "title"),
    "covers as text": ("covers = '6.1'\n" + HEAD + CLANS, "covers"),
    "stop after nothing": ("stop_after = 'end'\n" + HEAD + CLANS, "stop_after"),
    "stop_after as list": ("stop_after = ['quest']\n" + HEAD + CLANS, "stop_after"),
    # rules
    "unknown rule option": (HEAD + "[rules]\nmarsh = 'adjacent'\n" + CLANS, "marsh.*march"),
    "unknown value": (HEAD + "[rules]\nmarch = 'near'\n" + CLANS, "march.*adjacent"),
    "unquoted value": (HEAD + "[rules]\ndraft = false\n" + CLANS, "draft.*quotes"),
    "a list as value": (HEAD + "[rules]\nmarch = ['adjacent']\n" + CLANS, "march"),
    "rules as text": ("rules = 'march'\n" + HEAD + CLANS, "rules"),
    "a variant not built": (HEAD + "[rules]\ngods = 'on'\n" + CLANS, "gods.*not built"),
    # clans
    "one clan too few": (HEAD + "[[player]]\n", r"player.*one per seat"),
    "one clan too many": (HEAD + CLANS + "[[player]]\n", r"player.*one per seat"),
    "player as one table": (HEAD + "[player]\nrage = 1\n", r"player.*one per seat"),
    "players as numbers": ("player = [1, 2]\n" + HEAD, r"player\.0"),
    "unknown key of a clan": (clan("rages = 3"), r"player\.0\.rages.*rage"),
    "unknown stat": (clan("stats = { horn = 2 }"), r"player\.0\.stats\.horn.*horns"),
    "stat at step 0": (clan("stats = { horns = 0 }"), r"player\.0\.stats\.horns.*1 to 6"),
    "stat at step 7": (clan("stats = { rage = 7 }"), r"player\.0\.stats\.rage.*1 to 6"),
    "stats as number": (clan("stats = 3"), r"player\.0\.stats"),
    "rage below 0": (clan("rage = -1"), r"player\.0\.rage"),
    "rage and a half": (clan("rage = 1.5"), r"player\.0\.rage"),
    "glory below 0": (clan("glory = -1"), r"player\.0\.glory"),
    "passed as number": (clan("passed = 1"), r"player\.0\.passed"),
    "unknown card": (clan("hand = ['tyrs_smach']"), r"player\.0\.hand.*tyrs_smash"),
    "card of an age it does not have": (clan("hand = ['troll@2']"), r"player\.0\.hand.*troll"),
    "card of age x": (clan("hand = ['troll@x']"), r"player\.0\.hand.*troll"),
    "card of a variant": (clan("hand = ['fenrir']"), r"player\.0\.hand.*not built"),
    "hand of numbers": (clan("hand = [1]"), r"player\.0\.hand"),
    "hand as text": (clan("hand = 'troll'"), r"player\.0\.hand"),
    "fifty cards": (clan(f"hand = {['tyrs_bash'] * 49}"), r"player\.0\.hand"),
    "an upgrade as quest": (clan("quests = ['troll']"), r"player\.0\.quests.*no quest"),
    "a battle card as upgrade": (clan("upgrades = ['tyrs_bash']"), r"player\.0\.upgrades.*no upgrade"),
    "two leaders' cards": (clan("upgrades = ['lord_of_hammers', 'lord_of_axes']"), r"player\.0\.upgrades.*slot"),
    "three monsters": (clan("upgrades = ['troll', 'sea_serpent', 'dwarf_chieftain']"), r"player\.0\.upgrades.*slot"),
    "four clan upgrades": (
        clan("upgrades = ['friggas_charm', 'thors_glory', 'tyrs_domain', 'lokis_domain']"),
        r"player\.0\.upgrades.*slot",
    ),
    # figures
    "figures as list": (clan("figures = ['leader']"), r"player\.0\.figures"),
    "unknown place": (clan("figures = { gimli = ['leader'] }"), r"player\.0\.figures\.gimli.*gimle"),
    "unknown figure": (clan("figures = { gimle = ['warier'] }"), r"player\.0\.figures\.gimle.*warrior"),
    "figures as text": (clan("figures = { gimle = 'warrior' }"), r"player\.0\.figures\.gimle"),
    "nine warriors": (
        clan(f"figures = {{ gimle = {['warrior'] * 5}, valhalla = {['warrior'] * 4} }}"),
        r"player\.0\.figures\.valhalla",
    ),
    "two leaders": (clan("figures = { gimle = ['leader', 'leader'] }"), r"player\.0\.figures\.gimle.*leader"),
    "a mystic without the variant": (clan("figures = { gimle = ['mystic'] }"), r"player\.0\.figures\.gimle.*mystic"),
    "more than the villages": (
        clan(f"figures = {{ utgard = {['warrior'] * 4} }}"),
        r"player\.0\.figures\.utgard.*villages",
    ),
    "more than the villages together": (
        HEAD + "".join(f"[[player]]\nfigures = {{ utgard = {['warrior'] * 2} }}\n" for _ in range(2)),
        r"player\.1\.figures\.utgard.*villages",
    ),
    "a ship in a province": (clan("figures = { gimle = ['ship'] }"), r"player\.0\.figures\.gimle.*ship"),
    "a serpent in Yggdrasil": (
        clan("upgrades = ['sea_serpent']\nfigures = { yggdrasil = ['sea_serpent'] }"),
        r"player\.0\.figures\.yggdrasil.*ship",
    ),
    "a warrior in a fjord": (
        clan("figures = { fjord_gimle_myrkulor = ['warrior'] }"),
        r"player\.0\.figures\.fjord_gimle_myrkulor.*ship",
    ),
    "a monster without its card": (clan("figures = { gimle = ['troll'] }"), r"player\.0\.figures\.gimle.*troll"),
    "a card as figure": (clan("figures = { gimle = ['tyrs_bash'] }"), r"player\.0\.figures\.gimle.*tyrs_bash"),
    "in a destroyed province": (
        board("destroyed = ['gimle']", "[[player]]\nfigures = { gimle = ['leader'] }\n[[player]]\n"),
        r"player\.0\.figures\.gimle.*destroyed",
    ),
    "in a closed fjord": (
        board(
            "destroyed = ['gimle', 'myrkulor']",
            "[[player]]\nfigures = { fjord_gimle_myrkulor = ['ship'] }\n[[player]]\n",
        ),
        r"player\.0\.figures\.fjord_gimle_myrkulor.*closed",
    ),
    "a wrong reserve": (clan("figures = { reserve = ['leader'] }"), r"player\.0\.figures\.reserve"),
    # board
    "unknown key of the board": (board("destroid = []"), r"board\.destroid.*destroyed"),
    "board as number": ("board = 3\n" + HEAD + CLANS, "board"),
    "an unknown province destroyed": (board("destroyed = ['midgard']"), r"board\.destroyed.*midgard"),
    "a fjord destroyed": (board("destroyed = ['fjord_gimle_myrkulor']"), r"board\.destroyed.*fjord_gimle_myrkulor"),
    "Yggdrasil destroyed": (board("destroyed = ['yggdrasil']"), r"board\.destroyed.*Yggdrasil"),
    "a destroyed province pillaged": (
        board("destroyed = ['horgr']\npillaged = ['horgr']"),
        r"board\.pillaged.*destroyed",
    ),
    "a destroyed province doomed": (board("doom = 'horgr'\ndestroyed = ['horgr']"), r"board\.doom.*destroyed"),
    "Yggdrasil doomed": (board("doom = 'yggdrasil'"), r"board\.doom.*Yggdrasil"),
    "doom as list": (board("doom = ['horgr']"), r"board\.doom"),
    "doomed twice": (board("doom = 'horgr'\nnext_doom = ['horgr']"), r"board\.next_doom.*twice"),
    "four dooms": (board("doom = 'horgr'\nnext_doom = ['gimle', 'utgard', 'andlang']"), r"board\.next_doom.*ages"),
    "a token for Yggdrasil": (board("tokens = { yggdrasil = 'rage' }"), r"board\.tokens\.yggdrasil.*fixed"),
    "an unknown token": (board("tokens = { gimle = 'gold' }"), r"board\.tokens\.gimle.*glory"),
    "a token as list": (board("tokens = { gimle = ['rage'] }"), r"board\.tokens\.gimle"),
    "tokens as list": (board("tokens = ['rage']"), r"board\.tokens"),
    # draft
    "packs in the action phase": (HEAD + f"[draft]\npacks = [{PACK}, {PACK}]\n" + CLANS, "draft"),
    "a pack too few": (draft(f"packs = [{PACK}, {PACK}]"), r"draft\.packs.*3 packs"),
    "packs of two sizes": (draft(f"packs = [{PACK}, {PACK}, ['troll']]"), r"draft\.packs.*same number"),
    "packs of two cards": (
        draft("packs = [['troll', 'alfheim'], ['troll', 'alfheim'], ['troll', 'alfheim']]"),
        r"draft\.packs",
    ),
    "a card of another age in a pack": (
        draft(f"packs = [{PACK}, {PACK}, ['troll', 'valkyrie', 'alfheim']]"),
        r"draft\.packs.*age",
    ),
    "no packs": (draft("pack = []"), r"draft\.pack.*packs"),
    "draft as number": (HEAD.replace("'action'", "'draft'") + "draft = 1\n" + CLANS, "draft"),
    # steps
    "a step without seat": (step("move = 'pass'"), r"step\.0\.seat"),
    "a seat that is not there": (step("seat = 2\nmove = 'pass'"), r"step\.0\.seat"),
    "neither move nor refused": (step("seat = 0"), r"step\.0.*move"),
    "both move and refused": (step("seat = 0\nmove = 'pass'\nrefused = 'pass'"), r"step\.0.*move"),
    "a move as number": (step("seat = 0\nmove = 1"), r"step\.0"),
    "unknown key of a step": (step("seat = 0\nmoves = 'pass'"), r"step\.0\.moves.*move"),
    "steps as text": ("step = 'pass'\n" + GOOD, "step"),
    "steps as numbers": ("step = [1]\n" + GOOD, r"step\.0"),
    "no move at all": (step("seat = 0\nmove = 'jump gimle'"), "step 0.*jump"),
    "an empty move": (step("seat = 0\nmove = ' '"), "step 0.*empty"),
    "a malformed move": (step("seat = 0\nmove = 'invade warrior'"), "step 0.*invade <figure> <place>"),
    "a move with an unknown place": (step("seat = 0\nmove = 'pillage gimli'"), "step 0.*gimle"),
    "a refused move that is none": (step("seat = 0\nrefused = 'invade warior gimle'"), "step 0.*warrior"),
    "refused of a seat not asked": (step("seat = 1\nrefused = 'pass'"), "step 0.*seat 0"),
    "refused when nobody is asked": (
        "players = 2\nage = 3\nphase = 'end'\n" + CLANS + "[[step]]\nseat = 0\nrefused = 'pass'\n",
        "step 0.*nobody",
    ),
    "steps in phase setup": ("players = 2\nphase = 'setup'\n[[step]]\nseat = 0\nmove = 'pass'\n", "step"),
    # expectations
    "expect as number": ("expect = 1\n" + GOOD, "expect"),
    "unknown expectation": (expect("'player.0.glorie' = 1"), r"expect\.player\.0\.glorie.*glory"),
    "expectation of nobody": (expect("'player.2.glory' = 1"), r"expect\.player\.2\.glory"),
    "expected unknown stat": (expect("'player.0.stats.horn' = 1"), r"expect\.player\.0\.stats\.horn"),
    "expected unknown place": (expect("'player.0.figures.gimli' = []"), r"expect\.player\.0\.figures\.gimli.*gimle"),
    "expected unknown card": (expect("'player.0.hand' = ['trol']"), r"expect\.player\.0\.hand.*troll"),
    "expected hand as text": (expect("'player.0.hand' = 'troll'"), r"expect\.player\.0\.hand"),
    "expected part of the board": (expect("'board.tokens' = []"), r"expect\.board\.tokens"),
    "an unknown deck": (expect("'deck_size.4' = 1"), r"expect\.deck_size\.4"),
    "an unknown card in a deck": (expect("'deck.1.trol' = 1"), r"expect\.deck\.1\.trol.*troll"),
    "glory in phase setup": (
        "players = 2\nphase = 'setup'\n[expect]\n'player.0.glory' = 0\n",
        r"expect\.player\.0\.glory",
    ),
    "legal_includes as text": (expect("legal_includes = 'pass'"), r"expect\.legal_includes"),
    "legal_excludes that is no move": (
        expect("legal_excludes = ['invade warrior gimli']"),
        r"expect\.legal_excludes.*gimle",
    ),
    "legal moves when no decision is open": (
        "players = 2\nage = 3\nphase = 'end'\n" + CLANS + "[expect]\nlegal_includes = ['pass']\n",
        r"expect\.legal_includes.*no decision",
    ),
    "excluded moves when no decision is open": (
        "players = 2\nage = 3\nphase = 'end'\n" + CLANS + "[expect]\nlegal_excludes = ['pass']\n",
        r"expect\.legal_excludes.*no decision",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_scenario(what, tmp_path):
    content, says = BAD[what]
    path = tmp_path / "bad.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadScenario, match=rf"(?s)bad\.toml.*{says}") as raised:
        run_scenario(path)
    assert "\n" not in str(raised.value).strip()


def test_a_missing_file(tmp_path):
    with pytest.raises(BadScenario, match="nowhere.toml"):
        run_scenario(tmp_path / "nowhere.toml")


def test_a_folder_instead_of_a_file(tmp_path):
    with pytest.raises(BadScenario, match=tmp_path.name):
        run_scenario(tmp_path)


def test_the_file_that_the_others_spoil_is_good(tmp_path):
    """So each of them fails for the fault that it names."""
    path = tmp_path / "good.toml"
    for content in (
        GOOD,
        step("seat = 0\nmove = 'pass'"),
        expect("'player.0.glory' = 0"),
        draft(f"packs = [{PACK}, {PACK}, {PACK}]"),
    ):
        path.write_text(content)
        assert run_scenario(path).ok, content


FILES = sorted((Path(__file__).parent / "scenarios").glob("*.toml"))
WRONG_VALUES = (
    "-1",
    "7",
    "99999999999999999999",
    "1.5",
    "true",
    "''",
    "'x y'",
    "[]",
    "[1]",
    "[['troll']]",
    "{}",
    "{ a = 1 }",
    "2024-01-01",
)


@pytest.mark.parametrize("seed", range(8))
def test_spoilt_files_never_raise_anything_else(seed, tmp_path):
    """50 real scenarios each with one value replaced, one line left out or doubled, or one letter changed."""
    rng = random.Random(seed)
    path = tmp_path / "spoilt.toml"
    refused = 0
    for _ in range(50):
        lines = rng.choice(FILES).read_text(encoding="utf-8").splitlines()
        number = rng.choice([at for at, line in enumerate(lines) if line.strip()])
        line = lines[number]
        way = rng.randrange(4)
        if way == 0 and "=" in line:
            lines[number] = f"{line.partition('=')[0]}= {rng.choice(WRONG_VALUES)}"
        elif way == 1:
            del lines[number]
        elif way == 2:
            lines.insert(number, line)
        else:
            at = rng.randrange(len(line))
            lines[number] = line[:at] + rng.choice("abz_.@3 '") + line[at + 1 :]
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            run_scenario(path)
        except BadScenario as error:
            refused += 1
            assert "spoilt.toml" in str(error)
    assert refused >= 15


def test_the_format_that_is_shown_is_one_that_runs(tmp_path):
    """What `bloodrage scenario --format` shows as an example is a scenario, and all its expectations hold."""
    shown = CliRunner().invoke(main, ["scenario", "--format"])
    assert shown.exit_code == 0
    example = [line for line in shown.output.splitlines() if line.startswith("    ") or not line]
    path = tmp_path / "example.toml"
    path.write_text("\n".join(line for line in example if "packs" not in line and "[draft]" not in line and "stop_after" not in line))
    outcome = run_scenario(path)
    assert outcome.ok, outcome.differences
    assert CliRunner().invoke(main, ["scenario"]).exit_code == 2
