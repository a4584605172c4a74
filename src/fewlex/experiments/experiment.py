"""One row of a table: what to train on, what to teach, what to be tested on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from fewlex.data import find_dataset, load
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example


@dataclass(frozen=True)
class TaughtWord:
    """A word taught after training: every occurrence in the test split as another word, if it is a made-up one."""

    source: str
    target: str
    instead_of: tuple[str, str] | None = None
    """The source and target word whose place a made-up word takes in the test split."""

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
    """Trained once for each seed; the result is one JSON file."""

    name: str
    data: str
    task: str = ""
    """What `fewlex reproduce --task` calls it."""
    method: str = ""
    """What `fewlex reproduce --method` calls it."""
    preset: str = "fast"
    settings: tuple[str, ...] = ()
    prepare: Callable[[Corpus, int], Corpus] = as_published
    """What is changed in the data before training, such as leaving words out; it may depend on the seed."""
    lessons: Mapping[str, TaughtWord] = field(default_factory=dict)
    """Words taught after training, each tested by itself; without lessons the model is tested as it is."""

    @property
    def evaluation_split(self) -> str:
        """The split that the published data set is judged by."""
        dataset = find_dataset(self.data)
        return dataset.evaluation_split if dataset else "test"

    def corpus(self, seed: int) -> Corpus:
        return self.prepare(load(self.data), seed)


@dataclass(frozen=True)
class WithoutWord:
    """Train on nothing that contains a source word; be tested on all that does, but for the word alone."""

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
