"""`bloodrage strategies`: list strategies, explain one, check one."""

from __future__ import annotations

import sys

import click

from .shared import INTERRUPTED

FAILED = 1


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option("--traits", is_flag=True, help="List the traits.")
@click.option("--check", is_flag=True, help="Try a strategy: NAME, or the path of a file.")
@click.option(
    "--games", type=click.IntRange(1, 1_000_000), metavar="G",
    help="With --check: games for each number of players.  [default: 1000; fewer for plain Python]",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), metavar="S", help="With --check.  [default: 1]")
def command(names: tuple[str, ...], traits: bool, check: bool, games: int | None, seed: int | None) -> None:
    """List the strategies; with NAME, show what it says of itself, its parameters and the traits that it takes.

    A strategy is written

    \b
        NAME[@FILE.toml|@tuned][:param=value,...][+trait[=value]]...

    wherever a command takes one: `greedy:boldness=0.8`, `greedy+lock_province+stat_order=rage/axes/horns`.  In place of
    NAME may stand the path of a file with a slash in it or .py at its end, ./mine.py.  Installed packages add names by
    entry points, group bloodrage.strategies.  @FILE.toml takes values from a file, @tuned from the set that is shipped
    with the strategy.  The values of some parameters and traits are words: NAME shows them.

    Put quotes around it for the shell if a path has blanks: --strategy "./my bots/loki.py:wins=2".  A path whose folders
    have @, : or + in their names must begin with ./ or /.

    --check compiles a strategy, plays games at 2 to 5 players with one of it among `greedy`, and tells whether it plays
    legally, whether the same games come out the same again, how fast it is and its share of wins.  Exit status: 0 good,
    1 the check failed, 2 misused or no such strategy, 130 stopped by Ctrl-C.
    """
    from ..errors import BadValue
    from ..plugins.listing import list_lines, page_lines, trait_lines

    if check:
        if len(names) != 1 or traits:
            raise BadValue("--check takes one strategy: a name, or the path of a file")
        _check(names[0], games, seed)
        return
    if games is not None or seed is not None:
        raise BadValue("--games and --seed go with --check")
    pages = [page_lines(name) for name in names]
    if traits:
        pages.append(trait_lines())
    click.echo("\n\n".join("\n".join(page) for page in pages or [list_lines()]))


def _check(text: str, games: int | None, seed: int | None) -> None:
    from ..progress import Progress
    from ..strategy_check import SEED, Check, Interrupted

    progress = Progress()
    checked = Check(text, games, SEED if seed is None else seed, progress)
    try:
        for line in checked.run():
            progress.close()
            click.echo(line)
    except Interrupted:
        progress.close()
        click.echo("stopped")
        sys.exit(INTERRUPTED)
    finally:
        progress.close()
    if checked.failed:
        sys.exit(FAILED)
