"""The machine code kept on disk is that of the signatures meant, and Python enters it where it may."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from bloodrage_sim.play import prepare
from bloodrage_sim.rules.chance import PURPOSE_TOKENS, draw, mix

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


def test_a_kernel_is_closed_to_python_and_a_tool_is_open() -> None:
    prepare()
    with pytest.raises(TypeError, match="mix is a kernel that only kernels can call; @tool makes one"):
        mix(np.uint64(1))
    assert int(draw(np.uint64(1), PURPOSE_TOKENS, 0)) != int(draw(np.uint64(1), PURPOSE_TOKENS, 1))
