"""Corrects classes by substitution: words of one class stand in the same places of the same templates.

A place is a position in a template, everything else being the same, the target too. Classes by neighbours
(`classes.py`) are coarse. Substitution tells a word that joins phrases from the words that are joined, and finds that a
word which looks different is a noun after all. Words of which too little was seen keep the class that they have.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fewlex.rules.words.function_words import marked_symbols
from fewlex.rules.words.templates import TemplateCount

FOREIGN = 0.1
"""A word is foreign to a group if less than this share of its occurrences is in places of that group."""

AT_HOME = 0.5
"""A group belongs to another class if at least this share of its occurrences is in places of that class."""

MIN_SEEN = 5
"""A word that was seen less often has not shown that it is foreign."""

Places = Counter[Hashable]


@dataclass
class _Group:
    words: list[str]
    places: Places

    def share_in(self, other: Iterable[Hashable]) -> float:
        """The share of the occurrences that are in places of the other group."""
        return sum(self.places[place] for place in other) / max(1, self.places.total())


def correct_classes(counts: Sequence[TemplateCount], classes: Mapping[str, str]) -> dict[str, str]:
    """The classes, some of them split and some joined; `C0` is the largest."""
    places = _places(counts)
    members: dict[str, list[str]] = defaultdict(list)
    for word, kind in classes.items():
        members[kind].append(word)
    groups = [group for words in members.values() for group in _split(words, places)]
    groups = _joined(groups)
    groups.sort(key=lambda group: -len(group.words))
    return {word: f"C{number}" for number, group in enumerate(groups) for word in group.words}


def _places(counts: Sequence[TemplateCount]) -> dict[str, Places]:
    """How often each linked word stands in which place."""
    places: dict[str, Places] = defaultdict(Counter)
    for count in counts:
        template = count.template
        if template.is_plain:
            symbols = marked_symbols(template)
            for position, kind in enumerate(template.kinds):
                if kind:
                    place = (symbols[:position], symbols[position + 1 :], template.target)
                    for units in count.sentences:
                        places[units[position]][place] += 1
    total: Places = Counter()
    for counter in places.values():
        total.update(counter)
    # A place that was seen once says nothing about who else may stand there.
    return {
        word: Counter({place: n for place, n in counter.items() if total[place] > 1})
        for word, counter in places.items()
    }


def strangers(counts: Sequence[TemplateCount], classes: Mapping[str, str]) -> set[str]:
    """Words that are alone in their class, and in all the places where they stand."""
    size = Counter(classes.values())
    return {
        word
        for word, places in _places(counts).items()
        if size[classes[word]] == 1 and places.total() >= MIN_SEEN
    }


def _split(words: Iterable[str], places: Mapping[str, Places]) -> list[_Group]:
    """Groups of words that share places; frequent words come first, rare ones go with the largest group."""
    groups: list[_Group] = []
    rare: list[str] = []
    for word in sorted(words, key=lambda word: (-places[word].total() if word in places else 0, word)):
        alone = _Group([word], places.get(word, Counter()))
        shares = [alone.share_in(group.places.keys() & alone.places.keys()) for group in groups]
        best = max(range(len(groups)), key=lambda number: shares[number], default=-1)
        if groups and shares[best] >= FOREIGN:
            groups[best].words.append(word)
            groups[best].places.update(alone.places)
        elif alone.places.total() >= MIN_SEEN or not groups:
            groups.append(_Group([word], Counter(alone.places)))
        else:
            rare.append(word)
    if rare:
        max(groups, key=lambda group: len(group.words)).words.extend(rare)
    return groups


def _joined(groups: list[_Group]) -> list[_Group]:
    """The groups, those among them joined that are at home in the places of a more frequent one."""
    kept: list[_Group] = []
    for group in sorted(groups, key=lambda group: -group.places.total()):
        home = [(group.share_in(other.places.keys() & group.places.keys()), other) for other in kept]
        share, other = max(home, key=lambda scored: scored[0], default=(0.0, group))
        if share >= AT_HOME:
            other.words.extend(group.words)
            other.places.update(group.places)
        else:
            kept.append(group)
    return kept
