"""The rules that a data set was played by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..ruleset import make_ruleset


def tables_of(run: Mapping[str, Any]) -> np.record:
    """Numbers of the cards and the board, TABLES of rules/tables.py.

    run : as in the manifest of a data set
    """
    ruleset = make_ruleset(run["rules"], [tuple(change) for change in run["cards"]], run["board"])
    return ruleset.tables()[0]
