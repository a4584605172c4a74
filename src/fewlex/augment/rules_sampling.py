"""New examples from a rule book: sentences that the rules derive, as deep and as long as asked for.

Half of the sentences follow the counts of the book, so that they look like training sentences. The other half is
stretched. Some of these follow a plan (`plans.py`): a rule stands within itself several times, or a hole has a filler
that it never had. For the others a depth is drawn first, each as likely as the others, and one branch of the derivation
is led down to it, or now and then all branches, which makes sentences that are long rather than deep. In stretched
sentences a hole also takes what only a hole with much the same fillers has had: *thrice* takes *around* if *twice* took
it. A small language, in which most sentences that are likely are training sentences, is drawn from evenly instead.
Every sentence is parsed again: its target is that of its best reading. Where that is not the reading that the sentence
was made from, it is only kept if the best reading is much better than all others.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from math import exp, prod
from pathlib import Path

from fewlex.augment.geca import OnProgress
from fewlex.augment.plans import Plan, Plans
from fewlex.data.example import Example
from fewlex.errors import ConfigError
from fewlex.rules import Derivation, Rule, RuleBook, RuleParser, Word, learn_rules
from fewlex.rules.book import SAME, SILENT
from fewlex.rules.brackets import open_ended
from fewlex.rules.evaluation import parse_or_none
from fewlex.rules.parsing.weights import SENTENCE, Hole, hole_counts
from fewlex.rules.storage import load_rules

STRETCHED_SHARE, PLANNED_SHARE = 0.5, 0.6
"""The share of stretched sentences among all, and of those with a plan among these."""
BUSHY_SHARE = 0.4
"""The share of the stretched sentences of which all branches are led down."""
SEEN_POWER, STRETCHED_POWER = 0.5, 0.25
"""Fillers are drawn by a power of their probability, so that rare ones are practised, too."""
MUCH_ALIKE = 0.5
"""The share of their fillers that two holes have in common if one takes what the other has had."""
LEAST_LIKING = 0.02
"""How often, at least, a word is drawn for a hole that it has never filled, compared with one that it has."""
LONGEST_SHARE_PARSED = 200
"""So many of the longest training sentences tell how deep derivations are."""
SMALL_LANGUAGE = 200_000
"""A language with at most so many sentences is drawn from evenly."""
CLEAR_MARGIN = 3.0
"""A reading that is e³ = 20 times as probable as any other is the only one that counts."""
MOST_FAILURES = 300
"""After so many attempts in a row that came to nothing new, what was found is taken for all there is."""
DEEPEST = 100
"""Derivations with more rules above each other than this are not drawn."""
GROWTH = 3
"""Derivations are at most so many times as deep, and sentences so many times as long, as in training."""
TARGET_GROWTH = 4
"""A target has at most so many times the tokens of the longest training target."""


class RuleSampler:
    """Draws new examples from a book. `depth` and `length` are limits; 0 stands for three times what training has."""

    def __init__(
        self, book: RuleBook, examples: Sequence[Example], *, depth: int = 0, length: int = 0, seed: int = 0
    ) -> None:
        for name, value in (("depth", depth), ("length", length)):
            if value < 0:
                raise ConfigError(f"rules: {name} = {value} makes no sense. Give at least 0.")
        if depth > DEEPEST:
            raise ConfigError(f"rules: depth = {depth} is deeper than any sentence. Give at most {DEEPEST}.")
        self.book, self.seed = book, seed
        self.parser = RuleParser(book)
        self.known = {example.source for example in examples}
        self.depth = depth or min(DEEPEST, GROWTH * max(1, _deepest(self.parser, examples)))
        self.length = length or GROWTH * max((len(example.source) for example in examples), default=0)
        self.max_target = TARGET_GROWTH * max((len(example.target) for example in examples), default=0)
        self._surface = _Surface(book, examples)
        self._rules = {rule.name: rule for rule in book.rules}
        self._reaches = lru_cache(maxsize=None)(self._find_reach)
        self._count = lru_cache(maxsize=None)(self._find_count)
        self._parse = lru_cache(maxsize=20_000)(partial(parse_or_none, self.parser))

    def of_epoch(self, epoch: int, count: int) -> tuple[Example, ...]:
        """At most `count` examples for an epoch: the same for the same epoch, however often asked."""
        return tuple(self.draw(count, random.Random(f"{self.seed}/{epoch}/rules")))

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
        is_stretched = not self._is_small and rng.random() < STRETCHED_SHARE
        plan = self._plans.draw(rng) if is_stretched and rng.random() < PLANNED_SHARE else ()
        goal = rng.randint(1, self._reach) if is_stretched and not plan else 0
        is_bushy = rng.random() < BUSHY_SHARE
        made = self._filled((SENTENCE, 0), self.depth, goal, is_bushy, rng, plan)
        if made is None:
            return None
        read, target = made
        source = self._surface.dressed(read, rng)
        if len(source) > self.length or source in taken:
            return None
        derivation = self._parse(source)
        wanted = open_ended(target) if self.book.is_open_ended else target
        if derivation is None or (derivation.tokens != wanted and derivation.margin < CLEAR_MARGIN):
            return None
        if _height(derivation) > self.depth:
            return None
        taken.add(source)
        return source, derivation.tokens

    def _filled(
        self,
        hole: Hole,
        depth: int,
        goal: int,
        is_bushy: bool,
        rng: random.Random,
        plan: Plan = (),
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """What fills a hole: at most `depth` rules above each other, at least `goal` where that is possible."""
        if plan and plan[0][0] == hole:
            return self._apply(self._rules[plan[0][1]], depth - 1, 0, False, rng, plan[1:])
        weights = self._stretched[hole] if goal > 0 or self._is_small else self._seen[hole]
        if self._is_small:
            weights = {kind: self._count(kind, depth) for kind in weights}
        kinds = [kind for kind in weights if self._least[kind] <= depth]
        if not kinds:
            return None
        kinds = [kind for kind in kinds if self._reaches(kind, goal)] or kinds
        kind = rng.choices(kinds, [weights[kind] for kind in kinds])[0]
        if kind not in self._rules:
            word = self._word(kind, hole, rng)
            return word.source, word.target
        return self._apply(self._rules[kind], depth - 1, goal - 1, is_bushy, rng)

    def _apply(
        self, rule: Rule, depth: int, goal: int, is_bushy: bool, rng: random.Random, plan: Plan = ()
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        able = [hole for hole in range(rule.n_holes) if self._hole_reaches((rule.name, hole), goal)]
        led = able if is_bushy or not able else [rng.choice(able)]
        fills = []
        for hole in range(rule.n_holes):
            fill = self._filled((rule.name, hole), depth, goal if hole in led else 0, is_bushy, rng, plan)
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

    def _word(self, kind: str, hole: Hole, rng: random.Random) -> Word:
        """A word of a class; those that avoid the hole elsewhere come rarely."""
        words = self._words[kind]
        weights = [max(LEAST_LIKING, min(1.0, exp(likes.get(hole, 0.0)))) for _, likes in words]
        return rng.choices(words, weights)[0][0]

    @cached_property
    def _plans(self) -> Plans:
        return Plans(self.book, self._stretched, self.depth)

    @cached_property
    def _words(self) -> dict[str, list[tuple[Word, Mapping[Hole, float]]]]:
        """The words of each class with how much they like each hole."""
        return {
            kind: [(word, self.parser.weights.word(word)) for word in words]
            for kind, words in self.book.kinds.items()
            if kind not in (SILENT, SAME)
        }

    @cached_property
    def _shares(self) -> dict[Hole, dict[str, float]]:
        """What has filled each hole; where the book does not say, what the parser would take."""
        shares = {}
        for hole, counts in hole_counts(self.book).items():
            total = sum(counts.values())
            would_take = {kind: exp(p) for kind, p in self.parser.weights.fillers[hole].items()}
            shares[hole] = {kind: n / total for kind, n in counts.items()} or would_take
        return shares

    @cached_property
    def _seen(self) -> dict[Hole, dict[str, float]]:
        """The weights of what has filled each hole."""
        return {hole: {kind: p**SEEN_POWER for kind, p in f.items()} for hole, f in self._shares.items()}

    @cached_property
    def _stretched(self) -> dict[Hole, dict[str, float]]:
        """The weights of what has filled each hole or one that is much like it."""
        weights: dict[Hole, dict[str, float]] = {}
        for hole, own in self._shares.items():
            weights[hole] = {}
            for other in self._shares.values():
                alike = sum(min(share, other[kind]) for kind, share in own.items() if kind in other)
                if alike >= MUCH_ALIKE or other is own:
                    for kind, share in other.items():
                        weight = (alike * share) ** STRETCHED_POWER
                        weights[hole][kind] = max(weight, weights[hole].get(kind, 0.0))
        return weights

    @cached_property
    def _least(self) -> dict[str, int]:
        """How many rules stand above each other in the simplest phrase of each kind, at least."""
        least = dict.fromkeys(self._rules, self.depth + 1) | dict.fromkeys(self._words, 0)
        is_settled = False
        while not is_settled:
            is_settled = True
            for rule in self.book.rules:
                holes = (self._stretched[rule.name, hole] for hole in range(rule.n_holes))
                height = 1 + max((min(least[kind] for kind in kinds) for kinds in holes), default=0)
                if height < least[rule.name]:
                    least[rule.name], is_settled = height, False
        return least

    @cached_property
    def _is_small(self) -> bool:
        return self._count_fillers((SENTENCE, 0), self.depth) <= SMALL_LANGUAGE

    def _count_fillers(self, hole: Hole, depth: int) -> int:
        return sum(self._count(kind, depth) for kind in self._stretched[hole])

    def _find_count(self, kind: str, depth: int) -> int:
        """How many phrases of this kind there are that have at most `depth` rules above each other."""
        if kind not in self._rules:
            return len(self._words[kind])
        holes = range(self._rules[kind].n_holes)
        return prod(self._count_fillers((kind, hole), depth - 1) for hole in holes) if depth else 0

    @cached_property
    def _reach(self) -> int:
        """How many rules can stand above each other in a sentence, up to `depth`."""
        return next((d for d in range(self.depth, 1, -1) if self._hole_reaches((SENTENCE, 0), d)), 1)

    def _hole_reaches(self, hole: Hole, goal: int) -> bool:
        return any(self._reaches(kind, goal) for kind in self._stretched[hole])

    def _find_reach(self, kind: str, goal: int) -> bool:
        """True if a phrase of this kind can have `goal` rules above each other."""
        if goal <= 0:
            return True
        if kind not in self._rules:
            return False
        holes = range(self._rules[kind].n_holes)
        return goal == 1 or any(self._hole_reaches((kind, hole), goal - 1) for hole in holes)


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
    sources at most `length` words (0 = three times what the examples have).
    """
    tell = on_progress or (lambda stage, done, total: None)
    examples = list(examples)
    book = load_rules(Path(rules)) if rules else learn_rules(examples, on_progress=tell)
    if book.measured.silence:
        raise ConfigError(
            f"there are no rules: {book.measured.silence}. Augment this data with another method."
        )
    limit = limit or len(examples)
    sampler = RuleSampler(book, examples, depth=depth, length=length, seed=seed)
    new: list[Example] = []
    for example in sampler.draw(limit, random.Random(seed)):
        new.append(example)
        tell("new examples", len(new), limit)
    return tuple(new)
