"""Experiments: what happens if one thing is otherwise, in games that are the same in everything else.

`files.py` explains the format of an experiment file, `verdicts.py` the rules of its verdict.
"""
