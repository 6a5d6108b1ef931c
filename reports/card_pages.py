"""A block for each card: all its numbers by strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..statistics.minimum import GREY, NAMES
from .card_ranking import causal_text
from .card_texts import GAIN, GLORY, NUMBER, SHARE, q_text, texts, with_interval
from .section import NamedTable

if TYPE_CHECKING:
    from pandas import DataFrame

_KEYS = ["players", "strategy", "age", "card", "name", "kind", "god"]


def card_pages(draft: DataFrame, results: DataFrame, use: DataFrame, players: int) -> NamedTable:
    """One table whose rows the page folds into a block by card.

    draft, results, use : frames of card_frames.py; results with the causal columns
    """
    import pandas as pd

    kept = draft[[*_KEYS, "looks", "pick_rate", "pick_rate_low", "pick_rate_high", "ata"]]
    told = results[[*_KEYS, "clusters", "standing", "drafted", "passed", *_with_ends("win_drafted"), *_with_ends("win_passed"),
                    *_with_ends("iwd"), "q", "effect_share", "low_share", "high_share"]]  # fmt: skip
    done = use[[*_KEYS, "use_rate", "plays", "quest_success", "direct_glory", "glory_median"]]
    frame = told.merge(kept, "left", _KEYS).merge(done, "left", _KEYS)
    frame = frame.sort_values(["age", "name"], kind="stable", ignore_index=True)
    rows = [row for _, row in frame.iterrows()]
    shown = pd.DataFrame({
        "strategy": frame["strategy"].astype(str),
        "took / passed": [f"{row['drafted']:,} / {row['passed']:,}" for row in rows],
        "picked, % of looks": [with_interval(row, "pick_rate", SHARE) for row in rows],
        "round taken": texts(frame["ata"], NUMBER),
        f"win share × {players}, took it": [with_interval(row, "win_drafted", NUMBER) for row in rows],
        "passed it": [with_interval(row, "win_passed", NUMBER) for row in rows],
        "took less passed": [with_interval(row, "iwd", GAIN) for row in rows],
        "q": [q_text(value) for value in frame["q"]],
        "it causes": [causal_text(row) for row in rows],
        "used, %": texts(frame["use_rate"], SHARE),
        "quests fulfilled, %": texts(frame["quest_success"], SHARE),
        "direct glory, mean": texts(frame["direct_glory"], GLORY),
        "median": texts(frame["glory_median"], GLORY),
    })  # fmt: skip
    grey = np.zeros(shown.shape, bool)
    grey[(frame["standing"] == NAMES[GREY]).to_numpy(), 4:] = True
    groups = [f"Age {age}: {name}" for age, name in zip(frame["age"], frame["name"], strict=True)]
    reading = (
        "Open a card for its numbers by strategy. Empty cells have fewer than 100 players or 50 deals in the smaller group; grey "
        "ones fewer than 400 players. In the row of all, took less passed compares players of one strategy."
    )
    return NamedTable(
        f"cards_by_strategy_{players}p", f"Card by card, {players} players", frame, reading, shown, grey, groups=groups
    )


def _with_ends(name: str) -> list[str]:
    return [name, f"{name}_low", f"{name}_high"]
