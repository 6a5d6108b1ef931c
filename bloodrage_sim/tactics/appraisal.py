"""The appraisal: every legal option in named terms of glory, and their sum weighed by a style."""

from __future__ import annotations

from ..rules.jit import kernel
from .terms import N_TERMS


@kernel
def clear_terms(view, n):
    """All terms of the first n options 0."""
    terms = view.appraisal.terms
    for option in range(n):
        for term in range(N_TERMS):
            terms[option, term] = 0.0


def appraise(view, options, n, tables, style, traits, key):
    """Fill view.appraisal for options[:n]; returns n.  The loop calls it for strategies that declare a style."""
    clear_terms(view, n)
    view.appraisal.n = n
    return n
