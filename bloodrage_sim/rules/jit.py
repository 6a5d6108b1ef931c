"""How kernels are compiled: three decorators, one cache folder, one warning filter.

A kernel is compiled once, for the argument types that its parameter names stand for (ARGUMENT_TYPES, integers
otherwise): without that numba would compile it anew for each width of integer that a field of the state has.  Python
can call those that are a `@tool`.  Only the few entry points (`@entry`) go to the cache on disk; they contain the machine
code of all kernels they use.

numba's own cache does not notice an edit in a helper of another file, so its folder is named after a digest of every
source file with kernels, of the versions and flags that change machine code, and of the processor.  All copies of the
same sources share it, wherever they lie.  The core has one folder; what strategies think with (tactics/) and the
strategies themselves have one inside it, so that an edit there leaves the core compiled.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterable

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.registry import CPUDispatcher

from .kept_code import is_kept, keep_with_care

PACKAGE = Path(__file__).resolve().parent.parent
JIT = not numba.config.DISABLE_JIT

# First-class functions are how strategies enter the loop; numba calls them experimental but keeps them working.
warnings.filterwarnings("ignore", category=numba.NumbaExperimentalFeatureWarning)
if not JIT:
    # Without the compiler the hashes of chance.py are numpy scalars, whose wrap-around is meant.
    warnings.filterwarnings("ignore", message="overflow encountered", category=RuntimeWarning)


_MARKS = (b"@kernel", b"@tool", b"@entry")
_THOUGHTS = ("tactics/", "strategy_api.py")
_THOUGHTS_OF_CORE = ("tactics/style.py", "tactics/survey.py", "tactics/terms.py", "tactics/traits.py", "parameters.py")


def kernel_sources(thoughts: bool) -> dict[str, bytes]:
    """Source files that decide the machine code of the core, or that of what strategies think with."""
    sources = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        name = path.relative_to(PACKAGE).as_posix()
        is_thought = name.startswith(_THOUGHTS) and name not in _THOUGHTS_OF_CORE
        compiled = name.startswith("rules/") or name in _THOUGHTS_OF_CORE or any(mark in text for mark in _MARKS)
        if is_thought == thoughts and (is_thought or compiled):
            sources[name] = text
    return sources


def source_digest(thoughts: bool = False) -> str:
    """Hex digest of the sources of kernels, of library versions, of numba flags and of the processor."""
    digest = hashlib.sha256()
    for name, text in kernel_sources(thoughts).items():
        digest.update(name.encode())
        digest.update(text)
    flags = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    processor = (llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten())
    for part in (numba.__version__, llvmlite.__version__, np.__version__, platform.python_version(), *flags, *processor):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_ours_alone(folder: Path) -> bool:
    """Whether no other user can put machine code there, which would be run."""
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and (os.name != "posix" or (found.st_uid == os.getuid() and not found.st_mode & 0o022))


def choose_cache_folder() -> Path | None:
    """The user's cache folder for this version of the sources, a temporary one, or None if nothing can be written."""
    name = f"kernels-{source_digest()}"
    user = Path(os.environ.get("BLOODRAGE_CACHE") or platformdirs.user_cache_dir("bloodrage-sim"))
    if _writable(user / name):
        return user / name
    shared = Path(tempfile.gettempdir()) / f"bloodrage-sim-{os.getuid() if os.name == 'posix' else ''}"
    with suppress(OSError):
        shared.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_ours_alone(shared) and _writable(shared / name):
            return shared / name
    return None


CACHE_FOLDER = choose_cache_folder()
THOUGHTS_FOLDER = None if CACHE_FOLDER is None else CACHE_FOLDER / f"tactics-{source_digest(thoughts=True)}"
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)


@contextmanager
def caching_thoughts() -> Iterator[None]:
    """Functions decorated within are cached with tactics/, not with the core."""
    core = numba.config.CACHE_DIR
    if THOUGHTS_FOLDER is not None:
        numba.config.CACHE_DIR = str(THOUGHTS_FOLDER)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = core


