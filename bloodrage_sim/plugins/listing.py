"""Strategies, their parameters and the traits as lines to read."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..errors import BloodRageError
from ..layout import WIDTH, show_table
from ..parameters import Param
from ..tactics.traits import TRAITS_TABLE, Trait
from .loading import (
    Reading,
    StrategySource,
    import_strategy,
    installed_names,
    read_strategy,
    strategy_names,
)
from .param_sets import ParamSet, read_param_set, shipped_sets
from .text import split_strategy
from .values import params_of, show_number, show_value


def first_line(doc: str) -> str:
    """What a docstring says in its first line."""
    return doc.strip().partition("\n")[0].strip() or "(no docstring)"


# ---------------------------------------------------------------- all strategies


def list_lines() -> list[str]:
    """All known strategies with the first line of their docstring, and their shipped sets of values."""
    rows = [["strategy", "what it does"]]
    for name in strategy_names():
        source = import_strategy(name)
        rows.append([name, first_line(source.doc)])
        rows += [[f"{name}@{set_}", f"the same, {_origin(path)}"] for set_, path in shipped_sets(source.path).items()]
    rows += [[name, _installed_line(name)] for name in installed_names()]
    return [
        *show_table(rows, 0),
        "",
        "bloodrage strategies NAME           its parameters, and the traits that it takes",
        "bloodrage strategies --check NAME   try it; NAME may be the path of a file of yours",
    ]


def _installed_line(name: str) -> str:
    """A broken package must not hide the other strategies."""
    try:
        return f"{first_line(import_strategy(name).doc)} (installed)"
    except BloodRageError as error:
        return f"({error})"


def _origin(path: Path) -> str:
    """Where the values of a file come from, in short."""
    return _provenance(read_param_set(path)) or f"with the values of {path.name}"


def _provenance(param_set: ParamSet) -> str:
    named = {key: value for key, value in param_set.provenance.items() if isinstance(value, (str, int, float))}
    return ", ".join(f"{key} {value}" for key, value in named.items())


# ---------------------------------------------------------------- one strategy


def page_lines(text: str) -> list[str]:
    """Docstring, parameters and traits of a strategy, and the values of this text if it changes some."""
    reading = read_strategy(text)
    source, parts = reading.source, split_strategy(text)
    lines = [source.name, "", *_doc_lines(source.doc)]
    changed = reading.settings.values if parts.set or parts.params else None
    if parts.set or parts.params or parts.traits:
        lines += ["", f"canonical form: {reading.settings.text}"]
    lines += ["", *_param_lines(source, changed)]
    lines += _set_lines(source)
    if not source.declared.compiled:
        lines += ["", "It is plain Python, not compiled, and so it is slower by far."]
    return [*lines, "", *_trait_part(reading)]


def _doc_lines(doc: str) -> list[str]:
    """A docstring in lines of WIDTH; paragraphs with indented lines stay as they are."""
    paragraphs = []
    for paragraph in (inspect.cleandoc(doc) or "(no docstring)").split("\n\n"):
        as_is = any(line.startswith((" ", "-", "*")) for line in paragraph.splitlines())
        paragraphs.append(paragraph if as_is else textwrap.fill(" ".join(paragraph.split()), WIDTH))
    return "\n\n".join(paragraphs).splitlines()


def _param_lines(source: StrategySource, changed: Mapping[str, float] | None) -> list[str]:
    params, n_own = params_of(source.declared), len(source.declared.params)
    if not params:
        return ["It has no parameters."]
    own, style = list(params.items())[:n_own], list(params.items())[n_own:]
    lines = [f"Parameters, written {source.name}:{next(iter(params))}=VALUE,...", *_param_table(own, changed)]
    if style:
        lines += [*([""] if own else []), "Parameters of its style:" if own else "All are of its style:"]
        lines += _param_table(style, changed)
    return lines


def _param_table(params: Iterable[tuple[str, Param]], changed: Mapping[str, float] | None) -> list[str]:
    rows = [["name", *(["here"] if changed is not None else []), "default", "range", "meaning"]]
    for key, param in params:
        here = [] if changed is None else [show_value(param, changed[key])]
        rows.append([key, *here, show_value(param, param.default), _range(param), _meaning(param)])
    return show_table(rows, 2) if len(rows) > 1 else []


def _range(param: Param) -> str:
    return "a word" if param.names else f"{show_number(param.least)} to {show_number(param.most)}"


def _meaning(param: Param) -> str:
    return f"{param.meaning}: {', '.join(param.names)}" if param.names else param.meaning


def _set_lines(source: StrategySource) -> list[str]:
    lines = []
    for name, path in shipped_sets(source.path).items():
        lines += ["", f"Set of values {source.name}@{name}: {_origin(path)}"]
    return lines


def _trait_part(reading: Reading) -> list[str]:
    name = reading.source.name
    if not reading.source.declared.takes_traits:
        return ["It takes no traits."]
    return [f"Traits that can be laid over it, written {name}+TRAIT or {name}+TRAIT=VALUE:", *_trait_table()]


# ---------------------------------------------------------------- traits


def trait_lines() -> list[str]:
    """All traits with their ranges and meanings."""
    takers = [name for name in strategy_names() if import_strategy(name).declared.takes_traits]
    return [
        "Traits are habits that can be laid over a strategy, written NAME+TRAIT or NAME+TRAIT=VALUE.",
        f"They go with {', '.join(takers)} and with files of yours that declare a style or traits=True.",
        "",
        *_trait_table(),
    ]


def _trait_table() -> list[str]:
    rows = [["trait", "alone is", "range", "meaning"]]
    rows += [
        [key, _alone(trait), _range(trait.param), _trait_meaning(key, trait)] for key, trait in TRAITS_TABLE.items()
    ]
    return show_table(rows, 2)


def _alone(trait: Trait) -> str:
    return "-" if trait.alone is None else show_value(trait.param, trait.alone)


def _trait_meaning(key: str, trait: Trait) -> str:
    foes = dict.fromkeys([*trait.against, *(name for name, other in TRAITS_TABLE.items() if key in other.against)])
    return _meaning(trait.param) + (f" (not with {', '.join(foes)})" if foes else "")
