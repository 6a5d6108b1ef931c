"""Traits about where figures go."""

from __future__ import annotations

from ..rules.flow import ACTION_INVADE
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER
from .area import is_doomed
from .terms import TERM_TRAIT, add


@kernel
def leader_first(view, index, option, factor):
    """Invade with the leader before anything else."""
    if option.action == ACTION_INVADE and option.figure == FIGURE_LEADER:
        add(view, index, TERM_TRAIT, 8.0 * factor)


@kernel
def ragnarok_presence(view, tables, index, option, factor):
    """Invade and march into the doomed province and its fjord."""
    if option.place >= 0 and option.figure >= 0 and is_doomed(view, tables, int(option.place)):
        add(view, index, TERM_TRAIT, 3.0 * factor)


@kernel
def on_turn(view, tables, traits, index, option):
    """The traits of this file for one option of a turn."""
    if traits.leader_first > 0.0:
        leader_first(view, index, option, traits.leader_first)
    if traits.ragnarok_presence > 0.0:
        ragnarok_presence(view, tables, index, option, traits.ragnarok_presence)
