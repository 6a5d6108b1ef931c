"""`bloodrage simulate`: play many games and write them as a data set."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import BadValue, OutputRefused
from .shared import (
    INTERRUPTED,
    STRATEGY,
    engine_from,
    engine_options,
    rule_arguments,
    rule_options,
    ruleset_from,
    tell_damaged,
    tell_played,
    tell_stopped,
    trust_option,
)

if TYPE_CHECKING:
    from ..batch import Outcome
    from ..running.runs import RunConfig

# what does not decide the content of a run
_WITH_LIKE = ("like", "out", "threads", "engine", "scheduler", "share", "resume", "decision_seconds", "trust_files")


@click.command()
@click.option("--players", default="4", show_default=True, metavar="N[,N...]", help="2 to 5 players, or several.")
@click.option("--games", type=int, default=1000, show_default=True, metavar="G", help="Games for each N.")
@click.option("--seed", type=int, metavar="S", help="0 to 2**63 - 1; drawn and told if not given.")
@click.option(
    "--strategy", "strategies", multiple=True, metavar=STRATEGY,
    help="Once for all seats, or once for each of N slots; `bloodrage strategies --help` says how it is written.  "
    "[default: random]",
)  # fmt: skip
@click.option(
    "--seats", default="rotate", show_default=True, metavar="rotate|fixed|random",
    help="rotate: slot j sits at seat (j + game) mod N, and N games share a deal.  fixed: slot j sits at seat j.  "
    "random: the line-up is turned by chance.  The last two have a new deal for every game.",
)  # fmt: skip
@click.option(
    "--tables", default="all", show_default=True, metavar="all|summary|NAME,...",
    help="What to keep: summary is games and players, which take a sixth of the room; `bloodrage schema` tells what is in each.",
)  # fmt: skip
@click.option(
    "--events", default="none", show_default=True, metavar="none|sample|all",
    help="Keep all events of no game, one game in 50, or all games.",
)  # fmt: skip
@rule_options
@engine_options
@click.option(
    "--share", metavar="K/N",
    help="Play only the K-th of N shares of the run, for one of N machines; `bloodrage merge` joins them.",
)  # fmt: skip
@click.option(
    "--decision-seconds", type=float, default=60.0, show_default=True, metavar="SEC",
    help="Longest that a strategy in plain Python may think about a decision.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the run in --out; an error if there is none.")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder for the data set.")
@click.option("--like", type=click.Path(path_type=Path), metavar="DIR", help="Repeat the run of this data set.")
@trust_option
@click.pass_context
def command(
    context: click.Context, out: Path, like: Path | None, threads: int | None, engine: str, scheduler: str | None,
    share: str | None, resume: bool, decision_seconds: float, trust_files: bool, **given: Any,
) -> None:  # fmt: skip
    """Play many games and write them as a data set.

    Ctrl-C stops; the same command plays the games that are missing, and those of files that were damaged since.  The data set is parquet: `bloodrage schema`
    explains its tables.  Exit status: 0 done, 2 misused or failed, 130 stopped by Ctrl-C.
    """
    from dataclasses import replace

    from ..batch import available_threads, run_to_folder
    from ..datasets.dataset import read_manifest
    from ..progress import Progress
    from ..provenance import command_line
    from ..running.runs import config_like

    if threads is None:
        threads = available_threads()
    if like is not None:
        _refuse_others(context)
        if like.resolve() == out.resolve():
            raise OutputRefused(f"--like and --out are the same folder {out}; give a new folder")
        config = config_like(like, threads, trust_files)
    else:
        config = _config_from(out, threads, **given)
    if resume:
        read_manifest(out)
    for text in config.warnings():
        click.echo(f"warning: {text}", err=True)
    progress = Progress()
    if like is None and given["seed"] is None:
        progress.say(f"seed {config.seed}")
    try:
        with engine_from(engine, scheduler, threads) as crew:
            config = replace(config, engine=crew, decision_seconds=decision_seconds)
            outcome = run_to_folder(config, out, command_line(sys.argv[1:]), progress, parse_share(share))
    finally:
        progress.close()
    _tell(outcome, like)


def _refuse_others(context: click.Context) -> None:
    """--like takes all from a data set, so other options would be ignored."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _WITH_LIKE and source is click.core.ParameterSource.COMMANDLINE:
            option = "strategy" if name == "strategies" else name.replace("_", "-")
            raise BadValue(f"--like repeats a run as it was; do not give --{option} as well")


def _config_from(
    out: Path, threads: int, players: str, games: int, seed: int | None, strategies: tuple[str, ...], seats: str,
    tables: str, events: str,
    rule: tuple[str, ...], rules: Path | None, cards: Path | None, board: Path | None,
) -> RunConfig:  # fmt: skip
    from ..batch import draw_seed, stored_seed
    from ..running.runs import RunConfig

    if seed is None:
        seed = stored_seed(out)
    return RunConfig(
        players=parse_players(players),
        games=games,
        seed=draw_seed() if seed is None else seed,
        strategies=strategies or ("random",),
        seats=seats,
        ruleset=ruleset_from(rule, rules, cards, board),
        threads=threads,
        tables=parse_tables(tables),
        events=events,
        rule_arguments=rule_arguments(rule, rules, cards, board),
    )


def parse_players(text: str) -> tuple[int, ...]:
    """'2,3' as (2, 3).  Raises BadValue."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise BadValue(f"--players is {text!r}; allowed: numbers 2 to 5, separated by commas") from None


def parse_tables(text: str) -> tuple[str, ...]:
    """'all', 'summary' or 'deals,plays' as names of tables, which RunConfig checks.  Raises BadValue for the events, which have an option."""
    from ..rows.tables_out import DETAILS, EVENTS, SUMMARY

    if text == "all":
        return tuple(table.name for table in (*SUMMARY, *DETAILS))
    names = tuple(table.name for table in SUMMARY) if text == "summary" else tuple(text.split(","))
    if EVENTS.name in names:
        raise BadValue("--tables names events; they are kept by --events sample or --events all")
    return names


def parse_share(text: str | None) -> tuple[int, int]:
    """'2/3' as (2, 3), None as the whole.  Raises BadValue."""
    from ..whole_numbers import whole_number

    if text is None:
        return 1, 1
    one, _, of = text.partition("/")
    share, shares = whole_number(one), whole_number(of)
    if share is not None and shares is not None and 1 <= share <= shares:
        return share, shares
    raise BadValue(f"--share is {text!r}; it is written K/N with K from 1 to N, such as 1/3 on the first of three machines")


def _tell(outcome: Outcome, like: Path | None) -> None:
    """Print how the run ended and what came out."""
    from ..batch import summarise
    from ..datasets.dataset import read_manifest

    data_set = outcome.data_set
    tell_damaged(data_set.damaged)
    if outcome.interrupted:
        tell_stopped(data_set.games_done, data_set.games_asked, data_set.path)
        sys.exit(INTERRUPTED)
    tell_played(outcome.played, outcome.seconds)
    for summary in summarise(data_set):
        click.echo("\n".join(summary.lines()))
    if not data_set.complete:
        click.echo(f"{data_set.games_done:,} of {data_set.games_asked:,} games are there; bloodrage merge joins the shares of a run")
    click.echo(f"seed {data_set.run['seed']}, data set in {data_set.path}")
    for name, content in data_set.content_hash().items():
        click.echo(f"content hash of {name}: {content}")
    if like is not None:
        same = read_manifest(like)["content_hash"] == data_set.content_hash()
        click.echo(f"content equal to {like}" if same else f"content DIFFERS from {like}")
