"""What a card is worth: the same game with and without it, for the players who drafted it (METHODS 1.5).

`values.py` says what is compared, `replaying.py` plays it.
"""
