"""What the data look like apart from their words: brackets and separators in targets, words that always go together."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable

from fewlex.rules.brackets import CLOSER_OF, CLOSERS, is_mark
from fewlex.rules.templates import Lexis, TemplateCount, is_variable

ALWAYS = 0.9
"""The share of its occurrences in which a word stands beside another if the two always go together."""


class Shape:
    """Learned from all templates before any rule is."""

    def __init__(self, counts: Iterable[TemplateCount], lexis: Lexis) -> None:
        characters = lexis.coder.tokens
        self._openers = {characters[token] for token in CLOSER_OF if token in characters}
        self._closers = {characters[token] for token in CLOSERS if token in characters}
        counts = list(counts)
        self._separators = self._find_separators(counts, lexis)
        self._beside: Counter[tuple[str, str]] = Counter()
        self._symbols: Counter[str] = Counter()
        for count in counts:
            symbols = count.template.symbols
            for one, other in itertools.pairwise(symbols):
                self._beside[one, other] += count.n
            for symbol in symbols:
                self._symbols[symbol] += count.n

    def is_constituent(self, text: Iterable[object]) -> bool:
        """True if the text can be the yield of a filler: whole brackets, and no separator outside of them."""
        depth, is_empty = 0, True
        for symbol in text:
            is_empty = False
            if symbol in self._openers:
                depth += 1
            elif symbol in self._closers:
                depth -= 1
                if depth < 0:
                    return False
            elif depth == 0 and self._openers and symbol in self._separators:
                return False
        return depth == 0 and not is_empty

    def is_bracket(self, character: str) -> bool:
        return character in self._openers or character in self._closers

    def is_always_after(self, word: str, kind: str) -> bool:
        """True if words of this kind (nearly) always stand directly after the word."""
        return self._beside[word, kind] >= ALWAYS * self._symbols[kind]

    def is_always_before(self, word: str, kind: str) -> bool:
        """True if words of this kind (nearly) always stand directly before the word."""
        return self._beside[kind, word] >= ALWAYS * self._symbols[kind]

    @staticmethod
    def _find_separators(counts: Iterable[TemplateCount], lexis: Lexis) -> set[str]:
        """Tokens without letters that are no brackets and stand between changing neighbours."""
        before: dict[str, set[str]] = defaultdict(set)
        after: dict[str, set[str]] = defaultdict(set)
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
            and token not in CLOSER_OF
            and token not in CLOSERS
            and max(len(before[character]), len(after[character])) > 1
        }
