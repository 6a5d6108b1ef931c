"""What to tune and how: the options, checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import BadValue
from ..ruleset import Ruleset, make_ruleset
from ..running.runs import RunConfig

CHAMPIONS = "champions"  # the word for them in a field
MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class TuneConfig:
    """What to tune, and how.

    Attributes
    ----------
    strategy : text of the strategy; the search begins at its values and keeps its traits
    players : seats of a table, 2 to 5
    seed : 0 to 2**63 - 1
    against : strategies in the other seats, one may be 'champions'; none for the strategy itself and its champions
    params : parameters to tune, none for all that are numbers
    generations : of the search
    games : of each candidate in each generation, rounded up to whole deals of `players` games
    popsize : candidates of a generation; None for a number that fits the number of parameters
    sigma : first step of the search, as part of the range of each parameter
    held_out : games in which the result and the untuned strategy are compared at the end, rounded up to whole deals
    ruleset : rules, cards and board
    threads : workers

    Raises
    ------
    BadValue : a value out of its range
    """

    strategy: str
    players: int
    seed: int
    against: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    generations: int = 40
    games: int = 240
    popsize: int | None = None
    sigma: float = 0.15
    held_out: int = 4000
    ruleset: Ruleset = field(default_factory=make_ruleset)
    threads: int = 1

    def __post_init__(self) -> None:
        RunConfig((self.players,), 1, self.seed, ("random",), ruleset=self.ruleset, threads=self.threads)
        least = {"generations": 1, "games": 1, "popsize": 4, "held_out": 2 * self.players}
        most = {"generations": 100_000, "games": MOST_GAMES, "popsize": 10_000, "held_out": MOST_GAMES}
        for name in least:
            value = getattr(self, name)
            if name == "popsize" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not least[name] <= value <= most[name]:
                raise BadValue(f"{name} is {value!r}; allowed: whole numbers {least[name]} to {most[name]}")
        if not 0.001 <= self.sigma <= 1:
            raise BadValue(f"sigma is {self.sigma!r}; allowed: 0.001 to 1, as part of the range of a parameter")

    def deals(self, games: int) -> int:
        """Deals of so many games."""
        return -(-games // self.players)

    @property
    def others(self) -> tuple[str, ...]:
        """The field: strategies, and maybe CHAMPIONS."""
        return self.against or (self.strategy, CHAMPIONS)

    @property
    def strategies(self) -> tuple[str, ...]:
        """All strategies that are named."""
        return tuple(dict.fromkeys([self.strategy, *(text for text in self.others if text != CHAMPIONS)]))
