"""Win share and glory by strategy and by seat, with intervals over deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

COLUMNS = ("deal", "seat", "strategy", "win_share", "glory")
# 97.5 % points of Student's t for 1, 2, ... degrees of freedom; beyond, a series in 1/df is exact to four digits
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
_Z = 1.959964


def t_quantile(df: int) -> float:
    """97.5 % point of Student's t with `df` >= 1 degrees of freedom."""
    if df <= len(_T):
        return _T[df - 1]
    series = (
        _Z,
        (_Z**3 + _Z) / 4,
        (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96,
        (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384,
    )
    return sum(term / df**power for power, term in enumerate(series))


@dataclass(frozen=True)
class Share:
    """Results of a strategy or a seat.

    Attributes
    ----------
    name : strategy, or 'seat 0' ...
    share : mean win share
    half_width : of its 95 % interval, clustered by deal; nan with fewer than two deals
    glory : mean final glory
    players : number of players it is the mean of
    deals : number of deals
    """

    name: str
    share: float
    half_width: float
    glory: float
    players: int
    deals: int


class Summary:
    """Adds up rows of the players table of one number of players, in the order of games.

    The win share of a group is sum(a) / sum(b), where a is the win share that the group has in a deal and b its number
    of players there; its standard error treats deals as independent and games of one deal as not.  With equally large
    deals that is the t-interval on the means of deals.
    """

    def __init__(self, players: int, strategies: Sequence[str]) -> None:
        self.players = players
        self.names = [*strategies, *(f"seat {seat}" for seat in range(players))]
        self.n_strategies = len(strategies)
        self.games = 0
        n = len(self.names)
        self._sums = np.zeros((5, n))  # of a, b, a*a, a*b, b*b over deals
        self._deals = np.zeros(n, np.int64)
        self._glory = np.zeros(n)
        self._last_deal = -1
        self._open = np.zeros((2, n))  # a and b of the deal that may go on

    def add(self, rows: np.ndarray) -> None:
        """Add rows with at least COLUMNS."""
        if len(rows) == 0:
            return
        n = len(self.names)
        self.games += len(rows) // self.players
        deal = rows["deal"]
        block = np.concatenate([[0], np.cumsum(deal[1:] != deal[:-1])])
        sums = np.zeros((2, (int(block[-1]) + 1) * n))
        for group in (rows["strategy"].astype(np.int64), self.n_strategies + rows["seat"].astype(np.int64)):
            cell = block * n + group
            sums[0] += np.bincount(cell, rows["win_share"], sums.shape[1])
            sums[1] += np.bincount(cell, minlength=sums.shape[1])
            self._glory += np.bincount(group, rows["glory"], n)
        sums = sums.reshape(2, -1, n)
        if deal[0] == self._last_deal:
            sums[:, 0] += self._open
        else:
            self._close(self._open[:, None])
        self._close(sums[:, :-1])
        self._open = sums[:, -1].copy()
        self._last_deal = int(deal[-1])

    def _close(self, sums: np.ndarray) -> None:
        """Add whole deals; sums: a and b by deal and group."""
        a, b = sums
        self._sums += np.array([a.sum(0), b.sum(0), (a * a).sum(0), (a * b).sum(0), (b * b).sum(0)])
        self._deals += (b > 0).sum(0)

    def shares(self) -> list[Share]:
        """Results of each strategy, then of each seat."""
        self._close(self._open[:, None])
        self._open[:] = 0
        self._last_deal = -1
        return [self._share(group) for group in range(len(self.names)) if self._sums[1, group] > 0]

    def _share(self, group: int) -> Share:
        a, b, aa, ab, bb = self._sums[:, group]
        share, deals = a / b, int(self._deals[group])
        half_width = math.nan
        if deals > 1:
            variance = deals / (deals - 1) * max(0.0, aa - 2 * share * ab + share * share * bb) / b**2
            half_width = t_quantile(deals - 1) * math.sqrt(variance)
        return Share(self.names[group], share, half_width, self._glory[group] / b, int(b), deals)

    def lines(self) -> list[str]:
        """The results as a table."""
        shares = self.shares()
        if not shares:
            return []
        deals = max(share.deals for share in shares)
        width = max(len(share.name) for share in shares)
        fair = f"a fair win share is {100 / self.players:.1f} %"
        title = f"{self.players} players, {self.games:,} games in {deals:,} deals; {fair}"
        lines = [title, f"  {'':{width}}  win share  95 % interval   mean glory   players"]
        for share in shares:
            interval = "-" if math.isnan(share.half_width) else f"{_percent(share, -1)} to {_percent(share, 1)}"
            numbers = f"{100 * share.share:7.2f} %  {interval:>14}  {share.glory:10.2f}  {share.players:9,}"
            lines.append(f"  {share.name:{width}}  {numbers}")
        return lines


def _percent(share: Share, sign: int) -> str:
    return f"{100 * min(1.0, max(0.0, share.share + sign * share.half_width)):.2f}"
