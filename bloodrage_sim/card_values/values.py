"""What instances come to: the value of each card with intervals over deals, as a table.

    card, age, players   the card, the age in which it was drafted, the number of players
    strategy             whose card it was; '' for the whole mix
    measure              hold, use, deny or pick, see replaying.py
    effect_share         win share times the number of players, as it is less otherwise, with low_share and high_share
    effect_glory         final glory likewise, with low_glory and high_glory
    pairs, clusters      instances, and deals that they are from; a deal is what the 95 % intervals count
    rho                  correlation of final glory in both games
    diverged             share of instances in which some decision was another

`deny` is turned round: what the seat gains when the card that it passed on is gone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..data import reader
from ..rules.ids import N_CARD_ROWS
from ..statistics.moments import Moments
from ..statistics.ratios import ratio
from .config import DENY, MEASURES

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "card", "age", "players", "strategy", "measure", "effect_share", "low_share", "high_share", "effect_glory", "low_glory", "high_glory",
    "pairs", "clusters", "rho", "diverged",
)  # fmt: skip


def value_table(rows: np.ndarray, players: int, strategies: Sequence[str]) -> pd.DataFrame:
    """The table above.  rows : VALUE_ROW rows; strategies : text by slot."""
    import pandas as pd

    distinct = tuple(dict.fromkeys(strategies))
    strategy_of = np.array([distinct.index(text) for text in strategies])
    frames = [_cells(rows, players, "")]
    if len(distinct) > 1:
        frames += [_cells(rows[strategy_of[rows["slot"]] == number], players, text) for number, text in enumerate(distinct)]
    return pd.concat(frames, ignore_index=True)[list(COLUMNS)]


def _cells(rows: np.ndarray, players: int, strategy: str) -> pd.DataFrame:
    import pandas as pd

    sign = np.where(rows["measure"] == DENY, -1.0, 1.0)
    share = sign * players * (rows["share_as_it_is"] - rows["share_otherwise"].astype(float))
    glory = sign * (rows["glory_as_it_is"].astype(float) - rows["glory_otherwise"])
    cell = rows["measure"].astype(np.int64) * N_CARD_ROWS + rows["card"]
    moments = Moments.empty(("share", "glory", "diverged", "rows"), (len(MEASURES), N_CARD_ROWS))
    moments.add_parts(cell, rows["block"].astype(np.int64), np.stack([share, glory, rows["diverged"], np.ones(len(rows))], axis=1))
    by_share, by_glory = ratio(moments, ("share", "rows")), ratio(moments, ("glory", "rows"))
    diverged = ratio(moments, ("diverged", "rows"))
    found = []
    for measure, card in np.argwhere(moments.sum_of("rows") > 0):
        at = (measure, card)
        own = rows[cell == measure * N_CARD_ROWS + card]
        row = reader.card_rows()[card]
        found.append(
            {
                "card": row["id"],
                "age": int(row["age"]),
                "players": players,
                "strategy": strategy,
                "measure": MEASURES[measure],
                "effect_share": by_share.value[at],
                "low_share": by_share.low[at],
                "high_share": by_share.high[at],
                "effect_glory": by_glory.value[at],
                "low_glory": by_glory.low[at],
                "high_glory": by_glory.high[at],
                "pairs": len(own),
                "clusters": int(by_share.clusters[at]),
                "rho": _correlation(own["glory_as_it_is"].astype(float), own["glory_otherwise"].astype(float)),
                "diverged": diverged.value[at],
            }
        )
    return pd.DataFrame(found, columns=list(COLUMNS))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    if len(one) < 2 or one.std() == 0 or other.std() == 0:
        return math.nan
    return float(np.corrcoef(one, other)[0, 1])


def lines_of(table: pd.DataFrame, players: int) -> list[str]:
    """The values over the whole mix as text, best first by what owning is worth."""
    whole = table[table["strategy"] == ""]
    lines = [
        f"{players} players; win share times {players} (1.00 is fair) and glory, with 95 % intervals over deals",
        f"  {'card':<20} {'age':>3}  {'measure':<7} {'win share':>9}  {'interval':<16} {'glory':>7}  {'interval':<16} {'pairs':>7}  diverged",
    ]
    order = {card: number for number, card in enumerate(whole[whole["measure"] == "hold"].sort_values("effect_share")["card"][::-1])}
    ranked = whole.assign(rank=[order.get(card, len(order)) for card in whole["card"]])
    for row in ranked.sort_values(["rank", "age"], kind="stable").itertuples():
        lines.append(
            f"  {row.card:<20} {row.age:>3}  {row.measure:<7} {row.effect_share:>+9.3f}  {_interval(row.low_share, row.high_share, 3):<16} "
            f"{row.effect_glory:>+7.2f}  {_interval(row.low_glory, row.high_glory, 2):<16} {row.pairs:>7,}  {100 * row.diverged:.0f} %"
        )
    return lines


def _interval(low: float, high: float, digits: int) -> str:
    return "-" if math.isnan(low) else f"{low:+.{digits}f} to {high:+.{digits}f}"
