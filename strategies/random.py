"""Plays any legal move.

It passes with probability 0.03, or when nothing else is legal, and takes the other options with equal chance.  With
`by=kind` it first draws the kind of action (invade, march, upgrade, ...) and then one option of that kind, which meets
more card effects.
"""

from bloodrage_sim.strategy_api import (
    ACTION_PASS,
    QUESTION_TURN,
    Param,
    chance,
    kernel,
    pick,
    strategy,
)

N_ACTIONS = 32


@kernel
def pick_of_kind(options, n, action, key, nth):
    """Index of a random option with `action`."""
    count = 0
    for option in range(n):
        if options[option].action == action:
            count += 1
    wanted = pick(key, nth, count)
    for option in range(n):
        if options[option].action == action:
            if wanted == 0:
                return option
            wanted -= 1
    return 0


@kernel
def pick_kind(options, n, skipped, key, nth):
    """A random action among those that the options have; `skipped` is left out."""
    present = 0
    kinds = 0
    for option in range(n):
        action = int(options[option].action)
        if action != skipped and not present >> action & 1:
            present |= 1 << action
            kinds += 1
    wanted = pick(key, nth, kinds)
    for action in range(N_ACTIONS):
        if present >> action & 1:
            if wanted == 0:
                return action
            wanted -= 1
    return 0


@strategy(
    survey=False,
    params={
        "by": Param(0, 0, 1, "what is drawn first: an option, or a kind of action", names=("option", "kind")),
        "passing": Param(0.03, 0, 1, "probability to pass on a turn"),
    }
)
def decide(view, options, n, tables, params, memory, key):
    if view.flow.question == QUESTION_TURN:
        # pass is always the first option of a turn, and never the only one that is asked
        if chance(key, 0) < params[1]:
            return 0
        if params[0] == 0:
            return 1 + pick(key, 1, n - 1)
        return pick_of_kind(options, n, pick_kind(options, n, ACTION_PASS, key, 1), key, 2)
    if params[0] == 0:
        return pick(key, 1, n)
    return pick_of_kind(options, n, pick_kind(options, n, -1, key, 1), key, 2)
