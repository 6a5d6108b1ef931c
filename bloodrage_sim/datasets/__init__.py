"""Folders of data sets: parts, manifests, merging."""
