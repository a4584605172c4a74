"""The arguments and options that several commands share, so that they are the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer

from fewlex.cli.screen import note, warn
from fewlex.config_layers import AT_TRANSLATION
from fewlex.data import TOKENIZERS, Corpus, Example, find_dataset, load
from fewlex.data.readers import stream_examples
from fewlex.data.scripts import LOOKED_AT, warnings_of
from fewlex.errors import ConfigError
from fewlex.lexicon.execution import BACKENDS
from fewlex.mind import ASKED

DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A data set (`colors`, `scan:jump`; see `fewlex data list`), a file (.tsv, .csv, .jsonl, .json, `source "
        "||| target`), two parallel files `a.txt,b.txt`, or a folder with train.tsv, test.tsv …",
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


_TOKENIZER_HELP = f"How {{}} are cut into words: {', '.join(TOKENIZERS)}, moses:de …"
SourceTokenizerOption = Annotated[str, typer.Option(help=_TOKENIZER_HELP.format("sources"))]
TargetTokenizerOption = Annotated[str, typer.Option(help=_TOKENIZER_HELP.format("targets"))]
TranslationSettingsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="SECTION.NAME=VALUE",
        help=f"A setting for this call: {', '.join(AT_TRANSLATION)}. May be repeated.",
    ),
]


def require_other_than(data: str, out: Path | str | None, option: str = "--out") -> None:
    """Complain if a command would write over the data that it reads, be that a file, one of two, or in a folder."""
    if out is None or not (there := Path(out)).is_file() or find_dataset(data) is not None:
        return
    given = [Path(data), *map(Path, data.split(","))]
    files = (
        file for path in given for file in (path.iterdir() if path.is_dir() else [path]) if file.is_file()
    )
    if any(file.samefile(there) for file in files):
        raise ConfigError(f"{option} {out} is the data itself, which would be lost. Choose another name.")


def load_data(
    data: str, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> Corpus:
    """The data, after telling what the reader has decided and what looks as if it needs a tokenizer."""
    corpus = load(data, source_tokenizer, target_tokenizer)
    tell_about(corpus)
    return corpus


def tell_about(corpus: Corpus) -> None:
    """Say what the reader has decided, and warn of text that was cut at white space and has none."""
    for message in corpus.notes:
        note(message)
    for message in warnings_of(corpus):
        warn(message)


def training_examples(
    data: str, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> Iterable[Example]:
    """The examples to learn from. Those of a file are read one by one, so that the file may be larger than memory."""
    if find_dataset(data) is not None or Path(data).is_dir():
        return load_data(data, source_tokenizer, target_tokenizer)["train"]
    stream = stream_examples(data, source_tokenizer, target_tokenizer, note)
    first = tuple(islice(stream, LOOKED_AT))
    tell_about(Corpus(data, {"train": first}, source_tokenizer, target_tokenizer))
    return chain(first, stream)
