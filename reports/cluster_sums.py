"""Adds the sums of whole clusters to Moments as `Moments.add` does, compiled: most cells of a deal are empty."""

from __future__ import annotations

import numpy as np

from ..rules.jit import entry
from ..statistics.moments import Moments

BLOCK = 32  # deals that are added up at once: their sums stay in the processor's cache


@entry
def _add(sums, total, cross, clusters):
    variables = sums.shape[2]
    for cluster in range(sums.shape[0]):
        for cell in range(sums.shape[1]):
            for one in range(variables):
                value = sums[cluster, cell, one]
                if value != 0:
                    total[cell, one] += value
                    clusters[cell, one] += 1
                    for other in range(variables):  # also below the diagonal: whole rows are faster
                        cross[cell, one, other] += value * sums[cluster, cell, other]


def add_clusters(moments: Moments, sums: np.ndarray) -> None:
    """Add whole clusters.

    sums : float64 (clusters, cells, D), contiguous, the cells in C order of `moments.shape`
    """
    _add(sums, moments.total, moments.cross, moments.clusters)


def deal_blocks(deal: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Deals and games of a part in blocks of BLOCK deals.

    deal : as PartRows.deal
    Returns (first deal, deal behind the last, first game, game behind the last), games as places in the part
    """
    firsts = np.arange(0, deal[-1] + 1, BLOCK)
    stops = np.minimum(firsts + BLOCK, deal[-1] + 1)
    games = np.searchsorted(deal, np.append(firsts, deal[-1] + 1))
    return list(zip(firsts.tolist(), stops.tolist(), games[:-1].tolist(), games[1:].tolist(), strict=True))
