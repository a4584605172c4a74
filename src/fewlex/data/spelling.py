"""Other spellings of what a run knows: *Lamp*, *LAMP!* and *lamp.* are read as *lamp* by a run that knows only that.

People do not type as the training data is written. Only words that are unknown as they stand are read in another way,
so nothing changes for text that is like the training data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fewlex.data.tokenizers import GLUE

Tokens = tuple[str, ...]

MARKS = ".,;:!?…\"'“”«»"
"""Punctuation that may be glued to a word."""
END_MARKS = (".", "!", "?", f"{GLUE}.", f"{GLUE}!", f"{GLUE}?")
"""Tokens that end sentences."""


@dataclass(frozen=True)
class Spelling:
    """The words that a run knows, in the spelling in which it knows them."""

    known: frozenset[str]

    @cached_property
    def _folded(self) -> dict[str, str]:
        """The known word for each spelling without capitals; a word that is known in small letters comes first."""
        return {word.casefold(): word for word in sorted(self.known, reverse=True)}

    @cached_property
    def _bare(self) -> dict[str, str]:
        """The known word for each spelling without capitals and marks."""
        return {bare: word for word in sorted(self.known) if (bare := word.strip(MARKS).casefold())}

    def read(self, tokens: Sequence[str]) -> Tokens:
        """The tokens, with unknown ones in the spelling in which they are known, if there is one."""
        if self.known.issuperset(tokens):
            return tuple(tokens)
        return tuple(piece for token in tokens for piece in self._pieces(token)) or tuple(tokens)

    def other_ends(self, tokens: Sequence[str]) -> Iterator[Tokens]:
        """The sentence without its last mark, and with others that the run knows."""
        bare = tuple(tokens[:-1]) if tokens and tokens[-1] in END_MARKS else tuple(tokens)
        for end in ((), *((mark,) for mark in END_MARKS if mark in self.known)):
            if bare and (*bare, *end) != tuple(tokens):
                yield (*bare, *end)

    def _pieces(self, token: str) -> Tokens:
        if token in self.known:
            return (token,)
        found = self._folded.get(token.casefold())
        if found is not None:
            return (found,)
        word = token.strip(MARKS)
        found = word if word in self.known else self._folded.get(word.casefold())
        if found is None:
            found = self._bare.get(word.casefold())
        if not word or found is None:
            # A mark that ends a sentence says nothing to a run that does not know it.
            return () if token in END_MARKS else (token,)
        after = token[len(token.rstrip(MARKS)) :]
        return (found, *(mark for mark in after if mark in self.known))
