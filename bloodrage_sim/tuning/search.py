"""The search by CMA-ES: it asks for points, and is told how well they did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import MissingPackage
from .scoring import seed_of
from .space import Space

INSTALL = "pip install 'bloodrage-sim[tune]'"


class Search:
    """The state of CMA-ES.  It draws from its own stream, so that the same scores lead to the same points."""

    def __init__(self, space: Space, popsize: int, sigma: float, seed: int) -> None:
        cma = import_cma()
        n = len(space.start)
        stream = np.random.default_rng(seed_of(seed, "search"))
        # CMA-ES wants two dimensions: the second one of a single parameter is played by nobody
        start = [*space.start, 0.5] if n == 1 else list(space.start)
        options = {
            "bounds": [0, 1],
            "popsize": popsize,
            "randn": lambda *shape: stream.standard_normal(shape),
            "seed": float("nan"),  # it leaves the global stream of numpy alone
            "verbose": -9,
        }
        self._space = space
        self._strategy = cma.CMAEvolutionStrategy(start, sigma, options)
        self._asked: list[Any] = []

    def ask(self) -> list[list[float]]:
        """The points of the next generation."""
        self._asked = self._strategy.ask()
        return [[float(at) for at in point[: len(self._space.axes)]] for point in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """How well the points did, larger is better."""
        self._strategy.tell(self._asked, [-score for score in scores])

    @property
    def centre(self) -> dict[str, float]:
        """The values at the centre of the search."""
        return self._space.values(self._strategy.result.xfavorite[: len(self._space.axes)])


def import_cma() -> Any:
    """The package, which is an extra.  Raises MissingPackage."""
    try:
        import cma
    except ImportError:
        raise MissingPackage(f"tuning needs the package cma; install it with {INSTALL}") from None
    return cma
