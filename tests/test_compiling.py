"""The machine code kept on disk is that of the signatures meant, whatever a process does first."""

from __future__ import annotations

import subprocess
import sys

FUNCTIONS_BEFORE_CORE = """
from bloodrage_sim.cast import cast_of
from bloodrage_sim.play import bind_functions, play_games
from bloodrage_sim.rules.jit import argument_types

assert not play_games.signatures
cast_of([]).arguments
print(bind_functions.signatures == [argument_types(bind_functions.py_func)])
"""


def test_binding_functions_first_compiles_no_version_of_its_own() -> None:
    """A version for single functions would be kept on disk and compile them again at every later start."""
    done = subprocess.run([sys.executable, "-c", FUNCTIONS_BEFORE_CORE], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "True\n"
