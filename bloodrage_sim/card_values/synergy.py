"""Synergy: what two cards are worth to one player beyond what each is worth alone, as a 2 by 2 of owning them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..batch import Watcher
from ..data import reader
from ..errors import BadValue
from ..experiments.cards import rows_of_card
from ..experiments.files import experiment_of
from ..experiments.running import run_experiments
from ..provenance import command_line
from .config import ValueConfig

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "card", "partner", "players", "strategy", "effect_share", "low_share", "high_share", "effect_glory", "low_glory", "high_glory", "blocks",
)  # fmt: skip


def synergy_of(config: ValueConfig, partner: str, out: Path | None, watcher: Watcher | None = None) -> pd.DataFrame | None:
    """A row for each card and strategy, None if it was interrupted.  Raises what run_experiments raises.

    effect_share : both - the one - the other + neither, in win share times the number of players; effect_glory likewise
    """
    import pandas as pd

    if not config.cards:
        raise BadValue("--with needs the other cards of the pairs; give some CARD")
    experiments = [experiment_of(_document(config, card, partner), f"synergy of {card} and {partner}") for card in config.cards]
    command = command_line(sys.argv[1:])
    outcome = run_experiments(experiments, config.ruleset, config.threads, out, command, watcher, config.engine)
    if outcome.interrupted:
        return None
    rows: list[dict[str, Any]] = []
    for finding, card in ((finding, finding.experiment.document["notes"]) for finding in outcome.findings):
        (pool,) = finding.pools
        share, (glory,) = pool.effect, pool.also
        n = config.players
        values = [n * share.value, n * share.low, n * share.high, glory.value, glory.low, glory.high, pool.blocks]
        rows.append(dict(zip(COLUMNS, [card, partner, n, finding.strength, *values], strict=True)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _document(config: ValueConfig, card: str, partner: str) -> Mapping[str, Any]:
    """The experiment of a pair."""
    first, second = (_deal(text) for text in (card, partner))
    focal, *more = dict.fromkeys(config.strategies)
    return {
        "id": f"synergy_{_plain(card)}_{_plain(partner)}",
        "claim": f"{card} and {partner} are worth more together",
        "players": [config.players],
        "seed": config.seed,
        "looks": [max(2, config.blocks)],
        "metric": "win_share",
        "also": ["glory"],
        "estimator": "interaction",
        "focal": focal,
        "strengths": more,
        "pools": [list(dict.fromkeys(config.strategies))[:4]],
        "arms": {"both": {"deal": [first, second]}, "a_only": {"deal": [first]}, "b_only": {"deal": [second]}, "neither": {}},
        "notes": card,
    }


def _deal(text: str) -> dict[str, Any]:
    rows = rows_of_card(text, "the cards")
    if len(rows) > 1:
        raise BadValue(f"{text} is a card of several ages; write {text}@1, {text}@2 or {text}@3")
    return {"card": text, "age": int(reader.card_rows()[rows[0]]["age"])}


def _plain(text: str) -> str:
    return text.replace("@", "_age_")


def lines_of(table: pd.DataFrame, players: int) -> list[str]:
    """The table as text."""
    lines = [f"{players} players; both - one - other + neither, win share times {players} and glory, with 95 % intervals"]
    for row in table.itertuples():
        lines.append(
            f"  {row.card} with {row.partner}, {row.strategy}: {row.effect_share:+.3f}, {row.low_share:+.3f} to {row.high_share:+.3f}; "
            f"glory {row.effect_glory:+.2f}, {row.low_glory:+.2f} to {row.high_glory:+.2f}; {row.blocks:,} blocks"
        )
    return lines
