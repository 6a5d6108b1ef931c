"""No kernel is called with a fraction where its parameter's name stands for a whole number.

Kernels are compiled for the types that their parameter names stand for; a call with another type would be cut silently.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import numba
from bloodrage_sim import play
from bloodrage_sim.rows import results
from bloodrage_sim.rules.jit import argument_types, entry, kernels_of
from bloodrage_sim.tactics.appraisal import appraise

dispatcher = entry(appraise)
kernels = kernels_of([dispatcher])
for kernel in kernels:
    kernel.compile(argument_types(kernel.py_func))
dispatcher.compile(play.APPRAISE)
floats = numba.types.float64
for kernel in kernels:
    declared = argument_types(kernel.py_func)
    for signature in kernel.signatures:
        for wanted, given in zip(declared, signature):
            if given == floats and wanted != floats:
                print(kernel.py_func.__name__, signature)
"""


@pytest.mark.slow
def test_no_fraction_is_cut() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == ""
