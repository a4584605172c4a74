"""Links: which target token each source word stands for, from co-occurrence alone.

A word is linked to a token if the token is (nearly) always there when the word is, and much more often than otherwise.
Words without a link are the words of the rules themselves (*twice*, *and*).
`tolerance` is the share of pairs in which a link may fail, because some pairs of real data are wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fewlex.rules.brackets import is_bracket

Pair = tuple[tuple[str, ...], tuple[str, ...]]

EVERYWHERE = 0.9
"""A token in more than this share of the targets is nobody's translation."""

ONE_OFF = 1
"""A token may turn up this often without any of its words."""

CLEARLY_MORE = 1.5
"""A word raises the probability of its token by at least this factor."""

RARE_FORM_LIFT = 20.0
"""Another form of a word (*eaten* beside *ate*) makes its token at least this many times as probable."""


@dataclass(frozen=True)
class Cooccurrence:
    """In how many pairs words, tokens and both together occur."""

    n_pairs: int
    together: Mapping[str, Mapping[str, int]]
    """Word → token → number of pairs with both."""
    words: Mapping[str, int]
    tokens: Mapping[str, int]
    place: Mapping[str, float]
    """Where in its targets a token stands on average, from 0 (first) to 1."""

    def is_sufficient(self, word: str, token: str, tolerance: float) -> bool:
        """True if the token is (nearly) always there when the word is."""
        return self.together[word].get(token, 0) >= (1 - tolerance) * self.words[word]

    def is_necessary(self, word: str, token: str, tolerance: float) -> bool:
        """True if the word is (nearly) always there when the token is."""
        return self.together[word].get(token, 0) >= (1 - tolerance) * self.tokens[token]

    def dice(self, word: str, token: str) -> float:
        return 2 * self.together[word][token] / (self.words[word] + self.tokens[token])

    def raises(self, word: str, token: str) -> bool:
        """True if the token is clearly more frequent with the word than without it."""
        n, n_word = self.together[word][token], self.words[word]
        without = (self.tokens[token] - n) / max(1, self.n_pairs - n_word)
        return n / n_word > CLEARLY_MORE * without


def count_cooccurrence(pairs: Iterable[Pair]) -> Cooccurrence:
    together: dict[str, Counter[str]] = defaultdict(Counter)
    words: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    place: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    n_pairs = 0
    for source, target in pairs:
        n_pairs += 1
        # Not sets, whose order changes from process to process: the same pairs always give the same rules.
        source_set, target_set = list(dict.fromkeys(source)), list(dict.fromkeys(target))
        words.update(source_set)
        tokens.update(target_set)
        for word in source_set:
            together[word].update(target_set)
        occurrences.update(target)
        for position, token in enumerate(target):
            place[token] += position / len(target)  # type: ignore[assignment]
    means = {token: place[token] / n for token, n in occurrences.items()}
    return Cooccurrence(n_pairs, together, words, tokens, means)


def find_links(pairs: Sequence[Pair], counts: Cooccurrence, tolerance: float) -> dict[str, str]:
    """The token of each word that has one."""
    links = _favourites(counts, tolerance)
    covered, companions = _coverage(pairs, links)
    links = {
        word: token
        for word, token in links.items()
        if covered[token] >= (1 - tolerance) * counts.tokens[token]
    }
    dropped = _keep_one_of_companions(links, companions, counts)
    _add_copied_words(links, counts, tolerance)
    _add_rare_forms(links, counts, tolerance)
    return {word: token for word, token in links.items() if word not in dropped}


def _favourites(counts: Cooccurrence, tolerance: float) -> dict[str, str]:
    """For each word the token that it is most strongly associated with, where one is always there with it."""
    words_of: dict[str, list[str]] = defaultdict(list)
    for word, tokens in counts.together.items():
        enough = (1 - tolerance) * counts.words[word]
        for token, n in tokens.items():
            if n >= enough and counts.raises(word, token):
                words_of[token].append(word)
    favourite: dict[str, tuple[bool, float, float, str]] = {}
    for token, words in words_of.items():
        # Brackets hold a target together. No word stands for one of them alone.
        if counts.tokens[token] > EVERYWHERE * counts.n_pairs or is_bracket(token):
            continue
        alone = [word for word in words if counts.is_necessary(word, token, tolerance)]
        for word in alone or words:
            strength = (token == word, round(counts.dice(word, token), 2), -counts.place[token], token)
            if word not in favourite or strength > favourite[word]:
                favourite[word] = strength
    return {word: strength[-1] for word, strength in favourite.items()}


def _coverage(
    pairs: Iterable[Pair], links: Mapping[str, str]
) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """In how many pairs a token stands beside one of its words; how often two words of one token come together."""
    words_of = Counter(links.values())
    covered: Counter[str] = Counter()
    companions: Counter[tuple[str, str]] = Counter()
    for source, target in pairs:
        linked = {word for word in source if word in links}
        covered.update({links[word] for word in linked}.intersection(target))
        shared = sorted(word for word in linked if words_of[links[word]] > 1)
        companions.update(
            (one, other)
            for number, one in enumerate(shared)
            for other in shared[number + 1 :]
            if links[one] == links[other]
        )
    return covered, companions


def _keep_one_of_companions(
    links: dict[str, str], companions: Mapping[tuple[str, str], int], counts: Cooccurrence
) -> set[str]:
    """Of two words for one token that mostly come together, one translates the token, and the other goes with it."""
    dropped = set()
    for (one, other), n in companions.items():
        if one in links and other in links and n >= 0.5 * min(counts.words[one], counts.words[other]):
            weaker = max(
                (one, other),
                key=lambda word: (
                    -counts.together[word][links[word]] / max(counts.words[word], counts.tokens[links[word]]),
                    word != links[word],
                    word,
                ),
            )
            del links[weaker]
            dropped.add(weaker)
    return dropped


def _add_copied_words(links: dict[str, str], counts: Cooccurrence, tolerance: float) -> None:
    """Words that are kept as they are."""
    covered = set(links.values())
    for word in counts.words:
        if (
            word not in links
            and word in counts.tokens
            and counts.is_sufficient(word, word, tolerance)
            and (word in covered or counts.is_necessary(word, word, tolerance))
        ):
            links[word] = word


def _add_rare_forms(links: dict[str, str], counts: Cooccurrence, tolerance: float) -> None:
    """Other forms of a word, which are rare beside the form that covers its token."""
    covered = set(links.values())
    best: dict[str, tuple[float, int, str]] = {}
    for word in counts.together.keys() - links.keys():
        enough = (1 - tolerance) * counts.words[word]
        for token, n in counts.together[word].items():
            if n < enough or token not in covered or counts.tokens[token] >= EVERYWHERE * counts.n_pairs:
                continue
            strength = (n / counts.words[word] * counts.n_pairs / counts.tokens[token], n, token)
            if strength[0] >= RARE_FORM_LIFT and strength > best.get(word, (0.0, 0, "")):
                best[word] = strength
    links.update((word, strength[-1]) for word, strength in best.items())
