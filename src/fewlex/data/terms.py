"""Terms: lexicon words of several tokens, written with spaces between the tokens (`New York`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fewlex.data.vocabulary import SPECIALS
from fewlex.errors import LexiconError

Tokenize: TypeAlias = Callable[[str], tuple[str, ...]]


def as_term(text: str, tokenize: Tokenize) -> str:
    """A text as a lexicon word: a word that the tokenizer splits becomes a term of several tokens."""
    tokens = tokenize(text)
    if not tokens:
        raise LexiconError(f"the tokenizer finds no token in {text!r}. Write at least one word.")
    for token in tokens:
        if token in SPECIALS:
            raise LexiconError(f"{token!r} in {text!r} is fewlex's own. Write another word.")
    return " ".join(tokens)


@dataclass(slots=True)
class _Node:
    """A place in a trie of terms: what may follow, and whether a term may end here."""

    following: dict[str, _Node] = field(default_factory=dict)
    is_end: bool = False


class TermMatcher:
    """Finds terms of several tokens in sentences, at a cost that does not depend on how many there are."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._root = _Node()
        for term in terms:
            if " " in term:
                self._add(term.split(" "))

    def segment(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The sentence with each term as one unit, from left to right, the longest match first."""
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
        """Where the longest term from `start` on ends; one token further where there is none."""
        node, longest = self._root, start + 1
        for end in range(start + 1, len(tokens) + 1):
            following = node.following.get(tokens[end - 1])
            if following is None:
                break
            node = following
            if node.is_end:
                longest = end
        return longest
