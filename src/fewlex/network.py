"""The network of a run, with one method for all who ask: `answer` gives its answers to sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch

from fewlex.answer import Answer, How, Origin, first_tokens
from fewlex.confidence import Confidence
from fewlex.config import Config
from fewlex.data.brackets import CLOSER_OF
from fewlex.data.codec import Pointed
from fewlex.data.example import Example
from fewlex.data.vocabulary import UNK
from fewlex.decoding import Hypothesis, decode_all
from fewlex.knowledge import Knowledge
from fewlex.model.assemble import LexicalParts
from fewlex.model.batch import Encoded, encode_source, make_batch
from fewlex.model.committee import Committee
from fewlex.model.loading import load_model
from fewlex.model.open_brackets import Closers
from fewlex.model.seq2seq import Seq2Seq
from fewlex.required import Required, require_terms
from fewlex.run import Run

SCORING_BATCH = 128

Advance = Callable[[int], None]
"""A function that is called with the number of sentences that have just been finished."""

Rows = Mapping[str, Mapping[str, float]]
"""The probabilities of the translations of each source term."""


@dataclass(frozen=True)
class Network:
    """A trained model and the knowledge of its run. It does not change, so threads may share it."""

    config: Config
    knowledge: Knowledge
    model: Seq2Seq | Committee
    rows: Rows
    """The rows of L that have entries (§3)."""
    required: frozenset[str] = frozenset()
    """Source terms whose translation must appear in the output."""
    confidence: Confidence | None = None
    """How sure answers are; None where nobody has measured it."""

    @classmethod
    def load(cls, run: Run, config: Config, knowledge: Knowledge, device: str = "cpu") -> Network:
        """Load the network of a run whose config and knowledge have been read already."""
        if config.training.networks > 1:
            run.require("result.json")
        parts = LexicalParts.of(config, knowledge)
        model = load_model(run, config, knowledge, parts, device)
        return cls(config, knowledge, model, _rows(parts), confidence=run.read_confidence())

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    def with_knowledge(self, knowledge: Knowledge, required: frozenset[str] | None = None) -> Network:
        """The same weights with other knowledge. Only the parts that depend on the lexicon are built again.

        Nothing else is touched, since another thread may be decoding with the shared parts: moving an LSTM to a device,
        even to the one where it is, takes its list of weights apart for a moment.
        """
        parts = LexicalParts.of(self.config, knowledge)
        for part in (parts.matrix, parts.anonymizer):
            if part is not None:
                part.to(self.device).eval()
        taught = knowledge.source_vocab.encode(knowledge.taught_terms)
        model = self.model.knowing(parts.matrix, parts.anonymizer, taught)
        must = self.required if required is None else required
        return Network(self.config, knowledge, model, _rows(parts), must, self.confidence)

    def answer(
        self,
        sources: Sequence[Sequence[str]],
        beam: int | None = None,
        on_batch: Advance = lambda done: None,
    ) -> list[list[Answer]]:
        """The best answers to tokenized sources, as many for each as the beam is wide."""
        units = [self.knowledge.units(source) for source in sources]
        encoded = [encode_source(terms, self.knowledge.extended_vocabs[0]) for terms in units]
        decoding = self.config.decoding if beam is None else replace(self.config.decoding, beam=beam)
        max_length = self.knowledge.max_output_length(decoding)
        closers = self._closers if decoding.balanced else None
        hypotheses = decode_all(
            self.model, encoded, decoding, max_length, self.device, on_batch, closers=closers
        )

        def decode_again(rows: Sequence[int], prefixes: Sequence[Sequence[int]]) -> list[list[Hypothesis]]:
            chosen = [encoded[i] for i in rows]
            return decode_all(
                self.model, chosen, decoding, max_length, self.device, prefixes=prefixes, closers=closers
            )

        if self.required:
            hypotheses = require_terms(hypotheses, [*map(self._required_in, units)], decode_again)
        return [
            [self._answer(terms, hypothesis) for hypothesis in n_best]
            for terms, n_best in zip(units, hypotheses, strict=True)
        ]

    def score(self, examples: Sequence[Example], on_batch: Advance = lambda done: None) -> list[list[float]]:
        """log p(y_i | y_<i, x) of each target token, the end marker last; −∞ for words the model cannot produce."""
        source_vocab, target_vocab = self.knowledge.extended_vocabs
        rows: list[list[float]] = []
        for first in range(0, len(examples), SCORING_BATCH):
            chunk = [*map(self.knowledge.form.copies.hide_in_pair, examples[first : first + SCORING_BATCH])]
            targets = [self.knowledge.form.in_notation(e.target) for e in chunk]
            sources = [encode_source(self.knowledge.units(e.source), source_vocab) for e in chunk]
            encoded = [target_vocab.encode(target) for target in targets]
            batch = make_batch([*map(Encoded, sources, encoded)]).to(self.device)
            with torch.inference_mode():
                log_probs = self.model.log_probs(batch).masked_fill(batch.target == UNK, float("-inf"))
            rows.extend(
                row[: len(target) + 1] for row, target in zip(log_probs.tolist(), targets, strict=True)
            )
            on_batch(len(chunk))
        return rows

    @property
    def _closers(self) -> Closers:
        """The brackets of the target words."""
        vocab = self.knowledge.extended_vocabs[1]
        known = [pair for pair in CLOSER_OF.items() if pair[0] in vocab and pair[1] in vocab]
        return {vocab.id(opener): vocab.id(closer) for opener, closer in known}

    def _required_in(self, units: Sequence[str]) -> Required:
        """The positions (with boundaries) of required terms, and the target id that each of them needs."""
        return {
            position: self.knowledge.extended_vocabs[1].id(next(iter(self.rows[unit])))
            for position, unit in enumerate(units, start=1)
            if unit in self.required
        }

    def _answer(self, source: tuple[str, ...], hypothesis: Hypothesis) -> Answer:
        words = self.knowledge.extended_vocabs[1].decode(hypothesis.ids)
        tokens, attention, write_gate, origins = explained(hypothesis, words, source, self.rows)
        form = self.knowledge.form
        published = tuple(tokens)
        if not form.is_published:
            published = form.published(pointed(hypothesis, words, source, self.rows))
        return Answer(
            text=form.text(published),
            source=source,
            tokens=tuple(tokens),
            published=published,
            log_prob=hypothesis.log_prob,
            attention=tuple(map(tuple, attention)),
            write_gate=tuple(write_gate),
            origins=tuple(origins),
            confidence=None if self.confidence is None else self.confidence.of(hypothesis.log_prob),
        )


def pointed(hypothesis: Hypothesis, words: Sequence[str], source: tuple[str, ...], rows: Rows) -> Pointed:
    """The tokens of a hypothesis, each with the source token that it belongs to (docs/notations.md).

    A token belongs to the most attended of the source terms that translate to it, or, if none does, to the most
    attended of all terms. The first token of a term of several tokens represents the term.
    """
    starts = first_tokens(source)
    tokens: list[str] = []
    positions: list[int | None] = []
    for word, looked in zip(words, _looks(hypothesis, source), strict=False):
        able = [i for i, term in enumerate(source) if word in rows.get(term, ())]
        best = max(able or range(len(source)), key=looked.__getitem__, default=None)
        for token in word.split(" "):
            tokens.append(token)
            positions.append(None if best is None else starts[best])
    return Pointed(tuple(tokens), tuple(positions))


def explained(
    hypothesis: Hypothesis, words: Sequence[str], source: tuple[str, ...], rows: Rows
) -> tuple[list[str], list[list[float]], list[float], list[Origin]]:
    """The tokens, attention, gates and origins of a hypothesis. A word of several tokens is split into them."""
    tokens, attention, gates, origins = [], [], [], []
    shares = torch.stack([hypothesis.lexical_share, hypothesis.remembered_share], 1).tolist()
    gate_and_shares = zip(hypothesis.write_gate.tolist(), shares, strict=True)
    for word, looked, (gate, (lexical, remembered)) in zip(
        words, _looks(hypothesis, source), gate_and_shares, strict=False
    ):
        how = _how(lexical, remembered)
        for token in word.split(" "):
            tokens.append(token)
            attention.append(looked)
            gates.append(gate)
            if source:
                origins.append(_origin(token, word, looked, gate, how, source, rows))
    return tokens, attention, gates, origins


def _rows(parts: LexicalParts) -> Rows:
    return {} if parts.finished is None else parts.finished.rows


def _looks(hypothesis: Hypothesis, source: tuple[str, ...]) -> list[list[float]]:
    """The attention of each step over the source terms, without the sentence boundaries."""
    rows: list[list[float]] = hypothesis.attention[:, 1 : len(source) + 1].tolist()
    return rows


def _how(lexical: float, remembered: float) -> How:
    """Where most of a token's probability came from."""
    if remembered > 0.5:
        return "remembered"
    return "translated" if lexical > 0.5 else "written"


def _origin(
    token: str,
    word: str,
    looked: Sequence[float],
    gate: float,
    how: How,
    source: tuple[str, ...],
    rows: Rows,
) -> Origin:
    weights = [a * rows.get(term, {}).get(word, 0.0) for a, term in zip(looked, source, strict=True)]
    evidence = weights if how == "translated" and max(weights) > 0 else looked
    index = max(range(len(source)), key=evidence.__getitem__)
    return Origin(token, how, source[index], index, looked[index], gate)
