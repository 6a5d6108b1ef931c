"""Machine code kept on disk, read with care.

numba runs whatever it finds in its cache folder: a file that was cut short ends in an error of Python, one with other bytes in
wrong code.  Here every file has a checksum: what does not fit is compiled anew, and what cannot be written is not kept.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

_SIZE = hashlib.sha256().digest_size


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]  numba has no types
    """Files of the versions of one function: an index, and a file for each version.

    Attributes
    ----------
    lost : whether something could not be written, so that it will be compiled again next time
    """

    lost = False

    def _dump(self, obj: Any) -> bytes:
        content: bytes = super()._dump(obj)
        return hashlib.sha256(content).digest() + content

    def _data_name(self, number: int) -> str:
        """Name of the file of a version; numba's own way stumbles over braces in the name of a strategy's file."""
        return f"{self._index_name.removesuffix('.nbi')}.{number}.nbc"

    def _load_index(self) -> dict[Any, str]:
        """Names of files by version; {} if the index is absent, damaged or of other sources."""
        try:
            stored = Path(self._index_path).read_bytes()
            version = pickle.dumps(self._version, protocol=-1)
            stamp, names = pickle.loads(_checked(stored.removeprefix(version)) if stored.startswith(version) else b"")
        except (OSError, EOFError, pickle.UnpicklingError):
            return {}
        return names if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        """Content of a file.  Raises OSError, which numba takes for a file that is not there."""
        return pickle.loads(_checked(Path(self._data_path(name)).read_bytes()))

    def save(self, key: Any, data: Any) -> None:
        """Keep a version of the function, if that can be done."""
        try:
            super().save(key, data)
        except OSError as error:
            self.lost = True
            _tell(f"machine code cannot be kept in {self._cache_path} ({error.strerror or error}); it will be compiled again next time")


_told: set[str] = set()


def _tell(text: str) -> None:
    """Say it once, on standard error, since nobody who could be told has called."""
    if text not in _told:
        _told.add(text)
        print(f"warning: {text}", file=sys.stderr)


def _checked(stored: bytes) -> bytes:
    content = stored[_SIZE:]
    if hashlib.sha256(content).digest() != stored[:_SIZE]:
        raise OSError("damaged")
    return content


def keep_with_care(dispatcher: Any, folder: str | None = None) -> Any:
    """Give a function that numba caches files that are checked.  Returns it; before it is compiled or loaded.

    folder : where they lie, if its name stands for the content of all sources; by default numba's own folder for the path of
        the function's file, whose time of change then decides whether they still hold
    """
    files = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)  # None of a plain function: without the compiler
    if isinstance(files, IndexDataCacheFile):
        base = files._index_name.removesuffix(".nbi")
        place, stamp = (files._cache_path, files._source_stamp) if folder is None else (folder, None)
        dispatcher._cache._cache_file = CheckedFiles(place, base, stamp)
    return dispatcher


def is_kept(dispatcher: Any) -> bool:
    """Whether all that was compiled of a function could be written."""
    return not getattr(getattr(getattr(dispatcher, "_cache", None), "_cache_file", None), "lost", False)
