"""One game watched move by move, and told in words or as records."""
