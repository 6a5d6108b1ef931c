"""Reports, one a file."""
