"""Running sums over clusters: all that cluster-robust errors need, gathered in one pass over any number of rows.

For each cell and cluster there is a vector x of sums over the cluster's rows, such as (rows, win shares).  Kept are, over
clusters, the sums of x and of x x^T and the number of clusters with each variable nonzero.  The error of a ratio, of
a contrast and of a paired difference follow from these alone (ratios.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np


@dataclass(eq=False)
class Moments:
    """Sums over clusters, which are added to in place; kernels may fill the three arrays themselves.

    Cells must not be added up to coarser ones: a cluster that is in two of them would count as two.  Give the coarser
    cells places of their own.

    Attributes
    ----------
    names : the D variables
    shape : of the cells, as results have it
    total : float64 (cells, D), sum of x; the cells in C order, so cells = prod(shape)
    cross : float64 (cells, D, D), sum of x x^T, symmetric
    clusters : int64 (cells, D), number of clusters in which the variable is not 0
    """

    names: tuple[str, ...]
    shape: tuple[int, ...]
    total: np.ndarray
    cross: np.ndarray
    clusters: np.ndarray

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise ValueError(f"variables {self.names} have a name twice")
        cells, variables = prod(self.shape), len(self.names)
        shapes = ((cells, variables), (cells, variables, variables), (cells, variables))
        for name, shape in zip(("total", "cross", "clusters"), shapes, strict=True):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} has shape {getattr(self, name).shape}; {cells} cells need {shape}")

    @classmethod
    def empty(cls, names: Sequence[str], shape: Sequence[int]) -> Moments:
        """No clusters yet."""
        cells, variables = prod(shape), len(names)
        total, cross = np.zeros((cells, variables)), np.zeros((cells, variables, variables))
        return cls(tuple(names), tuple(shape), total, cross, np.zeros((cells, variables), np.int64))

    def add(self, sums: np.ndarray) -> None:
        """Add whole clusters.

        sums : float64 (clusters, *shape, D)
        """
        if sums.shape[1:] != (*self.shape, len(self.names)):
            raise ValueError(f"sums have shape {sums.shape}; expected (clusters, {(*self.shape, len(self.names))})")
        sums = sums.reshape(len(sums), *self.total.shape)
        self.total += sums.sum(0)
        self.cross += sums.transpose(1, 2, 0) @ sums.transpose(1, 0, 2)
        self.clusters += np.count_nonzero(sums, axis=0)

    def add_parts(self, cell: np.ndarray, cluster: np.ndarray, values: np.ndarray) -> None:
        """Add whole clusters given in parts, such as rows; parts of one cell and cluster are added up first.

        A cluster must come whole in one call.  Calls do not know each other: the same number in two calls is two clusters.

        Parameters
        ----------
        cell : int (parts,), place in `total`
        cluster : int (parts,), any numbers
        values : float64 (parts, D)
        """
        cells, variables = self.total.shape
        if len(cell) == 0:
            return
        if cell.min() < 0 or cell.max() >= cells:
            raise ValueError(f"cells {cell.min()} to {cell.max()} were given; there are 0 to {cells - 1}")
        if values.shape != (len(cell), variables) or len(cluster) != len(cell):
            raise ValueError(f"{len(cell)} cells, {len(cluster)} clusters and values of shape {values.shape} do not fit")
        order = np.lexsort((cluster, cell))
        cell, cluster = cell[order], cluster[order]
        starts = np.flatnonzero(np.concatenate([[True], (cell[1:] != cell[:-1]) | (cluster[1:] != cluster[:-1])]))
        sums, cell = np.add.reduceat(values[order].astype(float), starts, axis=0), cell[starts]
        for one in range(variables):
            self.total[:, one] += np.bincount(cell, sums[:, one], cells)
            self.clusters[:, one] += np.bincount(cell[sums[:, one] != 0], minlength=cells)
            for other in range(one, variables):
                products = np.bincount(cell, sums[:, one] * sums[:, other], cells)
                self.cross[:, one, other] += products
                if other != one:
                    self.cross[:, other, one] += products

    def merged(self, other: Moments) -> Moments:
        """Of the clusters of both, which must be different clusters."""
        if (self.names, self.shape) != (other.names, other.shape):
            raise ValueError(f"{self.names} in {self.shape} cells do not fit {other.names} in {other.shape}")
        total, cross = self.total + other.total, self.cross + other.cross
        return Moments(self.names, self.shape, total, cross, self.clusters + other.clusters)

    def place(self, name: str) -> int:
        """Place of a variable in the arrays."""
        if name not in self.names:
            raise ValueError(f"no variable {name!r}; there are {', '.join(self.names)}")
        return self.names.index(name)

    def sum_of(self, name: str) -> np.ndarray:
        """float64 of `shape`: sum of a variable over all clusters."""
        return self.total[:, self.place(name)].reshape(self.shape)

    def clusters_with(self, name: str) -> np.ndarray:
        """int64 of `shape`: number of clusters in which a variable is not 0."""
        return self.clusters[:, self.place(name)].reshape(self.shape)
