"""The parameters that are tuned, as points of a unit cube."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import BadValue, unknown
from ..parameters import Param
from ..plugins.loading import Reading, read_strategy
from ..plugins.text import split_strategy
from ..plugins.values import params_of, show_value

_LOG_RATIO = 20.0  # a range above zero whose ends differ by this factor is searched by factors
_DIGITS = 4  # of a value, counted from the size of its range


@dataclass(frozen=True)
class Axis:
    """One parameter of the search: its range is 0 to 1, in even steps or, if it spans sizes, by even factors."""

    name: str
    param: Param

    @property
    def by_factors(self) -> bool:
        return self.param.least > 0 and self.param.most / self.param.least >= _LOG_RATIO

    def coordinate(self, value: float) -> float:
        """Where a value lies, 0 to 1."""
        least, most = self.param.least, self.param.most
        if self.by_factors:
            return math.log(value / least) / math.log(most / least)
        return (value - least) / (most - least)

    def value(self, coordinate: float) -> float:
        """The value at a coordinate, rounded so that it reads well."""
        least, most = self.param.least, self.param.most
        exact = least * (most / least) ** coordinate if self.by_factors else least + (most - least) * coordinate
        size = exact if self.by_factors else most - least
        rounded = round(exact, _DIGITS - 1 - math.floor(math.log10(size)))
        return min(most, max(least, rounded))


class Space:
    """The parameters of one strategy that are tuned.

    Parameters
    ----------
    text : the strategy; values and traits that it gives are kept, and the search begins at its values
    names : parameters to tune, none for all that are numbers

    Attributes
    ----------
    reading : the strategy untuned
    axes : the parameters that are tuned, in the order of their declaration
    start : float64 array, the point where the search begins

    Raises
    ------
    UnknownName, BadValue, BadPlugin : no such strategy or parameter, one that cannot be tuned, none that can
    """

    def __init__(self, text: str, names: Sequence[str] = ()) -> None:
        self.reading: Reading = read_strategy(text)
        self._parts = split_strategy(self.reading.settings.text)
        self._params = params_of(self.reading.source.declared)
        self.axes = tuple(Axis(name, self._params[name]) for name in self._chosen(names))
        values = self.reading.settings.values
        self.start = np.array([axis.coordinate(values[axis.name]) for axis in self.axes])

    def _chosen(self, names: Sequence[str]) -> list[str]:
        strategy = self._parts.name
        numbers = [name for name, param in self._params.items() if not param.names and param.most > param.least]
        if not self._params:
            raise BadValue(f"strategy {strategy} has no parameters, so there is nothing to tune")
        for name in names:
            if name not in self._params:
                raise unknown("parameter", name, self._params, f"strategy {strategy}")
            if name not in numbers:
                why = f"is one of {', '.join(self._params[name].names)}" if self._params[name].names else "has one value"
                raise BadValue(f"strategy {strategy}: parameter {name} {why}; only numbers can be tuned")
            if names.count(name) > 1:
                raise BadValue(f"parameter {name} is given twice")
        if not numbers:
            raise BadValue(f"strategy {strategy} has no parameters that are numbers, so there is nothing to tune")
        return [name for name in numbers if not names or name in names]

    def values(self, point: Sequence[float] | np.ndarray) -> dict[str, float]:
        """Value of each tuned parameter at a point."""
        return {axis.name: axis.value(float(at)) for axis, at in zip(self.axes, point, strict=True)}

    def text_of(self, values: Mapping[str, float]) -> str:
        """The strategy with these values, as text."""
        given = dict(self._parts.params)
        given.update({name: show_value(self._params[name], value) for name, value in values.items()})
        params = ",".join(f"{name}={value}" for name, value in given.items())
        set_ = f"@{self._parts.set}" if self._parts.set else ""
        return f"{self._parts.name}{set_}{':' if params else ''}{params}{self.traits}"

    def text_with(self, file: str) -> str:
        """The strategy with values from a file that `tune` writes."""
        return f"{self._parts.name}@{file}{self.traits}"

    @property
    def traits(self) -> str:
        """The traits of the strategy, as they are written."""
        return "".join(f"+{name}" if value is None else f"+{name}={value}" for name, value in self._parts.traits)

    def shown(self, values: Mapping[str, float]) -> dict[str, str | float]:
        """The values for [params] of a file: the tuned ones, and all others that are not the file's own defaults."""
        settled = {**self.reading.settings.values, **values}
        kept = {
            name: value
            for name, value in settled.items()
            if name in values or value != self._params[name].default
        }
        return {
            name: show_value(self._params[name], value) if self._params[name].names else value
            for name, value in kept.items()
        }
