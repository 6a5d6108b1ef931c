"""What the tree promises: generated ids, imports in one direction, packages and data that are all packed."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import generate_ids

from bloodrage_sim.plugins.loading import read_strategy
from bloodrage_sim.rules import ids

ROOT = Path(__file__).resolve().parent.parent


def test_ids_are_generated_from_the_data() -> None:
    assert Path(ids.__file__).read_text() == generate_ids.text()


def test_every_package_is_packed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "bloodrage_sim").rglob("__init__.py")}
    found = {name for name in found if not name.startswith(("bloodrage_sim.strategies", "bloodrage_sim.reports"))}
    assert listed == found | {"bloodrage_sim.strategies", "bloodrage_sim.reports"}


def rooms() -> list[list[str]]:
    """Modules and packages by row of "Where things live" in the README, as dotted names."""
    text = (ROOT / "README.md").read_text()
    table = text[text.index("## Where things live") :]
    found = []
    for line in table.splitlines():
        if not line.startswith("| `"):
            continue
        names = re.findall(r"`([^`]+)`", line.split("|")[1])
        folder = names[0].rpartition("/")[0] if not names[0].endswith("/") else names[0].rstrip("/").rpartition("/")[0]
        whole = [name if "/" in name.rstrip("/") or not folder else f"{folder}/{name}" for name in names]
        found.append([name.removesuffix(".py").rstrip("/").replace("/", ".") for name in whole])
    return found


def module_names() -> dict[str, Path]:
    """Files of the package by dotted name; reports/ and strategies/ as they are installed."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in ("bloodrage_sim", "reports")
        for path in (ROOT / folder).rglob("*.py")
    }


def imports_of(name: str, path: Path) -> Iterator[str]:
    """Dotted names of the modules of the package that a file names in its imports, also within functions."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    inside = "bloodrage_sim." + package if package.split(".")[0] == "reports" else package
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = inside.split(".")
                base = ".".join(parts[: len(parts) - node.level + 1] + ([node.module] if node.module else []))
            for alias in node.names:
                for found in (f"{base}.{alias.name}", base):
                    yield found.removeprefix("bloodrage_sim.") if found.startswith("bloodrage_sim.reports") else found


def test_imports_go_down_the_list_of_the_readme() -> None:
    row_of = {name: row for row, names in enumerate(rooms()) for name in names}
    files = module_names()

    def row(name: str) -> int:
        while name not in row_of:
            name = name.rpartition(".")[0]
            assert name, "a room is missing in the README"
        return row_of[name]

    up = []
    for name, path in files.items():
        if name in ("bloodrage_sim", "reports"):
            continue
        for other in imports_of(name, path):
            if other in files and other not in ("bloodrage_sim", "reports") and row(other) < row(name):
                up.append(f"{name} imports {other}")
    assert not up
    assert {room for names in rooms() for room in names if room.startswith("bloodrage_sim")} <= set(files) | {"bloodrage_sim.data"}


def test_every_file_of_data_is_packed() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = set()
    for package, patterns in settings["package-data"].items():
        folder = ROOT / settings["package-dir"].get(package, package.replace(".", "/"))
        for pattern in patterns:
            found = set(folder.glob(pattern))
            assert found, f"{package}: no file {pattern}"
            packed |= found
    for folder in ("bloodrage_sim", "reports", "strategies"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix not in (".py", ".pyc"):
                assert path in packed, f"{path.relative_to(ROOT)} is not packed"


def test_sets_of_values_fit_their_strategies() -> None:
    for path in (ROOT / "strategies").glob("*.toml"):
        name, set_, _ = path.name.split(".")
        assert read_strategy(f"{name}@{set_}").settings.text == f"{name}@{set_}"
