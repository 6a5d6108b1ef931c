"""Tuning: the parameters of a strategy are improved by CMA-ES in games against a field of opponents.

`tune` of running.py is the way in; the command is cli/tune.py.
"""
