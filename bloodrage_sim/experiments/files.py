'''Experiment files: one claim, what is done to test it, and what decides, all before the first game is played.

    id = "lock_is_good"                      # also the folder of its results
    claim = "Holding every village of a province pays"
    source = "tips page:64"
    kind = "strategy_strength"               # any word; not needed
    players = [2, 3, 4, 5]                   # a verdict for each
    seed = 4101
    looks = [1000, 4000]                     # blocks of each pool: at most two looks; [1000, 4000] if left out
    metric = "win_share"                     # decides; see metrics.py
    also = ["glory", "provinces_locked"]     # told, does not decide
    min_effect = 0.02                        # 0.08 / players for win_share if left out
    expected_direction = "higher"            # higher, lower, none (no effect is what the claim says), in_band
    pools = ["mixed", ["loki", "balanced"]]  # fields of opponents, see pools.py; all six if left out
    focal = "balanced"                       # the focal seat's strategy
    strengths = ["greedy", "balanced@tuned"] # further bases in place of `focal`, each with a verdict of its own
    [treatment]
    traits = ["lock_province"]
    [control]

A block is one deal, played in all rotations, so that the focal seat visits every seat; all arms play the same blocks with the same
opponents in the same seats.  `estimator` says what is compared:

    difference   treatment less control (if left out)
    interaction  [arms.both] - [arms.a_only] - [arms.b_only] + [arms.neither], or any arms with `weights = { both = 1, ... }`
    dose         arms of [arms.NAME] with `dose = number` each: slope of the metric per unit of dose
    contrast     the difference at `larger = [4, 5]` players less that at `smaller = [2, 3]`: one verdict
    changed      share of games in which the metric differs between treatment and control (metric = "winner")
    level        mean of the metric in [treatment], the only arm
    quantile     its quantile number `quantile = 0.95` over games

`against = "metric"` is measured in the control in place of `metric`, or in the treatment itself if there is no [control]: a difference
between what is measured in the same games.

changed, level and quantile are compared with `than = number` (expected_direction higher or lower), or with `band = [least, most]`
(in_band).  `within = [least, most]` makes of any metric 1 where it lies there, else 0: so a level is a share of games.

The keys of an arm, each explained in its file of interventions/: focal, traits, params, others, with_others, others_traits, others_params
(lineup.py); rules, changed_cards, board (rule.py); deal (deal.py); replace (replace.py); force_pick, ban_pick, ban_play, draft_quota
(picks.py); force, forbid (force.py); fork, with a table [fork] of the file (fork.py); set_state (state.py); position (start.py);
hide (mask.py); battle_result (battle_result.py); dose.

`outside = [2, 3]` are those of `players` with whom the claim says that there is less of an effect: with the others it is only supported,
not specific, unless their effect differs from the one there (specificity.py).

`inside = { both = 1, a_only = -1 }` says which arms of an interaction are where the claim holds, such as with a Loki player at the table: that
effect decides, and the interaction whether it is specific.

`not_testable = "reason"` in place of arms keeps a claim in the catalogue without games.  `notes` is free text.
'''

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import BadFile, BadValue
from ..ruleset import PLAYER_COUNTS, load_toml
from ..whole_numbers import whole_numbers
from .arms import ARM_KEYS, Arm, read_arm
from .interventions.fork import Fork
from .interventions.start import KEY as START
from .metrics import Metric
from .pools import SIX, read_pools
from .reading import check_keys, read_int, read_number, read_text, read_word, read_words

KEYS = (
    "id", "claim", "source", "kind", "players", "seed", "looks", "metric", "also", "min_effect", "expected_direction", "pools", "focal",
    "strengths", "treatment", "control", "arms", "estimator", "against", "weights", "larger", "smaller", "outside", "inside", "quantile", "than", "band", "within", "fork",
    "position", "not_testable", "notes",
)  # fmt: skip
ESTIMATORS = ("difference", "interaction", "dose", "contrast", "changed", "level", "quantile")
ONE_SAMPLE = ("changed", "level", "quantile")  # compared with a number, not with 0
DIRECTIONS = ("higher", "lower", "none", "in_band")
LOOKS = (1000, 4000)
MAX_LOOKS = 2
MAX_BLOCKS = 100_000
WIN_SHARE_EFFECT = 0.08  # over the number of players: 2 points of win share with 4
_ROUNDING = 1e-6  # of weights such as 0.333333 that should add up to 0
_FACTORIAL = {"both": 1.0, "a_only": -1.0, "b_only": -1.0, "neither": 1.0}
_PAIR = {"treatment": 1.0, "control": -1.0}


