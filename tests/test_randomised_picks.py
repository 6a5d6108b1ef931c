"""What taking a card is worth, found in two ways that have nothing in common but the game.

With a strategy that drafts by chance every pick is an experiment: of all seats that have the card before them in a round, chance says which
take it.  Who takes it less who does not, in the same round, is what the pick is worth.  `card-value` answers the same question
by playing games again in which the seat may not take the card (b).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bloodrage_sim.batch import simulate
from bloodrage_sim.card_values.config import ValueConfig
from bloodrage_sim.card_values.running import value_cards
from bloodrage_sim.card_values.values import value_table
from bloodrage_sim.data import reader
from bloodrage_sim.experiments.cards import rows_of_card
from bloodrage_sim.ruleset import make_ruleset

PLAYERS = 4
ROUNDS = 6
DRAFTER = str(Path(__file__).parent / "random_drafter.py")
# one copy of each with four players; of all ages and kinds
CARDS = (
    "lokis_domain", "troll", "thors_hammer", "friggas_succor", "fire_giant", "thors_oath", "valkyrie", "thors_domain", "frost_giant",
    "odins_throne",
)  # fmt: skip
METRICS = ("glory", "share")
CERTAIN = 3.5  # standard errors: one of twenty right differences is beyond it once in a hundred times
GAMES, BLOCKS = 40_000, 6_000


def looks_of(deals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row, round from 0, and whether it was taken, of each time that a seat had the card of a row of the table `deals` before it."""
    last = np.where(deals["round"] > 0, deals["round"], ROUNDS)
    row = np.repeat(np.arange(len(deals)), last)
    round_ = np.arange(len(row)) - np.repeat(np.cumsum(last) - last, last)
    return row, round_, round_ + 1 == deals["round"][row]


def randomised(deals: np.ndarray, outcome: np.ndarray) -> tuple[float, float]:
    """Worth of taking a card and its standard error, over games.  deals : rows of the card; outcome : (games, players)"""
    row, round_, taken = looks_of(deals)
    y = outcome[deals["game"][row], (deals["first_seat"][row] + round_) % PLAYERS].astype(float)
    share = np.bincount(round_[taken], minlength=ROUNDS) / taken.sum()
    value, part = 0.0, np.zeros(len(row))
    for at in np.flatnonzero(share):
        for group, sign in ((taken & (round_ == at), 1.0), (~taken & (round_ == at), -1.0)):
            mean = y[group].mean()
            value += sign * share[at] * mean
            part[group] = sign * share[at] * (y[group] - mean) / group.sum()
    return value, float(np.sqrt((np.bincount(deals["game"][row], part) ** 2).sum()))


def test_worth_of_a_pick_by_hand() -> None:
    """Round 1: one seat takes the card and gets 10, two pass it on and get 4 and 2.  Round 2: one takes it and gets 6, one does not, 1.

    Half of those who take it do so in each round: (10 - 3) / 2 + (6 - 1) / 2.  In the third game nobody ever takes it.
    """
    deals = np.zeros(3, [("game", "i8"), ("first_seat", "i1"), ("round", "i1")])
    deals["game"], deals["round"] = [0, 1, 2], [1, 2, 0]
    row, round_, taken = looks_of(deals)
    assert row.tolist() == [0, 1, 1, 2, 2, 2, 2, 2, 2]
    assert round_.tolist() == [0, 0, 1, 0, 1, 2, 3, 4, 5]
    assert taken.tolist() == [True, False, True, *[False] * 6]
    value, se = randomised(deals, np.array([[10, 0, 0, 0], [4, 6, 0, 0], [2, 1, 0, 0]]))
    assert value == 6
    # by game: nothing, +0.5 (4 - 3) / 2 less of the passed ones, and as much the other way
    assert se == pytest.approx(np.sqrt(2) * 0.25)


@pytest.mark.slow
def test_randomised_picks_and_games_played_again_agree() -> None:
    results = simulate(players=PLAYERS, games=GAMES, seed=71, strategies=[DRAFTER], seats="fixed", tables=["games", "players", "deals"], threads=2)
    games, deals = results.players.sort_values(["game", "seat"]), results.tables["deals"].to_records(index=False)
    outcome = {
        "glory": games["glory"].to_numpy().reshape(-1, PLAYERS),
        "share": PLAYERS * games["win_share"].to_numpy(float).reshape(-1, PLAYERS),
    }
    config = ValueConfig(cards=CARDS, players=PLAYERS, blocks=BLOCKS, seed=72, strategies=(DRAFTER,), measures=("pick",), threads=2)
    table = value_table(value_cards(config).rows, PLAYERS, [DRAFTER]).set_index("card")
    assert sorted(table.index) == sorted(CARDS)
    assert [row["copies_4p"] for row in reader.card_rows() if row["id"] in CARDS] == ["1"] * len(CARDS)
    card_of = make_ruleset().tables().card_of[0]
    distances, found = [], []
    for card in CARDS:
        own = deals[np.isin(card_of[deals["copy"]], rows_of_card(card, ""))]
        for metric in METRICS:
            value, se = randomised(own, outcome[metric])
            causal = table[f"effect_{metric}"][card]
            causal_se = (table[f"high_{metric}"][card] - table[f"low_{metric}"][card]) / 2 / 1.96
            distances.append((value - causal) / np.hypot(se, causal_se))
            found.append((card, metric, round(value, 3), round(se, 3), round(causal, 3), round(causal_se, 3)))
    assert np.abs(distances).max() < CERTAIN, found
    assert np.mean(np.square(distances)) < 2, found
    # it is no agreement about nothing: most cards are surely better or worse than another of the pack, and both ways rank them alike
    glory = np.array([entry[2:] for entry in found if entry[1] == "glory"])
    assert (np.abs(glory[:, 0] / glory[:, 1]) > 5).sum() >= 5
    assert np.corrcoef(glory[:, 0], glory[:, 2])[0, 1] > 0.95
