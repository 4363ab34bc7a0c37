"""The command line: one error boundary, three exit codes.

0: success; 1: a file has errors; 2: could not run. Signals use the shell's codes: 130 for Ctrl-C,
141 for a closed pipe, 143 for SIGTERM.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import StringIO

import click

from ave_score.commands.help import HelpGroup, WithHelp, refused_names
from ave_score.core.errors import (
    AveScoreError,
    DefectError,
    InputError,
    PipeClosedError,
    RefusedError,
    unnamed_error_text,
)
from ave_score.core.processes import every_core
from ave_score.core.text import did_you_mean, nearest, visible

__all__ = ["COMMANDS", "WithHelp", "app", "refused_names", "run"]

FOUND, COULD_NOT_RUN, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141

TRACEBACK = "AVE_SCORE_TRACEBACK"
"""Environment variable that enables the traceback of an unexpected error."""

_NO_MEMORY = "there is not enough memory; give fewer or smaller files"

_GROUPS = {
    "Check": {
        "check": "Check files and report all findings.",
        "fix": "Fix runs.",
        "rule": "Explain a rule, or list all rules.",
        "convert": "Convert a file to another notation.",
        "template": "Write a run of all answers of a collection to fill in.",
        "build": "Build a collection from judged answers.",
        "stats": "Count questions, answers and labels of collections.",
    },
    "Score": {
        "score": "Score runs against a collection.",
        "compare": "Test differences between runs for significance.",
        "estimate": "Estimate the accuracy of systems that a judge grades.",
        "decide": "Convert verifier scores to a run.",
        "measures": "Explain a measure, or list all measures.",
    },
    "Publish": {
        "report": "Write a page about runs that people share.",
        "campaign": "Score a whole campaign from one file.",
        "bundle": "Write what a platform needs to run a campaign.",
    },
    "Study": {
        "agree": "Measure the agreement of runs.",
        "stability": "Estimate the error rate and ties of measures.",
        "swap": "Estimate swap rates and required differences.",
    },
}
COMMANDS = {name: what for group in _GROUPS.values() for name, what in group.items()}
"""Every command, in the order of --help, which thus imports none of them."""


@contextmanager
def _closed_pipe_as_error() -> Iterator[None]:
    """Raise `PipeClosedError` before click handles the closed pipe, which would exit with 1."""
    try:
        yield
    except BrokenPipeError:
        raise PipeClosedError from None


class _Commands(HelpGroup):
    """Imports the module of a command when the command is called."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        """Parse the options; --help and --version are handled here."""
        with _closed_pipe_as_error():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Call the command."""
        with _closed_pipe_as_error():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's name
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            hint = did_you_mean(nearest(cmd_name, COMMANDS))
            raise click.UsageError(f"no command {cmd_name!r}{hint}", ctx)
        command: click.Command = getattr(
            import_module(f"ave_score.commands.{cmd_name}"), f"{cmd_name}_command"
        )
        return command


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version; click's own version option takes three times as long to set up."""
    if wanted:
        from ave_score.version import __version__

        click.echo(f"ave-score, version {__version__}")
        context.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def app() -> None:
    """Score systems that validate, select or withhold answers.

    Run ave-score COMMAND -h for the usual options of a command, --help for all of them.

    Exit codes: 0 success, 1 a file has errors, 2 could not run.
    """


app.listed = _GROUPS
app.examples = {
    "Check a run, and list all findings": "ave-score check run.txt --collection test.xml",
    "Score all runs of a folder": "ave-score score gold.xml runs",
}


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; every error becomes one message."""
    if sys.stdout is None or sys.stderr is None:
        return _say("standard output or standard error is closed", COULD_NOT_RUN)
    _prepare_streams()
    try:
        with every_core():
            result = app.main(arguments, prog_name="ave-score", standalone_mode=False)
        sys.stdout.flush()
    except (PipeClosedError, BrokenPipeError):
        _forget_stdout()
        return PIPE_CLOSED
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED)
    except click.ClickException as error:
        return _show(error)
    except AveScoreError as error:
        return _refused(error)
    except OSError as error:
        _forget_stdout()
        return _say(unnamed_error_text(error), COULD_NOT_RUN)
    except MemoryError:
        return _say(_NO_MEMORY, COULD_NOT_RUN)
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        if isinstance(error, ImportError) and "failed to map segment" in str(error):
            return _say(_NO_MEMORY, COULD_NOT_RUN)  # for a library
        kind = type(error).__name__
        message = f"internal error: {kind}: {error}; please report it (set {TRACEBACK}=1 for more)"
        return _say(message, COULD_NOT_RUN)
    return result if isinstance(result, int) else 0


def _prepare_streams() -> None:
    """Let every text be printed, and redirected output be as the files that are named."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
            if os.name == "nt" and not (stream.isatty() or "PYTHONIOENCODING" in os.environ):
                stream.reconfigure(encoding="utf-8", newline="\n")


def _show(error: click.ClickException) -> int:
    """Print click's message with control characters in values escaped."""
    message = StringIO()
    error.show(message)
    for line in message.getvalue().splitlines():
        click.echo(visible(line), err=True)
    return COULD_NOT_RUN


def _refused(error: AveScoreError) -> int:
    """Print why nothing could be done, after all findings."""
    code = FOUND if isinstance(error, DefectError) else COULD_NOT_RUN
    if isinstance(error, RefusedError):
        from ave_score.commands.input_files import show_problems

        show_problems(error.problems)
        has_unreadable = any(isinstance(problem, InputError) for problem in error.problems)
        code = COULD_NOT_RUN if has_unreadable else FOUND
    return _say(error.for_commands, code)


def _forget_stdout() -> None:
    from ave_score.core.writing import forget_stdout

    forget_stdout()


def _say(message: str, code: int) -> int:
    if sys.stderr is not None:
        click.echo(f"ave-score: {visible(message)}", err=True)
    return code
