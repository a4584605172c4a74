"""Words that stand for several tokens, and terms of several words.

`links.py` finds one token for one word. Here each side grows by the neighbours that are always there.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fewlex.rules.brackets import is_bracket, is_mark
from fewlex.rules.words.links import Pair

NEVER = 0.05
"""A neighbour that is missing in at most this share of the cases is always there."""

COMMON = 0.5
"""A neighbour that is there for more than this share of the other words of the class belongs to rules, not to words."""

MANY = 2
"""So does one that so many other words of the class always have: *la* stands before all nouns of one gender."""

CHANCE = 0.01
"""A neighbour that would be there each time by chance with a higher probability proves nothing."""

MIN_SENTENCES = 2
"""A word that was seen in fewer different sentences could have anything beside it."""

MAX_LENGTH = 5
"""No word stands for more tokens, and no term has more words."""

Links = dict[str, tuple[str, ...]]


def with_all_tokens(pairs: Sequence[Pair], links: Mapping[str, str], classes: Mapping[str, str]) -> Links:
    """Each word with all the tokens that it stands for: *enter* with `GO IN`.

    What most words of a class have around their tokens belongs to rules, so classes must not depend on targets here.
    """
    phrases = _with_twins(pairs, links)
    owners: dict[str, set[str]] = defaultdict(set)
    for word, token in links.items():
        owners[token].add(word)
    growing = set(phrases)
    for _ in range(MAX_LENGTH - 1):
        sides = _token_neighbours(pairs, phrases, growing)
        growing = set()
        for side in (-1, 1):
            for word, token in _always_beside(sides[side], classes).items():
                # What another word stands for is there because of that word.
                if token not in owners or owners[token] == {word}:
                    phrases[word] = (token, *phrases[word]) if side < 0 else (*phrases[word], token)
                    growing.add(word)
        if not growing:
            break
    return {word: _without_outer_marks(phrase) for word, phrase in phrases.items()}


def _with_twins(pairs: Iterable[Pair], links: Mapping[str, str]) -> Links:
    """Each word with the tokens that stand at the same distance from its token wherever one of the two occurs."""
    tokens = set(links.values())
    n_tokens: Counter[str] = Counter()
    at: dict[int, Counter[tuple[str, str]]] = {distance: Counter() for distance in range(1, MAX_LENGTH)}
    for _, target in set(pairs):
        n_tokens.update(target)
        for position, token in enumerate(target):
            if token in tokens:
                for distance, counts in at.items():
                    if position + distance < len(target):
                        counts[token, target[position + distance]] += 1
                    if position - distance >= 0:
                        counts[target[position - distance], token] += 1
    span: dict[str, tuple[int, int]] = dict.fromkeys(tokens, (0, 0))
    for distance, counts in at.items():
        for (one, other), n in counts.items():
            enough = (1 - NEVER) * max(n_tokens[one], n_tokens[other])
            # Counted from both ends where both are linked.
            n = n // 2 if one in tokens and other in tokens else n
            if n >= max(enough, MIN_SENTENCES) and one != other:
                if one in tokens:
                    span[one] = (span[one][0], max(span[one][1], distance))
                if other in tokens:
                    span[other] = (min(span[other][0], -distance), span[other][1])
    return _stretches(pairs, links, span)


def _stretches(pairs: Iterable[Pair], links: Mapping[str, str], span: Mapping[str, tuple[int, int]]) -> Links:
    """What stands around the token of each word, if it is always the same and has no brackets."""
    texts: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for _, target in set(pairs):
        for position, token in enumerate(target):
            first, last = span.get(token, (0, 0))
            if first or last:
                texts[token][tuple(target[max(0, position + first) : position + last + 1])] += 1
    phrases: Links = {}
    for word, token in links.items():
        phrases[word] = (token,)
        if token in texts:
            text, n = texts[token].most_common(1)[0]
            is_whole = not any(map(is_bracket, text))
            if is_whole and n >= (1 - NEVER) * texts[token].total():
                phrases[word] = text
    return phrases


def _without_outer_marks(phrase: tuple[str, ...]) -> tuple[str, ...]:
    start, end = 0, len(phrase)
    while end - start > 1 and is_mark(phrase[start]):
        start += 1
    while end - start > 1 and is_mark(phrase[end - 1]):
        end -= 1
    return phrase[start:end]


def _token_neighbours(
    pairs: Iterable[Pair], phrases: Links, growing: set[str]
) -> dict[int, dict[str, Counter[str]]]:
    """What stands before (-1) and after (1) the tokens of each word, in how many pairs; "" is the edge."""
    words_of: dict[str, list[str]] = defaultdict(list)
    for word in growing:
        words_of[phrases[word][0]].append(word)
    sides: dict[int, dict[str, Counter[str]]] = {-1: defaultdict(Counter), 1: defaultdict(Counter)}
    for source, target in set(pairs):
        present = set(source)
        for position, token in enumerate(target):
            for word in words_of.get(token, ()):
                phrase = phrases[word]
                end = position + len(phrase)
                if word in present and tuple(target[position:end]) == phrase:
                    sides[-1][word][target[position - 1] if position else ""] += 1
                    sides[1][word][target[end] if end < len(target) else ""] += 1
    return sides


def _always_beside(neighbours: Mapping[str, Counter[str]], classes: Mapping[str, str]) -> dict[str, str]:
    """For words beside which one and the same token always stands: that token, if it is the word's own."""
    in_class: dict[str, Counter[str]] = defaultdict(Counter)
    for word, tokens in neighbours.items():
        in_class[classes[word]].update(tokens)
    always = {word: token for word, tokens in neighbours.items() if (token := _only_one(tokens))}
    sharing = Counter((classes[word], token) for word, token in always.items())
    found = {}
    for word, token in always.items():
        tokens = neighbours[word]
        n = tokens[token]
        if is_bracket(token) or sharing[classes[word], token] > MANY:
            continue
        mates = in_class[classes[word]]
        n_others = mates.total() - tokens.total()
        by_chance = (mates[token] - n) / n_others if n_others else float(is_mark(token))
        if by_chance <= COMMON and by_chance**n < CHANCE:
            found[word] = token
    return found


