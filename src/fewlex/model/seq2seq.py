"""The whole model: a backbone (encoder and decoder), the output mixture, the lexicon and fast mapping.

Training calls `loss`, and decoding calls `start`, `step` and `reorder`. Neither of them knows what is inside the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from fewlex.config import Config
from fewlex.data.vocabulary import PAD, UNK
from fewlex.model.backbone import Backbone, Cache, Decoded, Sizes
from fewlex.model.batch import Batch
from fewlex.model.fast_mapping import Anonymizer
from fewlex.model.lexicon_matrix import LexiconMatrix, SentenceEntries
from fewlex.model.memory import Memory, Places
from fewlex.model.output import gold_log_probs

MANY_WORDS = 500
"""With a vocabulary of this size, a distribution for padding costs more than leaving padding out."""


@dataclass(frozen=True)
class DecoderState:
    """Everything that one decoding step needs, with one row for each hypothesis."""

    source: Int[Tensor, "rows source"]
    cache: Cache
    entries: SentenceEntries | None
    hidden_targets: Bool[Tensor, "rows target_vocab"] | None
    places: Places | None = None
    """What the memory has for the sources; None where nothing is remembered."""


@dataclass(frozen=True)
class Step:
    """The result of one decoding step: the distribution over the next token, and the parts that it is made of."""

    probs: Float[Tensor, "rows columns"]
    output_ids: Int[Tensor, " columns"]
    """The target id that each column of `probs` stands for."""
    attention: Float[Tensor, "rows source"]
    write_gate: Float[Tensor, " rows"]
    """p_gate of eq. 6: 1 = all written."""
    state: DecoderState
    lexical_attention: Float[Tensor, "rows source"]
    """(1 − p_gate) · α, which is the probability that each source word adds to its translations."""
    lexicon: LexiconMatrix | None
    features: Float[Tensor, "rows features"]
    """What the write distribution was projected from."""
    recalled: Float[Tensor, "rows columns"] | None = None
    """The memory's part of `probs`; None where nothing is remembered."""

    def remembered(
        self, rows: Int[Tensor, " chosen"], columns: Int[Tensor, " chosen"]
    ) -> Float[Tensor, " chosen"]:
        """The memory's part of the probability of one column in each of the given rows."""
        return (
            torch.zeros_like(self.write_gate[rows]) if self.recalled is None else self.recalled[rows, columns]
        )

    def lexical(
        self, rows: Int[Tensor, " chosen"], columns: Int[Tensor, " chosen"]
    ) -> Float[Tensor, " chosen"]:
        """The lexical part of the probability of one column in each of the given rows, (1 − p_gate) · p_lex (eq. 10).

        A search calls it for the words that it has chosen, so it is not computed for a whole vocabulary.
        """
        if self.lexicon is None or self.state.entries is None:
            return torch.zeros_like(self.write_gate[rows])
        return self.lexicon.translation_of(
            columns, self.lexical_attention[rows], self.state.source[rows], self.state.entries.select(rows)
        )


@dataclass(frozen=True)
class Regularization:
    """What makes training harder than translating, so that the network relies on no single word and no single path."""

    word_dropout: float = 0.0
    label_smoothing: float = 0.0
    reliance: float = 0.0
    lexicon_dropout: float = 0.0

    @classmethod
    def of(cls, config: Config) -> Regularization:
        lexicon = config.lexicon
        return cls(
            config.model.word_dropout, config.training.label_smoothing, lexicon.reliance, lexicon.dropout
        )


