"""Records copied as the bytes that they are, which is twenty times as fast as numpy's own way, field by field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def bytes_of(rows: np.ndarray) -> np.ndarray:
    """uint8 array of records that lie one behind the other; shares their memory."""
    return rows.view(np.ndarray).view(np.uint8)


def copied(rows: np.ndarray) -> np.ndarray:
    """A copy of a one-dimensional array of records."""
    return bytes_of(rows).copy().view(rows.dtype).view(type(rows))


def joined(pieces: Sequence[np.ndarray]) -> np.ndarray:
    """Records of one or more arrays of the same type in a new one."""
    return np.concatenate([bytes_of(piece) for piece in pieces]).view(pieces[0].dtype).view(type(pieces[0]))


def lay(target: np.ndarray, rows: np.ndarray) -> None:
    """Overwrite the first records of an array."""
    bytes_of(target[: len(rows)])[:] = bytes_of(rows)
