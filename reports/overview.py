"""The section that comes first: what was run, how sure its numbers are, and whether the data add up."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, ClassVar

from ..ruleset import rule_defaults
from ..statistics.ratios import share
from . import ledger_check
from .drawing import percent
from .frames import estimate_frame, joined
from .section import NamedTable, SectionResult
from .tallies import Counts, Tally, player_rows, strata_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame

    from .source import PartRows, Source

_SEATS = {
    "rotate": "rotate: all turns of the line-up play each deal",
    "fixed": "fixed: each place of the line-up keeps its seat",
    "random": "random: the line-up is turned by chance",
}


class Overview:
    """Run, precision and the ledger check."""

    name = "overview"
    title = "What was run"
    tables: ClassVar[dict[str, Sequence[str]]] = {"players": ("win_share", *ledger_check.COLUMNS["players"]), "ledger": ledger_check.COLUMNS["ledger"]}

    def __init__(self, source: Source) -> None:
        self.shares = Tally(("players", "won"), (1,))
        self.check = ledger_check.LedgerCheck()

    def add(self, part: PartRows) -> None:
        self.check.add(part)
        counts = Counts(self.shares, part)
        counts.of_players(player_rows(part), 0, {"players": 1, "won": part.rows["players"]["win_share"]})
        self.shares.add(counts)

    def result(self, source: Source) -> SectionResult:
        frame = joined(self._shares(players, source) for players in source.players)
        start = source.ruleset.board["clan"]["glory"]
        line = self.check.line(start)
        failed = self.check.wrong(start) > 0
        return SectionResult(
            lead=_lead(source, frame) if failed else (*_lead(source, frame), f"{line[0].upper()}{line[1:]}."),
            warnings=(f"{line[0].upper()}{line[1:]}. Do not trust numbers of glory.",) if failed else (),
            items=(_precision_table(frame), _run_table(source)),
            lines=(line,),
        )

    def _shares(self, players: int, source: Source) -> DataFrame:
        moments = self.shares.moments[players]
        measures = {"win_share": share(moments, ("won", "players"), 1 / players)}
        told = [(place, name) for place, name in strata_told(moments, source.strategies, "players") if name != "all"]
        frame = estimate_frame(players, told, {"games": (source.games(players),)}, measures, "player_games")
        frame["half_width"] = (frame["win_share_high"] - frame["win_share_low"]) / 2
        frame["fair_share"] = 1 / players
        return frame


def _lead(source: Source, frame: DataFrame) -> list[str]:
    games = " and ".join(f"{source.games(players):,} games with {players} players" for players in source.players)
    widest = frame["half_width"].max()
    lead = [f"{games}, seed {source.data_set.run['seed']}, played by {', '.join(source.strategies)}."]
    if not isnan(widest):
        lead.append(
            f"How sure: the win share of each strategy is known to ± {100 * widest:.2f} percentage points or better (95 % intervals, games of one "
            "deal taken together). Four times the games halve an interval."
        )
    lead.append(
        "All numbers hold for these strategies and these rules. Strategies are no people: what wins here wins against these bots."
    )
    return lead


def _precision_table(frame: DataFrame) -> NamedTable:
    import pandas as pd

    shown = pd.DataFrame(
        {
            "players": frame["players"].map(str),
            "strategy": frame["strategy"],
            "games": frame["games"].map("{:,}".format),
            "clusters": frame["clusters"].map("{:,}".format),
            "player-games": frame["player_games"].map("{:,}".format),
            "win share": frame["win_share"].map(_text),
            "± points": frame["half_width"].map(lambda half: "" if isnan(half) else f"{100 * half:.2f}"),
            "fair": frame["fair_share"].map(percent),
        }
    )
    reading = (
        "Win share: 1 for a win, 1/k for each of k players who tie for it. ± is half of the 95 % interval, in percentage points; clusters, not games, "
        "are taken as independent: a deal, since games of one deal are alike, or in long runs several deals. Empty: too few games."
    )
    return NamedTable("overview", "How many games, and how sure", frame, reading, shown)


def _text(value: float) -> str:
    return "" if isnan(value) else percent(value)


def _run_table(source: Source) -> NamedTable:
    import pandas as pd

    facts = _facts(source)
    frame = pd.DataFrame({"fact": list(facts), "value": list(facts.values())})
    return NamedTable("run", "The run", frame, "All that decides the games; `bloodrage simulate --like DIR --out NEW` plays them again.", frame)


def _facts(source: Source) -> dict[str, str]:
    manifest, run = source.data_set.manifest, source.data_set.run
    defaults = rule_defaults()
    rules = [f"{name}={value}" for name, value in run["rules"].items() if value != defaults.get(name)]
    board = [f"{key}: {value}" for key, value in run["board"].items()]
    cards = [", ".join(map(str, change)) for change in run["cards"]]
    return {
        "command": manifest["command"],
        "played": manifest["updated"],
        "games": f"{source.data_set.games_done:,} of {source.data_set.games_asked:,}",
        "seed": str(run["seed"]),
        "seats": _SEATS[run["seats"]],
        "strategies": "; ".join(f"{one['text']} (source {one['source_hash'][:8]})" for one in run["strategies"]),
        "rules that differ": "; ".join(rules) or "none",
        "cards that differ": "; ".join(cards) or "none",
        "board that differs": "; ".join(board) or "none",
        "rules and cards": run["tables_hash"],
        "engine": run["engine"],
        "versions": ", ".join(f"{name} {version}" for name, version in manifest["versions"].items()),
        "filters": source.filters.words() or "none",
        "damaged parts": ", ".join(source.damaged) or "none",
    }
