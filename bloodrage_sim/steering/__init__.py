"""What experiments do to a game in the loop: orders to strategies, changes of cards and numbers, hidden channels."""
