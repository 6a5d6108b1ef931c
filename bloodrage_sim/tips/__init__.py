"""The catalogue of claims that players make about Blood Rage, each with its test and its verdict.

`tips.csv` holds the claims, `scenarios/` the positions that show rule facts, `enumeration/` what can be counted out, `experiments/` what
needs games.
"""
