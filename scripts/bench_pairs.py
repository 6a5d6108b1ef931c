"""Measurement for bench.py: how much smaller errors are because both arms of an experiment play the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

import click
from bench_runs import show

from bloodrage_sim.experiments.files import experiment_of
from bloodrage_sim.experiments.running import run_experiments
from bloodrage_sim.ruleset import make_ruleset

BLOCKS = 400
METRICS = {"win_share": 0.02, "glory": 1.0}
FORK = {
    "at": {"question": "join", "age": 1},
    "join": {"action": "join"},
    "decline": {"action": "decline"},
}
# treatment and control of ten interventions; in a swap a card that one arm has is a dead one, or one without its text, in the other
SWAPS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "swap: Troll in age 1": ({"deal": [{"card": "troll", "age": 1}]}, {}),
    "swap: Fire Giant in age 2": ({"deal": [{"card": "fire_giant", "age": 2}]}, {}),
    "swap: text of the Valkyrie": ({}, {"replace": [{"in": "deck", "card": "valkyrie", "age": 2, "by": "textless"}]}),
    "swap: Odin's Throne in age 3": ({"deal": [{"card": "odins_throne", "age": 3}]}, {}),
}
OTHERS: Mapping[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "trait: lock_province": ({"traits": ["lock_province"]}, {}),
    "parameter: wins 0.5": ({"params": {"wins": 0.5}}, {}),
    "state: a step of rage less from age 2": ({"set_state": [{"age": 2, "rage_step": -1}]}, {}),
    "fork: join the first battle or not": ({"fork": "join"}, {"fork": "decline"}),
    "quota: at most 2 upgrades an age": ({"draft_quota": [{"kind": "upgrade", "most": 2}]}, {}),
    "rule: Yggdrasil pays 5 glory": ({"rules": {"yggdrasil_reward": "glory_5"}}, {}),
}


def paired(blocks: int = BLOCKS) -> None:
    """Correlation between arms, and the standard error of arms on deals of their own over that of arms on the same deals."""
    click.echo(f"paired: `balanced` at 4 players against the mixed pool, {blocks} deals in all rotations, both arms")
    for metric, least in METRICS.items():
        gains = {}
        for number, (name, (treatment, control)) in enumerate({**SWAPS, **OTHERS}.items()):
            document = {
                "id": f"pair_{number}", "claim": name, "players": [4], "metric": metric, "min_effect": least, "pools": ["mixed"],
                "looks": [blocks], "treatment": treatment, "control": control, **({"fork": FORK} if "fork" in treatment else {}),
            }  # fmt: skip
            (finding,) = run_experiments([experiment_of(document, name)], make_ruleset(), 2).findings
            (pool,) = finding.pools
            gains[name] = pool.gain
            click.echo(
                f"  {metric:10}{name:40} correlation {pool.rho:5.2f}   error smaller {pool.gain:5.2f} times   "
                f"games differ {pool.exposure:6.1%}"
            )
        swaps, every = median(gains[name] for name in SWAPS), median(gains.values())
        show(f"{metric}: median gain of all", f"{every:.2f}", "1.2 or more", every >= 1.2)
        show(f"{metric}: median gain of card swaps", f"{swaps:.2f}", "2 or more", swaps >= 2)
