"""How likely source sentences are under a lexicon of the Bayesian model (§4.1), kept up to date entry by entry.

Each source word of a sentence pair (x, y) is drawn by itself: a target token y_i is picked, all alike; if it has
entries, then with probability γ the word is one of those linked to it, all alike; otherwise it is any source word,
with weight κ for those in the lexicon and 1 for the others. With R the target tokens that have entries,

    p(x | y, ℓ) = (1 − γ |R| / |y|) p_NR(x | ℓ) + γ / |y| Σ_{i ∈ R} p_R(x | y_i, ℓ),

which sums to 1 over the source words. The paper leaves that open: its p_NR and p_R are given up to ∝ and its sum over
target tokens has no weights.

Index legend: s a sentence pair (copies are counted, not repeated); v, w a source and a target word; t a term, one
source word v of one s, with how often it occurs in all copies as its weight.

The log-likelihood is a sum over terms, and all that matters of a term is what it looks like: |R| / |y|, and
Σ p_R / |y|, or whether its word is new. Whatever an entry changes, most terms keep their looks: a step costs the
terms that do not, and the normaliser of p_NR, which every term feels, one look at the distinct ones.
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

LooksArray: TypeAlias = npt.NDArray[np.complex128]
"""Real part |R| / |y|; imaginary part Σ p_R / |y|, or NEW_WORD for a word that is not in the lexicon."""

NEW_WORD = -1.0


class Change(NamedTuple):
    """What adding or removing one entry would do."""

    terms: IntArray  # [t that would change]
    looks: LooksArray  # what they would look like
    looks_count: Counter[complex]  # the difference in how many terms have which looks
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class Sentences:
    """A corpus as the Bayesian model sees it: bags of words."""

    source_words: tuple[str, ...]
    target_words: tuple[str, ...]
    term_sentence: IntArray  # [t]: s, ascending
    term_source: IntArray  # [t]: v
    term_weight: IntArray  # [t]: tokens in all copies of s
    first_term: IntArray  # [s], and one more
    target_length: IntArray  # [s]: |y|
    terms_of_source: tuple[IntArray, ...]  # [v]: t, ascending
    sentences_of_target: tuple[IntArray, ...]  # [w]: s, ascending
    tokens_of_target: tuple[IntArray, ...]  # [w]: how many tokens of s are w

    @classmethod
    def from_examples(cls, examples: Iterable[Example]) -> Sentences:
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
    """For each of the values 0, 1, …, where it stands."""
    order = np.argsort(values, kind="stable")
    return tuple(np.split(order, np.searchsorted(values[order], np.arange(1, kinds))))


class Referents:
    """A lexicon and how likely it makes the corpus."""

    def __init__(self, sentences: Sentences, referential_prob: float, nonreferential_weight: float) -> None:
        """Begin with no entries; γ and κ of §4.1."""
        self.sentences = sentences
        self._referential_prob = referential_prob
        self._nonreferential_weight = nonreferential_weight
        self._sources_of: list[set[int]] = [set() for _ in sentences.target_words]
        self._entries_of_source = np.zeros(len(sentences.source_words), dtype=np.int64)
        self._known_words = 0
        self._looks: LooksArray = np.full(len(sentences.term_source), complex(0.0, NEW_WORD))
        self._looks_count = Counter({complex(0.0, NEW_WORD): int(sentences.term_weight.sum())})
        self.log_likelihood = self._log_likelihood(self._looks_count, 0)

    def change(self, source: int, target: int) -> Change:
        """What adding the entry would do, or removing it if it is there."""
        delta = -1 if source in self._sources_of[target] else 1
        terms = self._touched(source, target, delta)
        looks = self._new_looks(terms, source, target, delta)
        moved = looks != self._looks[terms]
        terms, looks = terms[moved], looks[moved]
        count = _weighted_count(looks, self.sentences.term_weight[terms])
        count.subtract(_weighted_count(self._looks[terms], self.sentences.term_weight[terms]))
        known_words = self._known_words + self._change_of_known_words(source, delta)
        merged = self._looks_count.copy()
        merged.update(count)
        return Change(terms, looks, count, self._log_likelihood(merged, known_words))

    def apply(self, source: int, target: int, change: Change) -> None:
        """Add the entry, or remove it if it is there; `change` is what was said about it."""
        delta = -1 if source in self._sources_of[target] else 1
        self._known_words += self._change_of_known_words(source, delta)
        self._entries_of_source[source] += delta
        if delta > 0:
            self._sources_of[target].add(source)
        else:
            self._sources_of[target].remove(source)
        self._looks[change.terms] = change.looks
        self._looks_count.update(change.looks_count)
        for looks in [looks for looks, weight in self._looks_count.items() if weight == 0]:
            del self._looks_count[looks]
        self.log_likelihood = change.log_likelihood

    def _gains_referents(self, target: int, delta: int) -> bool:
        """Whether the tokens of the target word begin or cease to have an entry."""
        return len(self._sources_of[target]) == (0 if delta > 0 else 1)

    def _change_of_known_words(self, source: int, delta: int) -> int:
        before = int(self._entries_of_source[source])
        return int(before + delta > 0) - int(before > 0)

    def _touched(self, source: int, target: int, delta: int) -> IntArray:
        """The terms that may look different."""
        sentences = self.sentences
        in_target = sentences.sentences_of_target[target]
        if self._gains_referents(target, delta):
            starts, ends = sentences.first_term[in_target], sentences.first_term[in_target + 1]
            parts = [_ranges(starts, ends)]
        else:
            linked = sorted(self._sources_of[target] | {source})
            terms = [sentences.terms_of_source[v] for v in linked]
            parts = [t[_contains(in_target, sentences.term_sentence[t])] for t in terms]
        if self._change_of_known_words(source, delta):
            parts.append(sentences.terms_of_source[source])
        return np.unique(np.concatenate(parts)) if len(parts) > 1 else parts[0]

    def _new_looks(self, terms: IntArray, source: int, target: int, delta: int) -> LooksArray:
        """[t]: what they look like once the entry is added (delta = 1) or removed (−1)."""
        words, old = self.sentences.term_source[terms], len(self._sources_of[target])
        # [t]: the share of the target word in the tokens of the sentence
        share = (
            self._tokens(target, terms) / self.sentences.target_length[self.sentences.term_sentence[terms]]
        )
        before = self._looks[terms]
        referring = before.real + (delta * share if self._gains_referents(target, delta) else 0.0)
        is_linked = np.zeros(len(self.sentences.source_words), dtype=np.bool_)
        is_linked[list(self._sources_of[target])] = True
        change = np.where(is_linked[words], -share / max(old, 1), 0.0)
        is_linked[source] = delta > 0
        change += np.where(is_linked[words], share / max(old + delta, 1), 0.0)
        referred = np.maximum(before.imag, 0.0) + change
        is_known = self._entries_of_source[words] + delta * (words == source) > 0
        looks = np.where(is_known, _rounded(referred), NEW_WORD) * 1j
        looks += _rounded(referring)
        return looks

    def _tokens(self, target: int, terms: IntArray) -> IntArray:
        """[t]: how many tokens of the sentence are the target word."""
        sentences = self.sentences.sentences_of_target[target]
        wanted = self.sentences.term_sentence[terms]
        place = np.minimum(np.searchsorted(sentences, wanted), len(sentences) - 1)
        tokens: IntArray = np.where(
            sentences[place] == wanted, self.sentences.tokens_of_target[target][place], 0
        )
        return tokens

    def _log_likelihood(self, looks_count: Counter[complex], known_words: int) -> float:
        gamma, kappa = self._referential_prob, self._nonreferential_weight
        new_words = len(self.sentences.source_words) - known_words
        looks = np.fromiter(looks_count, dtype=np.complex128)
        weight = np.fromiter(looks_count.values(), dtype=np.float64)
        nonreferential = np.where(looks.imag == NEW_WORD, 1.0, kappa) / (new_words + kappa * known_words)
        probs = (1 - gamma * looks.real) * nonreferential + gamma * np.maximum(looks.imag, 0.0)
        return float(weight @ np.log(probs))


def _rounded(values: FloatArray) -> FloatArray:
    """Sums and differences of shares without the rounding error, so that what is equal looks equal."""
    return np.abs(np.round(values, 13))


def _ranges(starts: IntArray, ends: IntArray) -> IntArray:
    """The numbers of all ranges, one range after the other."""
    lengths = ends - starts
    first = np.cumsum(lengths) - lengths
    numbers: IntArray = np.arange(lengths.sum()) + np.repeat(starts - first, lengths)
    return numbers


def _contains(ascending: IntArray, values: IntArray) -> BoolArray:
    place = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: BoolArray = ascending[place] == values
    return found


def _weighted_count(looks: LooksArray, weight: IntArray) -> Counter[complex]:
    distinct, place = np.unique(looks, return_inverse=True)
    totals = np.bincount(place, weights=weight, minlength=len(distinct))
    return Counter(dict(zip(distinct.tolist(), map(int, totals.tolist()), strict=True)))