class Seq2Seq(nn.Module):
    """p(y | x) of §3, eq. 2. `lexicon` is None for the plain model, `anonymizer` where fast mapping is off."""

    def __init__(
        self,
        backbone: Backbone,
        sizes: Sizes,
        lexicon: LexiconMatrix | None,
        anonymizer: Anonymizer | None,
        regularization: Regularization = Regularization(),
        memory: Memory | None = None,
    ) -> None:
        super().__init__()
        self.memory = memory
        self.regularization = regularization
        self.encoder = backbone.encoder
        self.decoder = backbone.decoder
        self.sizes = sizes
        self.lexicon = lexicon
        self.anonymizer = anonymizer

    def knowing(
        self, lexicon: LexiconMatrix | None, anonymizer: Anonymizer | None, taught: Sequence[int]
    ) -> Seq2Seq:
        """The same network with another lexicon. The weights are shared, because teaching needs no training.

        The memory leaves out the sentences that have one of the `taught` words.
        """
        backbone = Backbone(self.encoder, self.decoder)
        memory = self.memory and self.memory.without(taught)
        other = Seq2Seq(backbone, self.sizes, lexicon, anonymizer, self.regularization, memory)
        other.training = self.training
        return other

    def loss(self, batch: Batch) -> Float[Tensor, ""]:
        """−log p(y | x), summed over the batch (eq. 2). In training it is smoothed as configured."""
        return -self.log_probs(batch).sum()

    def log_probs(self, batch: Batch) -> Float[Tensor, "batch target"]:
        """log p(y_i | y_<i, x) of the gold tokens, and 0 at padding. In training it is smoothed as configured."""
        decoded, hidden_targets = self._decoded(batch)
        words = self.decoder.output.words_for(batch.target)
        lexical_prob = is_required = None
        if self.lexicon is not None:
            translation_probs = self.lexicon.lookup(batch.source, batch.target)
            if batch.allowed_sources is not None:
                translation_probs = translation_probs * batch.allowed_sources
            lexical_prob = (decoded.attention * translation_probs).sum(-1)
            lexical_prob = self._drop_lexicon(lexical_prob, batch.target, hidden_targets)
            is_required = self._require(translation_probs)
        is_word = batch.target != PAD
        is_token = is_word if self.sizes.target >= MANY_WORDS else torch.ones_like(is_word)
        column = batch.target if words is None else words.column[batch.target]
        forbidden = None if hidden_targets is None else hidden_targets[is_token.nonzero()[:, 0]]
        gold = gold_log_probs(
            self.decoder.output(decoded.features[is_token], decoded.state[is_token], forbidden, words),
            column[is_token],
            None if lexical_prob is None else lexical_prob[is_token],
            None if is_required is None else is_required[is_token],
            self.regularization.label_smoothing if self.training else 0.0,
        )
        found = gold.new_zeros(batch.target.shape).masked_scatter(is_token, gold)
        return found.masked_fill(~is_word, 0.0)

    def features(
        self, batch: Batch
    ) -> tuple[Float[Tensor, "batch target features"], Bool[Tensor, "batch target"]]:
        """What the write distribution of each place is projected from, and where a word of the vocabulary is meant.

        Padding means no word, and neither does the translation of a word that fast mapping hides: the network sees
        there that some word comes, and not which.
        """
        decoded, hidden_targets = self._decoded(batch)
        is_word = batch.target != PAD
        if hidden_targets is not None:
            is_word = is_word & ~hidden_targets.gather(1, batch.target)
        return decoded.features, is_word

    def _decoded(self, batch: Batch) -> tuple[Decoded, Bool[Tensor, "batch target_vocab"] | None]:
        """The whole targets, read by the decoder, and the words that fast mapping hides."""
        read_source, hidden_targets = self._read_source(batch.source)
        read_target = self._read_target(batch.target_read, hidden_targets)
        read_source, read_target = self._drop_words(read_source), self._drop_words(read_target)
        return self.decoder(read_target, self._encode(read_source, batch.source)), hidden_targets

    def start(self, source: Int[Tensor, "rows source"]) -> DecoderState:
        read_source, hidden_targets = self._read_source(source)
        return DecoderState(
            source=source,
            cache=self._encode(read_source, source),
            entries=None
            if self.lexicon is None
            else self.lexicon.sentence_entries(source, self.sizes.target),
            hidden_targets=hidden_targets,
            places=None if self.memory is None else self.memory.places(source, self.features),
        )

    def step(self, state: DecoderState, previous: Int[Tensor, " rows"]) -> Step:
        """Read the token `previous` (BOS at first) and compute the distribution over the next one."""
        read = self._read_target(previous[:, None], state.hidden_targets)
        decoded = self.decoder(read, state.cache)
        features = decoded.features[:, 0]
        probs, lexical_gate = self.decoder.output.step(decoded.features, decoded.state, state.hidden_targets)
        attention, output_ids = decoded.attention[:, 0], torch.arange(self.sizes.target, device=read.device)
        lexical_attention = torch.zeros_like(attention)
        if self.lexicon is not None and state.entries is not None and lexical_gate is not None:
            lexical_attention = lexical_gate[:, None] * attention
            probs = self.lexicon.add_translations(probs, lexical_attention, state.source, state.entries)
            output_ids = state.entries.output_ids
        recalled = None
        if state.places is not None and self.memory is not None and self.memory.trust is not None:
            recalled = state.places.recalled(features, self.memory.trust, probs)
            kept = 1 - recalled.sum(1, keepdim=True)
            probs, lexical_attention = probs * kept + recalled, lexical_attention * kept
        return Step(
            probs=probs,
            output_ids=output_ids,
            attention=attention,
            write_gate=torch.ones_like(attention[:, 0]) if lexical_gate is None else 1 - lexical_gate,
            state=replace(state, cache=decoded.cache),
            lexical_attention=lexical_attention,
            lexicon=self.lexicon,
            features=features,
            recalled=recalled,
        )

    def _encode(self, read_source: Int[Tensor, "rows source"], source: Int[Tensor, "rows source"]) -> Cache:
        mask = source != PAD
        return self.decoder.start(self.encoder(read_source, mask), mask)

    def _read_source(
        self, source: Int[Tensor, "rows source"]
    ) -> tuple[Int[Tensor, "rows source"], Bool[Tensor, "rows target_vocab"] | None]:
        """The ids that the encoder reads, and the translations of the words that are hidden from it."""
        if self.anonymizer is None:
            return _known(source, self.sizes.source), None
        hide = self.anonymizer.hide_for_training if self.training else self.anonymizer.hide_for_translation
        hidden = hide(source)
        return self.anonymizer.read_source(source, hidden), self.anonymizer.hidden_targets(source, hidden)

    def _read_target(
        self, target: Int[Tensor, "rows target"], hidden_targets: Bool[Tensor, "rows target_vocab"] | None
    ) -> Int[Tensor, "rows target"]:
        """The ids that the decoder reads of the target."""
        if self.anonymizer is None or hidden_targets is None:
            return _known(target, self.sizes.target)
        return self.anonymizer.read_target(target, hidden_targets)

    def _drop_words(self, read_ids: Int[Tensor, "rows length"]) -> Int[Tensor, "rows length"]:
        """In training, read some random words as unknown.

        The model then learns not to rely on any single word, and it learns what an unknown word looks like.
        """
        share = self.regularization.word_dropout
        if not (self.training and share):
            return read_ids
        drawn = torch.rand(read_ids.shape, device=read_ids.device) < share
        return read_ids.masked_fill(drawn & (read_ids > UNK), UNK)

    def _require(
        self, translation_probs: Float[Tensor, "batch target source"]
    ) -> Bool[Tensor, "batch target"] | None:
        """In training, the random share of the gold tokens that must come from the lexicon, among those that can."""
        share = self.regularization.reliance
        if not (self.training and share):
            return None
        can_be_translated = translation_probs.amax(-1) > 0
        return can_be_translated & (torch.rand_like(translation_probs[..., 0]) < share)

    def _drop_lexicon(
        self,
        lexical_prob: Float[Tensor, "batch target"],
        target: Int[Tensor, "batch target"],
        hidden_targets: Bool[Tensor, "batch target_vocab"] | None,
    ) -> Float[Tensor, "batch target"]:
        """In training, let the lexicon give nothing for a random share of the gold tokens, which must be written then.

        The translation of a word that fast mapping hides cannot be written, so the lexicon always gives it.
        """
        share = self.regularization.lexicon_dropout
        if not (self.training and share):
            return lexical_prob
        is_dropped = torch.rand_like(lexical_prob) < share
        if hidden_targets is not None:
            is_dropped &= ~hidden_targets.gather(1, target)
        return lexical_prob.masked_fill(is_dropped, 0.0)

    @staticmethod
    def reorder(state: DecoderState, rows: Int[Tensor, " kept"]) -> DecoderState:
        """The state of the given rows, in that order. Rows may be repeated or left out."""
        return DecoderState(
            source=state.source[rows],
            cache=state.cache.select(rows),
            entries=None if state.entries is None else state.entries.select(rows),
            hidden_targets=None if state.hidden_targets is None else state.hidden_targets[rows],
            places=None if state.places is None else state.places.select(rows),
        )


def _known(ids: Int[Tensor, "rows length"], trained_size: int) -> Int[Tensor, "rows length"]:
    """The ids, with unknown in place of each word taught after training, because no embedding was trained for it."""
    return ids.masked_fill(ids >= trained_size, UNK)
