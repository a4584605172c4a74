"""New examples from a rule book: sentences that the rules derive, as deep and as long as asked for.

Half of the sentences follow the counts of the book, so that they look like training sentences. The other half is
stretched: a depth is drawn first, each as likely as the others, and one branch of the derivation is led down to it.
Every sentence is parsed again, and it is only kept if the best reading is the one that it was made from.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import exp
from pathlib import Path

from fewlex.augment.geca import OnProgress
from fewlex.data.example import Example
from fewlex.errors import ConfigError
from fewlex.rules import Derivation, Fillers, Rule, RuleBook, RuleParser, Word, learn_rules
from fewlex.rules.book import SAME, SILENT
from fewlex.rules.brackets import open_ended
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.storage import load_rules

STRETCHED_SHARE = 0.5
TEMPERING = 0.5
"""Fillers are drawn by the square root of their counts, so that rare ones are practised, too."""
LEAST_LIKING = 0.02
"""How often, at least, a word is drawn for a hole that it has never filled, compared with one that it has."""
LONGEST_SHARE_PARSED = 200
"""So many of the longest training sentences tell how deep derivations are."""
MOST_FAILURES = 1000
"""After so many attempts in a row that came to nothing new, what was found is taken for all there is."""
TARGET_GROWTH = 4
"""A target has at most so many times the tokens of the longest training target."""


class RuleSampler:
    """Draws new examples from a book. `depth` and `length` are limits; 0 stands for twice what training has."""

    def __init__(
        self, book: RuleBook, examples: Sequence[Example], *, depth: int = 0, length: int = 0, seed: int = 0
    ) -> None:
        for name, value in (("depth", depth), ("length", length)):
            if value < 0:
                raise ConfigError(f"rules: {name} = {value} makes no sense. Give at least 0.")
        self.book, self.seed = book, seed
        self.parser = RuleParser(book)
        self.known = {example.source for example in examples}
        self.depth = depth or 2 * max(1, _deepest(self.parser, examples))
        self.length = length or 2 * max((len(example.source) for example in examples), default=0)
        self.max_target = TARGET_GROWTH * max((len(example.target) for example in examples), default=0)
        self._surface = _Surface(book, examples)
        self._rules = {rule.name: rule for rule in book.rules}
        self._reaches = lru_cache(maxsize=None)(self._find_reach)

    def of_epoch(self, epoch: int, count: int) -> tuple[Example, ...]:
        """`count` examples for an epoch, the same whenever asked. Some come twice if there are too few."""
        found = tuple(self.draw(count, random.Random(f"{self.seed}/{epoch}/rules")))
        if not found:
            raise ConfigError(
                "the rules derive no new sentence, so there is nothing to mix in. Ask for more "
                "augmentation.parameters.depth, or set augmentation.method = ''."
            )
        return (found * -(-count // len(found)))[:count]

    def draw(self, count: int, rng: random.Random) -> Iterator[Example]:
        """At most `count` examples, all different and none of them among the training examples."""
        taken = set(self.known)
        n_found = failures = 0
        while n_found < count and failures < MOST_FAILURES:
            made = self._sentence(rng, taken)
            failures += 1
            if made is not None:
                yield Example(*made, index=n_found)
                n_found, failures = n_found + 1, 0

    def _sentence(
        self, rng: random.Random, taken: set[tuple[str, ...]]
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """A source, which is then taken, and its target; None if this attempt came to nothing."""
        goal = rng.randint(1, self.depth) if rng.random() < STRETCHED_SHARE else 0
        made = self._filled(("", 0), self.book.sentences, self.depth, goal, rng)
        if made is None:
            return None
        read, target = made
        source = self._surface.dressed(read, rng)
        if len(source) > self.length or source in taken:
            return None
        taken.add(source)
        derivation = parse_or_none(self.parser, source)
        wanted = open_ended(target) if self.book.is_open_ended else target
        if derivation is None or derivation.tokens != wanted:
            return None
        return source, wanted

    def _filled(
        self, hole: tuple[str, int], fillers: Fillers, depth: int, goal: int, rng: random.Random
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """What fills a hole: at most `depth` rules above each other, at least `goal` where that is possible."""
        kinds = [kind for kind in fillers or self._everything if self._least[kind] <= depth]
        deep = [kind for kind in kinds if self._reaches(kind, goal)]
        if not kinds:
            return None
        kinds = deep or kinds
        kind = rng.choices(kinds, [fillers.get(kind, 1) ** TEMPERING for kind in kinds])[0]
        if kind not in self._rules:
            word = self._word(kind, hole, rng)
            return word.source, word.target
        return self._apply(self._rules[kind], depth - 1, goal - 1, rng)

    def _apply(
        self, rule: Rule, depth: int, goal: int, rng: random.Random
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        able = [
            hole
            for hole, fillers in enumerate(rule.fillers)
            if any(self._reaches(kind, goal) for kind in fillers or self._everything)
        ]
        spine = rng.choice(able) if goal > 0 and able else -1
        fills = []
        for hole, fillers in enumerate(rule.fillers):
            fill = self._filled((rule.name, hole), fillers, depth, goal if hole == spine else 0, rng)
            if fill is None:
                return None
            fills.append(fill)
        source = [
            word
            for symbol in rule.source
            for word in ((symbol,) if isinstance(symbol, str) else fills[symbol][0])
        ]
        target = [
            token
            for symbol in rule.target
            for token in ((symbol,) if isinstance(symbol, str) else fills[symbol][1])
        ]
        too_long = len(source) > self.length or len(target) > self.max_target
        return None if too_long else (tuple(source), tuple(target))

    def _word(self, kind: str, hole: tuple[str, int], rng: random.Random) -> Word:
        """A word of a class; those that avoid the hole elsewhere come rarely."""
        words = self._words[kind]
        weights = [max(LEAST_LIKING, min(1.0, exp(likes.get(hole, 0.0)))) for _, likes in words]
        return rng.choices(words, weights)[0][0]

    @cached_property
    def _words(self) -> dict[str, list[tuple[Word, Mapping[tuple[str, int], float]]]]:
        """The words of each class with how much they like each hole."""
        return {
            kind: [(word, self.parser.weights.word(word)) for word in words]
            for kind, words in self.book.kinds.items()
            if kind not in (SILENT, SAME)
        }

    @cached_property
    def _everything(self) -> dict[str, int]:
        """What fills a hole of which the book says nothing."""
        return dict.fromkeys((*self._words, *self._rules), 1)

    @cached_property
    def _least(self) -> dict[str, int]:
        """How many rules stand above each other in the simplest phrase of each kind, at least."""
        least = dict.fromkeys(self._everything, self.depth + 1) | dict.fromkeys(self._words, 0)
        is_settled = False
        while not is_settled:
            is_settled = True
            for rule in self.book.rules:
                holes = (min(map(least.__getitem__, f or self._everything)) for f in rule.fillers)
                height = 1 + max(holes, default=0)
                if height < least[rule.name]:
                    least[rule.name], is_settled = height, False
        return least

    def _find_reach(self, kind: str, goal: int) -> bool:
        """True if a phrase of this kind can have `goal` rules above each other."""
        if goal <= 0:
            return True
        if kind not in self._rules:
            return False
        holes = self._rules[kind].fillers
        return goal == 1 or any(self._reaches(k, goal - 1) for f in holes for k in f or self._everything)


class _Surface:
    """How sentences are dressed up with words that the rules do not see: ones that say nothing, and synonyms."""

    def __init__(self, book: RuleBook, examples: Iterable[Example]) -> None:
        self._kind = {word.source[0]: word.kind for word in book.words if word.kind not in (SILENT, SAME)}
        silent = {word.term for word in book.words if word.kind == SILENT}
        same = {word.term: word.target for word in book.words if word.kind == SAME}
        self._before: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        self._spelled: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        if not silent and not same:
            return
        for example in examples:
            skipped: list[str] = []
            for word in (*example.source, ""):
                if word in silent:
                    skipped.append(word)
                    continue
                read = same.get(word, (word,))
                self._before[self._key(read[0])][tuple(skipped)] += 1
                self._spelled[read][word] += 1
                skipped = []

    def _key(self, word: str) -> str:
        return self._kind.get(word, word)

    def dressed(self, read: Sequence[str], rng: random.Random) -> tuple[str, ...]:
        """The sentence with silent words and synonyms as often as training sentences have them."""
        source: list[str] = []
        for word in (*read, ""):
            if before := self._before.get(self._key(word)):
                source += rng.choices(list(before), list(before.values()))[0]
            if spelled := self._spelled.get((word,)):
                word = rng.choices(list(spelled), list(spelled.values()))[0]
            source += [word] if word else []
        return tuple(source)


def _deepest(parser: RuleParser, examples: Iterable[Example]) -> int:
    """How many rules stand above each other in the deepest training derivation, as far as one can tell."""
    longest = sorted(examples, key=lambda example: -len(example.source))[:LONGEST_SHARE_PARSED]
    derivations = (parse_or_none(parser, example.source) for example in longest)
    return max((_height(derivation) for derivation in derivations if derivation), default=0)


def _height(derivation: Derivation) -> int:
    level, height = [derivation.root], 0
    while level := [node for node in level if isinstance(node.of, Rule)]:
        height += 1
        level = [child for node in level for child in node.children]
    return height


def augment_rules(
    examples: Iterable[Example],
    *,
    limit: int = 0,
    seed: int = 0,
    depth: int = 0,
    length: int = 0,
    rules: str = "",
    on_progress: OnProgress | None = None,
) -> tuple[Example, ...]:
    """At most `limit` new examples (0 = as many as there are examples), which the rules in the file `rules` derive.

    Without a file the rules are learned from the examples. Derivations have at most `depth` rules above each other, and
    sources at most `length` words (0 = twice what the examples have).
    """
    tell = on_progress or (lambda stage, done, total: None)
    examples = list(examples)
    book = load_rules(Path(rules)) if rules else learn_rules(examples)
    if book.measured.silence:
        raise ConfigError(f"rules: {book.measured.silence} Augment this data with another method.")
    limit = limit or len(examples)
    sampler = RuleSampler(book, examples, depth=depth, length=length, seed=seed)
    new: list[Example] = []
    for example in sampler.draw(limit, random.Random(seed)):
        new.append(example)
        tell("new examples", len(new), limit)
    return tuple(new)
