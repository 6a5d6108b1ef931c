"""`bloodrage verify`: check a data set."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..errors import BadValue
from .shared import trust_option


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--sample", type=int, default=20, show_default=True, metavar="N", help="Games to play anew.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Which games are drawn.")
@trust_option
def command(folder: Path, sample: int, seed: int, trust_files: bool) -> None:
    """Check the files of a data set, and play games of it anew.

    All files are checked against the hashes of the manifest.  N games drawn by chance are played from their seeds, and
    every stored row of theirs is compared.  Exit status: 0 all equal, 1 differences, 2 misused or
    failed, 130 stopped by Ctrl-C.
    """
    from ..progress import Progress
    from ..verifying import verify

    for name, value in (("sample", sample), ("seed", seed)):
        if value < 0:
            raise BadValue(f"--{name} is {value}; allowed: 0 or more")
    progress = Progress()
    try:
        found = verify(folder, sample, seed, progress, trust_files)
    finally:
        progress.close()
    for fault in found.faults:
        click.echo(f"DIFFERENT: {fault}")
    bad = f"{len(found.faults)} differences" if found.faults else "all equal"
    click.echo(f"{found.files:,} files checked, {found.games:,} games played anew, {found.rows:,} rows compared: {bad}")
    sys.exit(1 if found.faults else 0)
