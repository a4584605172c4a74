"""The form of a run's text: how a line becomes the input of a model, and how the model's output becomes a line again.

Training, translating, teaching and scoring all go through one `Form`, so that a word is cut, written and looked up in
the same way everywhere. On the way in, a line is cut into tokens and its first word is written as it is elsewhere in a
sentence. Targets may be rewritten in a notation that a network learns more easily (docs/notations.md). On the way out
both are undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from fewlex.data.codec import PUBLISHED, Codec, Pointed, Tokens, published_form
from fewlex.data.copies import Copies
from fewlex.data.corpus import Corpus
from fewlex.data.registry import find_notation, load
from fewlex.data.terms import as_term
from fewlex.data.tokenizers import Tokenizer, make_tokenizer
from fewlex.data.truecase import learn_truecase, truecased

AGAIN = "↻"
"""Stands for a source word that repeats the word before it, so that what a repetition means is learned once for all
words: in *tal tal* and *bim bim* the second word says the same."""


def with_marked_repeats(source: Sequence[str]) -> Tokens:
    """The source with `AGAIN` for each word that repeats its predecessor."""
    before = (None, *source)
    return tuple(AGAIN if word == previous else word for word, previous in zip(source, before, strict=False))


@dataclass(frozen=True)
class Form:
    """The tokenizers, the truecase and the notation of a run, by the names that a configuration gives them."""

    source_tokenizer: str = "whitespace"
    target_tokenizer: str = "whitespace"
    notation: str = PUBLISHED
    truecase: Mapping[str, str] = field(default_factory=dict)
    """For words that begin a sentence, how they are written within sentences, if that differs."""
    mark_repeats: bool = False
    """A word that repeats the one before it is read as `AGAIN`, whichever word it is."""
    copies: Copies = field(default_factory=Copies)
    """What is copied from source to target, and so hidden behind slots before anything is learned or read."""

    @classmethod
    def learn(
        cls,
        corpus: Corpus,
        *,
        notation: str = PUBLISHED,
        truecase: bool = False,
        mark_repeats: bool = False,
        copies: str = "",
    ) -> Form:
        """The form in which the corpus was read, and the truecase that its training split teaches."""
        # This is checked first, so that a notation which the data set lacks is reported before anything else.
        find_notation(notation, corpus.name)
        capitals = learn_truecase(example.source for example in corpus["train"]) if truecase else {}
        return cls(
            corpus.source_tokenizer,
            corpus.target_tokenizer,
            notation,
            capitals,
            mark_repeats,
            Copies.named(copies),
        )

    @cached_property
    def _source(self) -> Tokenizer:
        return make_tokenizer(self.source_tokenizer)

    @cached_property
    def _target(self) -> Tokenizer:
        return make_tokenizer(self.target_tokenizer)

    @cached_property
    def _codec(self) -> Codec | None:
        return find_notation(self.notation)

    @property
    def is_published(self) -> bool:
        """True if a model writes targets as they are published, so that its output needs no conversion."""
        return self._codec is None

    def load(self, data: Path | str) -> Corpus:
        """Load data and tokenize it in this form."""
        return load(data, source_tokenizer=self.source_tokenizer, target_tokenizer=self.target_tokenizer)

    def source_tokens(self, line: str) -> Tokens:
        """A line of source text as tokens."""
        return self._source.tokenize(line)

    def target_tokens(self, line: str) -> Tokens:
        """A line of target text as tokens."""
        return self._target.tokenize(line)

    def source_term(self, text: str) -> str:
        """A source text as a lexicon word: its tokens with one space between them."""
        return as_term(text, self.source_tokens)

    def target_term(self, text: str) -> str:
        """A target text as a lexicon word."""
        return as_term(text, self.target_tokens)

    def read(self, tokens: Sequence[str]) -> Tokens:
        """Source tokens as a model reads them."""
        read = truecased(tokens, self.truecase)
        return with_marked_repeats(read) if self.mark_repeats else read

    def in_notation(self, target: Tokens) -> Tokens:
        """A published target as a model writes it."""
        return target if self._codec is None else self._codec.encode(target).tokens

    def published(self, output: Pointed) -> Tokens:
        """A model's output in the published notation."""
        return output.tokens if self._codec is None else published_form(self._codec, output)

    def text(self, tokens: Sequence[str]) -> str:
        """Published target tokens as a line of text."""
        return self._target.detokenize(tokens)

    def prepare(self, corpus: Corpus) -> Corpus:
        """A whole corpus, with its sources as a model reads them and its targets as a model writes them."""
        prepared = corpus.with_examples(self.copies.hide_in_pair) if self.copies.kinds else corpus
        if self.truecase or self.mark_repeats:
            prepared = prepared.with_sources(self.read)
        return prepared if self._codec is None else prepared.in_notation(self._codec)
