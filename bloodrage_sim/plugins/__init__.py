"""Strategies by name, path or entry point: what their text means, their parameters, loading and listing them."""
