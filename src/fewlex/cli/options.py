"""The arguments and options that several commands share, so that they are the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from fewlex.data import Example, find_dataset, load, read_pairs
from fewlex.lexicon.execution import BACKENDS
from fewlex.mind import ASKED

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
BeamOption = Annotated[int | None, typer.Option(min=1, help="Beam width; 1 = greedy. Default: the run's.")]
ByOption = Annotated[
    str,
    typer.Option(
        help=f"Who answers: {', '.join(ASKED)}. Both: the rules where they are sure, else the network.",
    ),
]
BackendOption = Annotated[str, typer.Option(help=f"Where the work is done: {' or '.join(BACKENDS)}.")]
WorkersOption = Annotated[int, typer.Option(min=0, help="Workers; 0 = all cores.", show_default=False)]


def training_examples(data: str) -> Iterable[Example]:
    """The examples to learn from. Those of a file are read one by one, so that the file may be larger than memory."""
    if find_dataset(data) is not None or Path(data).is_dir():
        return load(data)["train"]
    return (Example(tuple(pair.source.split()), tuple(pair.target.split())) for pair in read_pairs(data))
