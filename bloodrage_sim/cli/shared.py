"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadValue

if TYPE_CHECKING:
    from ..ruleset import Ruleset

# how a strategy is written, in short; `bloodrage strategies --help` has it in full
STRATEGY = "NAME[@SET][:param=value,...][+trait...]"
INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it
_FILE = click.Path(path_type=Path)


def tell_damaged(files: Iterable[str]) -> None:
    """Say which files of a folder had to be written again."""
    for file in files:
        click.echo(f"warning: {file} was missing or damaged; its games were played again", err=True)


def tell_stopped(done: int, asked: int, folder: object) -> None:
    """Say how far a run came that Ctrl-C stopped."""
    click.echo(f"stopped: {done:,} of {asked:,} games are in {folder}; the same command plays the others")


def tell_played(games: int, seconds: float) -> None:
    """Say how many games were played how fast."""
    if games:
        click.echo(f"{games:,} games played in {seconds:.1f} s, {games / max(seconds, 1e-9):,.0f} games/s")
    else:
        click.echo("all games were there already")


def trust_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --trust-files, for commands that play what a data set says."""
    text = "Run the strategy files that the data set names; they are code, and the data set may be a stranger's."
    return click.option("--trust-files", is_flag=True, help=text)(function)


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --threads, --engine and --scheduler, which `engine_from` takes."""
    for option in (
        click.option(
            "--scheduler", metavar="ADDRESS",
            help="A running Dask scheduler, as tcp://HOST:8786; without it --engine dask starts processes on this machine.",
        ),
        click.option(
            "--engine", type=click.Choice(["threads", "dask"]), default="threads", show_default=True,
            help="Who plays: threads of this process, or the workers of a Dask cluster.",
        ),
        click.option("--threads", type=int, metavar="T", help="Workers on this machine.  [default: all processors]"),
    ):  # fmt: skip
        function = option(function)
    return function


@contextmanager
def engine_from(engine: str, scheduler: str | None, threads: int) -> Iterator[Any]:
    """The engine of these options while it is used; None for threads.  Raises BadValue for a mix that cannot be."""
    from ..running.runs import check_threads

    check_threads(threads)
    if engine == "threads":
        if scheduler is not None:
            raise BadValue(f"--scheduler {scheduler} is for --engine dask; give that as well")
        yield None
        return
    from ..running.cluster import DaskEngine

    with DaskEngine(scheduler, threads) as cluster:
        yield cluster


def rule_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --rule, --rules, --cards and --board, which `ruleset_from` takes."""
    for option in (
        click.option("--board", type=_FILE, metavar="FILE.toml", help="Changed numbers of the board."),
        click.option("--cards", type=_FILE, metavar="FILE.csv", help="Changed cards (id,age,column,value)."),
        click.option("--rules", type=_FILE, metavar="FILE.toml", help='Rule options, name = "value" a line.'),
        click.option(
            "--rule", multiple=True, metavar="NAME=VALUE", help="A rule option; repeatable, wins over --rules."
        ),
    ):
        function = option(function)
    return function


def ruleset_from(rule: tuple[str, ...], rules: Path | None, cards: Path | None, board: Path | None) -> Ruleset:
    """The ruleset of these options.  Raises UnknownName, BadValue or BadFile with the place of the fault."""
    from ..ruleset import (
        check_options,
        load_card_changes,
        load_toml,
        make_ruleset,
        parse_rule,
    )

    given: dict[str, Any] = {}
    if rules is not None:
        given = load_toml(rules, "rules file")
        check_options(given, str(rules))
    given.update(parse_rule(text) for text in rule)
    return make_ruleset(
        given,
        load_card_changes(cards) if cards is not None else (),
        load_toml(board, "board file") if board is not None else {},
        where="--rule",
        board_where=str(board),
    )


def rule_arguments(
    rule: tuple[str, ...], rules: Path | None, cards: Path | None, board: Path | None
) -> tuple[str, ...]:
    """The same options as arguments of a command."""
    arguments = [argument for text in rule for argument in ("--rule", text)]
    for name, path in (("--rules", rules), ("--cards", cards), ("--board", board)):
        if path is not None:
            arguments += [name, str(path)]
    return tuple(arguments)
