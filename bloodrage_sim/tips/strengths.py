"""Strengths of play at which claims are tested besides the strategy that they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..experiments.files import Experiment

SCRIPTED = "balanced"  # the base that the others replace
OTHERS = ("greedy", "balanced@tuned")


def other_strengths(experiments: Iterable[Experiment]) -> list[Experiment]:
    """Experiments with the other strengths in the focal seat, first look only; claims about a plan of their own have none."""
    return [
        replace(experiment, strengths=OTHERS, looks=experiment.looks[:1])
        for experiment in experiments
        if experiment.strengths[0] == SCRIPTED and not any(arm.line_up.focal for arm in experiment.arms.values())
    ]
