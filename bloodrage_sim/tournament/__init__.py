"""A tournament: strategies at tables of every mix, with the same deals and all seats, and what follows from it.

`play_tournament` of playing.py is the way in; the command is cli/tournament.py.
"""
