"""Terms: words of the lexicon that consist of several tokens, with spaces between them (`New York`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fewlex.data.vocabulary import SPECIALS
from fewlex.errors import LexiconError

Tokenize: TypeAlias = Callable[[str], tuple[str, ...]]


def as_term(text: str, tokenize: Tokenize) -> str:
    """A text as a word of the lexicon. If the tokenizer splits it, it becomes a term of several tokens."""
    tokens = tokenize(text)
    if not tokens:
        raise LexiconError(f"the tokenizer finds no token in {text!r}. Write at least one word.")
    for token in tokens:
        if token in SPECIALS:
            raise LexiconError(f"{token!r} in {text!r} is one of fewlex's own symbols. Write another word.")
    return " ".join(tokens)


@dataclass(slots=True)
class _Node:
    """A node in a trie of terms: which tokens may follow, and whether a term may end here."""

    following: dict[str, _Node] = field(default_factory=dict)
    is_end: bool = False


class TermMatcher:
    """Finds terms of several tokens in sentences. The time it takes does not depend on the number of terms."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._root = _Node()
        for term in terms:
            if " " in term:
                self._add(term.split(" "))

    def segment(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The sentence with each term as one unit. It is read from left to right, and the longest match wins."""
        units = []
        start = 0
        while start < len(tokens):
            end = self._end_of_term(tokens, start)
            units.append(" ".join(tokens[start:end]))
            start = end
        return tuple(units)

    def _add(self, tokens: Iterable[str]) -> None:
        node = self._root
        for token in tokens:
            node = node.following.setdefault(token, _Node())
        node.is_end = True

    def _end_of_term(self, tokens: Sequence[str], start: int) -> int:
        """The end of the longest term that begins at `start`, or `start + 1` if no term begins there."""
        node, longest = self._root, start + 1
        for end in range(start + 1, len(tokens) + 1):
            following = node.following.get(tokens[end - 1])
            if following is None:
                break
            node = following
            if node.is_end:
                longest = end
        return longest
