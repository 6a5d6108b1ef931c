"""The command `bloodrage`.  Every command is a file of this folder with a click command named `command`.

A file is imported only when its command runs, so that `bloodrage --help` answers at once; its line in the help stands
here for the same reason.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import sys
from typing import Any

import click

from .. import __version__
from ..errors import BloodRageError
from .shared import INTERRUPTED

# name -> its line in the help; a command that is not built yet is not shown
COMMANDS = {
    "play": "Play one game and tell it.",
    "simulate": "Play many games and write them as a data set.",
    "tournament": "Measure strategies against each other.",
    "experiment": "Test claims: one thing changed, all else the same.",
    "card-value": "Value cards: games played again without them.",
    "tips": "Claims of players, tested.",
    "tune": "Improve the parameters of a strategy.",
    "report": "Write a page with figures and tables on a data set.",
    "verify": "Check a data set and play games of it anew.",
    "merge": "Join data sets of one run.",
    "compare": "Tell what changed from one data set to another.",
    "schema": "Explain the tables and columns of a data set.",
    "strategies": "List, explain and check strategies.",
    "cards": "List the cards.",
    "rules": "List the rule options.",
    "scenario": "Play scenario files and compare.",
    "warmup": "Compile the game core now.",
}


def _module(name: str) -> str:
    """The module of a command."""
    return f"{__name__}.{name.replace('-', '_')}"


class CommandFailed(click.ClickException):
    """A BloodRageError as click shows it: one line, and its exit status."""

    def __init__(self, error: BloodRageError) -> None:
        super().__init__(str(error))
        self.exit_code = error.exit_status


class LazyGroup(click.Group):
    """A group that imports a command when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if importlib.util.find_spec(_module(name))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(_module(cmd_name)).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        _, command, rest = super().resolve_command(ctx, args)
        return args[0], command, rest  # the functions are all called `command`

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BloodRageError as error:
            raise CommandFailed(error) from None
        except KeyboardInterrupt:  # where a command does not stop by itself, or the second one
            click.echo("\nstopped", err=True)
            sys.exit(INTERRUPTED)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever reads our output has enough; click knows what to do
                raise
            place = f"{error.filename}: " if error.filename else ""
            raise CommandFailed(BloodRageError(f"{place}{error.strerror or error}")) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bloodrage")
def main() -> None:
    """Simulate the board game Blood Rage and analyse its balance."""
