"""From links to all that is known about words before any rule is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fewlex.rules.classes import find_classes
from fewlex.rules.function_words import companions, n_conflicts, operators, same_words, silent_words
from fewlex.rules.links import Pair
from fewlex.rules.phrases import with_all_tokens, with_whole_terms
from fewlex.rules.substitution import correct_classes, strangers
from fewlex.rules.templates import Lexis, count_templates


def find_lexis(pairs: Sequence[Pair], links: Mapping[str, str]) -> Lexis:
    """Terms with their tokens, their classes, and what is special about words of rules."""
    single = {word: (token,) for word, token in links.items()}
    phrases = with_all_tokens(pairs, links, find_classes(pairs, single, views=("source",)))
    lexis = _with_classes(pairs, Lexis(with_whole_terms(pairs, phrases), {}))
    lexis = _without_silent(pairs, lexis, silent_words(count_templates(pairs, lexis)))
    counts = count_templates(pairs, lexis)
    own = operators(counts, lexis.classes) | strangers(counts, lexis.classes)
    if own:
        lexis = unlinked(pairs, lexis, own)
        lexis = _without_silent(pairs, lexis, silent_words(count_templates(pairs, lexis)))
    same = same_words(count_templates(pairs, lexis))
    lexis = Lexis(lexis.links, lexis.classes, lexis.silent, same) if same else lexis
    counts = count_templates(pairs, lexis)
    for word in sorted(companions(counts)):
        without = _without_silent(pairs, lexis, frozenset([word]))
        if n_conflicts(count_templates(pairs, without)) <= n_conflicts(counts):
            lexis = without
    return lexis


def unlinked(pairs: Sequence[Pair], lexis: Lexis, words: set[str]) -> Lexis:
    """The lexis with these words as words of rules."""
    kept = {word: tokens for word, tokens in lexis.links.items() if word not in words}
    return _with_classes(pairs, Lexis(kept, {}, lexis.silent, lexis.same))


def _without_silent(pairs: Sequence[Pair], lexis: Lexis, silent: frozenset[str]) -> Lexis:
    """The lexis with more words that say nothing, and with them all words that are the same as one of these."""
    if not silent:
        return lexis
    silent |= {word for word, to in lexis.same.items() if to in silent}
    same = {word: to for word, to in lexis.same.items() if word not in silent}
    return _with_classes(pairs, Lexis(lexis.links, {}, lexis.silent | silent, same))


def _with_classes(pairs: Sequence[Pair], lexis: Lexis) -> Lexis:
    units = [(lexis.units(source), target) for source, target in pairs]
    lexis = Lexis(lexis.links, find_classes(units, lexis.links), lexis.silent, lexis.same)
    for _ in range(2):
        classes = correct_classes(count_templates(pairs, lexis), lexis.classes)
        lexis = Lexis(lexis.links, classes, lexis.silent, lexis.same)
    return lexis
