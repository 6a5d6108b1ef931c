"""`bloodrage warmup`: compile the game core and the strategies now."""

from __future__ import annotations

import time

import click

from .shared import STRATEGY


@click.command()
@click.option(
    "--strategy", "strategies", multiple=True, metavar=STRATEGY,
    help="A strategy to compile as well; those that come with the package are always compiled.",
)  # fmt: skip
def command(strategies: tuple[str, ...]) -> None:
    """Compile the game core and the strategies now, so that the next command starts at once.

    What is compiled is kept in a folder of the user's cache.  Nothing is done if all is there already.
    """
    from ..cast import appraisal, nobody
    from ..play import needs_compiling
    from ..plugins.loading import files_compiled, load_strategy, read_strategy, strategy_names
    from ..progress import Progress, show_time
    from ..rows.results import prepare_batch
    from ..rules.jit import CACHE_FOLDER, JIT

    if not JIT:
        click.echo("nothing to compile: NUMBA_DISABLE_JIT is set")
        return
    for text in strategies:
        read_strategy(text)  # a wrong one is told before a long compilation
    began = time.monotonic()
    core = needs_compiling()
    progress = Progress()
    prepare_batch(progress.compiling)
    nobody()
    appraisal()
    progress.close()
    names = list(dict.fromkeys([*strategy_names(), *strategies]))
    fresh = []
    for name in names:
        before = files_compiled()
        if _was_compiled(load_strategy(name)) and files_compiled() > before:
            fresh.append(name)
    done = [*(["the game core"] if core else []), *fresh]
    if done:
        click.echo(f"compiled in {show_time(time.monotonic() - began)}: {', '.join(done)}")
    else:
        click.echo(f"nothing to do: the game core and {', '.join(names)} are compiled")
    click.echo(f"kept in {CACHE_FOLDER}" if CACHE_FOLDER else "no folder for it can be written, so it is not kept")


def _was_compiled(strategy: object) -> bool:
    """Whether loading a strategy had to compile it; a strategy in plain Python never is."""
    stats = getattr(getattr(strategy, "decide", None), "stats", None)
    return stats is not None and not stats.cache_hits
