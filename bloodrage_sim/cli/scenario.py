"""`bloodrage scenario`: play scenario files and compare."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import click


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--format", "explain", is_flag=True, help="Show how scenario files and moves are written.")
def command(files: tuple[Path, ...], explain: bool) -> None:
    """Play scenario files, which set up a position and say what must come of some moves, and say what differs.

    Prints `ok` or each difference.  Exit status 1 if any failed, 2 if any file is no scenario (the others still run).
    """
    from .. import scenario
    from ..errors import BloodRageError

    if explain:
        click.echo(inspect.cleandoc(scenario.__doc__ or ""))
        return
    if not files:
        raise click.UsageError("name files of scenarios; `bloodrage scenario --format` shows how they are written")
    failed = unreadable = 0
    for path in files:
        try:
            outcome = scenario.run_scenario(path)
        except BloodRageError as error:
            unreadable += 1
            click.echo(f"error  {error}")
            continue
        if outcome.ok:
            click.echo(f"ok     {path}: {outcome.title}")
        else:
            failed += 1
            click.echo(f"FAILED {path}: {outcome.title}")
            for difference in outcome.differences:
                click.echo(f"         {difference}")
    click.echo(f"{len(files) - failed - unreadable} of {len(files)} scenarios ok")
    sys.exit(2 if unreadable else 1 if failed else 0)
