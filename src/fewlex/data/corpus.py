"""A corpus has named splits of examples and records how its text was tokenized."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fewlex.data.codec import Codec
from fewlex.data.copies import Copies
from fewlex.data.dataset import DataSet
from fewlex.data.example import Example
from fewlex.data.tokenizers import make_tokenizer
from fewlex.data.truecase import truecased
from fewlex.errors import DataError, NotationError, did_you_mean

LEAST_VALIDATION = 50
"""Validation has at least this many examples where it can; fewer say little."""


@dataclass(frozen=True)
class Corpus:
    """Named splits of examples. There is always `train`; `validation`, `test` and others exist if the data has them."""

    name: str
    splits: Mapping[str, tuple[Example, ...]]
    source_tokenizer: str = "whitespace"
    """The tokenizer that cut the sources of the file into tokens when it was read."""
    target_tokenizer: str = "whitespace"
    dataset: DataSet | None = None
    """The published data set that the corpus is; None for a user's own data."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the reader has decided that the user may want to know, such as that a line is a header."""

    @property
    def evaluation_split(self) -> str:
        """The split to evaluate on: the one that the data set names, else `test`, else `train`."""
        if self.dataset is not None:
            return self.dataset.evaluation_split
        return "test" if "test" in self.splits else "train"

    def called(self, split: str) -> str:
        """The name of a split for people: a single file, which the reader calls `train`, goes by its own name."""
        is_one_file = self.dataset is None and set(self.splits) == {"train"} and Path(self.name).is_file()
        return Path(self.name).stem if is_one_file else split

    @property
    def text_tokenizer(self) -> str:
        """The tokenizer of the target text, whether fewlex applied it when reading or the publishers did before."""
        return self.target_tokenizer if self.dataset is None else self.dataset.target_tokenizer

    def __getitem__(self, split: str) -> tuple[Example, ...]:
        if split not in self.splits:
            raise DataError(f"{self.name} has no split {split!r}. {did_you_mean(split, self.splits)}")
        return self.splits[split]

    def truecased(self, truecase: Mapping[str, str]) -> Corpus:
        """The same corpus, with the first word of each source written as it is within sentences."""
        return self.with_sources(lambda source: truecased(source, truecase))

    def with_sources(self, read: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Corpus:
        """The same corpus with each source as `read` reads it."""
        return self.with_examples(lambda example: replace(example, source=read(example.source)))

    def with_examples(self, changed: Callable[[Example], Example]) -> Corpus:
        """The same corpus with each example changed."""
        return replace(
            self, splits={split: tuple(map(changed, examples)) for split, examples in self.splits.items()}
        )

    def cut_anew(self, side: str, tokenizer: str) -> Corpus:
        """The same text, of which one side is cut into tokens by another tokenizer than white space."""
        tokenize = make_tokenizer(tokenizer).tokenize

        def cut_source(example: Example) -> Example:
            return replace(example, source=tokenize(" ".join(example.source)))

        def cut_target(example: Example) -> Example:
            return replace(example, target=tokenize(" ".join(example.target)))

        if side == "source":
            return replace(self.with_examples(cut_source), source_tokenizer=tokenizer)
        return replace(self.with_examples(cut_target), target_tokenizer=tokenizer)

    def in_notation(self, codec: Codec) -> Corpus:
        """The same corpus with its targets in another notation."""
        splits = {split: self._in_notation(split, codec) for split in self.splits}
        return replace(self, splits=splits)

    def _in_notation(self, split: str, codec: Codec) -> tuple[Example, ...]:
        encoded = []
        for number, example in enumerate(self[split], start=1):
            try:
                encoded.append(replace(example, target=codec.encode(example.target).tokens))
            except NotationError as error:
                raise NotationError(
                    f"{self.name}, split {split!r}, example {number}: {error} "
                    "Set data.notation=flat to take targets as they are."
                ) from error
        return tuple(encoded)

    def with_validation(
        self, share: float, seed: int, *, keeps_words: bool = False, copies: Copies | None = None
    ) -> Corpus:
        """The same corpus with a share of `train` as validation split, drawn by seed, unless it has one already.

        Of few examples, a small share would be too little to validate with, so it is at least every tenth example or
        LEAST_VALIDATION of them, whichever is less. With fewer than ten examples nothing is set aside.

        With `keeps_words`, an example is set aside only if each of its words stays in two training examples. There may
        then be fewer validation examples than the share, or none. What is copied (`copies`) is no word.
        """
        if "validation" in self.splits or share == 0:
            return self
        train = self["train"]
        size = max(round(share * len(train)), min(LEAST_VALIDATION, len(train) // 10))
        size = min(size, len(train) - 1)
        if size <= 0:
            return self
        rng = random.Random(seed)
        as_learned = train if copies is None else [*map(copies.hide_in_pair, train)]
        chosen = _spared(as_learned, size, rng) if keeps_words else set(rng.sample(range(len(train)), size))
        return replace(
            self,
            splits={
                **self.splits,
                "train": tuple(e for i, e in enumerate(train) if i not in chosen),
                "validation": tuple(e for i, e in enumerate(train) if i in chosen),
            },
        )


MIN_LEFT = 2
"""In so many training examples each word of a validation example must stay."""


def _spared(train: Sequence[Example], size: int, rng: random.Random) -> set[int]:
    """Numbers of up to `size` examples that training can do without, since it keeps all of their words."""
    left = Counter(word for example in train for word in _words(example))
    chosen: set[int] = set()
    for i in rng.sample(range(len(train)), len(train)):
        words = _words(train[i])
        if len(chosen) < size and all(left[word] > MIN_LEFT for word in words):
            left.subtract(words)
            chosen.add(i)
    return chosen


def _words(example: Example) -> set[tuple[str, str]]:
    """The different words of both sides."""
    return {("source", word) for word in example.source} | {("target", word) for word in example.target}
