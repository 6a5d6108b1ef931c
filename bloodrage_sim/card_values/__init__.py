"""What a card is worth: the same game with and without it, for the players who drafted it.

`values.py` says what is compared, `replaying.py` plays it.
"""
