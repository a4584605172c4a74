"""Translates sentences with a rule book: the most probable derivation, by a chart parser."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy

from fewlex.rules.book import SAME, SILENT, RuleBook, Word
from fewlex.rules.parsing.chart import MAX_ITEMS, Chart
from fewlex.rules.parsing.derivation import Derivation
from fewlex.rules.parsing.items import Item, Lexeme
from fewlex.rules.parsing.prefixes import MAX_ALIKE
from fewlex.rules.parsing.readout import Readout
from fewlex.rules.parsing.unknown import manners_of
from fewlex.rules.parsing.weights import SENTENCE, Weights
from fewlex.rules.rule import Rule

UNHEARD_OF = -15.0
"""Log price of a filler that nothing speaks for. It is paid only if a sentence has no other derivation."""

LONGEST_UNKNOWN = 3
"""So many unknown words side by side may be one term."""


class RuleParser:
    """Made once for a book, asked for many sentences. Parsing a sentence changes nothing in it."""

    def __init__(self, book: RuleBook, max_items: int = MAX_ITEMS, max_alike: int = MAX_ALIKE) -> None:
        self.book = book
        self.max_items = max_items
        self.max_alike = max_alike
        self.weights = Weights(book)
        self._lexemes: dict[str, list[Lexeme]] = defaultdict(list)
        self._read_as = {word.term: word.target for word in book.words if word.kind in (SILENT, SAME)}
        for word in book.words:
            if word.kind not in (SILENT, SAME):
                self._lexemes[word.source[0]].append(Lexeme(word, self.weights.word(word)))
        self._known = {word for rule in book.rules for word in rule.words}
        self._manners = manners_of(book.words)
        self._has_terms = {word.kind for word in book.words if len(word.source) > 1}
        self._by_word: dict[str, list[Rule]] = defaultdict(list)
        self._wordless: list[Rule] = []
        for rule in book.rules:
            if rule.words:
                self._by_word[rule.words[0]].append(rule)
            else:
                self._wordless.append(rule)
        self._readout = Readout(book)

    def parse(
        self, source: Sequence[str], floors: Sequence[float | None] = (None, UNHEARD_OF)
    ) -> Derivation | None:
        """The best derivation of a sentence, or None where there is none.

        `floors` are the prices of fillers that nothing speaks for, None if there must be no such filler; the next one
        is used if a sentence has no derivation with those before it.
        Raises `ParseBudgetError` where the chart would become larger than `max_items`.
        """
        source = tuple(source)
        words, positions = self._as_read(source)
        if not words:
            return None
        lexemes = [self._lexemes_at(words, position) for position in range(len(words))]
        rules = self._rules_for(words)
        for floor in floors:
            chart = Chart(words, lexemes, rules, self.weights, floor, self.max_items, self.max_alike)
            found = self._whole(chart, floor)
            if found:
                return self._readout.derivation(source, positions, found, is_heard_of=floor is None)
        return None

    def parse_all(self, sources: Iterable[Sequence[str]]) -> list[Derivation | None]:
        return [self.parse(source) for source in sources]

    def supposing(self, supposed: Sequence[Word], about: Collection[str]) -> RuleParser:
        """A parser like this one with some words more. What the book says about the words of `about` is forgotten."""
        other = copy(self)
        inner = set(about)
        other._read_as = {word: to for word, to in self._read_as.items() if word not in inner}
        other._lexemes = self._lexemes.copy()
        for word in inner:
            other._lexemes[word] = []
        for term in supposed:
            first = term.source[0]
            other._lexemes[first] = [*other._lexemes[first], Lexeme(term, {})]  # The old list is not ours.
        other._by_word = defaultdict(list)
        for first, rules in self._by_word.items():
            other._by_word[first] = [rule for rule in rules if inner.isdisjoint(rule.words)]
        return other

    def _as_read(self, source: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The words that the rules get to see, and their positions in the sentence.

        A word within a term is read as it is: *to* may say nothing, and *to ten percent* may still be a term.
        """
        words: list[str] = []
        positions: list[int] = []
        end_of_term = 0
        for position, word in enumerate(source):
            end_of_term = max(end_of_term, self._end_of_term(source, position))
            as_read = (word,) if position < end_of_term else self._read_as.get(word, (word,))
            for read in as_read:
                words.append(read)
                positions.append(position)
        return tuple(words), (*positions, len(source))

    def _end_of_term(self, source: tuple[str, ...], start: int) -> int:
        """Where the longest term of several words that begins here ends; 0 where none begins."""
        terms = (lexeme.word.source for lexeme in self._lexemes.get(source[start], ()))
        ends = [
            start + len(term) for term in terms if len(term) > 1 and source[start : start + len(term)] == term
        ]
        return max(ends, default=0)

    def _rules_for(self, source: tuple[str, ...]) -> list[Rule]:
        """The rules whose words are all there."""
        words = set(source)
        found = list(self._wordless)
        for word in words:
            found += [rule for rule in self._by_word.get(word, ()) if words.issuperset(rule.words)]
        return found

    def _lexemes_at(self, source: tuple[str, ...], start: int) -> list[Lexeme]:
        """The words and terms that begin at a position; an unknown word is taken for one of each class that fits."""
        return self._known_at(source, start) or [
            Lexeme(Word(term, manner.translate(term), kind), {}, is_unknown=True)
            for term in self._unknown_at(source, start)
            for kind, manner in self._manners.items()
            if len(term) == 1 or kind in self._has_terms
        ]

    def _known_at(self, source: tuple[str, ...], start: int) -> list[Lexeme]:
        return [
            lexeme
            for lexeme in self._lexemes.get(source[start], ())
            if source[start : start + len(lexeme.word.source)] == lexeme.word.source
        ]

    def _unknown_at(self, source: tuple[str, ...], start: int) -> Iterator[tuple[str, ...]]:
        """The unknown words from a position on: one, two …"""
        for end in range(start, min(start + LONGEST_UNKNOWN, len(source))):
            if source[end] in self._known or self._known_at(source, end):
                return
            yield source[start : end + 1]

    def _whole(self, chart: Chart, floor: float | None) -> list[tuple[float, Item]]:
        """What the whole sentence can be, best first."""
        prices = self.weights.fillers[SENTENCE, 0]
        found = [
            (item.score + price, item)
            for kind, item in chart.whole().items()
            if (price := prices.get(kind, floor)) is not None
        ]
        return sorted(found, key=lambda scored: -scored[0])
