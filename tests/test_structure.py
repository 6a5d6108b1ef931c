"""What the tree promises: generated ids, a function for every effect, packages that are all packed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import generate_ids

from bloodrage_sim.plugins import read_strategy
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


def test_sets_of_values_are_packed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["package-data"]["bloodrage_sim.strategies"] == ["*.toml"]


def test_templates_of_reports_are_packed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["package-data"]["bloodrage_sim.reports"] == ["templates/*"]


def test_sets_of_values_fit_their_strategies() -> None:
    for path in (ROOT / "strategies").glob("*.toml"):
        name, set_, _ = path.name.split(".")
        assert read_strategy(f"{name}@{set_}").settings.text == f"{name}@{set_}"
