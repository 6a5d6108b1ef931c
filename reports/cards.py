"""The section on cards: which to pick, how they are drafted, what their owners win, what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..rows.tables_out import DEALS
from . import card_outcomes, draft_counts
from .card_frames import CardTables
from .card_map import card_map
from .card_outcomes import CardOutcomes
from .card_pages import card_pages
from .card_ranking import answers, ranked, ranking_table
from .card_texts import GAIN, GLORY, NUMBER, SHARE, table_of
from .card_values import best_measure, read_card_values, values_of
from .draft_counts import DraftCounts
from .draft_flow import draft_flow
from .drawing import caption_of
from .dumbbell import dumbbell
from .section import NamedFigure, NamedTable, SectionResult
from .strata import Strata

if TYPE_CHECKING:
    from pandas import DataFrame

    from .source import PartRows, Source

USUAL_PLAYERS = 4  # told first where a run has several numbers of players
_HONEST = (
    "What winners hold is not what makes them win. Players choose cards for a reason: those who are ahead, or whose strategy wants "
    "the card, win more or less whatever it does. So every observed number below says who drafts a card, not what it does. What a "
    "card causes is found by playing the same games with and without it; where that was measured it stands beside."
)
_NO_GLORY = (
    "Direct glory is what the ledger books on the card itself for its drafter. Cards that give rage, strength, tempo or denial have "
    "none and may still be the best."
)
_BLANK = "Cells with fewer than 100 rows or 50 deals are empty, those with fewer than 400 rows are grey."


class Cards:
    """Section on cards."""

    name = "cards"
    title = "Cards"
    tables: ClassVar = {**card_outcomes.COLUMNS, DEALS.name: draft_counts.COLUMNS}

    def __init__(self, source: Source) -> None:
        """Raises BadFile for values of cards that cannot be read."""
        copies = source.cards
        self._card_of = copies["number"].to_numpy(np.int64)
        self._size = int(self._card_of.max()) + 1
        self._strata = Strata.of(source)
        self._values = None if source.card_values is None else read_card_values(source.card_values)
        cards = copies.drop_duplicates("number").set_index("number")[["card", "age", "name", "name_pl", "kind", "god"]]
        if source.filters.ages:
            cards = cards[cards["age"].isin(source.filters.ages)]
        if source.lang == "pl":
            cards["name"] = cards["name_pl"].where(cards["name_pl"] != "", cards["name"])
        self._cards = cards.drop(columns="name_pl")
        self._counts: dict[int, tuple[DraftCounts, CardOutcomes]] = {}

    def add(self, part: PartRows) -> None:
        """Count a part."""
        if part.players not in self._counts:
            strata, card_of, size = self._strata, self._card_of, self._size
            self._counts[part.players] = DraftCounts(strata, card_of, size), CardOutcomes(strata, card_of, size)
        for counts in self._counts[part.players]:
            counts.add(part)

    def result(self, source: Source) -> SectionResult:
        """Tables and figures, the usual number of players first."""
        order = sorted(self._counts, key=lambda players: (players != USUAL_PLAYERS, players))
        lead, first, items = [_HONEST], [], []
        for players in order:
            one = _OneCount(CardTables(players, self._strata, self._cards, *self._counts[players]), self._values, source)
            best = ranked(one.joint)
            if players == order[0]:
                lead += answers(best, players)
            first.append(ranking_table(best, players, one.measure))
            items += list(one.items())
        return SectionResult(lead, (), [*first, *items])


class _OneCount:
    """Everything on cards with one number of players.

    Attributes
    ----------
    tables : CardTables
    measure : of the causal values that stand beside the observed ones, '' for none
    results : results with what the cards cause in effect_share, low_share, high_share and pairs, nan where not measured
    joint : results of all players with draft metrics
    """

    def __init__(self, tables: CardTables, values: DataFrame | None, source: Source) -> None:
        self.tables, self._source = tables, source
        self.measure = "" if values is None else best_measure(values, tables.players)
        self.results = self._with_values(tables.results, values)
        everyone = tables.strata.names[0]
        draft = tables.draft[tables.draft["strategy"] == everyone]
        rates = ["looks", "pick_rate", "pick_rate_low", "pick_rate_high", "take_rate", "ata"]
        mine = self.results[self.results["strategy"] == everyone]
        self.joint = mine.merge(draft[["card", "age", *rates]], "left", ["card", "age"])

    def items(self) -> Iterator[NamedTable | NamedFigure]:
        """Figures, then the tables that a page folds away."""
        yield from self._figures()
        yield from self._tables()

    def _with_values(self, results: DataFrame, values: DataFrame | None) -> DataFrame:
        columns = ["effect_share", "low_share", "high_share", "pairs"]
        if values is None or not self.measure:
            return results.assign(**dict.fromkeys(columns, np.nan))
        parts = []
        for strategy, rows in results.groupby("strategy", sort=False):
            of = "" if strategy == self.tables.strata.names[0] else str(strategy)
            parts.append(rows.join(values_of(values, self.tables.players, self.measure, of)[columns], ["card", "age"]))
        import pandas as pd

        return pd.concat(parts, ignore_index=True)

    def _figures(self) -> Iterator[NamedFigure]:
        players, caption = self.tables.players, caption_of(self._source, self.tables.players)
        causal = self.joint["effect_share"].notna().any()
        mapped = self.joint.rename(columns={"low_share": "effect_share_low", "high_share": "effect_share_high"})
        if mapped["take_rate"].notna().any():
            worth = "effect_share" if causal else "iwd"
            what = (
                "what the card causes"
                if causal
                else "observed: those who took it less those of the same strategy who passed"
            )
            yield NamedFigure(
                f"card_map_{players}p", f"Card map, {players} players", card_map(mapped, players, worth),
                f"Right: most drafters who see the card take it. Up: its owners win more ({what}). Bars are 95 % intervals; dotted "
                "lines are medians. Named are cards that stand out after correction for all cards, and the ends of the ranking.",
                caption,
            )  # fmt: skip
        everyone = self.tables.strata.names[0]
        for age, rows in self.tables.draft[self.tables.draft["strategy"] == everyone].groupby("age"):
            yield NamedFigure(
                f"draft_age_{age}_{players}p", f"Draft of age {age}, {players} players", draft_flow(rows),
                "Left: of all looks at a copy, the share that ended with taking it; n is the number of looks. Right: of all copies "
                "dealt, the share taken in each round; left: never taken. Early and dark is wanted.",
                caption,
            )  # fmt: skip
        if causal:
            measured = mapped[mapped["effect_share"].notna() & mapped["iwd"].notna()]
            for age, rows in measured.groupby("age"):
                yield NamedFigure(
                    f"observed_causal_age_{age}_{players}p", f"Observed and causal value of cards of age {age}, {players} players",
                    dumbbell(rows, players),
                    "A long bar between the dots is selection: who drafts the card, not what it does. Whiskers are 95 % intervals.",
                    caption,
                )  # fmt: skip

    def _tables(self) -> Iterator[NamedTable]:
        tables, players, everyone = self.tables, self.tables.players, self.tables.strata.names[0]
        if len(tables.draft):
            yield table_of(
                f"cards_draft_{players}p", f"Draft, {players} players", tables.draft,
                "Looks: a player sees a copy in a round. Take rate: of drafters who saw it, those who ended with it. Round taken "
                "counts taken copies only, so read it beside left over. Last seen: mean last round in which a player saw it. Wheel: "
                f"came back to a player who had passed it. Lift: pick rate over that of a random pick. {_BLANK}",
                ("age", "name", "kind"), {"looks": "looks", "taken": "taken"},
                {"pick_rate": ("pick rate per look, %", SHARE), "take_rate": ("take rate, %", SHARE)},
                {"first_rate": ("first pick, %", SHARE), "ata": ("round taken", NUMBER), "dump_rate": ("left over, %", SHARE),
                 "alsa": ("last seen", NUMBER), "wheel_rate": ("wheel, %", SHARE), "lift": ("lift", NUMBER)},
                everyone,
            )  # fmt: skip
        yield table_of(
            f"cards_results_{players}p", f"Results, {players} players", self.results,
            f"Win share × {players}: 1 is fair. Took less passed: among players of one strategy who saw the card; mixed: without regard "
            "to strategies; others: less all who did not draft it. q: share of false alarms expected if all cards up to this one are "
            f"called, over all cards of the table. {_BLANK}",
            ("age", "name", "kind"), {"drafted": "took", "passed": "passed"},
            {"win_drafted": ("took", NUMBER), "win_passed": ("passed", NUMBER), "iwd": ("took less passed", GAIN)},
            {"q": ("q", None), "q_by": ("q, any dependence", None), "effect_share": ("it causes", GAIN), "iwd_mixed": ("mixed", GAIN),
             "iwd_others": ("others", GAIN), "win_used": ("used it", NUMBER), "win_unused": ("did not use it", NUMBER),
             "glory_gain": ("glory, took less passed", GLORY)},
            everyone,
        )  # fmt: skip
        yield table_of(
            f"cards_use_{players}p", f"Use, {players} players", tables.use,
            f"Of drafted copies. Uses: battle cards that lose come back and are used again. {_NO_GLORY} {_BLANK}",
            ("age", "name", "kind"), {"copies": "copies"},
            {"use_rate": ("used, %", SHARE), "quest_success": ("quests fulfilled, %", SHARE),
             "replaced_rate": ("upgrades replaced, %", SHARE), "direct_glory": ("direct glory, mean", GLORY)},
            {"glory_median": ("median", GLORY), "glory_p90": ("90 % have at most", GLORY), "no_glory": ("without glory, %", SHARE),
             "plays": ("uses", NUMBER), "dead_rate": ("never used, %", SHARE)},
            everyone,
        )  # fmt: skip
        yield card_pages(tables.draft, self.results, tables.use, players)
