"""Learns a rule book from pairs.

1. Links from words to tokens by co-occurrence (`links.py`), for growing tolerance of wrong pairs; pairs that contradict
   the links are set aside (`noise.py`).
2. What else can be known about words: terms, words of several tokens, classes, words that say nothing (`lexis.py`).
3. Pairs become templates, and a grammar grows from short templates to long ones (`growing.py`).
4. Derivations are counted, rules that too few pairs need are dropped (`counting.py`), and the description that is
   shortest wins (`search.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from fewlex.data.brackets import is_balanced
from fewlex.data.example import Example
from fewlex.lexicon.lexicon import Lexicon
from fewlex.rules.book import Measured, RuleBook
from fewlex.rules.brackets import are_open_ended, closed
from fewlex.rules.learning.calibration import ENOUGH_PAIRS, calibrate
from fewlex.rules.learning.counting import MAX_WORK, Effort
from fewlex.rules.learning.noise import agreeing
from fewlex.rules.learning.search import FEW, Hypothesis, Search
from fewlex.rules.taught import with_lexicon
from fewlex.rules.words.compounds import with_compounds
from fewlex.rules.words.lexis import find_lexis, thinned
from fewlex.rules.words.links import Pair, count_cooccurrence, find_links

Progress: TypeAlias = Callable[[str, int, int | None], None]
"""Stage, number of pairs done, number of pairs in all."""

TOLERANCES = (0.02, 0.06, 0.12, 0.25)
"""In what share of the pairs a link may fail. The strictest one that explains nearly all pairs is enough."""

ENOUGH_LINKS = 0.85
"""A tolerance with fewer links than this share of the most that any tolerance finds is too strict."""

MOST = 0.7
"""If more pairs disagree with the links, it is the links that are wrong."""

TRIAL_PART = 4
"""Each of the about ten trials of the calibration may cost this part of what learning may cost."""

LEAST_DERIVED = 0.3
"""Rules that derive a smaller share of the pairs are not worth having."""

FREQUENT, MANY_FUNCTION_WORDS, FUNCTION_SHARE = 5, 60, 0.3
"""A word is frequent if it is in so many pairs. A language with more frequent words that have no link than the second
number, and than this share of all, has no small grammar."""


def learn_rules(
    examples: Iterable[Example],
    *,
    lexicon: Lexicon | None = None,
    precision: float = 0.98,
    on_progress: Progress = lambda stage, done, total: None,
) -> RuleBook:
    """The rules of the examples, with what was found out about the examples.

    The rules speak only where they were right in at least the share `precision` of held-out training sentences. Words
    of the lexicon that somebody taught, or that have no link in the examples, are added to the book. `on_progress` is
    told the stage, and how many of how many pairs it is about.
    """
    examples = list(examples)
    if not examples:
        return RuleBook(measured=Measured(silence="there are no pairs to learn from"))
    is_open_ended = are_open_ended([example.target for example in examples])
    pairs = _sound_pairs(examples, is_open_ended)

    on_progress("learning rules", 0, len(examples))
    found = best_hypothesis(pairs, is_open_ended, Effort())
    if isinstance(found, str):
        return RuleBook(measured=Measured(len(examples), silence=found))
    derived = found.census.n_derived / len(examples)
    lexis = found.lexis

    def book_of(some: Sequence[Pair]) -> RuleBook:
        effort = Effort(MAX_WORK // TRIAL_PART)
        if len(pairs) > ENOUGH_PAIRS:
            # So many pairs leave no doubt about the words. It is the rules that have to prove themselves.
            return Search(some, is_open_ended, effort).attempt(lexis).book
        again = best_hypothesis(some, is_open_ended, effort)
        return RuleBook() if isinstance(again, str) else again.book

    on_progress("checking rules on held-out templates", 0, len(examples))
    book = replace(
        found.book,
        calibration=calibrate(pairs, lexis, found.book, book_of, precision),
        measured=Measured(len(examples), derived, 1 - derived),
    )
    on_progress("rules learned", len(examples), len(examples))
    return with_lexicon(book, lexicon) if lexicon is not None else book


def _sound_pairs(examples: Sequence[Example], is_open_ended: bool) -> list[Pair]:
    """The pairs with all their brackets, without the few whose brackets do not match: these are mistakes."""
    pairs = [
        (tuple(example.source), closed(example.target) if is_open_ended else tuple(example.target))
        for example in examples
    ]
    sound = [pair for pair in pairs if is_balanced(pair[1])]
    return sound if len(sound) >= MOST * len(pairs) else pairs


def best_hypothesis(pairs: Sequence[Pair], is_open_ended: bool, effort: Effort) -> Hypothesis | str:
    """The shortest description of the pairs, or why there is none."""
    found: list[Hypothesis] = []
    for links, good in _link_sets(pairs):
        if (reason := _why_hopeless(links, good)) and not found:
            return reason
        if found and effort.is_spent:
            break
        search = Search(good, is_open_ended, effort, len(pairs) - len(good))
        search.explore(find_lexis(thinned(good), links))
        found.append(search.best)
        noise = search.best.trust.noise
        if search.best.error_rate <= 2 * FEW and search.best.census.share_derived > 1 - 2 * FEW - noise:
            break
    best = min(found, key=lambda hypothesis: hypothesis.cost)
    if best.census.n_derived < LEAST_DERIVED * len(pairs):
        return f"{len(best.book.rules)} rules derive only {best.census.n_derived} of {len(pairs)} pairs"
    return best


def _why_hopeless(links: Mapping[str, str], pairs: Sequence[Pair]) -> str:
    """Why no small grammar can be expected, before time is spent on looking for one; empty if it can."""
    counts = Counter(word for source, _ in pairs for word in set(source))
    frequent = [word for word, n in counts.items() if n >= FREQUENT]
    unlinked = sum(word not in links for word in frequent)
    if unlinked > max(MANY_FUNCTION_WORDS, FUNCTION_SHARE * len(frequent)):
        return (
            f"there is no small grammar: {unlinked} of {len(frequent)} frequent words have no translation "
            "that is always there with them"
        )
    return ""


def _link_sets(pairs: Sequence[Pair]) -> Iterator[tuple[dict[str, str], Sequence[Pair]]]:
    """Links for growing tolerance, each time with the pairs that agree with them."""
    counts = count_cooccurrence(pairs)
    units = with_compounds(pairs, counts)
    if units is not pairs:
        counts = count_cooccurrence(units)
    tries = [find_links(units, counts, tolerance) for tolerance in TOLERANCES]
    enough = ENOUGH_LINKS * max(map(len, tries))
    seen: list[dict[str, str]] = []
    for links in tries:
        if len(links) < enough:
            continue
        good: Sequence[Pair] = pairs
        places = agreeing(units, links)
        if MOST * len(pairs) <= len(places) < len(pairs):
            kept = [units[place] for place in places]
            stricter = [find_links(kept, count_cooccurrence(kept), tolerance) for tolerance in TOLERANCES[:2]]
            good = [pairs[place] for place in places]
            links = next((found for found in stricter if len(found) >= ENOUGH_LINKS * len(links)), links)
        if links not in seen:
            seen.append(links)
            yield links, good
