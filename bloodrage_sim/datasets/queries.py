"""The example queries that come with the package, as texts."""

from __future__ import annotations

from importlib import resources

from ..data import queries
from ..errors import unknown

_ENDINGS = (".sql", ".py")


def query_texts() -> dict[str, str]:
    """Texts of the queries by file name, DuckDB first."""
    files = [file for file in resources.files(queries).iterdir() if file.name.endswith(_ENDINGS) and file.name[0] != "_"]
    files.sort(key=lambda file: (_ENDINGS.index("." + file.name.rpartition(".")[2]), file.name))
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def query_lines(names: tuple[str, ...]) -> list[str]:
    """Queries as lines: one alone as it can be run, several under their names.  Raises UnknownName."""
    texts = query_texts()
    for name in names:
        if name not in texts:
            raise unknown("query", name, texts)
    if len(names) == 1:
        return texts[names[0]].splitlines()
    lines = []
    for name in names or texts:
        lines += [f"==== {name}", "", *texts[name].splitlines(), ""]
    return lines
