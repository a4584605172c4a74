"""How the small languages of this folder become training pairs and four kinds of test sentence.

A language is a function that builds one sentence from what a `Draw` gives it. Some of its words are shown once in
training and some never; some combinations of its constructions and all deep sentences are kept for the test.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Word = tuple[str, str]
"""A source word (or several) and what it means."""

Sentence = tuple[list[str], list[str]]
"""Source and target tokens."""

KINDS = ("like training", "word seen once", "new combination", "deeper nesting")


@dataclass
class Draw:
    """The choices of one sentence, and what is special about the sentence that they make."""

    rng: random.Random
    pools: Mapping[str, Sequence[Word]]
    depth: int
    """How deep the sentence may be nested."""
    used: set[str] = field(default_factory=set)
    deepest: int = 0
    is_new_combination: bool = False

    def word(self, kind: str) -> tuple[list[str], list[str]]:
        """A random word of a class, with its meaning."""
        source, target = self.rng.choice(self.pools[kind])
        self.used.add(source)
        return source.split(), target.split()

    def nest(self, level: int, chance: float = 0.5) -> bool:
        """Whether the sentence goes one level deeper from `level`."""
        goes = level < self.depth and self.rng.random() < chance
        if goes:
            self.deepest = max(self.deepest, level + 1)
        return goes

    def combine(self, chance: float, is_kept_for_the_test: bool = False) -> bool:
        """Whether an optional part is there; a combination that is kept for the test marks the sentence."""
        goes = self.rng.random() < chance
        if goes and is_kept_for_the_test:
            self.is_new_combination = True
        return goes


@dataclass(frozen=True)
class Language:
    name: str
    sentence: Callable[[Draw], Sentence]
    words: Mapping[str, Sequence[Word]]
    once: Mapping[str, Sequence[Word]]
    """Words that training shows in one sentence each."""
    taught: Mapping[str, Sequence[Word]]
    """Words that training never shows; a trained model is taught them."""
    depth: int = 1
    """How deep training sentences are nested at most."""
    test_depth: int = 3


@dataclass(frozen=True)
class Drawn:
    """The data of a language: pairs of texts, and for tests also the kind."""

    train: list[tuple[str, str]]
    tests: Mapping[str, list[tuple[str, str]]]
    lessons: list[tuple[str, str, str]]
    """Source word, meaning, and a known word that behaves alike."""
    after_lessons: list[tuple[str, str]]


def draw(language: Language, pairs: int, seed: int = 0, tests: int = 200) -> Drawn:
    """Training pairs and `tests` sentences of each kind; no test sentence is in training."""
    rng = random.Random(f"{language.name}/{seed}")
    seen: set[str] = set()

    def one(
        extra: Mapping[str, Sequence[Word]], depth: int, wanted: Callable[[Draw], bool]
    ) -> tuple[str, str]:
        pools = {kind: [*words, *extra.get(kind, ())] for kind, words in language.words.items()}
        for _ in range(200_000):
            chosen = Draw(rng, pools, depth)
            source, target = map(" ".join, language.sentence(chosen))
            if source not in seen and wanted(chosen):
                seen.add(source)
                return source, target
        raise RuntimeError(f"{language.name} has no more sentences of this kind")

    def has(words: Mapping[str, Sequence[Word]]) -> Callable[[Draw], bool]:
        names = {source for pool in words.values() for source, _ in pool}
        return lambda chosen: bool(names & chosen.used) and not chosen.is_new_combination

    rare = [(kind, word) for kind, words in language.once.items() for word in words]
    train = [
        one({}, language.depth, lambda chosen: not chosen.is_new_combination)
        for _ in range(pairs - len(rare))
    ]
    for kind, word in rare:
        train.append(one({kind: [word]}, language.depth, has({kind: [word]})))
    rng.shuffle(train)
    of_kind: dict[str, tuple[Mapping[str, Sequence[Word]], int, Callable[[Draw], bool]]] = {
        KINDS[0]: ({}, language.depth, lambda chosen: not chosen.is_new_combination),
        KINDS[1]: (language.once, language.depth, has(language.once)),
        KINDS[2]: ({}, language.depth, lambda chosen: chosen.is_new_combination),
        KINDS[3]: ({}, language.test_depth, lambda chosen: chosen.deepest > language.depth),
    }
    drawn = {kind: [one(*how) for _ in range(tests)] for kind, how in of_kind.items()}
    lessons = [
        (source, target, language.words[kind][0][0])
        for kind, words in language.taught.items()
        for source, target in words
    ]
    after = [one(language.taught, language.depth, has(language.taught)) for _ in range(tests)]
    return Drawn(train, drawn, lessons, after)


def write(drawn: Drawn, folder: Path) -> None:
    """The data as files that `fewlex train` and `fewlex teach --file` read."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(*pair, kind) for kind, pairs in drawn.tests.items() for pair in pairs]
    for name, lines in (
        ("train", drawn.train),
        ("test", rows),
        ("taught", [(*pair, "taught") for pair in drawn.after_lessons]),
        ("lessons", drawn.lessons),
    ):
        path = folder / f"{name}.tsv" if name != "lessons" else folder / "lessons.txt"
        path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


def main(language: Language) -> None:
    """`python assistant.py FOLDER [PAIRS]` writes the data of a language to a folder."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else language.name)
    write(draw(language, int(sys.argv[2]) if len(sys.argv) > 2 else 800), folder)
    print(f"fewlex train {folder} --out runs/{language.name}")
