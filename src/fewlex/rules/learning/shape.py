"""What the data look like apart from their words: brackets and separators in targets, words that always go together."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fewlex.data.brackets import opens_bracket
from fewlex.rules.brackets import closes, is_bracket, is_mark, opens
from fewlex.rules.words.templates import Lexis, TemplateCount, is_variable

ALWAYS = 0.9
"""The share of its occurrences in which a word stands beside another if the two always go together."""


MIN_TEMPLATES = 3
"""Fewer templates do not show that two words always go together."""

EDGE = ""
"""What stands before the first and after the last word of a sentence."""

HALF = 0.5
"""A word that says a mark is in a smaller share of the pairs; *.* would say all."""


class Shape:
    """Learned from all templates before any rule is."""

    def __init__(self, counts: Iterable[TemplateCount], lexis: Lexis, lists_are_parts: bool = False) -> None:
        """If `lists_are_parts`, a part may hold separators, so that a list can be continued: `#0 , name = #1`."""
        self._lists_are_parts = lists_are_parts
        characters = lexis.coder.tokens
        self._openers = {character for token, character in characters.items() if opens(token)}
        self._closers = {character for token, character in characters.items() if closes(token)}
        self._has_brackets = any(map(opens_bracket, characters))
        counts = list(counts)
        self._classes = set(lexis.classes.values())
        self._separators = self._find_separators(counts, lexis)
        self._is_all_lists = not self._separators and self._find_all_lists(counts)
        self._beside: Counter[tuple[str, str]] = Counter()
        self._symbols: Counter[str] = Counter()
        for count in counts:
            symbols = count.template.symbols
            for one, other in itertools.pairwise(symbols):
                self._beside[one, other] += count.n
            for symbol in symbols:
                self._symbols[symbol] += count.n
        self._before = _neighbours(count.template.symbols for count in counts)
        self._after = _neighbours(count.template.symbols[::-1] for count in counts)

    def is_constituent(self, text: Sequence[object]) -> bool:
        """True if the text can be the yield of a filler: whole brackets, and no separator outside of them."""
        depth = 0
        for symbol in text:
            if symbol in self._openers:
                depth += 1
            elif symbol in self._closers:
                depth -= 1
                if depth < 0:
                    return False
            elif (
                depth == 0 and self._has_brackets and symbol in self._separators and not self._lists_are_parts
            ):
                return False
        if self._lists_are_parts and text and not self._separators.isdisjoint((text[0], text[-1])):
            return False
        return depth == 0 and bool(text) and not (self._is_all_lists and self._is_torn(text))

    def _is_torn(self, text: Iterable[object]) -> bool:
        """True for a piece of a list that is neither a word nor a list: `do ( sit )` or `#0 #1`. `#0 ( … )` is fine."""
        depth = n_items = 0
        before: object = None
        for symbol in text:
            if symbol in self._openers:
                if depth == 0 and self._is_token(before):
                    return True
                n_items += depth == 0 and (before is None or before in self._closers)
                depth += 1
            elif symbol in self._closers:
                depth -= 1
            elif depth == 0 and not self._is_token(symbol):
                if self._is_token(before):
                    return True
                n_items += 1
            before = symbol
        return n_items > 1

    def _is_token(self, symbol: object) -> bool:
        """True for a token that no variable or hole stands for and that is no bracket."""
        return isinstance(symbol, str) and not is_variable(symbol) and not self.is_bracket(symbol)

    def are_arguments(self, text: Sequence[object], before: Iterable[Sequence[object]]) -> bool:
        """True if the text is the brackets of a head that stands before it somewhere: `( agent = #0 )` of `sleep`."""
        if self._is_all_lists or text[0] not in self._openers:
            return False
        lasts = [piece[-1] for piece in before if piece]
        return any(last not in self._openers and last not in self._separators for last in lasts)

    def _find_all_lists(self, counts: Iterable[TemplateCount]) -> bool:
        """True if all targets with brackets are lists, `( do ( sit ) ( stand ) )`.

        Then all parts of targets are lists or words, and `do ( sit )` is none, unless separators hold parts together.
        """
        bracketed = [c.template.target for c in counts if self._openers.intersection(c.template.target)]
        return bool(bracketed) and all(self._is_list(target) for target in bracketed)

    def _is_list(self, target: str) -> bool:
        depth = 0
        for place, symbol in enumerate(target):
            depth += (symbol in self._openers) - (symbol in self._closers)
            if depth == 0:
                return place == len(target) - 1
        return False

    def is_frame(self, character: str) -> bool:
        """True for brackets and separators, which are everywhere."""
        return self.is_bracket(character) or character in self._separators

    def is_bracket(self, character: str) -> bool:
        return character in self._openers or character in self._closers

    def is_always_after(self, word: str, kind: str) -> bool:
        """True if words of this kind (nearly) always stand directly after the word."""
        return self._beside[word, kind] >= ALWAYS * self._symbols[kind]

    def is_always_before(self, word: str, kind: str) -> bool:
        """True if words of this kind (nearly) always stand directly before the word."""
        return self._beside[kind, word] >= ALWAYS * self._symbols[kind]

    def is_torn(self, symbols: Sequence[str | None]) -> bool:
        """True if words of one and the same class always stand directly before such a part, or directly after it.

        *is red* is torn if a column always stands before *is*: the part is *age is red*. A word of rules that is always
        there marks the part and need not belong to it. None stands for a phrase.
        """
        return any(
            _only_neighbour(neighbours, part) in self._classes
            for neighbours, part in ((self._before, symbols), (self._after, symbols[::-1]))
        )

    @staticmethod
    def _find_separators(counts: Iterable[TemplateCount], lexis: Lexis) -> set[str]:
        """Tokens without letters that are no brackets and stand between changing neighbours."""
        before: dict[str, set[str]] = defaultdict(set)
        after: dict[str, set[str]] = defaultdict(set)
        marks = {character for token, character in lexis.coder.tokens.items() if is_mark(token)}
        said_by = _SaidBy(counts, marks)
        for count in counts:
            kinds = dict(zip(count.template.source, count.template.kinds, strict=True))
            symbols = [
                kinds.get(ord(character) - 0xF0000, "") if is_variable(character) else character
                for character in count.template.target
            ]
            for one, other in itertools.pairwise(symbols):
                before[other].add(one)
                after[one].add(other)
        return {
            character
            for token, character in lexis.coder.tokens.items()
            if is_mark(token)
            and not is_bracket(token)
            and max(len(before[character]), len(after[character])) > 1
            and (token == "," or not said_by.a_word(character))
        }


_Neighbours = dict[tuple[str | None, ...], Counter[str]]
"""For one or two symbols in a row, in how many templates which symbol stands directly before them."""


def _neighbours(sources: Iterable[Sequence[str]]) -> _Neighbours:
    found: _Neighbours = defaultdict(Counter)
    for source in sources:
        seen = set()
        for before, one, other in zip((EDGE, *source), source, (*source[1:], EDGE), strict=False):
            seen.update([(before, (one,)), (before, (one, other))])
        for before, part in seen:
            found[part][before] += 1
    return found


def _only_neighbour(neighbours: _Neighbours, part: Sequence[str | None]) -> str | None:
    """The symbol that always stands before the first symbols of a part; None if there are several."""
    first = tuple(part[:2]) if len(part) > 1 and part[1] is not None else tuple(part[:1])
    counts = neighbours.get(first)
    if counts is None or counts.total() < MIN_TEMPLATES:
        return None
    neighbour, n = counts.most_common(1)[0]
    return neighbour if n >= ALWAYS * counts.total() else None


class _SaidBy:
    """Which marks of targets are said by a word: `>` by *above*, whereas `=` in `agent =` is said by no word."""

    def __init__(self, counts: Iterable[TemplateCount], marks: set[str]) -> None:
        self._n_words: Counter[str] = Counter()
        self._n_marks: Counter[str] = Counter()
        self._together: dict[str, Counter[str]] = defaultdict(Counter)
        self._n_all = 0
        for count in counts:
            words = {symbol for symbol in count.template.source if isinstance(symbol, str)}
            present = marks & set(count.template.target)
            self._n_all += count.n
            for word in words:
                self._n_words[word] += count.n
            for mark in present:
                self._n_marks[mark] += count.n
                for word in words:
                    self._together[mark][word] += count.n

    def a_word(self, mark: str) -> bool:
        """True if some word is (nearly) always there with the mark, and is not in most sentences anyway."""
        return any(
            n >= ALWAYS * self._n_marks[mark] and self._n_words[word] < HALF * self._n_all
            for word, n in self._together[mark].items()
        )
