"""The line-up of an arm: who has the focal seat and who the others, with what habits and parameters.

    focal = "balanced"
    traits = ["lock_province", "join_threshold=0.4"]
    params = { wins = 1.2 }
    with_others = ["loki"]
    others_traits = ["rush_pillage"]

`focal`, `traits` and `params` make the focal strategy.  A file's own `focal` is the base that `strengths` replaces, an arm's is not.
`others` of an arm takes the place of the pool; `with_others` are always seated, and the pool fills the seats that are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...plugins.text import split_strategy
from ...rules.tables import N_SEATS
from ..reading import read_text, read_words

KEYS = ("focal", "traits", "params", "others", "with_others", "others_traits", "others_params")


@dataclass(frozen=True)
class LineUp:
    """Who plays in an arm; '' and () where the file or the pool decides."""

    focal: str
    traits: tuple[str, ...]
    params: tuple[tuple[str, str], ...]
    others: tuple[str, ...]
    with_others: tuple[str, ...]
    others_traits: tuple[str, ...]
    others_params: tuple[tuple[str, str], ...]

    @classmethod
    def read(cls, arm: Mapping[str, Any], where: str) -> LineUp:
        """Raises BadValue."""
        return cls(
            focal=read_text(arm, "focal", where, ""),
            traits=read_words(arm, "traits", where),
            params=_read_params(arm, "params", where),
            others=read_words(arm, "others", where),
            with_others=read_words(arm, "with_others", where),
            others_traits=read_words(arm, "others_traits", where),
            others_params=_read_params(arm, "others_params", where),
        )

    def slots(self, base: str, pool: Sequence[str], players: int) -> tuple[str, ...]:
        """Strategy texts by slot: the focal one, those always seated, then those of whom some are drawn for each block.

        Raises BadValue when they are too many.
        """
        drawn = list(self.others or pool)
        fixed = list(self.with_others)
        seats = players - 1
        if len(fixed) > seats or (self.others and len(fixed) + len(drawn) > N_SEATS - 1):
            raise BadValue(f"others {', '.join([*fixed, *drawn])}: at most {seats} are seated with {players} players, {N_SEATS - 1} named")
        drawn = drawn[: N_SEATS - 1 - len(fixed)]
        named = len(drawn)
        while len(fixed) + len(drawn) < seats:
            drawn.append(drawn[len(drawn) % named])
        others = [laid_over(text, self.others_traits, self.others_params) for text in (*fixed, *drawn)]
        return (laid_over(self.focal or base, self.traits, self.params), *others)


def _read_params(arm: Mapping[str, Any], key: str, where: str) -> tuple[tuple[str, str], ...]:
    value = arm.get(key, {})
    if not isinstance(value, Mapping):
        raise BadValue(f"{where}: {key} is {value!r:.60}; write a table, {{ name = value }}")
    for name, item in value.items():
        if isinstance(item, bool) or not isinstance(item, (int, float, str)):
            raise BadValue(f"{where}.{key}: {name} is {item!r:.60}; write a number or a word in quotes")
    return tuple((str(name), str(item)) for name, item in value.items())


def laid_over(text: str, traits: Sequence[str], params: Sequence[tuple[str, str]]) -> str:
    """The text of a strategy with more traits and parameters, which win over those that it has."""
    parts = split_strategy(text)
    values = {**dict(parts.params), **dict(params)}
    habits = dict(parts.traits)
    for trait in traits:
        name, equals, value = trait.partition("=")
        habits[name.strip()] = value.strip() if equals else None
    return (
        parts.name
        + (f"@{parts.set}" if parts.set else "")
        + (":" + ",".join(f"{name}={value}" for name, value in values.items()) if values else "")
        + "".join(f"+{name}" + ("" if value is None else f"={value}") for name, value in habits.items())
    )