def _only_one(tokens: Counter[str]) -> str:
    """The token that is always there; empty if there is none, or if too little was seen."""
    token, n = tokens.most_common(1)[0]
    return token if n >= max(MIN_SENTENCES, (1 - NEVER) * tokens.total()) else ""


def with_whole_terms(pairs: Sequence[Pair], links: Links) -> Links:
    """Each word with the words that are always beside it and have no translation of their own: *garage door*."""
    terms = dict(links)
    sources = [source for source, _ in pairs]
    for _ in range(MAX_LENGTH - 1):
        grown = _grown_terms(sources, terms)
        if not grown:
            break
        for word, term in grown.items():
            terms[term] = terms.pop(word)
        sources = [_with_terms(source, grown) for source in sources]
    return terms


def _grown_terms(sources: Iterable[Sequence[str]], links: Links) -> dict[str, str]:
    words: Counter[str] = Counter()
    beside: dict[int, Counter[tuple[str, str]]] = {-1: Counter(), 1: Counter()}
    for source in sources:
        words.update(source)
        for one, other in itertools.pairwise(source):
            if (one in links) != (other in links):
                if other in links:
                    beside[-1][other, one] += 1
                else:
                    beside[1][one, other] += 1
    bound = {side: _bound(counts, words) for side, counts in beside.items()}
    # What the words on both of its sides always have belongs to neither: *a* in *find a note*, *delete a task*.
    contested = {other for _, other in bound[-1]} & {other for _, other in bound[1]}
    grown: dict[str, str] = {}
    for side, pairs in bound.items():
        for word, other in pairs:
            if other not in contested and word not in grown:
                grown[word] = f"{other} {word}" if side < 0 else f"{word} {other}"
    return grown


def _bound(counts: Mapping[tuple[str, str], int], words: Mapping[str, int]) -> list[tuple[str, str]]:
    """Words with a neighbour that they always have and that is (nearly) always there because of such a word."""
    always = [
        (word, other) for (word, other), n in counts.items() if n >= (1 - NEVER) * words[word] and n > 1
    ]
    covered: Counter[str] = Counter()
    for word, other in always:
        covered[other] += counts[word, other]
    return [(word, other) for word, other in always if covered[other] >= (1 - NEVER) * words[other]]


def _with_terms(source: Sequence[str], grown: Mapping[str, str]) -> tuple[str, ...]:
    """The source with each term that has just grown as one unit."""
    units: list[str] = []
    for word in source:
        term = grown.get(word)
        if term is not None and units and term == f"{units[-1]} {word}":
            units[-1] = term
        elif units and (last := grown.get(units[-1])) is not None and last == f"{units[-1]} {word}":
            units[-1] = last
        else:
            units.append(word)
    return tuple(units)
