"""Playing the blocks of cells: threads, progress and what is kept of each game."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..cast import Cast
from ..errors import BadPlugin
from ..play import set_up_games
from ..plugins import Strategy, load_strategy
from ..results import fill_rows
from ..rules.flow import QUESTION_NAMES
from ..rules.state import N_CAUSES  # noqa: F401
from ..rules.tables import N_SEATS
from ..runs import Kit, RunConfig
from ..tables_out import GAMES, PLAYERS, new_rows
from ..workers import Worker
from .arms import BuiltArm
from .cells import Cell
from .metrics import Metric, PlayedGames
