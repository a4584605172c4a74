"""What to expect of training on data, and the command that comes next."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from fewlex.data.corpus import Corpus
from fewlex.data.scripts import SIDES, SideGuess

FEW_PAIRS = 30
MOST = 0.9
HALF = 0.5


def expectations(
    pairs: int, explained: float | None, ceiling: float, once: int, once_with_row: int
) -> Iterator[str]:
    """Sentences about what a trained run will and will not do."""
    if pairs < FEW_PAIRS:
        yield f"{pairs} pairs are very few: only words and patterns that are in them can be learned"
    if explained is not None and explained >= MOST:
        yield (
            f"rules explain {explained:.0%} of the pairs, so new combinations and longer sentences should come out "
            "right; `--preset rules` learns them in seconds"
        )
    elif explained is not None and explained >= HALF:
        yield f"rules explain {explained:.0%} of the pairs; the network has to learn the rest"
    elif explained is not None:
        yield "no small grammar explains the pairs, so new combinations depend on the network"
    if ceiling < 1:
        yield f"exact match cannot be higher than {ceiling:.1%} on such pairs, because sources have several targets"
    if once and once_with_row < once:
        yield (
            f"{once - once_with_row:,} of {once:,} words that occur once have no clear translation; "
            "`fewlex teach` can give them one"
        )


def next_command(corpus: Corpus, guesses: Sequence[SideGuess]) -> str:
    """The `fewlex train` that suits the data."""
    stem = (
        Path(corpus.name.partition(",")[0]).stem if corpus.dataset is None else corpus.name.replace(":", "-")
    )
    command = f"fewlex train {shlex.quote(corpus.name)} --out {shlex.quote(f'runs/{stem}')}"
    guessed = {guess.side for guess in guesses}
    for side in SIDES if corpus.dataset is None else ():
        used = getattr(corpus, f"{side}_tokenizer")
        if used != "whitespace" and side not in guessed:
            command += f" --{side}-tokenizer {used}"
    return command
