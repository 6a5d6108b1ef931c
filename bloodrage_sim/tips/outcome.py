"""Verdicts of a folder, or those that are shipped, claim by claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import reports
from ..errors import BadFile
from ..experiments.verdicts import INCONCLUSIVE, NOT_TESTABLE
from .catalogue import NOT_TESTABLE as NO_TEST
from .catalogue import Tip
from .proofs import PRIMARY
from .running import GAMES, PROOFS, STRENGTHS

if TYPE_CHECKING:
    import pandas as pd

SHIPPED = Path(reports.__file__).parent / "verdicts"
NOT_RUN = "not yet run"


@dataclass(frozen=True)
class TipOutcome:
    """What is known of a claim.

    Attributes
    ----------
    tip : the claim
    proof : row of the table of proofs, {} if it has none
    rows : rows of the verdicts by number of players and strategy of the claim
    others : the same at other strengths of play
    pools : rows by pool of the deciding metric, of `rows`
    """

    tip: Tip
    proof: Mapping[str, Any]
    rows: Sequence[Mapping[str, Any]]
    others: Sequence[Mapping[str, Any]]
    pools: Sequence[Mapping[str, Any]]

    @property
    def main(self) -> Mapping[str, Any]:
        """The verdict row that stands for the claim: its own strategy with four players, or else with most; {} if not run."""
        if not self.rows:
            return {}
        own = [row for row in self.rows if row["strength"] == self.rows[0]["strength"]]
        return next((row for row in own if str(row["players"]) == str(PRIMARY)), own[-1])

    @property
    def verdict(self) -> str:
        """Its verdict in a word, or that it was not run."""
        if self.tip.design == NO_TEST:
            return NOT_TESTABLE
        if self.proof and self.proof["decides"]:
            return str(self.proof["verdict"])
        return str(self.main.get("verdict", NOT_RUN))

    @property
    def reason(self) -> str:
        """What the verdict rests on, in short."""
        if self.tip.design == NO_TEST:
            return self.tip.reason
        if self.proof and self.proof["decides"]:
            return str(self.proof["summary"])
        return str(self.main.get("reason", "") or "")

    @property
    def disagreeing(self) -> list[str]:
        """Players and strengths whose verdict is another one."""
        rows = [row for row in (*self.rows, *self.others) if row["verdict"] not in (self.verdict, INCONCLUSIVE)]
        return [f"{row['players']} players, {row['strength']}: {row['verdict']}" for row in rows] if self.main else []


class Results:
    """The tables of a folder of `bloodrage tips run`, or of the shipped results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._proofs = _records(folder / f"{PROOFS}.csv")
        self._verdicts = _records(folder / GAMES / "verdicts.csv")
        self._pools = _records(folder / GAMES / "pools.csv")
        self._others = _records(folder / STRENGTHS / "verdicts.csv")

    @property
    def is_empty(self) -> bool:
        """Whether there is no result of any claim."""
        return not (self._proofs or self._verdicts)

    def of(self, tip: Tip) -> TipOutcome:
        """What is known of a claim."""
        return TipOutcome(
            tip,
            next((row for row in self._proofs if row["id"] == tip.id), {}),
            [row for row in self._verdicts if row["id"] == tip.id],
            [row for row in self._others if row["id"] == tip.id],
            [row for row in self._pools if row["id"] == tip.id and row["decides"]],
        )


def _records(path: Path) -> list[dict[str, Any]]:
    """Rows of a CSV file, [] if there is none.  Raises BadFile for one that cannot be read."""
    import pandas as pd

    if not path.exists():
        return []
    try:
        frame: pd.DataFrame = pd.read_csv(path, dtype={"players": str}, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise BadFile(f"{path} cannot be read: {error}") from None
    return [{key: None if pd.isna(value) else value for key, value in row.items()} for row in frame.to_dict("records")]
