"""Built-in strategies, one a file."""
