"""A run folder in use: text in, text out, and words taught in between."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from fewlex.config import Config, DecodingConfig
from fewlex.data import find_notation, load
from fewlex.data.codec import published_form
from fewlex.data.example import Corpus, Example
from fewlex.data.tokenizers import make_tokenizer
from fewlex.data.truecase import truecased
from fewlex.data.vocabulary import UNK
from fewlex.decoding import Hypothesis, decode_all
from fewlex.evaluation import Scores, score
from fewlex.lexicon import Entry, Lexicon
from fewlex.lexicon.terms import TermMatcher
from fewlex.model.assemble import Knowledge, build_model, finished_lexicon, lexical_parts
from fewlex.model.batch import Encoded, encode_source, make_batch
from fewlex.model.seq2seq import Seq2Seq
from fewlex.required import Required, require_terms
from fewlex.training import RunFolder, max_output_length
from fewlex.translation import Translation, explained, pointed

SCORING_BATCH = 128

Advance = Callable[[int], None]
"""Told how many more sentences are done."""


def _silent(done: int) -> None:
    pass


class Translator:
    """A trained model with its lexicon and tokenizers."""

    def __init__(
        self, config: Config, knowledge: Knowledge, model: Seq2Seq, required: frozenset[str] = frozenset()
    ) -> None:
        """`required` are source terms whose translation must appear in the output."""
        self.config, self.knowledge, self.required = config, knowledge, required
        self.source_tokenizer = make_tokenizer(config.data.source_tokenizer)
        self.target_tokenizer = make_tokenizer(config.data.target_tokenizer)
        self.codec = find_notation(config.data.notation)
        self.device = next(model.parameters()).device
        self._use_lexicon_with(model)

    def _use_lexicon_with(self, model: Seq2Seq) -> None:
        """Put together again what depends on the lexicon; the weights stay as they are."""
        self.model = model.knowing(*lexical_parts(self.config, self.knowledge)).to(self.device).eval()
        self.source_vocab, self.target_vocab = self.knowledge.with_taught_words()
        self.terms = TermMatcher(self.knowledge.lexicon.sources)
        finished = finished_lexicon(self.config, self.knowledge)
        self.rows = {} if finished is None else finished.rows

    @classmethod
    def load(cls, run: Path | str, device: str = "cpu") -> Translator:
        folder = RunFolder(Path(run))
        config, knowledge = folder.read_config(), folder.read_knowledge()
        model = build_model(config, knowledge)
        folder.load_weights(model)
        return cls(config, knowledge, model.to(device))

    @property
    def lexicon(self) -> Lexicon:
        return self.knowledge.lexicon

    def teach(self, source: str, target: str, *, like: str = "") -> None:
        """Give a source term this translation and no other, from now on; the run's files are not touched.

        `like` names a known word that behaves alike, for runs with typed fast mapping.
        """
        term, translation = self._term(source), " ".join(self.target_tokenizer.tokenize(target))
        self.lexicon.replace_row(term, {translation: Entry(1.0, like=like)})
        self._use_lexicon_with(self.model)

    def forget(self, source: str) -> None:
        """Drop what the lexicon says of a source term."""
        self.lexicon.remove(self._term(source))
        self._use_lexicon_with(self.model)

    def with_glossary(self, glossary: Lexicon, *, required: bool = False) -> Translator:
        """A translator that shares this one's weights and knows the glossary's rows too, in place of its own.

        With `required`, the translation of a glossary term must appear where the term is attended.
        """
        lexicon = self.lexicon.copy()
        for source in glossary.sources:
            lexicon.replace_row(source, glossary.row(source))
        must = frozenset(glossary.sources) if required else frozenset()
        return Translator(
            self.config, replace(self.knowledge, lexicon=lexicon), self.model, self.required | must
        )

    def translate(self, text: str, *, beam: int | None = None) -> str:
        """The best output for one line of text."""
        return self.translate_lines([text], beam=beam)[0][0].text

    def translate_lines(
        self, lines: Iterable[str], *, beam: int | None = None, on_batch: Advance = _silent
    ) -> list[list[Translation]]:
        """The n-best outputs of many lines, n being the beam."""
        tokens = [self.source_tokenizer.tokenize(line) for line in lines]
        return self.translate_tokens(tokens, beam=beam, on_batch=on_batch)

    def translate_tokens(
        self, sources: Sequence[Sequence[str]], *, beam: int | None = None, on_batch: Advance = _silent
    ) -> list[list[Translation]]:
        """The n-best outputs of sentences that are tokens already."""
        terms = [self._terms_of(source) for source in sources]
        encoded = [encode_source(units, self.source_vocab) for units in terms]
        decoding = self._decoding(beam)
        max_length = max_output_length(self.config, self.knowledge)
        hypotheses = decode_all(self.model, encoded, decoding, max_length, self.device, on_batch)

        def decode_again(rows: Sequence[int], prefixes: Sequence[Sequence[int]]) -> list[list[Hypothesis]]:
            chosen = [encoded[i] for i in rows]
            return decode_all(self.model, chosen, decoding, max_length, self.device, prefixes=prefixes)

        if self.required:
            hypotheses = require_terms(
                hypotheses, [self._required_in(units) for units in terms], decode_again
            )
        return [
            [self._translation(units, hypothesis) for hypothesis in n_best]
            for units, n_best in zip(terms, hypotheses, strict=True)
        ]

    def evaluate(
        self,
        examples: Sequence[Example],
        *,
        corpus: Corpus | None = None,
        beam: int | None = None,
        on_batch: Advance = _silent,
    ) -> Scores:
        """Scores of the best outputs; `corpus` adds further references for BLEU."""
        outputs = self.translate_tokens(
            [example.source for example in examples], beam=beam, on_batch=on_batch
        )
        return score(examples, [n_best[0].published for n_best in outputs], corpus)

    def score(self, examples: Sequence[Example], *, on_batch: Advance = _silent) -> list[list[float]]:
        """log p(y_i | y_<i, x) of each target token, the end marker last; −∞ for a word the model cannot produce.

        Tokens are those of the run's notation (`in_notation`).
        """
        rows: list[list[float]] = []
        for first in range(0, len(examples), SCORING_BATCH):
            chunk = examples[first : first + SCORING_BATCH]
            targets = [self.in_notation(e.target) for e in chunk]
            sources = [encode_source(self._terms_of(e.source), self.source_vocab) for e in chunk]
            encoded = [self.target_vocab.encode(target) for target in targets]
            batch = make_batch([*map(Encoded, sources, encoded)]).to(self.device)
            with torch.inference_mode():
                log_probs = self.model.log_probs(batch).masked_fill(batch.target == UNK, float("-inf"))
            rows.extend(
                row[: len(target) + 1] for row, target in zip(log_probs.tolist(), targets, strict=True)
            )
            on_batch(len(chunk))
        return rows

    def load_data(self, data: str) -> Corpus:
        """Data tokenized as this run's training data was."""
        return load(
            data,
            source_tokenizer=self.config.data.source_tokenizer,
            target_tokenizer=self.config.data.target_tokenizer,
        )

    def in_notation(self, target: tuple[str, ...]) -> tuple[str, ...]:
        """A published target as this run writes it."""
        return target if self.codec is None else self.codec.encode(target).tokens

    def _terms_of(self, source: Sequence[str]) -> tuple[str, ...]:
        """A tokenized source as the network reads it."""
        return self.terms.segment(truecased(source, self.knowledge.truecase))

    def _term(self, source: str) -> str:
        return " ".join(self.source_tokenizer.tokenize(source))

    def _decoding(self, beam: int | None) -> DecodingConfig:
        return self.config.decoding if beam is None else replace(self.config.decoding, beam=beam)

    def _required_in(self, units: Sequence[str]) -> Required:
        """Positions (with boundaries) of required terms, and the target id each of them needs."""
        return {
            position: self.target_vocab.id(next(iter(self.rows[unit])))
            for position, unit in enumerate(units, start=1)
            if unit in self.required
        }

    def _translation(self, source: tuple[str, ...], hypothesis: Hypothesis) -> Translation:
        words = self.target_vocab.decode(hypothesis.ids)
        tokens, attention, write_gate, origins = explained(hypothesis, words, source, self.rows)
        published = tuple(tokens)
        if self.codec is not None:
            published = published_form(self.codec, pointed(hypothesis, words, source, self.rows))
        return Translation(
            text=self.target_tokenizer.detokenize(published),
            source=source,
            tokens=tuple(tokens),
            published=published,
            log_prob=hypothesis.log_prob,
            attention=tuple(map(tuple, attention)),
            write_gate=tuple(write_gate),
            origins=tuple(origins),
        )
