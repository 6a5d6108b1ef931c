"""The tables of a data set: their columns, and finished games as their rows."""
