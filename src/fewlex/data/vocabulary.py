"""Words and their numbers. A vocabulary is built from training data alone and knows nothing of embeddings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from fewlex.errors import DataError

PAD, BOS, EOS, UNK = 0, 1, 2, 3
SPECIALS = ("<pad>", "<s>", "</s>", "<unk>")


class Vocabulary:
    """A one-to-one map between words and ids; ids below `len(SPECIALS)` are not words.

    Words sort by falling frequency, then alphabetically, so that the same data give the same ids.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(words)
        self._tokens = (*SPECIALS, *self.words)
        self._ids = {word: i for i, word in enumerate(self._tokens)}
        if len(self._ids) != len(self._tokens):
            twice = sorted(word for word, n in Counter(self._tokens).items() if n > 1)
            raise DataError(
                f"a vocabulary holds {twice[0]!r} twice. {', '.join(SPECIALS)} are fewlex's own: "
                "rename them in the data."
            )

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]], side: str) -> Vocabulary:
        counts = Counter(word for sentence in sentences for word in sentence)
        if not counts:
            raise DataError(f"the {side} vocabulary is empty. Give at least one training example with words.")
        return cls(sorted(counts, key=lambda word: (-counts[word], word)))

    def __len__(self) -> int:
        return len(self._tokens)

    def __contains__(self, word: object) -> bool:
        return word in self._ids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def id(self, word: str) -> int:
        """The id of the word, or UNK if the vocabulary does not have it."""
        return self._ids.get(word, UNK)

    def token(self, index: int) -> str:
        return self._tokens[index]

    def encode(self, words: Iterable[str]) -> list[int]:
        return [self._ids.get(word, UNK) for word in words]

    def decode(self, ids: Iterable[int]) -> tuple[str, ...]:
        return tuple(self._tokens[i] for i in ids)

    def extended(self, words: Iterable[str]) -> Vocabulary:
        """This vocabulary with new words at its end, so that the ids of its own words stay as they are."""
        return Vocabulary((*self.words, *dict.fromkeys(w for w in words if w not in self)))
