"""Every trait changes what it says, measured in games: one player with the trait against the same games without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from told_games import Event, House, Table, measure_all

from bloodrage_sim.batch import simulate
from bloodrage_sim.rules import events as ev
from bloodrage_sim.rules import ids
from bloodrage_sim.rules.flow import (
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_PILLAGE,
    ACTION_RAISE,
    QUESTION_RAISE,
    QUESTION_TURN,
)
from bloodrage_sim.rules.ids import N_PROVINCES, PLACE_YGGDRASIL
from bloodrage_sim.rules.options import FIRST_CODE
from bloodrage_sim.rules.ruin import CAUSE_NAMES
from bloodrage_sim.rules.tables import FIGURE_LEADER, FIGURE_SHIP, FIGURE_WARRIOR
from bloodrage_sim.tactics.reward_habits import rank_of_stat
from bloodrage_sim.tactics.traits import STAT_ORDERS, TRAITS_TABLE

SEED = 29
GAMES = 120
CLEAR = 4.0  # standard errors that a change must be away from none
OTHERS = "balanced"
LOSER = "balanced:loki_cards=3,losses=3,deaths=6,valhalla=2"  # gathers Loki's cards
GLAD_TO_DIE = "balanced:valhalla=3,loss=0.2"
OUTER = [province for province in range(N_PROVINCES) if province != PLACE_YGGDRASIL]
MANY_CHALLENGES = House(cards=(("tyrs_challenge", "2", "copies_4p", "8"),))
MUCH_GLORY = House(
    board=(("pillage_tokens.rage", 2), ("pillage_tokens.axes", 1), ("pillage_tokens.horns", 1), ("pillage_tokens.glory", 4))
)
Measure = Callable[[Table, Event], float | None]


# ---------------------------------------------------------------- what is measured: a number before an event, or None
# A measure by game is the sum over the game, one by case the mean of the numbers.


def locked(table: Table, event: Event) -> float | None:
    """Provinces of which all villages are its own when the action phase ends."""
    if not table.starts(event, ids.PHASE_DISCARD):
        return None
    return sum(table.full(place) and table.count(place, table.focal) == table.tables.villages[place] for place in OUTER)


def in_doomed(table: Table, event: Event) -> float | None:
    """Own figures in the doomed province, its fjord left out, when the action phase ends."""
    return table.count(table.doomed, table.focal) if table.starts(event, ids.PHASE_DISCARD) else None


def ship_before_warriors(table: Table, event: Event) -> float | None:
    """By age in which it invades with either: whether the ship comes before warriors."""
    if not table.starts(event, ids.PHASE_DISCARD):
        return None
    ship, warrior = (table.first.get(f"invade {figure}") for figure in (FIGURE_SHIP, FIGURE_WARRIOR))
    if ship is None and warrior is None:
        return None
    return ship is not None and (warrior is None or ship < warrior)


def leader_early(table: Table, event: Event) -> float | None:
    """By age in which the leader comes: whether with one of the first two actions."""
    turn = table.first.get(f"invade {FIGURE_LEADER}")
    return turn <= 2 if turn is not None and table.starts(event, ids.PHASE_DISCARD) else None


def in_one_region(table: Table, event: Event) -> float | None:
    """Share of own figures in outer provinces that stand in one region, when the action phase ends."""
    if not table.starts(event, ids.PHASE_DISCARD):
        return None
    by_region = [0, 0, 0, 0]
    for place in OUTER:
        by_region[table.tables.region[place]] += table.count(place, table.focal)
    return max(by_region) / sum(by_region) if sum(by_region) > 1 else None


def invades_under_threat(table: Table, event: Event) -> float | None:
    """By own invade of a province with a token: whether a rival with rage is stronger there all the same."""
    place = event.place
    if table.action(event) != ACTION_INVADE or place not in OUTER or place in table.pillaged:
        return None
    own = table.strength(place, table.focal) + table.figure_strength(table.focal, event.figure)
    return any(table.rage[seat] > 0 and table.strength(place, seat) > own for seat in table.rivals)


def out_of_reach(table: Table, event: Event) -> float | None:
    """Share of own figures on land that no figure can invade beside, at the start of ages 2 and 3."""
    if not table.starts(event, ids.PHASE_ACTION) or event.age == 1:
        return None
    safe = sum(
        table.count(place, table.focal)
        for place in (*OUTER, PLACE_YGGDRASIL)
        if place == PLACE_YGGDRASIL or table.full(place)
    )
    own = sum(table.count(place, table.focal) for place in range(N_PROVINCES))
    return safe / own if own > 0 else None


def carried_over(table: Table, event: Event) -> float | None:
    """STR of own figures on the board at the start of ages 2 and 3."""
    if not table.starts(event, ids.PHASE_ACTION) or event.age == 1:
        return None
    return sum(
        number * table.figure_strength(table.focal, figure)
        for place in range(ids.PLACE_VALHALLA)
        for figure, number in enumerate(table.figures[place][table.focal])
    )


def holds_yggdrasil(table: Table, event: Event) -> float | None:
    """By age: whether it has the most STR in Yggdrasil when the action phase ends."""
    if not table.starts(event, ids.PHASE_DISCARD):
        return None
    return table.strength(PLACE_YGGDRASIL, table.focal) > table.rival_strength(PLACE_YGGDRASIL)


def carried_in_yggdrasil(table: Table, event: Event) -> float | None:
    """Own figures in Yggdrasil at the start of ages 2 and 3."""
    if not table.starts(event, ids.PHASE_ACTION) or event.age == 1:
        return None
    return table.count(PLACE_YGGDRASIL, table.focal)


def own_deaths(cause: str) -> Measure:
    """Own figures destroyed by a cause."""
    phase = ids.PHASE_RAGNAROK if cause == "ragnarok" else ids.PHASE_ACTION
    assert cause in CAUSE_NAMES

    def deaths(table: Table, event: Event) -> float | None:
        return (
            event.value if event.kind == ev.EVENT_DESTROYED and event.seat == table.focal and event.phase == phase else None
        )

    return deaths


def first_pillage(table: Table, event: Event) -> float | None:
    """By age with a pillage: own turn of the first one."""
    return table.first.get("pillage") if table.starts(event, ids.PHASE_DISCARD) else None


def fallen_behind(table: Table, event: Event) -> float | None:
    """By own turn: whether its rage is more than 2 below the median of the rivals that have any."""
    middle = table.median_rage()
    if table.action(event) < 0 or event.source != QUESTION_TURN or middle is None:
        return None
    return table.rage[table.focal] < middle - 2


def rage_after_three(table: Table, event: Event) -> float | None:
    """Rage left after three own turns of an age, if the phase goes on."""
    if table.action(event) < 0 or event.source != QUESTION_TURN or table.turn != 3:
        return None
    return table.rage[table.focal]


def pillages_safely_when(ahead: bool) -> Measure:
    """By own turn ahead (or behind) in rage, with a token to be had where it stands alone: whether it takes one."""

    def pillages_safely(table: Table, event: Event) -> float | None:
        middle = table.median_rage()
        if table.action(event) < 0 or event.source != QUESTION_TURN or middle is None:
            return None
        if table.rage[table.focal] == middle or (table.rage[table.focal] > middle) != ahead:
            return None
        fresh = [place for place in range(N_PROVINCES) if place not in table.pillaged]
        alone = [place for place in fresh if table.around(place, table.focal) > 0 == table.rival_strength(place)]
        return table.action(event) == ACTION_PILLAGE and event.place in alone if alone else None

    return pillages_safely


def fights_with_last_rage(table: Table, event: Event) -> float | None:
    """By own pillage in age 1 against a rival that is not stronger: whether it had only one rage left."""
    if table.action(event) != ACTION_PILLAGE or event.age != 1:
        return None
    rival = table.rival_strength(event.place)
    return table.rage[table.focal] == 1 if 0 < rival <= table.strength(event.place, table.focal) else None


def joins(table: Table, event: Event) -> float | None:
    """Figures that join battles of others."""
    return 1 if event.kind == ev.EVENT_JOIN and event.seat == table.focal != table.pillager else None


def failed_pillages(table: Table, event: Event) -> float | None:
    """Own pillages that fail."""
    return 1 if event.kind == ev.EVENT_FAILED and event.seat == table.focal else None


def pinpricks(table: Table, event: Event) -> float | None:
    """Own pillages with a single figure of STR 1 against a stronger rival."""
    if table.action(event) != ACTION_PILLAGE:
        return None
    return table.around(event.place, table.focal) == 1 and table.strength(
        event.place, table.focal
    ) == 1 < table.rival_strength(event.place)


def cards_burned(table: Table, event: Event) -> float | None:
    """Cards that rivals discard as winners of battles that it started."""
    burned = event.kind == ev.EVENT_DISCARDED and event.source == ev.REASON_BATTLE and event.seat != table.focal
    return 1 if burned and table.pillager == table.focal else None


def profits(table: Table, seat: int) -> bool:
    wanted = (ids.EFFECT_RELEASE_GLORY, ids.EFFECT_SHIP_DEATH_GLORY, ids.EFFECT_WARRIOR_ON_BATTLE_LOSS)
    return any(table.has(seat, effect) for effect in wanted)


def fights_with(wanted: Callable[[Table, int], bool]) -> Measure:
    """Battles that it starts or joins where such a rival stands."""

    def fights(table: Table, event: Event) -> float | None:
        action = table.action(event)
        if action == ACTION_JOIN and table.pillager == table.focal or action not in (ACTION_JOIN, ACTION_PILLAGE):
            return None
        return any(table.strength(event.place, seat) > 0 and wanted(table, seat) for seat in table.rivals)

    return fights


def leads(table: Table, seat: int) -> bool:
    return table.glory[seat] == max(table.glory[rival] for rival in table.rivals) > 0


def has_end_card(table: Table, seat: int) -> bool:
    wanted = (ids.EFFECT_END_GLORY_PER_FIGURE, ids.EFFECT_MULTIPLY_QUEST_GLORY, ids.EFFECT_ACTION_INVADE_FROM_VALHALLA)
    return table.age == 3 and any(table.has(seat, effect) for effect in wanted)


def bonus(table: Table, event: Event) -> float | None:
    """By card that it reveals: its STR."""
    return event.value if event.kind == ev.EVENT_REVEAL and event.seat == table.focal else None


def pillages_again(table: Table, event: Event) -> float | None:
    """Own pillages of pillaged provinces where a rival is."""
    if table.action(event) != ACTION_PILLAGE or event.place not in table.pillaged:
        return None
    return table.rival_strength(event.place) > 0


def takes_glory_token(table: Table, event: Event) -> float | None:
    """By own success: whether the token was glory."""
    if event.kind != ev.EVENT_PILLAGED or event.seat != table.focal:
        return None
    return table.token[event.place] == ids.TOKEN_GLORY


def takes_rage_near_top(table: Table, event: Event) -> float | None:
    """Rage tokens that it takes while a rival is within two steps of the top."""
    if event.kind != ev.EVENT_PILLAGED or event.seat != table.focal or table.token[event.place] != ids.TOKEN_RAGE:
        return None
    return any(4 <= table.step[seat][ids.STAT_RAGE] < 6 for seat in table.rivals)


def raises(stat: int) -> Measure:
    """By stat step of its own choice: whether it is this stat."""

    def chosen(table: Table, event: Event) -> float | None:
        if table.action(event) < 0 or event.source != QUESTION_RAISE or table.step[table.focal][stat] == ids.N_TRACK_STEPS:
            return None
        return event.value - FIRST_CODE[ACTION_RAISE] == stat

    return chosen


def quests_left(table: Table, event: Event) -> float | None:
    """Quests in its hand when the action phase is over."""
    kept = event.kind == ev.EVENT_KEPT or event.kind == ev.EVENT_DISCARDED and event.source == ev.REASON_HAND
    return 1 if kept and event.seat == table.focal and table.tables.kind[event.card] == ids.CARD_KIND_QUEST else None


def quests_drafted(table: Table, event: Event) -> float | None:
    """Quests that it takes in the draft."""
    if event.kind != ev.EVENT_DRAFTED or event.seat != table.focal:
        return None
    return table.tables.kind[event.card] == ids.CARD_KIND_QUEST


LOKIS = (
    ids.EFFECT_RELEASE_GLORY, ids.EFFECT_WARRIOR_ON_BATTLE_LOSS, ids.EFFECT_SHIP_DEATH_GLORY, ids.EFFECT_LOSER_STEAL_RAGE,
    ids.EFFECT_LOSER_STEAL_GLORY, ids.EFFECT_LOSER_TAKE_WINNER_CARDS, ids.EFFECT_FIGURES_IN_VALHALLA,
)  # fmt: skip


def lokis_next(table: Table, event: Event) -> float | None:
    """Loki's cards that the next seat takes in the draft."""
    if event.kind != ev.EVENT_DRAFTED or event.seat != (table.focal + 1) % table.players:
        return None
    return table.tables.effect[event.card] in LOKIS


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Row:
    """A trait, what it is measured by, and the least change, by game or by case; below 0: a fall."""

    trait: str
    measure: Measure
    least: float
    by: str = "game"
    bases: tuple[str, ...] = ("balanced", "greedy")
    without: str = ""  # traits of the player that it is compared with
    others: tuple[str, ...] = (OTHERS, OTHERS, OTHERS)
    house: House = House()
    games: int = GAMES

    @property
    def shown(self) -> set[str]:
        """Traits that differ between the two players."""
        return {part.split("=")[0] for part in set(self.trait.split("+")) - set(self.without.split("+"))}


