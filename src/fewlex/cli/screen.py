"""Messages and progress bars. Results go to standard output, and everything else goes to standard error."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import typer

from fewlex.errors import InterruptedRunError
from fewlex.files import atomic_write_text
from fewlex.printable import printable

if TYPE_CHECKING:
    from fewlex.lexicon import Change
    from fewlex.training import Progress

CHANGES_TOLD = 5
WORDS_TOLD = 10


def say(text: str = "", *, nl: bool = True, bold: bool = False, fg: str | None = None) -> None:
    """Print a result for people, or JSON, on standard output. No token and no path in it can take over a terminal."""
    typer.secho(printable(text), nl=nl, bold=bold, fg=fg)


def put(text: str, *, nl: bool = True) -> None:
    """Print data that programs read: into a file or a pipe as it is, on a terminal as safely as `say`."""
    typer.echo(printable(text) if sys.stdout.isatty() else text, nl=nl)


def put_into(out: str, text: str) -> None:
    """Write data into a file, whole or not at all; `-` is standard output."""
    if out == "-":
        put(text, nl=False)
    else:
        atomic_write_text(out, text)


def complain(message: str) -> None:
    _tell(f"error: {message}", "red")


def warn(message: str) -> None:
    _tell(f"warning: {message}", "yellow")


def note(message: str) -> None:
    _tell(message, "bright_black")


def _tell(message: str, colour: str) -> None:
    typer.secho(printable(message), fg=colour, err=True)


def use_utf8() -> None:
    """Results are UTF-8 whatever the locale says, because programs read them; what cannot be written is spelt out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def tell_changes(done: str, changes: Mapping[str, Change]) -> None:
    """Say what an edit has changed."""
    if not changes:
        note("unchanged: the lexicon says so already")
    for source, change in islice(changes.items(), CHANGES_TOLD):
        before, after = (", ".join(row) or "nothing" for row in (change.before, change.after))
        note(f"{done}: {source} ↦ {after} (before: {before})")
    if len(changes) > CHANGES_TOLD:
        note(f"… and {len(changes) - CHANGES_TOLD:,} more source words")


def tell_unknown(unknown: Mapping[str, int], run: str) -> None:
    """Warn of source words that a run does not know, once, with how often they were read."""
    if not unknown:
        return
    often = sorted(unknown.items(), key=lambda item: -item[1])
    names = ", ".join(f"{word} ({count})" for word, count in often[:WORDS_TOLD])
    more = f" and {len(often) - WORDS_TOLD:,} more" if len(often) > WORDS_TOLD else ""
    number = "1 word is" if len(often) == 1 else f"{len(often):,} words are"
    warn(
        f"{number} in no training sentence, lexicon or rule, so the outputs are guesses: {names}{more}. "
        f"Teach such a word: fewlex teach {run} {often[0][0]} ITS_TRANSLATION"
    )


@contextmanager
def resumable(what: str) -> Iterator[None]:
    """For commands that go on where they were stopped: Ctrl-C and SIGTERM say so."""
    try:
        yield
    except KeyboardInterrupt as stop:
        where = f" in epoch {stop.epoch}" if hasattr(stop, "epoch") else ""
        raise InterruptedRunError(
            f"interrupted{where}. {what} goes on where it stopped when you give the same command again.",
            getattr(stop, "code", 130),
        ) from None


def use_threads(threads: int) -> None:
    if threads:
        import torch

        torch.set_num_threads(threads)


@contextmanager
def progress_bar(task: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr, and a function that moves it on by the number of items that have just been finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    words = TextColumn("{task.description}", markup=False)
    columns = (words, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        handle = bar.add_task(task, total=total)
        yield lambda done: bar.advance(handle, done)


@contextmanager
def waiting(task: str) -> Iterator[None]:
    """A spinner on stderr, for work whose duration cannot be foreseen."""
    from rich.console import Console
    from rich.text import Text

    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield
        return
    with console.status(Text(printable(task))):
        yield


@contextmanager
def training_bar(title: str, hidden: bool = False) -> Iterator[Callable[[Progress], None]]:
    """A bar on stderr that shows epoch, loss, validation, speed and time left.

    If stderr is not a terminal, a line is printed after each epoch or validation, but at most one each second.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    is_terminal = sys.stderr.isatty()
    console = Console(stderr=True)
    columns = (
        BarColumn(bar_width=None),
        TextColumn("{task.fields[figures]}", markup=False),
    )  # The bar takes the room that is left.
    is_shown = is_terminal and not hidden
    with Bar(*columns, console=console, expand=True, disable=not is_shown) as bar:
        if is_shown:
            console.print(printable(title), markup=False, highlight=False)
        handle = bar.add_task(title, total=1.0, figures="")
        accuracy, next_line = "", 0.0

        def show(news: Progress) -> None:
            nonlocal accuracy, next_line
            if news.validation is not None:
                accuracy = f" · validation {news.validation.accuracy:.3f}"
            speed = f"{news.tokens_per_second:,.0f} tokens/s"
            left = f"{clock_time(news.seconds_left)} left"
            figures = f"epoch {news.epoch + 1} · loss {news.loss:.3f}{accuracy} · {speed} · {left}"
            bar.update(handle, completed=news.share, figures=figures)
            is_due = news.is_milestone and (news.seconds >= next_line or news.share == 1)
            if is_due and not is_terminal:
                next_line = news.seconds + 1
                note(f"{title}: {news.share:4.0%} · {figures}")

        yield show


@contextmanager
def work_bar() -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar on stderr, for work that has several stages."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    words = TextColumn("{task.description}", markup=False)
    columns = (words, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    ) as bar:
        stages: dict[str, object] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage, total=total)
            bar.update(stages[stage], completed=done, total=total)  # type: ignore[arg-type]  # a TaskID

        yield show


def clock_time(seconds: float) -> str:
    """A time as clocks show it, such as `0:42`, `12:05` or `1:30:00`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
