"""Learns a rule book from pairs.

1. Links from words to tokens by co-occurrence (`links.py`), for growing tolerance of wrong pairs; pairs that contradict
   the links are set aside (`noise.py`).
2. What else can be known about words: terms, words of several tokens, classes, words that say nothing (`lexis.py`).
3. Pairs become templates, and a grammar grows from short templates to long ones (`growing.py`).
4. Derivations are counted, rules that too few pairs need are dropped (`counting.py`), and the description that is
   shortest wins (`search.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fewlex.data.example import Example
from fewlex.rules.book import Measured, RuleBook
from fewlex.rules.brackets import closed
from fewlex.rules.lexis import find_lexis, thinned
from fewlex.rules.links import Pair, count_cooccurrence, find_links
from fewlex.rules.noise import agreeing
from fewlex.rules.search import FEW, Search
from fewlex.rules.templates import Lexis

TOLERANCES = (0.02, 0.06, 0.12, 0.25)
"""In what share of the pairs a link may fail. The strictest one that explains nearly all pairs is enough."""

ENOUGH_LINKS = 0.85
"""A tolerance with fewer links than this share of the most that any tolerance finds is too strict."""

MOST = 0.7
"""If more pairs disagree with the links, it is the links that are wrong."""


def learn_rules(examples: Iterable[Example]) -> RuleBook:
    """The rules of the examples, with what was found out about the examples."""
    pairs = [(tuple(example.source), closed(example.target)) for example in examples]
    is_open_ended = any(len(pair[1]) != len(example.target) for pair, example in zip(pairs, examples, strict=True))
    if not pairs:
        return RuleBook(measured=Measured(silence="there are no pairs to learn from"))
    searches = []
    for lexis, good in _lexica(pairs):
        search = Search(good, is_open_ended)
        search.explore(lexis)
        searches.append(search)
        if search.best.error_rate <= 2 * FEW and search.best.census.share_derived > 1 - 2 * FEW - search.best.trust.noise:
            break
    best = min((search.best for search in searches), key=lambda hypothesis: hypothesis.cost)
    derived = best.census.n_derived / len(pairs)
    return replace(best.book, measured=Measured(len(pairs), derived, 1 - derived))


def _lexica(pairs: Sequence[Pair]) -> Iterator[tuple[Lexis, Sequence[Pair]]]:
    """Lexica for growing tolerance, each with the pairs that agree with its links."""
    counts = count_cooccurrence(pairs)
    tries = [find_links(pairs, counts, tolerance) for tolerance in TOLERANCES]
    enough = ENOUGH_LINKS * max(map(len, tries))
    seen: list[dict[str, str]] = []
    for links in tries:
        if len(links) < enough:
            continue
        good: Sequence[Pair] = pairs
        kept = agreeing(pairs, links)
        if MOST * len(pairs) <= len(kept) < len(pairs):
            stricter = [find_links(kept, count_cooccurrence(kept), tolerance) for tolerance in TOLERANCES[:2]]
            good = kept
            links = next((found for found in stricter if len(found) >= ENOUGH_LINKS * len(links)), links)
        if links not in seen:
            seen.append(links)
            yield find_lexis(thinned(good), links), good
