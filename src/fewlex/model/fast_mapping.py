"""Fast mapping: which words are read as *anonymous*, in training and when translating (docs/fast_mapping.md).

A source word plays two roles: an embedding that the encoder reads, and a row of the lexicon that translates it.
Hiding the first at random while keeping the second teaches the network to use a word through its row alone, so
that a word it has hardly seen, or never, needs nothing but a row.

Two spaces of ids meet here. *Word ids* are those of the vocabularies and may grow after training (taught words).
*Read ids* index the embeddings: the words known in training, then one anonymous entry for each word class.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from fewlex.config import FastMappingConfig
from fewlex.data.vocabulary import PAD, UNK, Vocabulary
from fewlex.familiarity import Familiarity

READ_AS_IT_IS = -1
"""The mark, in place of a class, of a target word that is never read as anonymous."""


class Anonymizer(nn.Module):
    """Decides which words are hidden, and turns word ids into read ids."""

    def __init__(
        self,
        config: FastMappingConfig,
        familiarity: Familiarity,
        translations: Mapping[str, str],
        taught: Container[str],
        like: Mapping[str, str],
        vocabularies: tuple[Vocabulary, Vocabulary],
        trained_sizes: tuple[int, int],
    ) -> None:
        """`translations` are the words that may hide, with their best target word; vocabularies may hold taught words.

        Words that were `taught`, new or corrected, are always anonymous: what their own embedding knows is not what
        they were taught. A taught word belongs to the class of the word it is `like`, otherwise to the largest.
        """
        super().__init__()
        self.config = config
        source_vocab, target_vocab = vocabularies
        self.source_trained, self.target_trained = trained_sizes
        self.target_vocab_size = len(target_vocab)
        size = len(source_vocab)

        translation = torch.zeros(size, dtype=torch.long)
        is_stand_in = torch.zeros(size, dtype=torch.bool)
        word_class = torch.zeros(size, dtype=torch.long)
        always_hidden = torch.zeros(size, dtype=torch.bool)
        target_class = torch.full((len(target_vocab),), READ_AS_IT_IS)
        for word, target in translations.items():
            index = source_vocab.id(word)
            translation[index] = target_vocab.id(target)
            if word in familiarity.stand_ins and word not in taught:
                is_stand_in[index], word_class[index] = True, familiarity.stand_ins[word]
                continue
            word_class[index] = familiarity.classes.get(like.get(word, word), 0)
            target_class[translation[index]] = word_class[index]
            seen = familiarity.sentences.get(word, 0)
            always_hidden[index] = word in taught or seen <= config.max_rare_sentences
        neighbour = torch.arange(size)
        neighbour[(translation != PAD) & ~is_stand_in] = PAD

        self._keep("translation", translation)
        self._keep("is_stand_in", is_stand_in)
        self._keep("word_class", word_class)
        self._keep("target_class", target_class)
        self._keep("always_hidden", always_hidden)
        self._keep("neighbour", neighbour)
        self._keep("seen_left", _neighbour_keys(familiarity.left, source_vocab))
        self._keep("seen_right", _neighbour_keys(familiarity.right, source_vocab))

    translation: Tensor
    is_stand_in: Tensor
    word_class: Tensor
    target_class: Tensor
    always_hidden: Tensor
    neighbour: Tensor
    seen_left: Tensor
    seen_right: Tensor

    def _keep(self, name: str, tensor: Tensor) -> None:
        # Rebuilt from the run's lexicon and knowledge.json, so not saved with the weights.
        self.register_buffer(name, tensor, persistent=False)

    def hide_for_training(self, source: Int[Tensor, "batch source"]) -> Bool[Tensor, "batch source"]:
        """Hide each word that may hide with the configured probability, drawn once for each example, and rare words
        always."""
        chance = torch.rand(source.shape, device=source.device)
        first = (source[:, :, None] == source[:, None, :]).int().argmax(-1)  # one draw for all occurrences
        drawn = chance.gather(1, first) < self.config.probability
        return (drawn & (self.translation[source] != PAD)) | self.always_hidden[source]

    def hide_for_translation(self, source: Int[Tensor, "batch source"]) -> Bool[Tensor, "batch source"]:
        """Hide words by the configured policy. Every policy hides a word that has a row but no trained embedding."""
        is_lexical = (self.translation[source] != PAD) & ~self.is_stand_in[source]
        hidden = is_lexical & (source >= self.source_trained)
        if self.config.policy == "never":
            return hidden
        if self.config.policy == "always":
            return is_lexical
        hidden |= self.always_hidden[source]
        if self.config.policy == "rare":
            return hidden
        hidden |= self._is_in_new_context(source) & is_lexical
        if self.config.policy == "word":
            return hidden
        return is_lexical & hidden.any(1, keepdim=True)

    def _is_in_new_context(self, source: Int[Tensor, "batch source"]) -> Bool[Tensor, "batch source"]:
        """True for a word that stands beside a neighbour it was never seen with, and for its other occurrences in the
        sentence."""
        size = len(self.neighbour)
        neighbour = self.neighbour[source]
        left = source[:, 1:-1] * size + neighbour[:, :-2]
        right = source[:, 1:-1] * size + neighbour[:, 2:]
        is_new = torch.zeros_like(source, dtype=torch.bool)
        is_new[:, 1:-1] = ~(torch.isin(left, self.seen_left) & torch.isin(right, self.seen_right))
        same_word = source[:, :, None] == source[:, None, :]
        return (same_word & is_new[:, None, :]).any(-1)

    def read_source(
        self, source: Int[Tensor, "batch source"], hidden: Bool[Tensor, "batch source"]
    ) -> Int[Tensor, "batch source"]:
        known = source.masked_fill(source >= self.source_trained, UNK)
        return torch.where(hidden, self.source_trained + self.word_class[source], known)

    def hidden_targets(
        self, source: Int[Tensor, "batch source"], hidden: Bool[Tensor, "batch source"]
    ) -> Bool[Tensor, "batch target_vocab"]:
        """The translations of hidden words. They may not be written, and they are read back as anonymous. Those of
        stand-ins are read back as they are, because what follows `*` is not what follows a name."""
        translations = self.translation[source].masked_fill(~hidden, PAD)
        marks = torch.zeros(len(source), self.target_vocab_size, dtype=torch.bool, device=source.device)
        marks.scatter_(1, translations, True)
        marks[:, PAD] = False
        return marks

    def read_target(
        self, target: Int[Tensor, "batch target"], hidden_targets: Bool[Tensor, "batch target_vocab"]
    ) -> Int[Tensor, "batch target"]:
        known = target.masked_fill(target >= self.target_trained, UNK)
        target_class = self.target_class[target]
        is_anonymous = hidden_targets.gather(1, target) & (target_class != READ_AS_IT_IS)
        return torch.where(is_anonymous, self.target_trained + target_class, known)


def _neighbour_keys(seen: Mapping[str, Sequence[str]], vocab: Vocabulary) -> Int[Tensor, " pairs"]:
    """Each pair of a word and its neighbour as a single number."""
    keys = [
        vocab.id(word) * len(vocab) + vocab.id(neighbour)
        for word, neighbours in seen.items()
        for neighbour in neighbours
    ]
    return torch.tensor(keys, dtype=torch.long)
