"""`bloodrage tune`: improve the parameters of a strategy."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from .shared import INTERRUPTED, STRATEGY, rule_options, ruleset_from


@click.command()
@click.argument("name")
@click.option("--players", type=int, default=4, show_default=True, metavar="N", help="Seats of a table, 2 to 5.")
@click.option("--seed", type=int, metavar="S", help="0 to 2**63 - 1; drawn and told if not given.")
@click.option(
    "--against", multiple=True, metavar=STRATEGY,
    help="A strategy in the other seats, or the word champions; repeatable.  [default: NAME untuned, and champions]",
)  # fmt: skip
@click.option("--params", metavar="A,B,...", help="Parameters to tune.  [default: all that are numbers]")
@click.option("--generations", type=int, default=40, show_default=True, metavar="G", help="Generations of the search.")
@click.option(
    "--games", type=int, default=240, show_default=True, metavar="K",
    help="Games of each candidate in each generation, rounded up to whole deals of N.",
)  # fmt: skip
@click.option("--popsize", type=int, metavar="P", help="Candidates of a generation.  [default: 12, more for many parameters]")
@click.option(
    "--sigma", type=float, default=0.15, show_default=True, metavar="X",
    help="First step of the search, as part of the range of each parameter.",
)  # fmt: skip
@click.option(
    "--held-out", type=int, default=4000, show_default=True, metavar="GAMES",
    help="Games in which the result is compared with NAME untuned.",
)  # fmt: skip
@rule_options
@click.option("--threads", type=int, metavar="T", help="Workers.  [default: all processors]")
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="FILE.toml", help="File for the values.")
def command(
    name: str, players: int, seed: int | None, against: tuple[str, ...], params: str | None, generations: int, games: int,
    popsize: int | None, sigma: float, held_out: int, rule: tuple[str, ...], rules: Path | None, cards: Path | None,
    board: Path | None, threads: int | None, out: Path,
) -> None:  # fmt: skip
    """Improve the parameters of the strategy NAME in games against a field (needs pip install 'bloodrage-sim[tune]').

    The search is CMA-ES.  All candidates of a generation play the same games, in all seats; every generation has new
    ones.  In half of the other seats sits NAME as it is given, in the other half its last champions: the centre of the
    search after every 5 generations.  --against puts others there, in equal parts.

    In the end the centre of the search and NAME untuned play the same games, with a seed that was not used before, against
    the field without champions: the win shares and their difference are told with 95 % intervals.

    FILE.toml is then used as NAME@FILE.toml wherever a command takes a strategy.  Ctrl-C stops and loses at most the open
    generation; the same command goes on, from FILE.toml.state.  Exit status: 0 done, 2 misused or failed, 130 stopped by
    Ctrl-C.
    """
    from ..batch import available_threads, draw_seed
    from ..progress import Progress
    from ..provenance import command_line
    from ..tuning.config import TuneConfig
    from ..tuning.keeping import stored_seed
    from ..tuning.running import tune

    drawn = seed if seed is not None else stored_seed(out)
    config = TuneConfig(
        strategy=name,
        players=players,
        seed=draw_seed() if drawn is None else drawn,
        against=against,
        params=tuple(part.strip() for part in params.split(",")) if params is not None else (),
        generations=generations,
        games=games,
        popsize=popsize,
        sigma=sigma,
        held_out=held_out,
        ruleset=ruleset_from(rule, rules, cards, board),
        threads=available_threads() if threads is None else threads,
    )
    progress = Progress()
    try:
        outcome = tune(config, out, command_line(sys.argv[1:]), progress)
    finally:
        progress.close()
    if outcome.result is None:
        click.echo(
            f"stopped: {outcome.generations} of {generations} generations are in {out}.state (seed {config.seed}); "
            "the same command goes on"
        )
        sys.exit(INTERRUPTED)
    if outcome.played:
        speed = outcome.played / max(outcome.seconds, 1e-9)
        click.echo(f"{outcome.played:,} games played in {outcome.seconds:.1f} s, {speed:,.0f} games/s")
    else:
        click.echo("it was done already")
    click.echo("\n".join(outcome.result.lines()))
    click.echo(f"use it as {outcome.result.space.text_with(str(out))}; seed {config.seed}; where it comes from is in {out}")
