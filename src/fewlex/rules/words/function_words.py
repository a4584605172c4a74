"""Words without a translation: which of them say nothing, which say the same, and which linked words are like them.

All of this is read off templates that differ in one word only.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from fewlex.rules.words.templates import Template, TemplateCount

Words = tuple[str, ...]

MIN_EVIDENCE = 2
"""The number of templates that have to speak for a claim about a word."""

MAX_AGAINST = 0.02
"""At most this share of the templates may speak against it."""

ALWAYS = 0.98
"""The share of cases that counts as always."""

CHANCE = 0.1
"""That all sentences with the same words agree says nothing if they would do so by chance with a higher probability."""

LEAST_DISAGREEMENT = 0.005
"""Where sentences with different words of a class disagree in less than this share of the cases, the words do the same,
and some pairs are wrong."""

MAX_OPERATORS = 8
"""Classes of more words are never taken for operators."""


def silent_words(counts: Sequence[TemplateCount]) -> frozenset[str]:
    """Words that may be there or not without any difference, and words that every sentence begins or ends with."""
    targets = _targets_by_symbols(counts)
    same: Counter[str] = Counter()
    different: Counter[str] = Counter()
    for symbols, target_counts in targets.items():
        best = target_counts.most_common(1)[0][0]
        for word in {symbol for symbol in symbols if symbol.startswith(WORD)}:
            without = targets.get(tuple(symbol for symbol in symbols if symbol != word))
            if without:
                (same if without.most_common(1)[0][0] == best else different)[word[1:]] += 1
    found = {word for word, n in same.items() if n >= MIN_EVIDENCE and different[word] <= MAX_AGAINST * n}
    return frozenset(found | _at_every_edge(counts))


def companions(counts: Sequence[TemplateCount]) -> frozenset[str]:
    """Words that always stand before phrases of certain classes, such as an article that every noun phrase has.

    The words after such a word are never found without it, except after each other.
    """
    before: dict[str, Counter[str]] = defaultdict(Counter)
    after: dict[str, Counter[str]] = defaultdict(Counter)
    for count in counts:
        symbols = ("", *marked_symbols(count.template), "")
        for one, other in pairwise(symbols):
            before[other][one] += count.n
            after[one][other] += count.n
    found = set()
    for word, following in after.items():
        if word.startswith(WORD) and not any(symbol.startswith(WORD) or not symbol for symbol in following):
            allowed = {word, *following}
            n_allowed = sum(
                n for kind in following for symbol, n in before[kind].items() if symbol in allowed
            )
            n_all = sum(before[kind].total() for kind in following)
            if n_allowed >= ALWAYS * n_all:
                found.add(word[1:])
    return frozenset(found)


def n_conflicts(counts: Sequence[TemplateCount]) -> int:
    """The number of sentences whose target is not the usual one of sentences with the same symbols."""
    targets = _targets_by_symbols(counts).values()
    return sum(counter.total() - max(counter.values()) for counter in targets)


def _at_every_edge(counts: Sequence[TemplateCount]) -> set[str]:
    found = set()
    for place in (0, -1):
        words = {count.template.source[place] for count in counts if count.template.source}
        if len(words) == 1 and all(len(count.template.source) > 1 for count in counts):
            word = words.pop()
            if isinstance(word, str):
                found.add(word)
    return found


def same_words(counts: Sequence[TemplateCount]) -> dict[str, str]:
    """For words that can be exchanged for a more frequent one without any difference: that one."""
    places: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    words: Counter[str] = Counter()
    for symbols, target_counts in _targets_by_symbols(counts).items():
        best = target_counts.most_common(1)[0][0]
        for position, symbol in enumerate(symbols):
            if symbol.startswith(WORD):
                words[symbol[1:]] += 1
                places[(*symbols[:position], "", *symbols[position + 1 :])][symbol[1:]] = best
    same: Counter[tuple[str, str]] = Counter()
    different: Counter[tuple[str, str]] = Counter()
    for targets in places.values():
        for one, other in combinations(sorted(targets), 2):
            (same if targets[one] == targets[other] else different)[one, other] += 1
    groups = {word: {word} for word in words}
    for (one, other), n in same.most_common():
        together = groups[one] | groups[other]
        is_safe = not any(different[pair] for pair in combinations(sorted(together), 2))
        if n >= MIN_EVIDENCE and is_safe:
            for word in together:
                groups[word] = together
    found = {word: max(group, key=lambda w: (words[w], w)) for word, group in groups.items()}
    return {word: usual for word, usual in found.items() if word != usual}


WORD = "\0"


def _targets_by_symbols(counts: Iterable[TemplateCount]) -> dict[tuple[str, ...], Counter[str]]:
    """For each source with classes in place of variables, how often it has which target."""
    found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for count in counts:
        if count.template.is_plain:
            found[marked_symbols(count.template)][count.template.target] += count.n
    return found


def marked_symbols(template: Template) -> tuple[str, ...]:
    """The symbols of a template, its words marked so that they cannot be taken for classes."""
    return tuple(
        [kind or f"{WORD}{word}" for kind, word in zip(template.kinds, template.source, strict=True)]
    )


def operators(counts: Sequence[TemplateCount], classes: Mapping[str, str]) -> set[str]:
    """Linked words that do different things with the same neighbours, so that each needs rules of its own.

    `_ plus _` and `_ minus _` may look like words of one class. But if it depends on the word how one and the same
    template is translated, then the words of that class are taken for words of rules.
    """
    size = Counter(classes.values())
    alone = {count.template.kinds[0] for count in counts if len(count.template.source) == 1}
    small = {kind for kind, n in size.items() if n <= MAX_OPERATORS and kind not in alone}
    found: set[str] = set()
    while True:
        best = max(
            ((_share_explained(counts, kind, found), kind) for kind in sorted(small - found)),
            default=(0.0, ""),
        )
        if best[0] <= 0:
            return {word for word, kind in classes.items() if kind in found}
        found.add(best[1])


def _share_explained(counts: Sequence[TemplateCount], kind: str, known: set[str]) -> float:
    """How much of the disagreement between sentences of one template the words of a class explain; 0 if too little.

    Two sentences of one template agree if they have the same target. The words of a class explain the disagreement if
    sentences with the same words there agree much more often than sentences with different ones.
    """
    groups: dict[Words, Counter[tuple[Words, str]]] = defaultdict(Counter)
    for count in counts:
        template = count.template
        if template.is_plain and kind in template.kinds:
            for units in count.sentences:
                symbols = tuple(
                    word if not own or own in known else own
                    for own, word in zip(template.kinds, units, strict=True)
                )
                words = tuple(word for own, word in zip(template.kinds, units, strict=True) if own == kind)
                groups[symbols][words, template.target] += 1
    agreeing = [0, 0]
    pairs = [0, 0]
    for group in map(_without_odd_ones, groups.values()):
        total = group.total()
        by_target: Counter[str] = Counter()
        by_words: Counter[tuple[str, ...]] = Counter()
        for (words, target), n in group.items():
            by_target[target] += n
            by_words[words] += n
        same_both = sum(n * n for n in group.values()) - total
        same_words_ = sum(n * n for n in by_words.values()) - total
        same_target = sum(n * n for n in by_target.values()) - total
        agreeing[1] += same_both
        pairs[1] += same_words_
        agreeing[0] += same_target - same_both
        pairs[0] += total * (total - 1) - same_words_
    if not pairs[0]:
        return 0.0
    disagree_other = 1 - agreeing[0] / pairs[0]
    disagree_same = 1 - agreeing[1] / pairs[1] if pairs[1] else 0.0
    n_conflicts = pairs[0] - agreeing[0]
    # Each pair of sentences was counted twice.
    by_chance = (1 - disagree_other) ** (pairs[1] / 2)
    if (
        min(n_conflicts, pairs[1]) < 2 * MIN_EVIDENCE
        or disagree_other < LEAST_DISAGREEMENT
        or disagree_same > 0.5 * disagree_other
        or by_chance > CHANCE
    ):
        return 0.0
    return 1 - disagree_same / disagree_other


def _without_odd_ones(group: Counter[tuple[Words, str]]) -> Counter[tuple[Words, str]]:
    """The sentences of a template without targets that were seen once beside a frequent one: they may be mistakes."""
    by_target: Counter[str] = Counter()
    for (_, target), n in group.items():
        by_target[target] += n
    if max(by_target.values()) <= MIN_EVIDENCE:
        return group
    return Counter({key: n for key, n in group.items() if by_target[key[1]] > 1})
