"""The first thing people ask of cards: which to pick first at an age, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .card_texts import GAIN, SHARE, q_text, with_interval
from .card_values import COMMAND, MEASURES
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame, Series

TOP = 5  # cards of an age that are listed
_SURE = 1.96  # standard errors by which two cards differ if they can be told apart


def ranked(cards: DataFrame) -> DataFrame:
    """Cards of all players in one number of players, best first within each age; those without a value are left out.

    The order is that of what the card causes, in ages where that was measured for TOP cards or more, else that of the
    improvement when drafted among players of one strategy, drawn towards the mean of the age by as much as it is uncertain.

    cards : results with pick_rate and, where measured, effect_share; see Cards.joint
    Returns the same columns with rank, from 1, by ('causal' or 'observed') and level: whether the card cannot be told from
    the first one, taking the cards as independent
    """
    parts = []
    for _, rows in cards.groupby("age"):
        causal = rows["effect_share"].notna().sum() >= TOP
        value = rows["effect_share"] if causal else rows["iwd_shrunk"]
        se = (rows["high_share"] - rows["low_share"]) / (2 * _SURE) if causal else rows["iwd_shrunk_se"]
        order = value.dropna().sort_values(ascending=False, kind="stable").index
        part = rows.loc[order].assign(rank=np.arange(1, len(order) + 1), by="causal" if causal else "observed")
        if len(order):
            first = order[0]
            part["level"] = value[first] - value[order] < _SURE * np.hypot(se[first], se[order])
        parts.append(part)
    import pandas as pd

    return pd.concat(parts, ignore_index=True) if parts else cards.assign(rank=0, by="", level=False)


def answers(cards: DataFrame, players: int) -> list[str]:
    """A sentence for each age: what to pick first and how sure that is.  cards : of `ranked`."""
    sentences = []
    for age, rows in cards.groupby("age"):
        best = rows.iloc[0]
        level = rows["name"][1:][rows["level"][1:].astype(bool)].tolist()
        others = ", ".join(level[:3]) + (f" and {len(level) - 3} more" if len(level) > 3 else "")
        text = f"Age {age}, {players} players: pick {best['name']} first. {_evidence(best, players)}"
        sentences.append(f"{text} Cannot be told from it: {others}." if level else f"{text} No other card comes near.")
    return sentences


def _evidence(row: Series, players: int) -> str:
    if row["by"] == "causal":
        ends = f"({row['low_share']:+.2f} to {row['high_share']:+.2f})"
        return f"In the same games with and without it, it adds {row['effect_share']:+.2f} {ends} to win share × {players}."
    sure = "sure" if row["flag"] > 0 else "not sure: it may be chance or too small to matter"
    return (
        f"Those who took it won {with_interval(row, 'iwd', GAIN)} more of a fair share than players of the same strategy who saw it "
        f"and passed ({row['drafted']:,} took it, {row['passed']:,} passed, q {q_text(row['q'])}; {sure})."
    )


def ranking_table(cards: DataFrame, players: int, measure: str) -> NamedTable:
    """The first TOP cards of each age.  cards : of `ranked`; measure : of the causal values, '' if there are none."""
    import pandas as pd

    top = cards[cards["rank"] <= TOP]
    rows = [row for _, row in top.iterrows()]
    gain = f"win share × {players}: took less passed"
    shown = pd.DataFrame({
        "age": [str(row["age"]) for row in rows],
        "pick": [f"{row['rank']}." for row in rows],
        "card": [_unbroken(row["name"]) for row in rows],
        gain: [with_interval(row, "iwd", GAIN) for row in rows],
        "it causes": [_unbroken(causal_text(row)) for row in rows],
        "how sure": [_how_sure(row) for row in rows],
        "picked, % of looks": [with_interval(row, "pick_rate", SHARE) for row in rows],
        "took / passed": [_unbroken(f"{row['drafted']:,} / {row['passed']:,}") for row in rows],
        "q": [_unbroken(q_text(row["q"])) for row in rows],
    })  # fmt: skip
    causes = (
        f"It causes: {MEASURES[measure]}, in the same games."
        if measure
        else f"It causes: measure it with {COMMAND} --players {players} --out DIR, then report with --card-values DIR."
    )
    reading = (
        f"1 is a fair share of wins. Took less passed: players who took the card less players of the same strategy who saw it and "
        f"passed; 95 % intervals by deal. Ranked by {_ranked_by(top)}. Level: cannot be told from the first. Sure, likely: by q, over "
        f"all cards, of 5 % at most, for any or mild dependence of the tests; unsure: may be chance or too small. {causes}"
    )
    return NamedTable(f"cards_first_{players}p", f"What to pick first with {players} players", cards, reading, shown)


def causal_text(row: Series) -> str:
    """What a card causes with its interval, or that it is not measured."""
    if np.isnan(row["effect_share"]):
        return "not measured"
    return f"{row['effect_share']:+.2f} ({row['low_share']:+.2f} to {row['high_share']:+.2f})"


def _ranked_by(top: DataFrame) -> str:
    if (top["by"] == "causal").any():
        return "what the card causes where that was measured, else by took less passed"
    return "this number, drawn to the mean of the age by as much as it is uncertain"


def _how_sure(row: Series) -> str:
    """In a few words: its place against the first card, and whether the number that ranks it can be chance."""
    place = "first" if row["rank"] == 1 else "level" if row["level"] else "behind"
    if row["by"] == "causal":
        return _unbroken(f"{place}, {'sure' if row['low_share'] > 0 or row['high_share'] < 0 else 'unsure'}")
    return _unbroken(f"{place}, {'unsure' if row['flag'] == 0 else 'sure' if row['robust'] else 'likely'}")


def _unbroken(text: str) -> str:
    """With blanks at which a line does not end, so that a row of the table stays a line."""
    return text.replace(" ", "\u00a0")
