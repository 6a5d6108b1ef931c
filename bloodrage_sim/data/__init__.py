"""The facts of the game as files: cards, gods, board, rule options."""
