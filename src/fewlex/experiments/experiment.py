"""An experiment is one row of a table: what to train on, what to teach and what to test on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from fewlex.data import find_dataset, load
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example


@dataclass(frozen=True)
class TaughtWord:
    """A word that is taught after training. A made-up word replaces a real one throughout the test split."""

    source: str
    target: str
    instead_of: tuple[str, str] | None = None
    """The source and the target word that a made-up word replaces in the test split."""

    def apply(self, examples: tuple[Example, ...]) -> tuple[Example, ...]:
        if self.instead_of is None:
            return examples
        old_source, old_target = self.instead_of
        return tuple(
            replace(
                example,
                source=tuple(self.source if word == old_source else word for word in example.source),
                target=tuple(self.target if word == old_target else word for word in example.target),
            )
            for example in examples
        )


def as_published(corpus: Corpus, seed: int) -> Corpus:
    return corpus


@dataclass(frozen=True)
class Experiment:
    """A model that is trained once for each seed. Each result is one JSON file."""

    name: str
    data: str
    task: str = ""
    """The name that `fewlex reproduce --task` has for it."""
    method: str = ""
    """The name that `fewlex reproduce --method` has for it."""
    preset: str = "fast"
    settings: tuple[str, ...] = ()
    prepare: Callable[[Corpus, int], Corpus] = as_published
    """A change of the data before training, such as leaving words out. It may depend on the seed."""
    lessons: Mapping[str, TaughtWord] = field(default_factory=dict)
    """Words that are taught after training and tested one by one. Without lessons the model is tested as it is."""

    @property
    def evaluation_split(self) -> str:
        """The split that the published data set is evaluated on."""
        dataset = find_dataset(self.data)
        return dataset.evaluation_split if dataset else "test"

    def corpus(self, seed: int) -> Corpus:
        return self.prepare(load(self.data), seed)


@dataclass(frozen=True)
class WithoutWord:
    """Train on the examples without a source word, and test on those with it, except for the word alone."""

    word: str

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        everything = dict.fromkeys((e.source, e.target) for split in corpus.splits.values() for e in split)
        examples = [Example(source, target, index=i) for i, (source, target) in enumerate(everything)]
        return Corpus(
            f"{corpus.name} without {self.word}",
            {
                "train": tuple(e for e in examples if self.word not in e.source),
                "test": tuple(e for e in examples if self.word in e.source and e.source != (self.word,)),
            },
        )
