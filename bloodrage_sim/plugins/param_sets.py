"""Sets of parameter values in TOML files, as `bloodrage tune` writes them.

`[params]` holds a value for each parameter, by name; everything else says where the values come from: `strategy`, which they
are for, and `players`, `seed`, `field`, `score` and whatever more there is.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadFile

ENDING = ".toml"


@dataclass(frozen=True)
class ParamSet:
    """Values from a file.

    Attributes
    ----------
    path : the file
    params : value by name of a parameter, as the file has it
    provenance : everything else in the file
    digest : hex SHA-256 of the file
    """

    path: Path
    params: Mapping[str, Any]
    provenance: Mapping[str, Any]
    digest: str


def read_param_set(path: Path) -> ParamSet:
    """Read a set of parameters.  Raises BadFile."""
    try:
        text = path.read_bytes()
        given = tomllib.loads(text.decode())
    except OSError as error:
        raise BadFile(f"parameter file {path} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"parameter file {path} is no TOML file: {error}") from None
    params = given.pop("params", None)
    if not isinstance(params, dict):
        raise BadFile(f"parameter file {path} has no table [params] with name = value lines")
    return ParamSet(path, params, given, hashlib.sha256(text).hexdigest())


def shipped_sets(strategy_file: Path) -> dict[str, Path]:
    """The sets that lie beside a strategy's file, by name: 'tuned' for balanced.tuned.toml beside balanced.py."""
    first = len(strategy_file.stem) + 1
    names = (path.name for path in strategy_file.parent.glob(f"*{ENDING}"))
    mine = sorted(name for name in names if name.startswith(f"{strategy_file.stem}."))
    return {name[first : -len(ENDING)]: strategy_file.parent / name for name in mine if len(name) > first + len(ENDING)}
