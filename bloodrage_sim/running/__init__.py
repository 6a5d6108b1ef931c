"""What to play, cut into units, played by threads or a cluster, and put in order."""
