"""What a worker elsewhere gets before it can play: a job as plain data, with the files of its strategies.

A worker needs this package and nothing else of the client: no shared disk.
"""

from __future__ import annotations

import hashlib
import pickle
import shutil
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .. import provenance
from ..errors import BadPlugin
from ..plugins.loading import Strategy, load_strategy, read_strategy
from ..plugins.param_sets import ENDING
from ..plugins.text import is_path, split_strategy

Loader = Callable[[str], Strategy]


@dataclass(frozen=True)
class Parcel:
    """A job on its way.

    Attributes
    ----------
    job : what to play
    texts : canonical text by text of each strategy of the job, as the client read it
    files : content by path of the files that strategies name
    source : what `describe` gives on the client
    """

    job: Any
    texts: Mapping[str, str]
    files: Mapping[str, bytes]
    source: Mapping[str, str]


def describe() -> dict[str, str]:
    """What must be equal on client and workers: version, sources and the libraries that results pass through."""
    return {**provenance.versions(), "engine": provenance.engine_digest()}


def differences(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """How a worker differs from the client, one phrase each."""
    return [f"{name} {there.get(name, 'absent')} there, {here[name]} here" for name in here if there.get(name) != here[name]]


def packed(job: Any, strategies: Iterable[str]) -> bytes:
    """A job as bytes, with what `strategies` need.  Raises what read_strategy raises, BadPlugin for files that are gone."""
    texts = {text: read_strategy(text).settings.text for text in dict.fromkeys(strategies)}
    try:
        files = {path: Path(path).read_bytes() for text in texts for path in _files_of(text)}
    except OSError as error:
        raise BadPlugin(f"a file of a strategy cannot be read to send it to workers: {error}") from None
    return zlib.compress(pickle.dumps(Parcel(job, texts, files, describe())), 1)


def unpacked(content: bytes) -> tuple[Any, Loader]:
    """A job and the function that loads its strategies here.  Raises BadPlugin where other games than the client's would be played.

    The bytes come from the client that hands out the work, and may be code, as strategies are.
    """
    parcel: Parcel = pickle.loads(zlib.decompress(content))
    other = differences(describe(), parcel.source)
    if other:
        raise BadPlugin(f"a worker has another program than the client: {'; '.join(other)}; install the same there")
    folder = Path(tempfile.mkdtemp(prefix="bloodrage-"))
    for path, data in parcel.files.items():
        place = _place(path, folder)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(data)

    def load(text: str) -> Strategy:
        return replace(load_strategy(_moved(text, folder)), text=parcel.texts[text], name=split_strategy(text).name)

    weakref.finalize(load, shutil.rmtree, folder, ignore_errors=True)
    return parcel.job, load


def _files_of(text: str) -> list[str]:
    """Paths that the text of a strategy names: its file, a file of values, and the values shipped beside its file."""
    parts = split_strategy(text)
    found = [parts.name] if is_path(parts.name) else []
    if parts.set.endswith(ENDING):
        found.append(parts.set)
    elif parts.set and found:
        found.append(str(Path(parts.name).with_suffix("")) + f".{parts.set}{ENDING}")
    return found


def _moved(text: str, folder: Path) -> str:
    """The text of a strategy with the paths that its files have in `folder`."""
    parts = split_strategy(text)
    for path in sorted({path for path in (parts.name, parts.set) if path in _files_of(text)}, key=len, reverse=True):
        text = text.replace(path, str(_place(path, folder)), 1)
    return text


def _place(path: str, folder: Path) -> Path:
    """Where a file of the client lies in `folder`: in one of its own for each folder there."""
    return folder / hashlib.sha256(str(Path(path).resolve().parent).encode()).hexdigest()[:12] / Path(path).name
