"""What rare words stand for, read off sentences in which everything else is known.

Counting (`links.py`) says little about a word that was seen once: any token of its sentence may be its own. But once
there are rules, a placeholder can be put in its place. What the target has where the derivation has the placeholder is
what the word stands for, and the class of the placeholder is the class of the word. A class whose words are said within
a frame (`frames.py`), as *the sum of* and *the product of*, takes the word within that frame.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from fewlex.errors import ParseBudgetError
from fewlex.rules.book import SAME, SILENT, RuleBook, Word
from fewlex.rules.brackets import is_bracket, open_ended
from fewlex.rules.frames import frames_of
from fewlex.rules.parsing.derivation import Derivation
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.words.lexis import shared_words
from fewlex.rules.words.links import Pair
from fewlex.rules.words.templates import Lexis

MAX_SEEN = 3
"""A word in more pairs than this is not rare: counting has told what it stands for."""

MAX_TOKENS = 5
"""No word stands for more tokens."""

ENOUGH = 0.75
"""A word stands for something if it does so in at least this share of its sentences."""

N_SENTENCES = 8
"""So many sentences of a frequent word are looked at, the shortest ones."""

TOKEN_PRICE = 3.0
"""Of two readings of a sentence the one that leaves fewer tokens to the word is better by this much for each."""

PLACEHOLDER = "\0placeholder"


class _Meaning(NamedTuple):
    tokens: tuple[str, ...]
    kind: str


def complete(lexis: Lexis, book: RuleBook, pairs: Sequence[Pair]) -> Lexis | None:
    """The lexis with what the rules say about rare words; None where they say nothing new."""
    completion = _Completion(lexis, book, pairs)
    found, words = completion.found, completion.words
    if not found:
        return None
    links = {term: tokens for term, tokens in lexis.links.items() if words.isdisjoint(term.split(" "))}
    classes = {term: lexis.classes[term] for term in links}
    for term, (tokens, kind) in found.items():
        links[term], classes[term] = tokens, kind
    same = {word: to for word, to in lexis.same.items() if word not in words and to not in words}
    return Lexis(links, classes, lexis.silent - words, same, lexis.coder, shared_words(links, pairs))


class _Completion:
    def __init__(self, lexis: Lexis, book: RuleBook, pairs: Sequence[Pair]) -> None:
        self._lexis = lexis
        self._book = book
        self._parser = RuleParser(book)
        self._kinds = [kind for kind in book.kinds if kind not in (SILENT, SAME)]
        self._in_rules = {word for rule in book.rules for word in rule.words}
        self._frames = {frame: None for kind in self._kinds for frame in frames_of(book.kinds[kind])}
        self.found: dict[str, _Meaning] = {}
        self.words: set[str] = set()
        doubtful = _rare_words(pairs) | _words_of_rules(pairs, self._in_rules)
        for _ in range(2):
            before = len(self.found)
            for word, places in doubtful.items():
                if word not in self.words:
                    self._consider(word, [pairs[place] for place in places])
            if len(self.found) == before:
                break

    def _consider(self, word: str, pairs: Sequence[Pair]) -> None:
        """Find out what a word stands for, unless all is well with its sentences."""
        if word not in self._in_rules and all(map(self._is_right, pairs)):
            return
        votes: dict[str, Counter[_Meaning]] = defaultdict(Counter)
        for number, (source, target) in enumerate(pairs):
            best = max((meanings.most_common(1)[0][1] for meanings in votes.values()), default=0)
            if best + len(pairs) - number < ENOUGH * len(pairs):
                return
            for term in self._terms(word, source):
                for meaning in self._meanings(word, term, source, target)[:1]:
                    votes[" ".join(term)][meaning] += 1
        for text, meanings in votes.items():
            meaning, n = meanings.most_common(1)[0]
            if n >= ENOUGH * len(pairs):
                self.found[text] = meaning
                self.words.add(word)
                return

    def _is_right(self, pair: Pair) -> bool:
        derivation = self._derivation(pair[0], self._supposed(), self.words)
        return derivation is not None and derivation.tokens == self._as_written(pair[1])

    def _derivation(
        self, source: tuple[str, ...], supposed: Sequence[Word], about: Collection[str]
    ) -> Derivation | None:
        """The derivation of a sentence without any filler that is unheard of."""
        words = [word for word in supposed if word.source[0] in source]
        try:
            return self._parser.supposing(words, about).parse(source, floors=(None,))
        except ParseBudgetError:
            return None

    def _as_written(self, target: tuple[str, ...]) -> tuple[str, ...]:
        return open_ended(target) if self._book.is_open_ended else target

    def _supposed(self) -> list[Word]:
        return [Word(tuple(term.split(" ")), *meaning) for term, meaning in self.found.items()]

    def _terms(self, word: str, source: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
        """The word alone, with the words beside it that nobody knows, and within the frames of classes."""
        yield (word,)
        place = source.index(word)
        first, end = place, place + 1
        while first and self._is_unknown(source[first - 1]):
            first -= 1
        while end < len(source) and self._is_unknown(source[end]):
            end += 1
        if end - first > 1:
            yield source[first:end]
        for frame in self._frames:
            first, end = place - len(frame.before), place + 1 + len(frame.after)
            if first >= 0 and source[first:end] == (*frame.before, word, *frame.after):
                yield source[first:end]

    def _is_unknown(self, word: str) -> bool:
        lexis = self._lexis
        return not (
            word in self._in_rules or word in lexis.links or word in lexis.silent or word in lexis.same
        )

    def _meanings(
        self, word: str, term: tuple[str, ...], source: tuple[str, ...], target: tuple[str, ...]
    ) -> list[_Meaning]:
        """What the term of a word can stand for in a sentence, the most probable first."""
        target = self._as_written(target)
        found: list[tuple[float, _Meaning]] = []
        for kind in self._kinds:
            supposed = [*self._supposed(), Word(term, (PLACEHOLDER,), kind)]
            derivation = self._derivation(source, supposed, {*self.words, word})
            if derivation is not None:
                tokens = stands_for_placeholder(derivation.tokens, target)
                if tokens and len(tokens) <= MAX_TOKENS and not any(map(is_bracket, tokens)):
                    found.append((derivation.score - TOKEN_PRICE * len(tokens), _Meaning(tokens, kind)))
        return [meaning for _, meaning in sorted(found, key=lambda scored: -scored[0])]


def _rare_words(pairs: Sequence[Pair]) -> dict[str, list[int]]:
    """Each rare word with the pairs that have it, the rarest first."""
    n_pairs = Counter(word for source, _ in pairs for word in set(source))
    places: dict[str, list[int]] = defaultdict(list)
    for place, (source, _) in enumerate(pairs):
        for word in dict.fromkeys(source):
            if n_pairs[word] <= MAX_SEEN:
                places[word].append(place)
    return dict(sorted(places.items(), key=lambda item: len(item[1])))


def _words_of_rules(pairs: Sequence[Pair], words: Collection[str]) -> dict[str, list[int]]:
    """Each word of rules with some pairs that have it: perhaps it is a word like others, and needs no rules."""
    places: dict[str, list[int]] = defaultdict(list)
    for place in sorted(range(len(pairs)), key=lambda place: len(pairs[place][0])):
        for word in dict.fromkeys(pairs[place][0]):
            if word in words and len(places[word]) < N_SENTENCES:
                places[word].append(place)
    return places


def stands_for_placeholder(tokens: Sequence[str], target: tuple[str, ...]) -> tuple[str, ...]:
    """What has to be put in the place of the placeholder so that the tokens are the target; empty if nothing does."""
    times = tokens.count(PLACEHOLDER)
    left = len(target) - len(tokens) + times
    if not times or left <= 0 or left % times:
        return ()
    first = tokens.index(PLACEHOLDER)
    meaning = target[first : first + left // times]
    filled = [part for token in tokens for part in (meaning if token == PLACEHOLDER else (token,))]
    return meaning if tuple(filled) == target else ()
