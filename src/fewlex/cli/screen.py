"""What the commands share: options, where messages go, and progress bars. Results go to stdout, all else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fewlex.training import Progress

DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A data set (`colors`, `scan:jump`; see `fewlex data list`), a file (.tsv, .jsonl, `source ||| "
        "target`), two parallel files `a.txt,b.txt`, or a folder with train.tsv, test.tsv …",
        show_default=False,
    ),
]
RunArgument = Annotated[
    str, typer.Argument(metavar="RUN", help="The folder that `fewlex train` has written.", show_default=False)
]
DeviceOption = Annotated[str, typer.Option(help="`cpu`, `cuda`, `cuda:1`, `mps` …")]
ThreadsOption = Annotated[int, typer.Option(min=0, help="CPU threads; 0 = all cores.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def complain(message: str) -> None:
    typer.secho(f"error: {message}", fg="red", err=True)


def note(message: str) -> None:
    typer.secho(message, fg="bright_black", err=True)


def use_threads(threads: int) -> None:
    import torch

    if threads:
        torch.set_num_threads(threads)


@contextmanager
def progress_bar(task: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that is told how many more are done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        handle = bar.add_task(task, total=total)
        yield lambda done: bar.advance(handle, done)


@contextmanager
def training_bar(title: str, hidden: bool = False) -> Iterator[Callable[[Progress], None]]:
    """A bar on stderr with epoch, loss, validation, speed and time left; where it is no terminal, a line after each
    epoch or validation, at most one a second.
    """
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    is_terminal = sys.stderr.isatty()
    console = Console(stderr=True)
    columns = (
        BarColumn(bar_width=None),
        TextColumn("{task.fields[figures]}"),
    )  # the bar takes what room is left
    is_shown = is_terminal and not hidden
    with Bar(*columns, console=console, expand=True, disable=not is_shown) as bar:
        if is_shown:
            console.print(title)
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


def clock_time(seconds: float) -> str:
    """`0:42`, `12:05`, `1:30:00`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
