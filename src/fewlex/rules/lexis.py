"""From links to all that is known about words before any rule is learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fewlex.rules.classes import find_classes
from fewlex.rules.function_words import operators, same_words, silent_words
from fewlex.rules.links import Pair
from fewlex.rules.phrases import with_all_tokens, with_whole_terms
from fewlex.rules.templates import Lexis, count_templates


def find_lexis(pairs: Sequence[Pair], links: Mapping[str, str]) -> Lexis:
    """Terms with their tokens, their classes, and what is special about words of rules."""
    single = {word: (token,) for word, token in links.items()}
    phrases = with_all_tokens(pairs, links, find_classes(pairs, single, views=("source",)))
    phrases = with_whole_terms(pairs, phrases)
    lexis = _with_classes(pairs, Lexis(phrases, {}))
    silent = silent_words(count_templates(pairs, lexis))
    if silent:
        lexis = _with_classes(pairs, Lexis(phrases, {}, silent))
    own = operators(count_templates(pairs, lexis), lexis.classes)
    if own:
        kept = {word: tokens for word, tokens in phrases.items() if word not in own}
        classes = {word: kind for word, kind in lexis.classes.items() if word not in own}
        lexis = Lexis(kept, classes, silent)
        silent |= silent_words(count_templates(pairs, lexis))
        lexis = _with_classes(pairs, Lexis(kept, {}, silent))
    same = same_words(count_templates(pairs, lexis))
    return Lexis(lexis.links, lexis.classes, lexis.silent, same) if same else lexis


def _with_classes(pairs: Sequence[Pair], lexis: Lexis) -> Lexis:
    units = [(lexis.units(source), target) for source, target in pairs]
    return Lexis(lexis.links, find_classes(units, lexis.links), lexis.silent, lexis.same)
