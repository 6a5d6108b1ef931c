"""Estimates with honest errors for many cells at once: from sums over clusters to ratios, tests, flags and comparisons.

Nothing here knows the game or reads a file.  A cell is one line of a table, such as a card at an age; a cluster is what
is independent of the others: a game, or a deal where games share one.
"""
