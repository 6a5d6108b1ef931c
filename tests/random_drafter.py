"""Drafts by chance and plays like `balanced`: a draft in which every pick is an experiment.

Each card of the pack has a draw of its own, so that without the card that is taken the next is any of the others, alike.
"""

from bloodrage_sim.strategy_api import QUESTION_DRAFT, chance, strategy, take_best


@strategy(style={})
def decide(view, options, n, tables, params, memory, key):
    if view.flow.question != QUESTION_DRAFT:
        return take_best(view, n, key)
    best = 0
    highest = -1.0
    for option in range(n):
        draw = chance(key, int(tables.face[options[option].card]))
        if draw > highest:
            highest = draw
            best = option
    return best
