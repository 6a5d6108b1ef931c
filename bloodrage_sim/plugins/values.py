"""What the parameters and traits in a strategy's text mean, and the one text for each meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import BadPlugin, BadValue, unknown
from ..parameters import Param
from ..play import MAX_PARAMS
from ..strategy_api import StrategyFile
from ..tactics.style import STYLE, STYLE_PARAMS
from ..tactics.traits import TRAITS, TRAITS_TABLE
from .param_sets import ParamSet
from .text import StrategyText

_PARAM_NAME = re.compile(r"[A-Za-z_]\w*")
_VALUE_NAME = re.compile(r"[\w./-]+")  # can be written in a strategy's text


@dataclass(frozen=True)
class Settings:
    """The values that a strategy plays with.

    Attributes
    ----------
    text : the strategy in canonical form: the same meaning has the same text, which can be parsed again
    values : value of every own parameter, and of every parameter of the style for a strategy that has one
    traits : value of every trait, 0 for those that are not given
    """

    text: str
    values: Mapping[str, float]
    traits: Mapping[str, float]

    def params(self, declared: StrategyFile) -> np.ndarray:
        """float64 array (MAX_PARAMS,) of the strategy's own parameters."""
        params = np.zeros(MAX_PARAMS)
        params[: len(declared.params)] = [self.values[name] for name in declared.params]
        return params

    def style(self, declared: StrategyFile) -> np.void:
        """STYLE record; the defaults for a strategy without a style."""
        style = np.zeros(1, STYLE)
        for name, param in STYLE_PARAMS.items():
            style[name] = param.default if declared.style is None else self.values[name]
        return style[0]

    def trait_record(self) -> np.void:
        """TRAITS record."""
        traits = np.zeros(1, TRAITS)
        for name, value in self.traits.items():
            traits[name] = value
        traits["laid"] = any(value != 0 for value in self.traits.values())
        return traits[0]


# ---------------------------------------------------------------- what a file declares


def params_of(declared: StrategyFile) -> dict[str, Param]:
    """All parameters that can be set: its own, then those of the style with the file's values as defaults."""
    params = dict(declared.params)
    if declared.style is not None:
        for name, param in STYLE_PARAMS.items():
            params[name] = replace(param, default=float(declared.style.get(name, param.default)))
    return params


def check_declared(name: str, declared: StrategyFile) -> None:
    """Raise BadPlugin for a declaration that cannot be: strategy `name` was written wrongly."""
    for fault in _faults(declared):
        raise BadPlugin(f"strategy {name}: {fault}")


def _faults(declared: StrategyFile) -> Iterable[str]:
    if len(declared.params) > MAX_PARAMS:
        yield f"{len(declared.params)} parameters are declared; allowed: up to {MAX_PARAMS}"
    for key, param in declared.params.items():
        if not isinstance(param, Param):
            yield f"parameter {key} is declared as {param!r:.60}, not as Param(default, least, most, meaning)"
        elif not _PARAM_NAME.fullmatch(key):
            yield f"parameter {key!r} is no name of letters, digits and _"
        elif declared.style is not None and key in STYLE_PARAMS:
            yield f"parameter {key} has the name of a parameter of the style; give it another"
        elif not all(_VALUE_NAME.fullmatch(word) for word in param.names):
            yield f"parameter {key} has values {', '.join(param.names)}; allowed: words of letters, digits and . / - _"
        elif not _allows(param, param.default):
            yield f"parameter {key} has the default {param.default!r}; allowed: {_allowed(param)}"
    for key, value in declared.own_traits.items():
        if key not in TRAITS_TABLE:
            yield str(unknown("trait", key, TRAITS_TABLE))
        elif not _allows(TRAITS_TABLE[key].param, value):
            yield f"it has the trait {key} = {value!r}; allowed: {_allowed(TRAITS_TABLE[key].param)}"
    for key, value in (declared.style or {}).items():
        if key not in STYLE_PARAMS:
            yield str(unknown("parameter of the style", key, STYLE_PARAMS))
        elif not _allows(STYLE_PARAMS[key], value):
            yield f"the style has {key} = {value!r}; allowed: {_allowed(STYLE_PARAMS[key])}"


def _allows(param: Param, value: float) -> bool:
    if param.names:
        return value in range(len(param.names))
    return param.least <= value <= param.most


# ---------------------------------------------------------------- values as text


def show_number(value: float) -> str:
    """The shortest text that is this number again."""
    return repr(float(value) + 0.0).removesuffix(".0")