@dataclass(frozen=True)
class Experiment:
    """A claim and its test; the fields are the keys of its file.

    Attributes
    ----------
    pools : opponents by name of the pool
    strengths : bases of the focal seat; the first is the file's `focal`
    against : metric that the deciding one is set against; None for itself in the control
    inside : weights of the arms in the effect where the claim holds; {} if the claim is about all of them
    outside : numbers of players at which the claim says that there is less of an effect
    arms : by name
    weights : of the arms in the effect, by name
    """

    id: str
    claim: str
    source: str
    kind: str
    players: tuple[int, ...]
    seed: int
    looks: tuple[int, ...]
    metric: Metric
    also: tuple[Metric, ...]
    against: Metric | None
    min_effect: float | None
    expected_direction: str
    pools: Mapping[str, tuple[str, ...]]
    strengths: tuple[str, ...]
    arms: Mapping[str, Arm]
    weights: Mapping[str, float]
    inside: Mapping[str, float]
    estimator: str
    larger: tuple[int, ...]
    smaller: tuple[int, ...]
    outside: tuple[int, ...]
    quantile: float
    than: float
    band: tuple[float, float] | None
    within: tuple[float, float] | None
    not_testable: str
    document: Mapping[str, Any]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The deciding metric, then the others."""
        return (self.metric, *self.also)

    @property
    def recorded(self) -> tuple[Metric, ...]:
        """All that is measured of each game: the metrics, then what the deciding one is set against."""
        return (*self.metrics, self.against) if self.against is not None else self.metrics

    def only_players(self, text: str, where: str) -> Experiment:
        """The experiment for the numbers of players '2,4' alone.  Raises BadValue."""
        chosen = _read_players({"players": whole_numbers(text)}, "players", where, ())
        if self.estimator == "contrast":
            raise BadValue(f"{where}: {self.id} contrasts numbers of players, so all of them are needed")
        kept = tuple(count for count in self.players if count in chosen)
        if not kept:
            raise BadValue(f"{where} is {text}, but {self.id} is for {', '.join(map(str, self.players))} players")
        return replace(self, players=kept)

    def bases(self, strength: str) -> list[str]:
        """Strategies of the focal seat, before arms lay anything over them.  strength : the base where an arm names none"""
        return [self.arms[name].line_up.focal or strength for name in self.weights]

    def effect_at(self, players: int) -> float:
        """The minimal effect that matters, in units of the metric."""
        return WIN_SHARE_EFFECT / players if self.min_effect is None else self.min_effect


def read_experiment(path: Path) -> Experiment:
    """The experiment of a file.  Raises BadFile, BadValue, UnknownName with the place of the fault."""
    return experiment_of(load_toml(path, "experiment file"), str(path), path.parent)


def experiment_of(document: Mapping[str, Any], where: str, folder: Path = Path()) -> Experiment:
    """The experiment of a document as in a file.  folder : for paths in it.  Raises BadValue, BadScenario, UnknownName."""
    check_keys(document, KEYS, where)
    name = read_text(document, "id", where)
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise BadValue(f"{where}: id is {name!r:.60}; allowed: small letters, digits and _")
    reason = read_text(document, "not_testable", where, "")
    estimator = read_word(document, "estimator", ESTIMATORS, where, "difference")
    arms = {} if reason else _read_arms(document, where, folder)
    metric = Metric.read(read_text(document, "metric", where, "win_share"), where)
    also = tuple(Metric.read(text, where) for text in read_words(document, "also", where))
    against = _read_against(document, estimator, where)
    direction = read_word(document, "expected_direction", DIRECTIONS, where, "higher")
    _check_direction(document, estimator, direction, where)
    _check_results(arms, [metric, *also, *([against] if against else [])], where)
    if "min_effect" not in document and metric.text != "win_share" and estimator not in ONE_SAMPLE and not reason:
        raise BadValue(f"{where}: min_effect is missing; only for win_share it is known: {WIN_SHARE_EFFECT} / players")
    players = _read_players(document, "players", where, (4,))
    return Experiment(
        id=name,
        claim=read_text(document, "claim", where),
        source=read_text(document, "source", where, ""),
        kind=read_text(document, "kind", where, ""),
        players=players,
        seed=read_int(document, "seed", 0, 2**63 - 1, where, 1),
        looks=read_looks(document.get("looks", list(LOOKS)), where),
        metric=metric,
        also=also,
        min_effect=_read_effect(document, estimator, metric, where),
        expected_direction=direction,
        pools=read_pools(document.get("pools", list(SIX)), where),
        strengths=(read_text(document, "focal", where, "balanced"), *read_words(document, "strengths", where)),
        against=against,
        arms=arms,
        weights={} if reason else _weights(document, estimator, arms, where),
        inside=_read_inside(document, estimator, arms, where),
        estimator=estimator,
        larger=_read_counts(document, "larger", estimator, players, where),
        smaller=_read_counts(document, "smaller", estimator, players, where),
        outside=_read_outside(document, estimator, players, where),
        quantile=read_number(document, "quantile", where, 0.5),
        than=read_number(document, "than", where, 0.0),
        band=_read_pair(document, "band", where),
        within=_read_pair(document, "within", where),
        not_testable=reason,
        document=dict(document),
    )


def read_looks(value: Any, where: str) -> tuple[int, ...]:
    """Blocks of each pool at each look, rising.  Raises BadValue."""
    counts = value if isinstance(value, list) else [value]
    if len(counts) > MAX_LOOKS:
        raise BadValue(f"{where}: {len(counts)} looks; allowed: {MAX_LOOKS}, because more looks make more false findings")
    whole = all(isinstance(count, int) and not isinstance(count, bool) and 2 <= count <= MAX_BLOCKS for count in counts)
    if not counts or not whole or sorted(set(counts)) != counts:
        raise BadValue(f"{where}: looks is {value!r:.60}; write rising numbers of blocks, 2 to {MAX_BLOCKS:,}, e.g. [1000, 4000]")
    return tuple(counts)


def _read_arms(document: Mapping[str, Any], where: str, folder: Path) -> dict[str, Arm]:
    fork = Fork.read(document["fork"], f"{where}, [fork]") if "fork" in document else None
    tables = {name: document[name] for name in _PAIR if name in document}
    more = document.get("arms", {})
    if not isinstance(more, Mapping):
        raise BadFile(f"{where}: arms is {more!r:.60}; write tables [arms.NAME]")
    tables |= more
    common = {START: document[START]} if START in document else {}
    arms = {}
    for name, table in tables.items():
        place = f"{where}, [{name}]"
        arms[name] = read_arm({**common, **check_keys(table, ARM_KEYS, place)}, fork, folder, place)
    if not arms:
        raise BadValue(f"{where} has no arms; write [treatment] and [control]")
    return arms


def _weights(document: Mapping[str, Any], estimator: str, arms: Mapping[str, Arm], where: str) -> dict[str, float]:
    """Weights of the arms in the effect.  Raises BadValue for arms that the estimator does not fit, or that do not differ."""
    if estimator == "dose":
        return _dose_weights(arms, where)
    if estimator == "interaction":
        weights = _read_weights(document.get("weights", _FACTORIAL), arms, f"{where}, weights")
    else:
        is_alone = estimator in ("level", "quantile") or ("against" in document and "control" not in document)
        weights = {"treatment": 1.0} if is_alone else dict(_PAIR)
    missing = [name for name in weights if name not in arms]
    if missing:
        raise BadValue(f"{where}: estimator {estimator} needs the arm [{missing[0]}]; there are: {', '.join(arms)}")
    used = [arms[name] for name in weights]
    for number, arm in enumerate(used):
        for other in used[:number]:
            if arm.same_as(other):
                raise BadValue(f"{where}: {arm.where} and {other.where} do not differ, so there is nothing to find")
    return weights


def _dose_weights(arms: Mapping[str, Arm], where: str) -> dict[str, float]:
    doses = {name: arm.dose for name, arm in arms.items() if arm.dose is not None}
    if len(set(doses.values())) < 2:
        raise BadValue(f"{where}: a dose curve needs two arms or more with different `dose`")
    mean = sum(doses.values()) / len(doses)
    spread = sum((dose - mean) ** 2 for dose in doses.values())
    return {name: (dose - mean) / spread for name, dose in doses.items()}


def _check_direction(document: Mapping[str, Any], estimator: str, direction: str, where: str) -> None:
    if (direction == "in_band") != ("band" in document):
        raise BadValue(f"{where}: band and expected_direction = 'in_band' belong together")
    if direction == "in_band" and estimator not in ONE_SAMPLE:
        raise BadValue(f"{where}: estimator {estimator} is compared with min_effect, not with a band; allowed: {', '.join(ONE_SAMPLE)}")
    if estimator in ONE_SAMPLE and direction != "in_band" and "than" not in document:
        raise BadValue(f"{where}: estimator {estimator} needs than = number, or band = [least, most]")


def _read_against(document: Mapping[str, Any], estimator: str, where: str) -> Metric | None:
    if "against" not in document:
        return None
    if estimator != "difference" or "within" in document:
        other = "within" if "within" in document else f"estimator {estimator}"
        raise BadValue(f"{where}: against belongs to the estimator difference without `within`, not to {other}")
    return Metric.read(read_text(document, "against", where), where)


def _check_results(arms: Mapping[str, Arm], metrics: Sequence[Metric], where: str) -> None:
    """Raise BadValue for metrics that cannot be measured of games that are steered to the result of a battle."""
    for metric in metrics:
        if metric.needs_details and any(arm.result is not None for arm in arms.values()):
            raise BadValue(f"{where}: metric {metric.text} cannot be measured with battle_result; take columns of games and players")


def _read_effect(document: Mapping[str, Any], estimator: str, metric: Metric, where: str) -> float | None:
    if "min_effect" not in document:
        return 0.0 if estimator in ONE_SAMPLE else None
    effect = read_number(document, "min_effect", where)
    if effect < 0:
        raise BadValue(f"{where}: min_effect is {effect:g}; allowed: 0 or more; expected_direction says which way")
    return effect


def _read_players(document: Mapping[str, Any], key: str, where: str, default: tuple[int, ...]) -> tuple[int, ...]:
    value = document.get(key, list(default))
    counts = value if isinstance(value, list) else [value]
    whole = all(isinstance(count, int) and count in PLAYER_COUNTS for count in counts)
    if not counts or not whole or len(set(counts)) < len(counts):
        raise BadValue(f"{where}: {key} is {value!r:.60}; write different numbers of players, 2 to 5, e.g. [4, 5]")
    return tuple(counts)


def _read_counts(document: Mapping[str, Any], key: str, estimator: str, players: tuple[int, ...], where: str) -> tuple[int, ...]:
    if estimator != "contrast":
        return ()
    counts = _read_players(document, key, where, ())
    if not set(counts) <= set(players):
        raise BadValue(f"{where}: {key} is {list(counts)}, but players is {list(players)}")
    return counts


def _read_inside(document: Mapping[str, Any], estimator: str, arms: Mapping[str, Arm], where: str) -> dict[str, float]:
    if "inside" not in document:
        return {}
    if estimator != "interaction":
        raise BadValue(f"{where}: inside belongs to the estimator interaction, not to {estimator}")
    return _read_weights(document["inside"], arms, f"{where}, inside")


def _read_weights(table: Any, arms: Mapping[str, Arm], where: str) -> dict[str, float]:
    """Weights of arms that add up to 0.  Raises BadValue, UnknownName."""
    given = check_keys(table, arms, where)
    weights = {name: read_number(given, name, where) for name in given}
    if abs(sum(weights.values())) > _ROUNDING:
        raise BadValue(f"{where}: the weights must add up to 0, not {sum(weights.values()):g}")
    return weights


def _read_outside(document: Mapping[str, Any], estimator: str, players: tuple[int, ...], where: str) -> tuple[int, ...]:
    if "outside" not in document:
        return ()
    counts = _read_players(document, "outside", where, ())
    if not set(counts) < set(players) or estimator == "contrast":
        raise BadValue(f"{where}: outside is {list(counts)}; write some of players, {list(players)}, but not all, and not with a contrast")
    return counts


def _read_pair(document: Mapping[str, Any], key: str, where: str) -> tuple[float, float] | None:
    if key not in document:
        return None
    value = document[key]
    whole = isinstance(value, list) and len(value) == 2 and all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in value)
    if not whole or value[0] > value[1]:
        raise BadValue(f"{where}: {key} is {value!r:.60}; write [least, most]")
    return float(value[0]), float(value[1])