ROWS = (
    Row("lock_province", locked, 1.0),
    Row("lock_province+lock_target=doomed", in_doomed, 0.7, without="lock_province"),
    Row("lock_province+lock_target=safe", in_doomed, -1.0, without="lock_province+lock_target=doomed"),
    Row("ship_first", ship_before_warriors, 0.05, "case"),
    Row("leader_first", leader_early, 0.1, "case"),
    Row("leader_first=-1", leader_early, -0.3, "case"),
    Row("concentration", in_one_region, 0.05, "case"),
    Row("concentration=-1", in_one_region, -0.05, "case"),
    Row("avoid_imminent_pillage", invades_under_threat, -0.04, "case"),
    Row("wipe_aware", out_of_reach, 0.05, "case", games=240),
    Row("preserve_units", carried_over, 0.4, games=320),
    Row("ragnarok_presence", own_deaths("ragnarok"), 0.8),
    Row("ragnarok_presence=-1", own_deaths("ragnarok"), -0.8, bases=("balanced",)),
    Row("yggdrasil_focus", holds_yggdrasil, 0.5),
    Row("carry_yggdrasil", carried_in_yggdrasil, 0.4),
    Row("rush_pillage", first_pillage, -0.5, "case", ("balanced",)),
    Row("rage_pacing", fallen_behind, -0.02, "case", ("balanced",), games=240),
    Row("front_load", rage_after_three, -0.8, "case"),
    Row("tempo_control", pillages_safely_when(ahead=True), -0.04, "case"),
    Row("tempo_control", pillages_safely_when(ahead=False), 0.1, "case", ("balanced",)),
    Row("rage_buffer", fights_with_last_rage, -0.05, "case", games=480),
    Row("join_threshold=0.9", joins, -0.5),
    Row("join_threshold=-1", joins, 2.0),
    Row("pillage_to_lose", failed_pillages, 0.5),
    Row("harass", pinpricks, 0.3),
    Row("harass", cards_burned, 0.5, bases=("greedy",)),
    Row("deny_losing", fights_with(profits), -1.5, others=(LOSER, LOSER, LOSER)),
    Row("surprise_win=1", bonus, 0.2, "case", (LOSER, GLAD_TO_DIE)),
    Row("sabotage_leader", fights_with(leads), 0.3, games=240),
    Row("target_holder", fights_with(has_end_card), 0.05, games=400),
    Row("challenge_disrupt", pillages_again, 0.05, bases=("balanced",), house=MANY_CHALLENGES, games=320),
    Row("prefer_stat_tokens", takes_glory_token, -0.03, "case", house=MUCH_GLORY),
    Row("prefer_glory_tokens", takes_glory_token, 0.03, "case", house=MUCH_GLORY, games=320),
    Row("deny_rage", takes_rage_near_top, 0.1, games=320),
    Row("stat_order=rage/axes/horns", raises(ids.STAT_RAGE), 0.1, "case"),
    Row("stat_order=axes/rage/horns", raises(ids.STAT_AXES), 0.3, "case"),
    Row("stat_order=horns/rage/axes", raises(ids.STAT_HORNS), 0.3, "case"),
    Row("declare_all_quests", quests_left, -0.1),
    Row("quest_weight=3", quests_drafted, 1.0),
    Row("hate_draft=1", lokis_next, -0.2, others=(LOSER, OTHERS, OTHERS)),
)
CASES = [pytest.param(row, base, id=f"{base}+{row.trait}-{row.measure.__name__}") for row in ROWS for base in row.bases]


