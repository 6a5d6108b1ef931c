"""Parameters that a strategy, a style or a trait declares: default, range, meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Param:
    """A parameter: default, least and most value, what it means; `names` for one chosen by word."""

    default: float
    least: float
    most: float
    meaning: str
    names: tuple[str, ...] = ()


def record_of(params: Mapping[str, Param]) -> np.dtype:
    """A record with one float64 field for every parameter."""
    return np.dtype([(name, "f8") for name in params], align=True)