def show_value(param: Param, value: float) -> str:
    """A value as it is written."""
    return param.names[int(value)] if param.names else show_number(value)


def _allowed(param: Param) -> str:
    return ", ".join(param.names) if param.names else f"{param.least:g} to {param.most:g}"


def read_value(where: str, key: str, param: Param, given: Any) -> float:
    """The value of a parameter or trait, from a text or a TOML file.  Raises BadValue."""
    if param.names:
        if given not in param.names:
            raise BadValue(f"{where}: {key} is {given!r}; allowed: {_allowed(param)}")
        return float(param.names.index(given))
    try:
        number = float("nan" if isinstance(given, bool) else given)
    except (TypeError, ValueError):
        number = float("nan")
    if not param.least <= number <= param.most:
        raise BadValue(f"{where}: {key} is {given!r}; allowed: {_allowed(param)}")
    return number + 0.0  # no -0.0


# ---------------------------------------------------------------- from text to values and back


def settle(text: StrategyText, declared: StrategyFile, param_set: ParamSet | None) -> Settings:
    """The values of a strategy: the file's defaults, over them those of a set, over them those in the text.

    Raises
    ------
    UnknownName : a parameter or trait that the strategy does not have
    BadValue : a value out of its range, something given twice, traits that contradict each other
    """
    params = params_of(declared)
    base = {name: param.default for name, param in params.items()}
    if param_set is not None:
        where = f"parameter file {param_set.path}"
        for key, given in param_set.params.items():
            base[key] = read_value(where, key, _known_param(text.name, key, params, where), given)
    values, where = dict(base), f"strategy {text.name}"
    for key, given in _once(where, "parameter", text.params):
        values[key] = read_value(where, key, _known_param(text.name, key, params, where), given)
    traits = _settle_traits(text, declared.own_traits)
    return Settings(_canonical(text, params, base, values, traits, declared.own_traits), values, traits)


def _once(where: str, what: str, pairs: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, Any]]:
    seen = set()
    for key, given in pairs:
        if key in seen:
            raise BadValue(f"{where}: {what} {key} is given twice")
        seen.add(key)
        yield key, given


def _known_param(name: str, key: str, params: Mapping[str, Param], where: str) -> Param:
    if key in params:
        return params[key]
    if key in TRAITS_TABLE:
        raise BadValue(f"{where}: {key} is a trait, written {name}+{key}")
    if not params:
        raise BadValue(f"strategy {name} has no parameters, so not {key!r} either")
    raise unknown("parameter", key, params, where)


def _settle_traits(text: StrategyText, own: Mapping[str, float]) -> dict[str, float]:
    """Value of every trait; 0 is as if it were not given.  own: those that the file lays over itself."""
    traits = {name: float(own.get(name, 0.0)) for name in TRAITS_TABLE}
    where = f"strategy {text.name}"
    for key, given in _once(where, "trait", text.traits):
        if key not in TRAITS_TABLE:
            raise unknown("trait", key, TRAITS_TABLE, where)
        trait = TRAITS_TABLE[key]
        if given is not None:
            traits[key] = read_value(where, f"trait {key}", trait.param, given)
        elif trait.alone is None:
            raise BadValue(f"{where}: trait {key} needs a value, +{key}=VALUE; allowed: {_allowed(trait.param)}")
        else:
            traits[key] = trait.alone
    on = [key for key, value in traits.items() if value != 0]
    for key in on:
        for other in on:
            if other in TRAITS_TABLE[key].against:
                raise BadValue(f"{where}: traits {key} and {other} contradict each other; give one of them")
    return traits


def show_trait(key: str, value: float) -> str:
    """A trait as it is written, without its plus."""
    trait = TRAITS_TABLE[key]
    return key if value == trait.alone else f"{key}={show_value(trait.param, value)}"


def _canonical(
    text: StrategyText,
    params: Mapping[str, Param],
    base: Mapping[str, float],
    values: Mapping[str, float],
    traits: Mapping[str, float],
    own_traits: Mapping[str, float],
) -> str:
    """Only what differs from the defaults and from the set, in the order of the declaration."""
    shown = [f"{key}={show_value(params[key], value)}" for key, value in values.items() if value != base[key]]
    return (
        text.name
        + (f"@{text.set}" if text.set else "")
        + (":" + ",".join(shown) if shown else "")
        + "".join(f"+{show_trait(key, value)}" for key, value in traits.items() if value != own_traits.get(key, 0))
    )
