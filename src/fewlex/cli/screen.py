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
def training_bar(title: str) -> Iterator[Callable[[Progress], None]]:
    """A bar on stderr with epoch, loss, validation, speed and time left; plain lines where it is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    is_terminal = sys.stderr.isatty()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), disable=not is_terminal) as bar:
        handle = bar.add_task(title, total=1.0, figures="")
        accuracy = ""

        def show(news: Progress) -> None:
            nonlocal accuracy
            if news.validation is not None:
                accuracy = f" · validation {news.validation.accuracy:.3f}"
            speed = f"{news.tokens_per_second:,.0f} tokens/s"
            figures = f"epoch {news.epoch + 1} · loss {news.loss:.3f}{accuracy} · {speed}"
            bar.update(handle, completed=news.share, figures=figures)
            if not is_terminal and news.validation is not None:
                note(f"{title}: {news.share:4.0%} · {figures}")

        yield show
        bar.update(handle, completed=1.0)