KERNELS: list[Any] = []
ARGUMENT_TYPES: dict[str, Any] = {}


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that only compiled functions call: a way in from Python would take a fifth of the compile time."""

    def __call__(self, *_: object) -> None:
        """Raise TypeError; without it the interpreter would jump to code that is not there."""
        raise TypeError(
            f"{self.py_func.__name__} is a kernel that only kernels can call; @tool makes one that Python can call too"
        )


def kernel(function: Callable[..., Any]) -> Any:
    """A function of the core.  Kernels with default values are compiled where they are called, all others once."""
    dispatcher = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    if JIT:
        dispatcher.__class__ = Kernel
    return _known(dispatcher, function)


def tool(function: Callable[..., Any]) -> Any:
    """A kernel that Python calls too."""
    return _known(numba.njit(nogil=True)(function), function)


def _known(dispatcher: Any, function: Callable[..., Any]) -> Any:
    if all(parameter.default is parameter.empty for parameter in inspect.signature(function).parameters.values()):
        KERNELS.append(dispatcher)
    return dispatcher


def entry(function: Callable[..., Any]) -> Any:
    """A function that Python calls: a kernel whose machine code is cached on disk, where a folder can be written."""
    return keep_with_care(numba.njit(nogil=True, cache=CACHE_FOLDER is not None)(function), numba.config.CACHE_DIR)


def name_types(names: str, numba_type: Any) -> None:
    """Say which type the parameters with these names (separated by blanks) have in every kernel."""
    for name in names.split():
        ARGUMENT_TYPES[name] = numba_type


def argument_types(function: Callable[..., Any]) -> tuple[Any, ...]:
    """Types of the parameters of a kernel, by their names."""
    return tuple(ARGUMENT_TYPES.get(name, numba.types.int64) for name in inspect.signature(function).parameters)


def called_kernels(function: Callable[..., Any]) -> list[Any]:
    """Kernels that a kernel names, by itself or as an attribute of a module of kernels."""
    names = function.__code__.co_names
    known = {id(dispatcher) for dispatcher in KERNELS}
    found = [function.__globals__.get(name) for name in names]
    modules = [value for value in found if isinstance(value, ModuleType)]
    found += [getattr(module, name, None) for module in modules for name in names]
    return [value for value in found if id(value) in known]


def kernels_of(entries: Iterable[Any]) -> list[Any]:
    """All kernels that the entries reach, callees before callers."""
    order: list[Any] = []
    visited: set[int] = set()

    def visit(function: Callable[..., Any]) -> None:
        for dispatcher in called_kernels(function):
            if id(dispatcher) not in visited:
                visited.add(id(dispatcher))
                visit(dispatcher.py_func)
                order.append(dispatcher)

    for function in entries:
        visit(function.py_func)
    return order


def compile_kernels(entries: Iterable[Any], progress: Callable[[int, int], None] | None = None) -> None:
    """Compile all kernels that the entries reach for their types.  progress(done, all) is called before each."""
    kernels = kernels_of(entries)
    for done, dispatcher in enumerate(kernels):
        if progress is not None:
            progress(done, len(kernels))
        types = argument_types(dispatcher.py_func)
        if types not in dispatcher.signatures:  # a strategy loaded earlier may have compiled it for literal numbers
            dispatcher.compile(types)
        dispatcher.disable_compile()


def is_compiled(folder: Path | None, name: str) -> bool:
    """Whether a cache folder holds all machine code of the entries called `name`."""
    return folder is not None and (folder / f"{name}-complete").exists()


def load_entries(
    entries: Iterable[Any],
    signatures: Iterable[Any],
    folder: Path | None,
    name: str,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Compile entries and all kernels that they reach, or load them from the cache.

    signatures : numba signature or argument types of each entry
    name : what the entries are together; a file of this name in the folder says that nothing is missing
    progress(done, all) : called while compiling
    """
    entries = tuple(entries)
    if not is_compiled(folder, name):
        compile_kernels(entries, progress)
    for dispatcher, signature in zip(entries, signatures, strict=True):
        dispatcher.compile(signature)
        dispatcher.disable_compile()
    if folder is not None and all(is_kept(dispatcher) for dispatcher in entries):
        with suppress(OSError):
            (folder / f"{name}-complete").touch()
