"""What traits do: each adds to the TERM_TRAIT of the options that it favours or avoids, in glory.

A strategy that takes traits adds this term to its own judgement, so a trait works alike on all of them.
"""

from __future__ import annotations

from ..rules.jit import kernel
from . import battle_habits, pace_habits, place_habits, reward_habits


@kernel
def lay_traits(view, tables, style, traits, index, option, key):
    """Add what all traits say to option number `index`."""
    place_habits.on_any(view, tables, traits, index, option)
    pace_habits.on_any(view, tables, traits, index, option)
    battle_habits.on_any(view, tables, style, traits, index, option, key)
    reward_habits.on_any(view, tables, style, traits, index, option)
