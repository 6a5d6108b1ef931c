"""What came out of a tuning, in words and as a file of values."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import provenance
from ..plugins.values import show_number
from ..ruleset import rule_defaults
from .scoring import Estimate, Score
from .space import Space

# of a run, what the file of values says of the search
_SHOWN = ("generations", "popsize", "games", "sigma", "margin_weight", "tables_hash", "engine")


@dataclass(frozen=True)
class Result:
    """What came out.

    Attributes
    ----------
    space : the parameters
    values : tuned value of each
    score : against the field, in games of a seed not used before
    run : what was played, as plain data
    field : strategies in the other seats of these games
    """

    space: Space
    values: Mapping[str, float]
    score: Score
    run: Mapping[str, Any]
    field: Sequence[str]

    def lines(self) -> list[str]:
        """The result as text."""
        score, players = self.score, int(self.run["players"])
        untuned = self.space.reading.settings.values
        rows = [
            (
                axis.name,
                show_number(self.values[axis.name]),
                show_number(untuned[axis.name]),
                f"{show_number(axis.param.least)} to {show_number(axis.param.most)}",
            )
            for axis in self.space.axes
        ]
        rows.insert(0, ("", "tuned", "untuned", "range"))
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            f"  {name:{widths[0]}}  {tuned:>{widths[1]}}  {before:>{widths[2]}}  {range_}"
            for name, tuned, before, range_ in rows
        ]
        return [
            f"{self.run['strategy']} after {self.run['generations']} generations of {self.run['popsize']} candidates, "
            f"{self.run['games']:,} games each:",
            *lines,
            f"Against {_listed(self.field)} at {players} players, {score.games:,} games of a seed not used in tuning, the "
            "same for both:",
            f"             win share  95 % interval (fair {100 / players:.1f} %)",
            f"  tuned      {_share(score.tuned)}",
            f"  untuned    {_share(score.untuned)}",
            f"  difference {_share(score.difference, '+')}",
            verdict(score),
        ]


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))


def _share(value: Estimate, sign: str = "") -> str:
    numbers = f"{100 * value.mean:{sign}8.2f} %"
    if math.isnan(value.half_width):
        return f"{numbers}  -"
    return f"{numbers}  {100 * value.least:{sign}.2f} to {100 * value.most:{sign}.2f}"


def verdict(score: Score) -> str:
    """Whether the tuned strategy is better, in a sentence."""
    if score.difference.least > 0:
        return "Better than untuned: the interval of the difference is clear of zero."
    if score.difference.most < 0:
        return "WORSE than untuned: the interval of the difference lies below zero."
    return "NOT SHOWN TO BE BETTER than untuned: the interval of the difference has zero in it."


# ---------------------------------------------------------------- the file


def file_text(result: Result, run_hash: str, command: str) -> str:
    """The file of values: [params], and where they come from."""
    run = result.run
    held_out: dict[str, Any] = {"games": result.score.games}
    for name in ("tuned", "untuned", "difference"):
        value: Estimate = getattr(result.score, name)
        held_out[name] = round(value.mean, 5)
        held_out[f"{name}_interval"] = [round(value.least, 5), round(value.most, 5)]
    held_out["verdict"] = verdict(result.score)
    top = {  # `bloodrage strategies` shows these of a set that is shipped
        "strategy": run["strategy"],
        "players": run["players"],
        "seed": run["seed"],
        "field": _listed(result.field),
        "score": round(result.score.tuned.mean, 4),
    }
    search = {"params": list(run["params"]), "field": list(run["field"]), **{key: run[key] for key in _SHOWN}}
    defaults = rule_defaults()
    rules = [f"{name}={value}" for name, value in run["rules"].items() if value != defaults[name]]
    search |= {"rules": rules, "command": command, "run_hash": run_hash}
    lines = [
        "# Values from bloodrage tune; use them as",
        f"#   --strategy {json.dumps(result.space.text_with('FILE.toml'))}",
        *_pairs(top),
        "",
        "# win shares of the tuned and the untuned strategy in the same games, whose seed was not used in tuning",
        "[held_out]",
        *_pairs(held_out),
        "",
        "[search]",
        *_pairs(search),
        "",
        "[sources]",
        *_pairs(run["sources"]),
        "",
        "[versions]",
        *_pairs({**provenance.versions(), "cma": run["cma"]}),
        "",
        "[params]",
        *_pairs(result.space.shown(result.values)),
    ]
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
        yield f"{key if plain else _toml(key)} = {_toml(value)}"


def _toml(value: Any) -> str:
    """A value as TOML has it; of a string JSON and TOML write the same but for one sign."""
    if isinstance(value, list):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else show_number(value) if abs(value) < 1e15 else repr(value)
    return json.dumps(value).replace("\x7f", "\\u007f")
