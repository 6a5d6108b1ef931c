"""The section on battles: who fights, who wins by how much, and which cards are revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ..rules.ids import N_AGES
from ..statistics.ratios import contrast, ratio, share
from .battle_cards import BattleCards
from .battle_figures import card_figures, contest_figures, role_figures
from .frames import estimate_frame, joined, table_of
from .fray import fray_of
from .section import SectionResult
from .tallies import Counts, Tally, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .section import NamedTable
    from .source import PartRows, Source

AGES = ("all", *range(1, N_AGES + 1))  # cells of all ages together come first
ROLES = ("any", "pillager", "joiner")


class Battles:
    """Fights by role, pillages by who defends, both by age."""

    name = "battles"
    title = "Battles"
    tables: ClassVar[dict[str, Sequence[str]]] = {
        "battles": ("battle", "age", "seat", "pillager", "total", "won"),
        "board": ("age", "seat", "pillages"),
        "plays": BattleCards.columns,
    }

    def __init__(self, source: Source) -> None:
        self.cards = BattleCards(source.cards, source.lang)
        names = ("players", "fights", "won", "fair", "undecided", "total", "lead")
        self.fights = Tally(names, (len(AGES), len(ROLES)))
        names = ("players", "pillages", "attempts", "contested", "participants", "won", "undecided", "margin")
        self.pillages = Tally(names, (len(AGES),))

    def add(self, part: PartRows) -> None:
        rows = part.rows["battles"]
        fray = fray_of(part.game_of("battles"), rows)
        player = part.player_row_of("battles")
        age, pillager = rows["age"].astype(np.int64), rows["pillager"] == 1

        counts = Counts(self.fights, part)
        cell = age * len(ROLES) + np.where(pillager, ROLES.index("pillager"), ROLES.index("joiner"))
        values = {
            "won": rows["won"],
            "fair": 1 / fray.size,
            "undecided": ~fray.decided,
            "total": rows["total"],
            "lead": fray.lead,
        }
        counts.of_players(player, cell, {"fights": 1, **values})
        for name in ("fights", *values):
            sums = counts.of(name)
            sums[..., 0] = sums.sum(-1)  # any role
            sums[..., 0, :] = sums.sum(-2)  # all ages
        counts.each_player("players")
        self.fights.add(counts)

        counts = Counts(self.pillages, part)
        board = part.rows["board"][part.rows["board"]["pillages"] > 0]
        holder = part.player_row_of("board")[part.rows["board"]["pillages"] > 0]
        counts.of_players(holder, board["age"].astype(np.int64), {"pillages": board["pillages"]})
        values = {
            "participants": fray.size[pillager],
            "won": rows["won"][pillager],
            "undecided": ~fray.decided[pillager],
            "margin": fray.margin[pillager],
        }
        counts.of_players(player[pillager], age[pillager], {"contested": 1, **values})
        for name in ("pillages", "contested", *values):
            sums = counts.of(name)
            sums[..., 0] = sums.sum(-1)  # all ages
        # a battle that the pillager wins is a pillage that succeeds
        counts.of("attempts")[:] = counts.of("pillages") - counts.of("won") + counts.of("contested")
        counts.each_player("players")
        self.pillages.add(counts)
        self.cards.add(part)

    def result(self, source: Source) -> SectionResult:
        ages = source.filters.ages or AGES[1:]
        shown = (*(() if source.filters.ages else AGES[:1]), *ages)
        fights = joined(self._fights(players, source.strategies, shown) for players in source.players)
        pillages = joined(self._pillages(players, source.strategies, shown) for players in source.players)
        cards = joined(self.cards.frame(players, source.strategies, ages) for players in source.players)
        items = [
            *role_figures(fights, source),
            _fight_table(fights),
            *contest_figures(pillages, source),
            _pillage_table(pillages),
        ]
        items += [*card_figures(cards, source), _card_table(cards)]
        return SectionResult(lead=(_LEAD,), warnings=(_WARNING,), items=items)

    def _fights(self, players: int, strategies: tuple[str, ...], ages: tuple[int | str, ...]) -> DataFrame:
        moments = self.fights.moments[players]
        measures = {
            "won": share(moments, ("won", "fights")),
            "fair": ratio(moments, ("fair", "fights")),
            "won_less_fair": contrast(moments, ("won", "fights"), ("fair", "fights")),
            "undecided": share(moments, ("undecided", "fights")),
            "total": ratio(moments, ("total", "fights")),
            "lead": ratio(moments, ("lead", "fights")),
            "fights_by_player": ratio(moments, ("fights", "players")),
        }
        told = strata_told(moments, strategies, "players")
        frame = estimate_frame(players, told, {"age": AGES, "role": ROLES}, measures, "fights")
        return frame[frame["age"].isin(ages)].reset_index(drop=True)

    def _pillages(self, players: int, strategies: tuple[str, ...], ages: tuple[int | str, ...]) -> DataFrame:
        moments = self.pillages.moments[players]
        measures = {
            "contested": share(moments, ("contested", "attempts")),
            "attempts_by_player": ratio(moments, ("attempts", "players")),
            "battle_won": share(moments, ("won", "contested")),
            "battle_undecided": share(moments, ("undecided", "contested")),
            "participants": ratio(moments, ("participants", "contested")),
            "margin": ratio(moments, ("margin", "contested")),
        }
        told = strata_told(moments, strategies, "players")
        frame = estimate_frame(players, told, {"age": AGES}, measures, "attempts")
        return frame[frame["age"].isin(ages)].reset_index(drop=True)


_LEAD = (
    "A battle is fought where a pillage meets others: figures in the province or its fjord, or such as join. Fair is the share of "
    "battles that chance would win, one by the number of participants. A tie has no winner."
)
_WARNING = "A card that is revealed in won battles need not cause the wins: strong clans fight more, and so reveal more."
_KEYS = {"players": "players", "strategy": "strategy"}


def _fight_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "battles",
        "Who fights and who wins",
        frame,
        "A row is a player in a battle. Shares in percent with 95 % intervals; lead is the own total less the best other one, in "
        "STR. The page shows all ages together, the CSV each age.",
        {**_KEYS, "role": "role"},
        {"fights": "fights"},
        {
            "fights_by_player": ("fights in a game", "number"),
            "won": ("won, %", "share"),
            "fair": ("fair, %", "share"),
            "won_less_fair": ("won less fair, points", "share"),
            "total": ("total, STR", "glory"),
            "lead": ("lead, STR", "glory"),
        },
        frame["age"].isin(frame["age"][:1]).to_numpy(),
    )


def _pillage_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "pillages",
        "Pillages and the battles for them",
        frame,
        "An attempt is a pillage that succeeds, or one that ends in a battle. By the strategy of the clan that pillages; shares in "
        "percent with 95 % intervals. Margin is the highest total less the second, in STR.",
        {**_KEYS, "age": "age"},
        {"attempts": "attempts"},
        {
            "attempts_by_player": ("attempts of a player", "number"),
            "contested": ("contested, %", "share"),
            "battle_won": ("pillager wins, %", "share"),
            "battle_undecided": ("no winner, %", "share"),
            "participants": ("participants", "number"),
            "margin": ("margin, STR", "glory"),
        },
    )


def _card_table(frame: DataFrame) -> NamedTable:
    return table_of(
        "battle_cards",
        "Cards revealed",
        frame,
        "How battles ended for the players who revealed the card, in percent with 95 % intervals. Watch: Heimdall's Watch "
        "discarded it, before the battle went on. Quests and upgrades, which add nothing as a rule, are counted together. The page "
        "shows all players told, the CSV each strategy.",
        {"players": "players", "age": "age", "card": "card"},
        {"revealed": "revealed"},
        {
            "revealed_by_player": ("by player and game", "number"),
            "won": ("won, %", "share"),
            "lost": ("lost, %", "share"),
            "watch": ("watch, %", "share"),
            "stolen": ("stolen after it, %", "share"),
        },
        frame["strategy"].isin(frame["strategy"][:1]).to_numpy(),
    )
