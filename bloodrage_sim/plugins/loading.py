"""Find and load strategies: by the name of a built-in one, by path, or by the name that an installed package gives it.

A package names its strategies in its entry points, group `bloodrage.strategies`: a name, and the module whose `decide` is
marked with @strategy.  The built-in strategy has a name before any package.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..errors import BadPlugin, BadValue, one_line, unknown
from ..play import compile_decide
from ..strategy_api import StrategyFile
from .param_sets import ENDING, ParamSet, read_param_set, shipped_sets
from .text import GRAMMAR, StrategyText, is_path, split_strategy
from .values import Settings, check_declared, settle

BUILT_IN = "bloodrage_sim.strategies"
ENTRY_POINTS = "bloodrage.strategies"


@dataclass(frozen=True)
class StrategySource:
    """A strategy's file, loaded but not compiled.

    Attributes
    ----------
    name : name or path
    declared : what it declares
    path : its file
    doc : its docstring
    source_hash : hex SHA-256 of the file
    """

    name: str
    declared: StrategyFile
    path: Path
    doc: str
    source_hash: str


@dataclass(frozen=True)
class Reading:
    """The text of a strategy, understood; nothing is compiled yet.

    Attributes
    ----------
    source : its file
    settings : the values it plays with
    source_hash : hex SHA-256 of its file, or of that and a file of values
    """

    source: StrategySource
    settings: Settings
    source_hash: str


@dataclass(frozen=True)
class Strategy:
    """A strategy ready to play.

    Attributes
    ----------
    text : canonical form, e.g. "random:by=kind"
    name : name or path without parameters
    source_hash : hex SHA-256 of its source file, or of that and a file of values
    decide : compiled dispatcher, or a plain Python function if not `compiled`
    params : float64 array (MAX_PARAMS,), its own parameters
    survey : whether it wants view.survey filled
    appraised : whether it wants view.appraisal filled
    style : STYLE record
    traits : TRAITS record
    """

    text: str
    name: str
    source_hash: str
    decide: Any
    compiled: bool
    params: np.ndarray
    survey: bool
    appraised: bool
    style: np.void
    traits: np.void


# ---------------------------------------------------------------- finding


def strategy_names() -> list[str]:
    """Names of the built-in strategies."""
    package = importlib.import_module(BUILT_IN)
    return sorted(info.name for info in pkgutil.iter_modules(package.__path__))


def _entry_points(name: str | None = None) -> list[metadata.EntryPoint]:
    points = metadata.entry_points(group=ENTRY_POINTS)
    return [point for point in points if name is None or point.name == name]


def installed_names() -> list[str]:
    """Names that installed packages give to strategies, without those that a built-in one has."""
    return sorted({point.name for point in _entry_points()} - set(strategy_names()))


def known_names() -> list[str]:
    """All names of strategies."""
    return sorted([*strategy_names(), *installed_names()])


def _import_file(path: Path) -> ModuleType:
    # the name must be the same in every process, and known to sys.modules before the code runs, for numba's cache
    name = f"bloodrage_strategy_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadPlugin(f"strategy file {path} is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise BadPlugin(f"strategy file {path} cannot be loaded: {one_line(error)}") from None
    return module


def _import_installed(name: str) -> ModuleType:
    """The module of an entry point, which may also name its `decide`."""
    points = _entry_points(name)
    values = sorted({point.value for point in points})
    if len(values) > 1:
        raise BadPlugin(f"strategy {name} is in several installed packages: {', '.join(values)}; give the path of its file")
    try:
        return importlib.import_module(points[0].module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the code of a plugin does
        raise BadPlugin(f"strategy {name}: {values[0]} cannot be loaded: {one_line(error)}") from None


def _import(name: str) -> ModuleType:
    if is_path(name):
        path = Path(name).resolve()
        if not path.is_file():
            raise BadPlugin(f"strategy file {name} does not exist; give a path to a .py file, or one of: {', '.join(known_names())}")
        return _import_file(path)
    if name in strategy_names():
        return importlib.import_module(f"{BUILT_IN}.{name}")
    if name in installed_names():
        return _import_installed(name)
    raise unknown("strategy", name, known_names())


@cache
def _source(key: str, name: str) -> StrategySource:
    module = _import(name)
    path = Path(str(module.__file__))
    declared = getattr(module, "decide", None)
    if not isinstance(declared, StrategyFile):
        raise BadPlugin(f"strategy {name}: {path.name} has no function `decide` marked with @strategy (bloodrage_sim.strategy_api)")
    check_declared(name, declared)
    return StrategySource(name, declared, path, module.__doc__ or "", hashlib.sha256(path.read_bytes()).hexdigest())


def import_strategy(name: str) -> StrategySource:
    """Load the file of the strategy with this name or path, once per process.

    Raises UnknownName for a name that no strategy has, BadPlugin for a file that cannot be loaded.
    """
    return _source(str(Path(name).resolve()) if is_path(name) else name, name)


# ---------------------------------------------------------------- loading


def trait_takers() -> list[str]:
    """Names of the built-in strategies that take traits."""
    return [name for name in strategy_names() if import_strategy(name).declared.takes_traits]


def _param_set(text: StrategyText, source: StrategySource) -> ParamSet | None:
    """The set of values that a text names.  Raises BadFile, BadValue, UnknownName."""
    if not text.set:
        return None
    if text.set.endswith(ENDING):
        found = read_param_set(Path(text.set))
    else:
        shipped = shipped_sets(source.path)
        if not shipped:
            raise BadValue(f"strategy {text.name} has no shipped set of values @{text.set}; {text.name}@FILE.toml takes one from a file")
        if text.set not in shipped:
            raise unknown("set of values", f"@{text.set}", [f"@{name}" for name in shipped], f"strategy {text.name}")
        found = read_param_set(shipped[text.set])
    owner = found.provenance.get("strategy")
    if isinstance(owner, str) and not _is_same(split_strategy(owner).name, text.name):
        raise BadValue(f"parameter file {found.path} is for strategy {owner}, not for {text.name}")
    return found


def _is_same(name: str, other: str) -> bool:
    """Whether two names mean one strategy; of paths only the file's name counts, since folders are moved."""
    if is_path(name) and is_path(other):
        return Path(name).name == Path(other).name
    return name == other


