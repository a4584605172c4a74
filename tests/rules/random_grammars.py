"""Random languages of the family that rules with holes are made for, drawn by seed.

Each language mixes several constructions (swap, repeat, wrap, nest, words that vanish, optional words, synonyms, terms,
words of several tokens) and is learnable in principle, which `_is_learnable` checks on the pairs that were drawn:

- No sentence has two targets: every sentence that is drawn is read in all possible ways.
- Training shows every construction with every spelling at least three times, every word, and, at least twice, each
  construction within each other construction that a held-out sentence combines in that way.
- No two words and no word and construction occur in exactly the same training pairs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.rules.families import clauses, commands, expressions
from tests.rules.synchronous import Drawn, Grammar, Sampler, Words
from tests.rules.verb_final import verb_final

HELD_OUT = 50
LONGEST = 40
OTHER_FAMILY = 20_000
"""Seeds from here on give languages of a family that has nothing to do with the others."""


@dataclass(frozen=True)
class Language:
    """Training pairs, held-out sentences like them, and ones with more constructions within each other."""

    name: str
    grammar: Grammar
    train: tuple[Drawn, ...]
    same: tuple[Drawn, ...]
    deeper: tuple[Drawn, ...]

    @property
    def family(self) -> str:
        return self.name.split()[0]

    def pairs(self) -> list[tuple[Words, Words]]:
        return [(drawn.source, drawn.target) for drawn in self.train]


def draw_language(seed: int) -> Language:
    """The language of a seed: the first one drawn that is large enough and learnable."""
    for attempt in range(1000):
        rng = random.Random(f"{seed}/{attempt}")
        family = verb_final if seed >= OTHER_FAMILY else rng.choice((expressions, clauses, commands))
        language = sample(f"{family.__name__} {seed}", family(rng), rng, rng.randint(100, 500))
        if language is not None:
            return language
    raise AssertionError(f"no language for seed {seed}")


@dataclass(frozen=True)
class Score:
    """How many held-out sentences came out right, by what is in them."""

    right: Counter[str]
    asked: Counter[str]

    @property
    def accuracy(self) -> float:
        return self.right["all"] / self.asked["all"]

    def by_tag(self) -> dict[str, float]:
        return {tag: self.right[tag] / count for tag, count in sorted(self.asked.items())}

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.asked + other.asked)


def score(language: Language, translate: Callable[[Words], Words | None]) -> Score:
    """Ask for every held-out sentence; the tags `same depth` and `deeper` say which of the two sets it is from."""
    right, asked = Counter[str](), Counter[str]()
    for where, sentences in (("same depth", language.same), ("deeper", language.deeper)):
        for drawn in sentences:
            tags = {"all", where, *drawn.tags}
            asked.update(tags)
            right.update(tags if translate(drawn.source) == drawn.target else ())
    return Score(right, asked)


def sample(name: str, grammar: Grammar, rng: random.Random, size: int) -> Language | None:
    """Training and held-out sentences of a grammar; None where it has too few of them or they do not teach it."""
    height = grammar.least_height[grammar.top] + rng.randint(2, 3)
    most_steps = rng.randint(height, 2 * height)
    sampler = Sampler(grammar, rng)

    def is_deep(drawn: Drawn) -> bool:
        return drawn.height > height or drawn.size > most_steps

    train = _distinct(sampler, size, height, lambda drawn: not is_deep(drawn), ())
    if len(train) < max(100, size // 2) or not _is_learnable(grammar, train):
        return None
    seen = Counter(pair for drawn in train for pair in drawn.pairs)
    variants = {variant for drawn in train for variant in drawn.steps}

    def is_prepared(drawn: Drawn) -> bool:
        return all(seen[pair] >= 2 for pair in drawn.pairs) and variants.issuperset(drawn.steps)

    same = _distinct(sampler, HELD_OUT, height, lambda d: not is_deep(d) and is_prepared(d), train)
    deep = Sampler(grammar, rng, depth_weight=2.0)
    deeper = _distinct(deep, HELD_OUT, height + 2, lambda d: is_deep(d) and is_prepared(d), train)
    if len(same) < HELD_OUT // 2:
        return None
    if any(grammar.readings(drawn.source) != {drawn.target} for drawn in (*train, *same, *deeper)):
        return None
    return Language(name, grammar, train, same, deeper)


def _distinct(
    sampler: Sampler, count: int, height: int, is_wanted: Callable[[Drawn], bool], known: Iterable[Drawn]
) -> tuple[Drawn, ...]:
    old = {drawn.source for drawn in known}
    found: dict[Words, Drawn] = {}
    for _ in range(30 * count):
        drawn = sampler.draw(height)
        if (
            len(drawn.source) <= LONGEST
            and len(drawn.target) <= 3 * LONGEST
            and drawn.source not in old
            and is_wanted(drawn)
        ):
            found.setdefault(drawn.source, drawn)
        if len(found) == count:
            break
    return tuple(found.values())


def _is_learnable(grammar: Grammar, train: tuple[Drawn, ...]) -> bool:
    steps = Counter(variant for drawn in train for variant in drawn.steps)
    words = Counter(word for drawn in train for word in drawn.words)
    names = {variant[0] for variant in steps}
    if any(production.is_step and production.name not in names for production in grammar.productions):
        return False
    if any(production.is_word and not words[production.name] for production in grammar.productions):
        return False
    if not is_shown_often(train):
        return False
    places: dict[str, list[int]] = {}
    for number, drawn in enumerate(train):
        for item in {*drawn.words, *(variant[0] for variant in drawn.steps)}:
            places.setdefault(item, []).append(number)
    return len({tuple(numbers) for numbers in places.values()}) == len(places)


def is_shown_often(train: tuple[Drawn, ...]) -> bool:
    """True if every construction is there at least three times in every spelling."""
    return min(Counter(variant for drawn in train for variant in drawn.steps).values()) >= 3
