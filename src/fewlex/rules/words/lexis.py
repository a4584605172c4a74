"""From links to all that is known about words before any rule is learned."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from fewlex.rules.words.classes import find_classes
from fewlex.rules.words.function_words import companions, n_conflicts, operators, same_words, silent_words
from fewlex.rules.words.links import Pair
from fewlex.rules.words.phrases import with_all_tokens, with_whole_terms
from fewlex.rules.words.substitution import correct_classes, strangers
from fewlex.rules.words.templates import Lexis, TemplateCount, count_templates

ENOUGH_PAIRS, ENOUGH_SENTENCES = 3000, 50
"""Of larger corpora so many pairs are looked at, and so many sentences of each word."""

OFTEN = 0.1
"""A token that is without its words in more than this share of its targets is said by rules as well."""


def find_lexis(pairs: Sequence[Pair], links: Mapping[str, str]) -> Lexis:
    """Terms with their tokens, their classes, and what is special about words of rules."""
    single = {word: (token,) for word, token in links.items()}
    compounds = Lexis(single, {})
    units = [(compounds.units(source), target) for source, target in pairs]
    phrases = with_all_tokens(units, links, find_classes(units, single, views=("source",)))
    lexis = _with_classes(pairs, Lexis(with_whole_terms(units, phrases), {}))
    lexis = _without(pairs, lexis, silent_words(_counts(pairs, lexis)))
    counts = _counts(pairs, lexis)
    own = operators(counts, lexis.classes) | strangers(counts, lexis.classes)
    if own:
        lexis = unlinked(pairs, lexis, own)
        lexis = _without(pairs, lexis, silent_words(_counts(pairs, lexis)))
    same = same_words(_counts(pairs, lexis))
    if same:
        lexis = Lexis(lexis.links, lexis.classes, lexis.silent, same)
    counts = _counts(pairs, lexis)
    for word in sorted(companions(counts)):
        without = _without(pairs, lexis, frozenset([word]))
        if n_conflicts(_counts(pairs, without)) <= n_conflicts(counts):
            lexis = without
    return replace(lexis, shared=shared_words(lexis.links, pairs))


def shared_words(links: Mapping[str, tuple[str, ...]], pairs: Sequence[Pair]) -> frozenset[str]:
    """The words whose token is often in targets of sentences that have no word for it: rules say it as well."""
    words_of: dict[str, set[str]] = defaultdict(set)
    for term, tokens in links.items():
        if len(tokens) == 1:
            words_of[tokens[0]].update(term.split(" "))
    n_all: Counter[str] = Counter()
    n_without: Counter[str] = Counter()
    for source, target in pairs:
        present = set(source)
        for token in words_of.keys() & set(target):
            n_all[token] += 1
            n_without[token] += words_of[token].isdisjoint(present)
    return frozenset(
        term
        for term, tokens in links.items()
        if len(tokens) == 1 and n_without[tokens[0]] > OFTEN * n_all[tokens[0]]
    )


def thinned(pairs: Sequence[Pair]) -> Sequence[Pair]:
    """As many different pairs as it takes to see each word often enough, many short ones among them.

    What these say about words is all that is needed, and the time that it takes to find out has a limit.
    """
    different = sorted(dict.fromkeys(pairs), key=lambda pair: len(pair[0]))
    if len(different) <= ENOUGH_PAIRS:
        return different
    rest = different[ENOUGH_PAIRS // 2 :]
    random.Random(0).shuffle(rest)
    chosen = different[: ENOUGH_PAIRS // 2]
    seen = Counter(word for source, _ in chosen for word in set(source))
    for pair in rest:
        words = set(pair[0])
        if len(chosen) < ENOUGH_PAIRS or any(seen[word] < ENOUGH_SENTENCES for word in words):
            seen.update(words)
            chosen.append(pair)
    return chosen


def unlinked(pairs: Sequence[Pair], lexis: Lexis, words: set[str]) -> Lexis:
    """The lexis with these words as words of rules, each of them different from all others."""
    kept = {word: tokens for word, tokens in lexis.links.items() if word not in words}
    same = {word: to for word, to in lexis.same.items() if word not in words and to not in words}
    return _with_classes(pairs, Lexis(kept, {}, lexis.silent, same, shared=lexis.shared))


def _counts(pairs: Sequence[Pair], lexis: Lexis) -> list[TemplateCount]:
    return count_templates(lexis.read(pairs), lexis)


def _without(pairs: Sequence[Pair], lexis: Lexis, silent: frozenset[str]) -> Lexis:
    """The lexis with more words that say nothing, and with them all words that are the same as one of these."""
    if not silent:
        return lexis
    silent |= {word for word, to in lexis.same.items() if to in silent}
    same = {word: to for word, to in lexis.same.items() if word not in silent}
    return _with_classes(pairs, Lexis(lexis.links, {}, lexis.silent | silent, same, shared=lexis.shared))


def _with_classes(pairs: Sequence[Pair], lexis: Lexis) -> Lexis:
    units = [(lexis.units(source), target) for source, target in pairs]
    lexis = lexis.with_classes(find_classes(units, lexis.links))
    readings = lexis.read(pairs)
    for _ in range(2):
        lexis = lexis.with_classes(correct_classes(count_templates(readings, lexis), lexis.classes))
    return lexis