def read_strategy(text: str) -> Reading:
    """Understand the text of a strategy and load its file, without compiling it.

    Raises what load_strategy raises, except for faults that only the compiler finds.
    """
    parts = split_strategy(text)
    if not parts.name:
        raise BadValue(f"empty strategy in {text!r}; a strategy is written {GRAMMAR}; known: {', '.join(known_names())}")
    source = import_strategy(parts.name)
    if parts.traits and not source.declared.takes_traits:
        takers = ", ".join(trait_takers())
        raise BadValue(f"strategy {parts.name} takes no traits, so not +{parts.traits[0][0]}; these do: {takers}")
    param_set = _param_set(parts, source)
    digest = source.source_hash
    if param_set is not None:
        digest = hashlib.sha256(f"{digest} {param_set.digest}".encode()).hexdigest()
    return Reading(source, settle(parts, source.declared, param_set), digest)


@cache
def _compiled(path: Path, function: Any) -> Any:
    return compile_decide(function, cache=True)


def _decide(source: StrategySource) -> Any:
    """The function that the loop calls.  Raises BadPlugin."""
    if not source.declared.compiled:
        return source.declared.function
    try:
        return _compiled(source.path, source.declared.function)
    except Exception as error:  # numba reports faults of a plugin by many classes, also KeyError for a wrong field
        raise BadPlugin(f"strategy {source.name} does not compile: {_compile_fault(error)}") from None


def files_compiled() -> int:
    """How many strategy files this process has compiled, or taken from the cache, so far."""
    return _compiled.cache_info().misses


def _compile_fault(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Failed in nopython", "During:", "-", "*"))] or [repr(error)]
    if isinstance(error, KeyError):  # that is all numba says of it
        lines = [f"a record has no field {error}"]
    where = next((line for line in lines if line.startswith("File ")), "")
    return f"{type(error).__name__}: {lines[0][:200]} {where[:200]}".strip()


def load_strategy(text: str) -> Strategy:
    """Load a strategy given as text.GRAMMAR says, ready to play.

    Raises
    ------
    UnknownName : no such strategy, parameter, trait or set of values
    BadValue : a parameter or trait out of its range, traits that contradict each other or that it does not take
    BadFile : a file of values that cannot be read
    BadPlugin : a file that cannot be loaded or compiled
    """
    reading = read_strategy(text)
    source, settings = reading.source, reading.settings
    declared = source.declared
    has_traits = any(value != 0 for value in settings.traits.values())
    return Strategy(
        text=settings.text,
        name=source.name,
        source_hash=reading.source_hash,
        decide=_decide(source),
        compiled=declared.compiled,
        params=settings.params(declared),
        survey=declared.survey,
        # the terms are where trait_worth finds what traits add
        appraised=declared.style is not None or has_traits,
        style=settings.style(declared),
        traits=settings.trait_record(),
    )
