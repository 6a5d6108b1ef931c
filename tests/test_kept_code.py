"""Machine code kept on disk: what is damaged is compiled anew, what cannot be written is told, and results stay right."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core.caching import IndexDataCacheFile

from bloodrage_sim.rules import jit
from bloodrage_sim.rules.kept_code import is_kept, keep_with_care


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where numba keeps machine code meanwhile."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    return tmp_path


def triple(number: int) -> int:
    return 3 * number


def half(number: int) -> int:
    return number // 2


def compiled(function: Any, care: bool = True) -> Any:
    """A function, as a new process would compile or load it."""
    dispatcher = numba.njit(cache=True)(function)
    if care:
        keep_with_care(dispatcher)
    dispatcher.compile((numba.int64,))
    assert dispatcher(14) == function(14)
    return dispatcher


def is_loaded(dispatcher: Any) -> bool:
    """Whether it came from the disk."""
    return sum(dispatcher.stats.cache_hits.values()) == 1


def test_what_is_whole_is_taken():
    assert [is_loaded(compiled(triple)) for _ in range(3)] == [False, True, True]
    assert is_kept(compiled(triple))


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[:-1],
        lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        lambda content: content[:60] + bytes([content[60] ^ 1]) + content[61:],
        lambda content: os.urandom(len(content)),
        None,
    ],
    ids=["empty", "begun", "cut short", "a bit late", "a bit early", "noise", "gone"],
)
def test_what_is_damaged_is_compiled_anew(folder, ending, damage):
    compiled(triple)
    (file,) = folder.rglob(f"*.{ending}")
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))
    assert [is_loaded(compiled(triple)) for _ in range(2)] == [False, True]


def test_files_without_checksums_are_compiled_anew():
    """Those of earlier versions, as numba writes them."""
    compiled(triple, care=False)
    assert [is_loaded(compiled(triple)) for _ in range(2)] == [False, True]


def test_a_full_disk_is_told_once_and_costs_only_time(monkeypatch, capsys):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    assert not any(is_kept(compiled(function)) for function in (triple, half))
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and told[0].endswith("(No space left on device); it will be compiled again next time")


def test_braces_in_the_name_of_a_file(tmp_path):
    path = tmp_path / "a {b}.py"
    path.write_text("def triple(number):\n    return 3 * number\n")
    space: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert [is_loaded(compiled(space["triple"])) for _ in range(2)] == [False, True]


def test_without_a_cache_there_is_nothing_to_check():
    function = keep_with_care(numba.njit(triple))
    assert function(2) == 6 and is_kept(function)
    assert keep_with_care(triple) is triple and is_kept(triple)  # without the compiler


def test_where_machine_code_is_kept(tmp_path, monkeypatch):
    """The folder that is asked for, else a temporary one, else none: then it is compiled at each start."""
    name = f"kernels-{jit.source_digest()}"
    monkeypatch.setenv("BLOODRAGE_CACHE", str(tmp_path / "mine"))
    assert jit.choose_cache_folder() == tmp_path / "mine" / name
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("BLOODRAGE_CACHE", str(tmp_path / "file/inner"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(jit.tempfile, "tempdir", str(tmp_path / "temporary"))
    shared = tmp_path / f"temporary/bloodrage-sim-{os.getuid()}"
    assert jit.choose_cache_folder() == shared / name
    shared.chmod(0o777)  # others could put machine code there
    assert jit.choose_cache_folder() is None
    monkeypatch.setattr(jit.tempfile, "tempdir", "/proc")
    assert jit.choose_cache_folder() is None


def simulate(cache: Path, out: Path, package: Path | None = None) -> list[str]:
    """Content hashes of eight games, played in another process with this cache folder, by another copy of the package if told."""
    arguments = ["simulate", "--games", "8", "--seed", "1", "--tables", "summary", "--out", str(out)]
    code = "from bloodrage_sim.cli import main; main()"
    environment = {**os.environ, "BLOODRAGE_CACHE": str(cache)}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=package)
    assert done.returncode == 0, done.stderr
    hashes = [line for line in done.stdout.splitlines() if line.startswith("content hash")]
    assert len(hashes) == 2
    return hashes


def test_a_damaged_core_gives_the_same_games(tmp_path):
    """Files of the core itself, beside the markers that say that nothing is missing."""
    cache = shutil.copytree(jit.CACHE_FOLDER, tmp_path / "cache" / jit.CACHE_FOLDER.name)
    told = [simulate(cache.parent, tmp_path / "whole")]
    for ending in ("nbc", "nbi"):
        (file,) = cache.rglob(f"results.set_up_run*.{ending}")
        file.write_bytes(file.read_bytes()[:-99])
        told.append(simulate(cache.parent, tmp_path / ending))
    assert told[0] == told[1] == told[2]


def test_copies_of_the_same_sources_share_their_machine_code(tmp_path):
    """Also when their files are younger; a second copy once compiled for a minute without a word."""
    copy = tmp_path / "copy"
    for name in ("bloodrage_sim", "reports", "strategies"):
        shutil.copytree(jit.PACKAGE.parent / name, copy / name, copy_function=shutil.copy, ignore=shutil.ignore_patterns("__pycache__"))
    cache = shutil.copytree(jit.CACHE_FOLDER, tmp_path / "cache" / jit.CACHE_FOLDER.name)
    first = simulate(cache.parent, tmp_path / "first")
    core = {path: path.stat().st_mtime_ns for path in cache.glob("*.nb?")}
    assert simulate(cache.parent, tmp_path / "second", copy) == first
    assert len(core) > 10 and {path: path.stat().st_mtime_ns for path in cache.glob("*.nb?")} == core
