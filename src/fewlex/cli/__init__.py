"""The command `fewlex`. One file for each group of verbs; every command is a thin call into the library."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from contextlib import suppress
from typing import Annotated

import typer

from fewlex.cli import (
    align,
    augment,
    config,
    data,
    demo,
    doctor,
    edits,
    evaluate,
    lexicon,
    reliability,
    report,
    reproduce,
    rules,
    serve,
    studio,
    teach,
    train,
    translate,
)
from fewlex.cli.screen import complain, say, use_utf8
from fewlex.deadline import OutOfTime
from fewlex.errors import FewlexError, InterruptedRunError
from fewlex.version import __version__

INTERRUPTED, TERMINATED = 130, 143

app = typer.Typer(
    name="fewlex",
    help=(
        "Teach a sequence model words from one example.\n\n"
        "Start with `fewlex demo`. Then: `fewlex data list`, "
        "`fewlex lexicon learn scan:jump --out lexicon.json`, "
        "`fewlex train scan:jump --out runs/jump`, `echo 'jump twice' | fewlex translate runs/jump`."
    ),
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data.app, name="data")
app.add_typer(config.app, name="config")
app.add_typer(lexicon.app, name="lexicon")
lexicon.app.command("edit")(edits.edit)
lexicon.app.command("undo")(edits.undo)
lexicon.app.command("redo")(edits.redo)
lexicon.app.command("import")(edits.import_)
lexicon.app.command("export")(edits.export)
app.add_typer(rules.app, name="rules")
app.command("align")(align.align)
app.command("augment")(augment.augment)
app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.command("train")(train.train)
app.command("serve")(serve.serve)
app.command("teach")(teach.teach)
app.command("forget")(teach.forget)
app.command("translate")(translate.translate)
app.command("score")(translate.score)
app.command("evaluate")(evaluate.evaluate)
app.command("compare")(evaluate.compare)
app.command("reliability")(reliability.reliability)
app.command("reproduce")(reproduce.reproduce)
app.command("report")(report.report)
app.command("studio")(studio.studio)


def _print_version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line; a user's mistake is told in one line, without a traceback."""
    use_utf8()
    try:
        code = _ended()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output, such as `head`, has had enough
        code = _speechless(0)
    except OSError as error:  # a full disk, or a path that cannot be used
        code = _speechless(1)
        complain(
            f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}. {_cure(error)}"
        )
    sys.exit(code)


def _ended() -> int | str | None:
    """Run the command line and return its exit code."""
    if threading.current_thread() is threading.main_thread():
        # Without this, SIGTERM would end the process before temporary files are removed.
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(TERMINATED))
    try:
        app()
    except InterruptedRunError as end:
        complain(str(end))
        return end.code
    except FewlexError as error:
        complain(str(error))
        return 1
    except OutOfTime:  # it came in the very moment when the work had ended
        complain("the time budget was used up before the network could be trained. Give it more time.")
        return 1
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        complain(
            "there is not enough memory for this. Use less data, smaller batches (training.batch_examples) or a "
            "smaller network (model.hidden, model.embedding)."
        )
        return 1
    except SystemExit as leave:
        if leave.code in (INTERRUPTED, TERMINATED):  # typer has turned Ctrl-C into this
            complain("interrupted.")
        return leave.code
    return 0


def _is_out_of_memory(error: Exception) -> bool:
    """Python says so by the kind of error, and torch in words."""
    return isinstance(error, MemoryError) or "allocate memory" in str(error) or "out of memory" in str(error)


def _speechless(code: int) -> int:
    """Let nothing more be printed, because nobody can take it."""
    with suppress(OSError):  # it may be no real file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _cure(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "Free some space and try again."
    return "Check the path, and that you may read and write there."
