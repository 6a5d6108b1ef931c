"""What becomes of the cards that are revealed in battles, counted from the table `plays`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..rows.tables_out import FATES
from ..statistics.ratios import ratio, share
from .frames import estimate_frame
from .tallies import Counts, Tally, strata_told

if TYPE_CHECKING:
    from pandas import DataFrame

    from .source import PartRows

# what is told of a revealed card: fates of the table `plays`
ENDS = {
    "won": ("battle_won", "battle_kept", "battle_stolen"),
    "lost": ("battle_lost",),
    "watch": ("battle_watch",),
    "bought_back": ("battle_kept",),
    "stolen": ("battle_stolen",),
}
_REVEALED = np.array([fate.startswith("battle_") for fate in FATES])
_OF_END = np.array([[fate in fates for fate in FATES] for fates in ENDS.values()])


class BattleCards:
    """Reveals of each battle card and how the battles ended for their players.

    Any card may be revealed; quests and upgrades, which add nothing then, are counted together.

    Attributes
    ----------
    labels : of the cells: number and name of each card of the run's decks by age, then 'any quest' and 'any upgrade'
    tally : reveals and their ends by cell
    """

    columns = ("seat", "copy", "fate")

    def __init__(self, copies: DataFrame, lang: str = "en") -> None:
        """copies : the table `cards` of a data set, row number is the copy; lang : of the names, 'en' or 'pl'."""
        battle = copies[copies["kind"] == "battle"]
        cards = battle.drop_duplicates("number").sort_values("number")
        names = cards["name_pl"].where(cards["name_pl"] != "", cards["name"]) if lang == "pl" else cards["name"]
        self.labels = [*zip(names, cards["age"].astype(int), strict=True), ("any quest", 0), ("any upgrade", 0)]
        numbers = cards["number"].to_numpy()
        other = np.where(copies["kind"] == "quest", len(numbers), len(numbers) + 1)
        self._cell_of = np.where(copies["kind"] == "battle", np.searchsorted(numbers, copies["number"].to_numpy()), other)
        self.tally = Tally(("players", "revealed", *ENDS), (len(self.labels),))

    def add(self, part: PartRows) -> None:
        """Count the reveals of a part."""
        rows = part.rows["plays"]
        rows = rows[_REVEALED[rows["fate"]]]
        counts = Counts(self.tally, part)
        ends = {name: _OF_END[at][rows["fate"]] for at, name in enumerate(ENDS)}
        player = (rows["game"] - part.first_game) * part.players + rows["seat"]
        counts.of_players(player, self._cell_of[rows["copy"]], {"revealed": 1, **ends})
        counts.each_player("players")
        self.tally.add(counts)

    def frame(self, players: int, strategies: tuple[str, ...], ages: tuple[int, ...]) -> DataFrame:
        """One row by stratum and card that was revealed; quests and upgrades at age 0."""
        moments = self.tally.moments[players]
        measures = {name: share(moments, (name, "revealed")) for name in ENDS}
        measures["revealed_by_player"] = ratio(moments, ("revealed", "players"))
        told = strata_told(moments, strategies, "players")
        frame = estimate_frame(players, told, {"card": self.labels}, measures, "revealed")
        label = frame.pop("card")
        frame.insert(2, "card", [name for name, _ in label])
        frame.insert(3, "age", [age for _, age in label])
        kept = (frame["revealed"] > 0) & frame["age"].isin((0, *ages))
        return frame[kept].reset_index(drop=True)