def strategy_text(base: str, traits: str) -> str:
    return f"{base}+{traits}" if traits else base


def change(row: Row, base: str) -> tuple[float, float, float]:
    """Value without and with the trait, and the standard error of their difference over paired games."""
    arms = [
        measure_all((strategy_text(base, traits), *row.others), row.games, SEED, row.house, row.measure)
        for traits in (row.without, row.trait)
    ]
    rates, parts = [], []
    for arm in arms:
        sums, numbers = arm[:, 0], arm[:, 1] if row.by == "case" else np.ones(len(arm))
        assert numbers.sum() > 0
        rates.append(sums.sum() / numbers.sum())
        parts.append((sums - rates[-1] * numbers) / numbers.mean())
    error = np.std(parts[1] - parts[0], ddof=1) / np.sqrt(row.games)
    return rates[0], rates[1], float(error)


@pytest.mark.parametrize(("row", "base"), CASES)
def test_trait_changes_what_it_says(row: Row, base: str) -> None:
    without, with_, error = change(row, base)
    found = f"{without:.3f} without, {with_:.3f} with the trait, standard error of the change {error:.3f}"
    moved = (with_ - without) * np.sign(row.least)
    assert moved >= abs(row.least), found
    assert moved >= CLEAR * error, found


def test_every_trait_is_shown() -> None:
    assert {name for row in ROWS for name in row.shown} == set(TRAITS_TABLE)


@pytest.mark.parametrize("base", ["balanced", "greedy"])
def test_traits_at_zero_change_nothing(base: str) -> None:
    zeros = "".join(f"+{name}={trait.param.names[0] if trait.param.names else 0}" for name, trait in TRAITS_TABLE.items())
    idle = "+lock_target=doomed"  # laid over the strategy, but without lock_province it does nothing
    plain, zero, laid = (
        simulate(players=4, games=40, seed=SEED, strategies=[base + traits, OTHERS, OTHERS, OTHERS])
        for traits in ("", zeros, idle)
    )
    assert plain.content_hash == zero.content_hash
    assert plain.content_hash["games"] == laid.content_hash["games"]
    assert plain.players.drop(columns="strategy").equals(laid.players.drop(columns="strategy"))


@pytest.mark.parametrize("number", range(len(STAT_ORDERS)))
def test_stat_order_is_read_as_it_is_written(number: int) -> None:
    ranks = {rank_of_stat.py_func(number + 1, stat): name for stat, name in enumerate(ids.STAT_NAMES)}
    assert "/".join(ranks[rank] for rank in range(3)) == STAT_ORDERS[number]
