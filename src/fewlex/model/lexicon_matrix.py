"""The lexicon matrix L of §3, eq. 9, stored as a list of its entries and never as a dense matrix.

A row of L is one of two things: a few explicit entries, or the uniform distribution over the target words that
nothing maps to (the *background*, the same for every such row). Explicit entries are kept as one sorted list of
keys `source id × width + target id` beside their probabilities, so that memory grows with the number of entries and
looking up a pair is a binary search.

Some words have neither. Sentence boundaries have none, except for the end mark where the settings ask for it. If every
target word is mapped to, there is no background either, so words without an entry have none. All these translate to
`<unk>`, which is never the right answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from fewlex.data.vocabulary import EOS, SPECIALS, UNK, Vocabulary
from fewlex.lexicon.finishing import FinishedLexicon


@dataclass(frozen=True)
class SentenceEntries:
    """All explicit entries of the words of each sentence, padded with weight 0. One decoding step adds them up.

    Ten thousand taught words must not widen every step by ten thousand columns. So a batch has columns for the words
    known in training, and after them only for those taught words that its own sentences can translate to.
    """

    position: Int[Tensor, "batch entries"]
    column: Int[Tensor, "batch entries"]
    weight: Float[Tensor, "batch entries"]
    output_ids: Int[Tensor, " columns"]
    """The target id of each column."""

    def select(self, rows: Int[Tensor, " rows"]) -> SentenceEntries:
        return SentenceEntries(self.position[rows], self.column[rows], self.weight[rows], self.output_ids)


class LexiconMatrix(nn.Module):
    """The translation probabilities of source ids. They are fixed, or trained as a softmax over each row's entries."""

    keys: Tensor
    probs: Tensor
    row_of_entry: Tensor
    row_start: Tensor
    background_share: Tensor
    background_probs: Tensor

    def __init__(
        self,
        finished: FinishedLexicon,
        source_vocab: Vocabulary,
        target_vocab: Vocabulary,
        trained: bool = False,
        end_mark: bool = False,
    ) -> None:
        """With `end_mark`, the end of a source translates to the end of the target; the lexicon does not list it."""
        super().__init__()
        self.width = len(target_vocab)
        boundaries = [(EOS * self.width + EOS, 0.0)] if end_mark else []
        words = (
            (source_vocab.id(source) * self.width + target_vocab.id(target), math.log(prob))
            for source, row in finished.rows.items()
            if source in source_vocab
            for target, prob in row.items()
        )
        entries = sorted((*boundaries, *words))
        keys = torch.tensor([key for key, _ in entries], dtype=torch.long)
        log_probs = torch.tensor([log_prob for _, log_prob in entries], dtype=torch.float)
        rows = keys.div(self.width, rounding_mode="floor")
        per_row = torch.bincount(rows, minlength=len(source_vocab))

        # The run's lexicon and vocabularies determine everything below, so none of it is saved with the weights.
        self.register_buffer("keys", keys, persistent=False)
        self.register_buffer("row_of_entry", rows, persistent=False)
        self.register_buffer(
            "row_start", torch.cat([per_row.new_zeros(1), per_row.cumsum(0)]), persistent=False
        )
        self.register_buffer("background_share", (per_row == 0).float(), persistent=False)
        self.register_buffer("background_probs", self._background(finished, target_vocab), persistent=False)
        self.has_background = len(finished.background) > 0
        self.register_buffer("probs", log_probs.exp(), persistent=False)
        self.lexicon_logits = nn.Parameter(log_probs) if trained else None

    def _background(
        self, finished: FinishedLexicon, target_vocab: Vocabulary
    ) -> Float[Tensor, " target_vocab"]:
        background = torch.zeros(self.width)
        background[target_vocab.encode(finished.background) or [UNK]] = 1.0
        return background / background.sum()

    def entry_probs(self) -> Float[Tensor, " entries"]:
        """The probability of each explicit entry. A trained row always sums to 1."""
        if self.lexicon_logits is None:
            return self.probs
        rows = len(self.row_start) - 1
        logits = self.lexicon_logits
        highest = torch.full((rows,), float("-inf"), device=logits.device)
        highest = highest.scatter_reduce(0, self.row_of_entry, logits.detach(), "amax")
        weights = (logits - highest[self.row_of_entry]).exp()
        total = torch.zeros(rows, device=logits.device).index_add(0, self.row_of_entry, weights)
        return weights / total[self.row_of_entry]

    def learned_rows(
        self, source_vocab: Vocabulary, target_vocab: Vocabulary
    ) -> list[tuple[str, str, float]]:
        """Every explicit entry of a word with its trained logit, which is known up to a constant of its row."""
        logits = self.probs.log() if self.lexicon_logits is None else self.lexicon_logits.detach()
        return [
            (source_vocab.token(key // self.width), target_vocab.token(key % self.width), logit)
            for key, logit in zip(self.keys.tolist(), logits.tolist(), strict=True)
            if key // self.width >= len(SPECIALS)
        ]

    def lookup(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target source"]:
        """L[x_j, y_i] for every pair of positions. Training needs no other part of the lexical distribution."""
        background = self.background_probs[target][:, :, None] * self.background_share[source][:, None, :]
        if len(self.keys) == 0:
            return background
        wanted = source[:, None, :] * self.width + target[:, :, None]
        at = torch.searchsorted(self.keys, wanted).clamp_(max=len(self.keys) - 1)
        return self.entry_probs()[at] * (self.keys[at] == wanted) + background

    def sentence_entries(self, source: Int[Tensor, "batch source"], trained_size: int) -> SentenceEntries:
        """The explicit entries of every word of each sentence, for one decoding step.

        `trained_size` is the size of the target vocabulary in training; words with higher ids were taught later.
        """
        per_position = (self.row_start[1:] - self.row_start[:-1])[source]
        per_sentence = per_position.sum(1)
        total = int(per_sentence.sum())
        flat = per_position.flatten()
        position_of = torch.repeat_interleave(torch.arange(flat.numel(), device=source.device), flat)
        first_of = flat.cumsum(0) - flat
        entry = self.row_start[source.flatten()[position_of]] + (
            torch.arange(total, device=source.device) - first_of[position_of]
        )
        row = position_of.div(source.shape[1], rounding_mode="floor")
        column = torch.arange(total, device=source.device) - (per_sentence.cumsum(0) - per_sentence)[row]

        shape = (source.shape[0], int(per_sentence.max()) if total else 0)
        position, target = source.new_zeros(shape), source.new_zeros(shape)
        weight = self.probs.new_zeros(shape)
        position[row, column] = position_of % source.shape[1]
        target[row, column] = self.keys[entry] % self.width
        weight[row, column] = self.entry_probs()[entry]
        taught = torch.unique(target[target >= trained_size])
        local = trained_size + torch.searchsorted(taught, target)
        return SentenceEntries(
            position,
            torch.where(target < trained_size, target, local),
            weight,
            torch.cat([torch.arange(trained_size, device=source.device), taught]),
        )

    def add_translations(
        self,
        probs: Float[Tensor, "batch known"],
        attention: Float[Tensor, "batch source"],
        source: Int[Tensor, "batch source"],
        entries: SentenceEntries,
    ) -> Float[Tensor, "batch columns"]:
        """Add p_lex(w) = Σ_j L[x_j, w] α^j (eq. 9) of one decoding step to `probs`, in place.

        `probs` needs a column for each word known in training. This function appends the columns of taught words.
        """
        if missing := len(entries.output_ids) - probs.shape[1]:
            probs = F.pad(probs, (0, missing))
        background = (attention * self.background_share[source]).sum(1)
        if self.has_background:
            probs.addr_(background, self.background_probs[entries.output_ids])
        else:  # This case needs no pass over the vocabulary.
            probs[:, UNK] += background
        return probs.scatter_add_(1, entries.column, attention.gather(1, entries.position) * entries.weight)

    def translation_of(
        self,
        column: Int[Tensor, " batch"],
        attention: Float[Tensor, "batch source"],
        source: Int[Tensor, "batch source"],
        entries: SentenceEntries,
    ) -> Float[Tensor, " batch"]:
        """The probability that `add_translations` adds to one column of each row."""
        background = (attention * self.background_share[source]).sum(1)
        found = attention.gather(1, entries.position) * entries.weight * (entries.column == column[:, None])
        return found.sum(1) + background * self.background_probs[entries.output_ids[column]]
