"""Blood Rage simulator and balance analyser.

The strategies and reports stand beside this package in a checkout and inside it in an
installed wheel; extending `__path__` makes `bloodrage_sim.strategies` importable in both.
"""

from pathlib import Path

__version__ = "0.1.0"

_root = Path(__file__).resolve().parent.parent
if (_root / "pyproject.toml").is_file() and (_root / "strategies" / "__init__.py").is_file():
    __path__.append(str(_root))
