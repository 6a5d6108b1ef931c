"""The results of a tournament in its folder.

    DIR/tables/<name>.csv, <name>.parquet      the frames of TournamentResults
    DIR/plots/<name>.png                       plots.py
    DIR/summary.txt                            words.py
"""

from __future__ import annotations

from pathlib import Path

from ..datasets.dataset import cannot_write
from ..errors import BadDataSet
from ..rows.table_files import write_file
from .design import design_of_run
from .frames import TournamentResults, analyse
from .keeping import Keeper, read_manifest
from .plots import plots_of
from .words import lines_of


def read_results(path: Path) -> TournamentResults:
    """Results of the tournament in folder `path`, worked out anew from its games.  Raises BadDataSet."""
    manifest = read_manifest(path)
    design = design_of_run(manifest["run"])
    keeper = Keeper.read(path, design, manifest)
    if not keeper.complete:
        missing = len(design.compositions) * keeper.blocks * design.players - keeper.games_done
        raise BadDataSet(f"the tournament in {path} lacks {missing:,} games; the command that began it plays them")
    return analyse(design, keeper.rows(), manifest["run"])


def write_results(results: TournamentResults, path: Path) -> None:
    """Write tables, plots and summary into a tournament's folder.  Raises OutputRefused."""
    try:
        for folder in ("tables", "plots"):
            (path / folder).mkdir(exist_ok=True)
        for name, frame in results.frames().items():
            write_file(path / "tables" / f"{name}.csv", frame.to_csv(index=False, float_format="%.6g").encode())
            write_file(path / "tables" / f"{name}.parquet", frame.to_parquet(index=False))
        for name, content in plots_of(results):
            write_file(path / "plots" / f"{name}.png", content)
        write_file(path / "summary.txt", ("\n".join(lines_of(results)) + "\n").encode())
    except OSError as error:
        raise cannot_write(path, error) from None
