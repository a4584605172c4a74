"""The likelihood of the source sentences under a lexicon of the Bayesian model (§4.1), updated entry by entry.

Each source word of a sentence pair (x, y) is drawn independently. First a target token y_i is picked uniformly. If it
has entries, then with probability γ the source word is one of the words linked to it, picked uniformly. Otherwise the
source word is any source word at all, where words in the lexicon have the weight κ and all others the weight 1. With R
the target tokens that have entries, this gives

    p(x | y, ℓ) = (1 − γ |R| / |y|) p_NR(x | ℓ) + γ / |y| Σ_{i ∈ R} p_R(x | y_i, ℓ),

which sums to 1 over the source words. The paper does not fix this normalisation: it states p_NR and p_R only up to ∝,
and its sum over target tokens has no weights.

Index legend: s is a sentence pair (copies of a pair are counted, not repeated); v and w are a source and a target word;
t is a term of the log-likelihood, which belongs to one source word v of one s. The weight of a term says how often its
word occurs in all copies of s.

The value of a term depends on its signature alone: on |R| / |y|, and on Σ p_R / |y| or the fact that its word is not in
the lexicon. When an entry is added or removed, most terms keep their signature, so only those of the touched sentences
are computed again. The normaliser of p_NR changes for all terms at once. That is cheap as well, because terms with the
same signature are counted together and each distinct signature is evaluated only once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from fewlex.lexicon.counts import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from fewlex.data.example import Example

SignatureArray: TypeAlias = npt.NDArray[np.complex128]
"""The real part is |R| / |y|; the imaginary part is Σ p_R / |y|, or NEW_WORD if the word is not in the lexicon."""

NEW_WORD = -1.0


class Change(NamedTuple):
    """What would happen if one entry were added or removed."""

    terms: IntArray  # the terms t whose signature would change
    signatures: SignatureArray  # [t of `terms`]: their new signatures
    weights: Counter[complex]  # by how much the total weight of each signature would change
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class Sentences:
    """A corpus as the Bayesian model sees it, which ignores the order of words: as bags of words."""

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    term_sentence: IntArray  # [t]: s, ascending
    term_source: IntArray  # [t]: v
    term_weight: IntArray  # [t]: how many tokens in all copies of s are v
    first_term: IntArray  # [s]: t, and at the end the number of all terms
    target_length: IntArray  # [s]: |y|
    terms_of_source: tuple[IntArray, ...]  # [v]: t, ascending
    sentences_of_target: tuple[IntArray, ...]  # [w]: s, ascending
    tokens_of_target: tuple[IntArray, ...]  # [w]: how many tokens of s are w

    @classmethod
    def from_examples(cls, examples: Iterable[Example]) -> Sentences:
        """Number the words by first appearance, and count equal pairs of bags."""
        source_ids: dict[str, int] = {}
        target_ids: dict[str, int] = {}
        copies: Counter[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]] = Counter()
        for example in examples:
            bags = (
                Counter(ids.setdefault(word, len(ids)) for word in words)
                for ids, words in ((source_ids, example.source), (target_ids, example.target))
            )
            source, target = (frozenset(bag.items()) for bag in bags)
            copies[source, target] += 1
        terms = [
            (s, v, tokens * n) for s, ((bag, _), n) in enumerate(copies.items()) for v, tokens in sorted(bag)
        ]
        targets = [(w, s, tokens) for s, (_, bag) in enumerate(copies) for w, tokens in sorted(bag)]
        sentence, source_of, weight = np.array(terms, dtype=np.int64).reshape(-1, 3).T
        target_of, target_sentence, tokens_of = np.array(targets, dtype=np.int64).reshape(-1, 3).T
        return cls(
            source_words=tuple(source_ids),
            target_words=tuple(target_ids),
            term_sentence=sentence,
            term_source=source_of,
            term_weight=weight,
            first_term=np.searchsorted(sentence, np.arange(len(copies) + 1)),
            target_length=np.array([sum(tokens for _, tokens in bag) for _, bag in copies], dtype=np.int64),
            terms_of_source=_places(source_of, len(source_ids)),
            sentences_of_target=tuple(target_sentence[p] for p in _places(target_of, len(target_ids))),
            tokens_of_target=tuple(tokens_of[p] for p in _places(target_of, len(target_ids))),
        )


def _places(values: IntArray, kinds: int) -> tuple[IntArray, ...]:
    """For each of the values 0, 1, …, the places where it stands."""
    order = np.argsort(values, kind="stable")
    return tuple(np.split(order, np.searchsorted(values[order], np.arange(1, kinds))))


class Referents:
    """A lexicon that can be changed, together with the likelihood that it gives to the corpus."""

    def __init__(self, sentences: Sentences, referential_prob: float, nonreferential_weight: float) -> None:
        """Start with an empty lexicon. The two numbers are γ and κ of §4.1."""
        self.sentences = sentences
        self._referential_prob = referential_prob
        self._nonreferential_weight = nonreferential_weight
        self._sources_of: list[set[int]] = [set() for _ in sentences.target_words]
        self._entries_of_source = np.zeros(len(sentences.source_words), dtype=np.int64)
        self._known_words = 0
        self._signatures: SignatureArray = np.full(len(sentences.term_source), complex(0.0, NEW_WORD))
        self._weights = Counter({complex(0.0, NEW_WORD): int(sentences.term_weight.sum())})
        self.log_likelihood = self._log_likelihood(self._weights, 0)

    def change(self, source: int, target: int) -> Change:
        """What would happen if the entry were added or, if the lexicon has it, removed."""
        delta = -1 if source in self._sources_of[target] else 1
        terms = self._touched(source, target, delta)
        signatures = self._new_signatures(terms, source, target, delta)
        moved = signatures != self._signatures[terms]
        terms, signatures = terms[moved], signatures[moved]
        term_weight = self.sentences.term_weight[terms]
        difference = _total_weights(signatures, term_weight)
        difference.subtract(_total_weights(self._signatures[terms], term_weight))
        known_words = self._known_words + self._change_of_known_words(source, delta)
        weights = self._weights.copy()
        weights.update(difference)
        return Change(terms, signatures, difference, self._log_likelihood(weights, known_words))

    def apply(self, source: int, target: int, change: Change) -> None:
        """Add the entry or, if the lexicon has it, remove it. `change` is what the method `change` returned for it."""
        delta = -1 if source in self._sources_of[target] else 1
        self._known_words += self._change_of_known_words(source, delta)
        self._entries_of_source[source] += delta
        if delta > 0:
            self._sources_of[target].add(source)
        else:
            self._sources_of[target].remove(source)
        self._signatures[change.terms] = change.signatures
        self._weights.update(change.weights)
        for unused in [signature for signature, weight in self._weights.items() if weight == 0]:
            del self._weights[unused]
        self.log_likelihood = change.log_likelihood

    def _joins_or_leaves(self, target: int, delta: int) -> bool:
        """Whether the target word would get its first entry or lose its last one."""
        return len(self._sources_of[target]) == (0 if delta > 0 else 1)

    def _change_of_known_words(self, source: int, delta: int) -> int:
        """1 if the source word would get its first entry, −1 if it would lose its last one, 0 otherwise."""
        before = int(self._entries_of_source[source])
        return int(before + delta > 0) - int(before > 0)

    def _touched(self, source: int, target: int, delta: int) -> IntArray:
        """The terms whose signature may change."""
        sentences = self.sentences
        in_target = sentences.sentences_of_target[target]
        if self._joins_or_leaves(target, delta):
            starts, ends = sentences.first_term[in_target], sentences.first_term[in_target + 1]
            parts = [_ranges(starts, ends)]
        else:
            linked = sorted(self._sources_of[target] | {source})
            terms = [sentences.terms_of_source[v] for v in linked]
            parts = [t[_contains(in_target, sentences.term_sentence[t])] for t in terms]
        if self._change_of_known_words(source, delta):
            parts.append(sentences.terms_of_source[source])
        return np.unique(np.concatenate(parts)) if len(parts) > 1 else parts[0]

    def _new_signatures(self, terms: IntArray, source: int, target: int, delta: int) -> SignatureArray:
        """[t]: the signatures after the entry has been added (delta = 1) or removed (delta = −1)."""
        words, old = self.sentences.term_source[terms], len(self._sources_of[target])
        # [t]: the share of the sentence's target tokens that are the target word
        share = (
            self._tokens(target, terms) / self.sentences.target_length[self.sentences.term_sentence[terms]]
        )
        before = self._signatures[terms]
        referring = before.real + (delta * share if self._joins_or_leaves(target, delta) else 0.0)
        is_linked = np.zeros(len(self.sentences.source_words), dtype=np.bool_)
        is_linked[list(self._sources_of[target])] = True
        change = np.where(is_linked[words], -share / max(old, 1), 0.0)
        is_linked[source] = delta > 0
        change += np.where(is_linked[words], share / max(old + delta, 1), 0.0)
        referred = np.maximum(before.imag, 0.0) + change
        is_known = self._entries_of_source[words] + delta * (words == source) > 0
        signatures = np.where(is_known, _rounded(referred), NEW_WORD) * 1j
        signatures += _rounded(referring)
        return signatures

    def _tokens(self, target: int, terms: IntArray) -> IntArray:
        """[t]: how many target tokens of the sentence are the target word."""
        sentences = self.sentences.sentences_of_target[target]
        wanted = self.sentences.term_sentence[terms]
        place = np.minimum(np.searchsorted(sentences, wanted), len(sentences) - 1)
        tokens: IntArray = np.where(
            sentences[place] == wanted, self.sentences.tokens_of_target[target][place], 0
        )
        return tokens

    def _log_likelihood(self, weights: Counter[complex], known_words: int) -> float:
        """Σ weight · log p over the distinct signatures, if so many source words have an entry."""
        gamma, kappa = self._referential_prob, self._nonreferential_weight
        new_words = len(self.sentences.source_words) - known_words
        signatures = np.fromiter(weights, dtype=np.complex128)
        weight = np.fromiter(weights.values(), dtype=np.float64)
        nonreferential = np.where(signatures.imag == NEW_WORD, 1.0, kappa) / (new_words + kappa * known_words)
        probs = (1 - gamma * signatures.real) * nonreferential + gamma * np.maximum(signatures.imag, 0.0)
        return float(weight @ np.log(probs))


def _rounded(values: FloatArray) -> FloatArray:
    """Sums and differences of shares without their rounding errors, so that equal shares have equal signatures."""
    return np.abs(np.round(values, 13))


def _ranges(starts: IntArray, ends: IntArray) -> IntArray:
    """The numbers in all of the ranges, one range after the other."""
    lengths = ends - starts
    first = np.cumsum(lengths) - lengths
    numbers: IntArray = np.arange(lengths.sum()) + np.repeat(starts - first, lengths)
    return numbers


def _contains(ascending: IntArray, values: IntArray) -> BoolArray:
    """[value]: whether it is one of the numbers in `ascending`."""
    place = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: BoolArray = ascending[place] == values
    return found


def _total_weights(signatures: SignatureArray, weight: IntArray) -> Counter[complex]:
    """The total weight of the terms that have each signature."""
    distinct, place = np.unique(signatures, return_inverse=True)
    totals = np.bincount(place, weights=weight, minlength=len(distinct))
    return Counter(dict(zip(distinct.tolist(), map(int, totals.tolist()), strict=True)))
