"""Fuzzing: inputs that are good examples spoilt by chance, and what must hold for each of them.

Every input is made from a seed alone, so that one that fails can be made again: spoil.py spoils texts, files.py, words.py and
folders.py have the kinds of inputs, running.py tries them.
"""
