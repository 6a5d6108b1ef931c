"""Find and load strategies by name or by path.

`NAME` is a file of the built-in folder; `./file.py` or any text with a slash or ending in .py is a path.  Parameters follow
as `:param=value,...`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from .errors import BadPlugin, BadValue, unknown
from .parameters import Param
from .play import MAX_PARAMS, compile_decide
from .strategy_api import StrategyFile
from .tactics.style import STYLE, STYLE_PARAMS
from .tactics.traits import TRAITS

BUILT_IN = "bloodrage_sim.strategies"


@dataclass(frozen=True)
class Strategy:
    """A strategy ready to play.

    Attributes
    ----------
    text : canonical form, e.g. "random:by=kind"
    name : name or path without parameters
    source_hash : hex SHA-256 of its source file
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


def strategy_names() -> list[str]:
    """Names of the built-in strategies."""
    package = importlib.import_module(BUILT_IN)
    return sorted(info.name for info in pkgutil.iter_modules(package.__path__))


def is_path(name: str) -> bool:
    """Whether a strategy is given by path."""
    return name.endswith(".py") or "/" in name or "\\" in name


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
        raise BadPlugin(f"strategy file {path} cannot be loaded: {_one_line(error)}") from None
    return module


def _one_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else ''}"[:300]


def import_strategy(name: str) -> tuple[StrategyFile, Path, str]:
    """The declaration in a strategy's file, the file, and the docstring.

    Raises UnknownName for a name that no built-in strategy has, BadPlugin for a file that cannot be loaded.
    """
    if is_path(name):
        path = Path(name).resolve()
        if not path.is_file():
            raise BadPlugin(f"strategy file {name} does not exist; give a path to a .py file, or one of: {', '.join(strategy_names())}")
        module = _import_file(path)
    else:
        if name not in strategy_names():
            raise unknown("strategy", name, strategy_names())
        module = importlib.import_module(f"{BUILT_IN}.{name}")
        path = Path(str(module.__file__))
    declared = getattr(module, "decide", None)
    if not isinstance(declared, StrategyFile):
        raise BadPlugin(f"strategy {name}: {path.name} has no function `decide` marked with @strategy (bloodrage_sim.strategy_api)")
    return declared, path, module.__doc__ or ""


def _parameter(name: str, text: str, params: dict[str, Param] | Any) -> tuple[str, float]:
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals:
        raise BadValue(f"strategy {name}: parameters are written param=value, not {text!r}")
    if key not in params:
        if not params:
            raise BadValue(f"strategy {name} has no parameters, so not {key!r} either")
        raise unknown("parameter", key, params, f"strategy {name}")
    param = params[key]
    if param.names:
        if value not in param.names:
            raise BadValue(f"strategy {name}: {key} is {value!r}; allowed: {', '.join(param.names)}")
        return key, float(param.names.index(value))
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not param.least <= number <= param.most:
        raise BadValue(f"strategy {name}: {key} is {value!r}; allowed: {param.least:g} to {param.most:g}")
    return key, number


@cache
def _compiled(name: str) -> tuple[StrategyFile, Any, str]:
    declared, path, _ = import_strategy(name)
    source_hash = hashlib.sha256(path.read_bytes()).hexdigest()
    if not declared.compiled:
        return declared, declared.function, source_hash
    try:
        return declared, compile_decide(declared.function, cache=True), source_hash
    except Exception as error:  # numba reports faults of a plugin by many classes, also KeyError for a wrong field
        raise BadPlugin(f"strategy {name} does not compile: {_compile_fault(error)}") from None


def files_loaded() -> int:
    """How many strategy files this process has loaded so far."""
    return _compiled.cache_info().misses


def _compile_fault(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Failed in nopython", "During:", "-", "*"))] or [repr(error)]
    where = next((line for line in lines if line.startswith("File ")), "")
    return f"{type(error).__name__}: {lines[0][:200]} {where[:200]}".strip()


def load_strategy(text: str) -> Strategy:
    """Load `NAME[:param=value,...]` or `PATH.py[:param=value,...]`, ready to play.

    Raises
    ------
    UnknownName : no such strategy or parameter
    BadValue : a parameter out of its range
    BadPlugin : a file that cannot be loaded or compiled
    """
    name, _, given = text.partition(":")
    if not name:
        raise BadValue(f"empty strategy in {text!r}; known: {', '.join(strategy_names())}")
    declared, decide, source_hash = _compiled(name)
    values = {key: param.default for key, param in declared.params.items()}
    shown = []
    for part in filter(None, given.split(",")):
        key, number = _parameter(name, part, declared.params)
        values[key] = number
    params = np.zeros(MAX_PARAMS)
    for position, (key, param) in enumerate(declared.params.items()):
        params[position] = values[key]
        if values[key] != param.default:
            shown.append(f"{key}={param.names[int(values[key])] if param.names else format(values[key], 'g')}")
    canonical = name + (":" + ",".join(shown) if shown else "")
    style = np.zeros(1, STYLE)
    for key, param in STYLE_PARAMS.items():
        style[key] = (declared.style or {}).get(key, param.default)
    traits = np.zeros(1, TRAITS)
    appraised = declared.style is not None
    return Strategy(
        canonical, name, source_hash, decide, declared.compiled, params, declared.survey, appraised, style[0], traits[0]
    )
