"""Chance as keyed draws: every draw is a hash of (seed, deal, purpose, index) and depends on nothing else.

There is no running stream, so a draw more or less changes no other draw, and a game is the same alone, in any chunk and
on any machine.  The mixing function is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
"""

import numpy as np

from .jit import kernel, tool

PURPOSE_FIRST_PLAYER = 1
PURPOSE_TOKENS = 2
PURPOSE_RAGNAROK = 3
PURPOSE_DECK = 4  # + age
PURPOSE_SEATS = 8  # rotation of a game with random seats
PURPOSE_HIDDEN = 9  # hidden cards of an imagined state
PURPOSE_SAMPLE = 10  # which games of a run have their events written
PURPOSE_CHANGE = 11  # cards that an experiment picks, + age
PURPOSE_DECISION = 16  # + slot of the line-up
PURPOSE_PLUGIN = 32  # draws that a strategy makes from its own key

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_PURPOSE = np.uint64(0xD1342543DE82EF95)
_INDEX = np.uint64(0xDA942042E4DD58B5)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_SHIFT_30 = np.uint64(30)
_SHIFT_27 = np.uint64(27)
_SHIFT_31 = np.uint64(31)
_SHIFT_11 = np.uint64(11)
_SHIFT_33 = np.uint64(33)


@kernel
def mix(z):
    """Finaliser of splitmix64: uint64 -> uint64, a bijection."""
    z = (z ^ (z >> _SHIFT_30)) * _MIX_1
    z = (z ^ (z >> _SHIFT_27)) * _MIX_2
    return z ^ (z >> _SHIFT_31)


@kernel
def game_key(seed, deal):
    """uint64 key of all chance of one deal.  seed: uint64; deal: int >= 0."""
    return mix(mix(np.uint64(seed) + _GOLDEN) ^ (np.uint64(deal) * _GOLDEN + _ONE))


@tool
def draw(key, purpose, index):
    """uint64 draw number `index` (int >= 0) for `purpose` (PURPOSE_* id)."""
    return mix(mix(key ^ (np.uint64(purpose) * _PURPOSE + _ONE)) ^ (np.uint64(index) * _INDEX + _ONE))


@tool
def below(bits, n):
    """int in 0..n-1 from a uint64 draw; its bias is below n / 2**31."""
    return (np.int64(bits >> _SHIFT_33) * n) >> 31


@tool
def unit(bits):
    """float64 in [0, 1) from a uint64 draw."""
    return np.float64(np.int64(bits >> _SHIFT_11)) * (1.0 / 9007199254740992.0)


@kernel
def sort_by_draws(items, n, key, purpose):
    """Shuffle items[:n] in place by sorting on one draw per item, so that taking an item out moves no other.

    items: int16 array of distinct values >= 0, each its own index of a draw.
    """
    draws = np.empty(n, np.uint64)
    for position in range(n):
        item = items[position]
        bits = draw(key, purpose, item)
        hole = position
        while hole > 0 and draws[hole - 1] > bits:
            draws[hole] = draws[hole - 1]
            items[hole] = items[hole - 1]
            hole -= 1
        draws[hole] = bits
        items[hole] = item
