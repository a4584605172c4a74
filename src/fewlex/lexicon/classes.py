"""Word classes from the data: words that stand beside the same neighbours belong together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fewlex.data.example import Example

EDGE = ("edge",)
LEXICON_WORD = ("lexicon word",)


def word_classes(examples: Iterable[Example], translations: Mapping[str, str]) -> dict[str, int]:
    """The class of each source word that was seen with its translation, by the target side; 0 is the largest.

    Two words are in one class if their translations occur between the same left and right neighbours in the
    target, perhaps by way of other words; all translations count as the same neighbour. Classes of one size
    are numbered by first appearance in `translations`.
    """
    sources_of = defaultdict(list)
    for source, target in translations.items():
        sources_of[target].append(source)
    forest = _Forest()
    seen = set()
    for example in examples:
        present = set(example.source)
        abstract = [EDGE, *(LEXICON_WORD if word in sources_of else word for word in example.target), EDGE]
        for position, word in enumerate(example.target):
            slot = (abstract[position], abstract[position + 2])
            for source in sources_of.get(word, ()):
                if source in present:
                    seen.add(source)
                    forest.join(source, slot)
    return _numbered({source: forest.root(source) for source in translations if source in seen})


def class_by_place(
    examples: Iterable[Example],
    others: Mapping[str, str],
    translations: Mapping[str, str],
    classes: Mapping[str, int],
) -> dict[str, int]:
    """For words that are none of the lexicon's but have a translation too: the class that stands in the same places.

    A place is what the two tokens before it are. In nested COGS *the* ↦ `*` comes after `agent =` and `theme =`, and
    so do names: both begin a phrase. A word has a class if more than half of its occurrences are in places where
    words of that class were seen, and the other way round.
    """
    sources_of = defaultdict(list)
    for source, target in (*translations.items(), *others.items()):
        sources_of[target].append(source)
    lexical = set(translations.values())
    of_class: dict[int, Counter[Hashable]] = defaultdict(Counter)
    of_word: dict[str, Counter[Hashable]] = {word: Counter() for word in others}
    for example in examples:
        present = set(example.source)
        abstract = [EDGE, EDGE, *(LEXICON_WORD if word in lexical else word for word in example.target)]
        for position, target in enumerate(example.target):
            place = (abstract[position], abstract[position + 1])
            for source in present.intersection(sources_of.get(target, ())):
                places = of_word[source] if source in others else of_class[classes.get(source, 0)]
                places[place] += 1
    return {
        word: number
        for word, places in of_word.items()
        for number, others_places in of_class.items()
        if min(_share(places, others_places), _share(others_places, places)) > 1 / 2
    }


def _share(places: Counter[Hashable], among: Counter[Hashable]) -> float:
    """Of the occurrences in `places`, those in places that are `among` others."""
    return sum(n for place, n in places.items() if place in among) / max(places.total(), 1)


def _numbered(group_of: Mapping[str, Hashable]) -> dict[str, int]:
    """Groups as numbers, by falling size, then first appearance (`most_common` is stable)."""
    number = {group: i for i, (group, _) in enumerate(Counter(group_of.values()).most_common())}
    return {word: number[group] for word, group in group_of.items()}


class _Forest:
    """Disjoint sets (union–find with path halving). Words are strings and slots pairs: they never collide."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}

    def root(self, node: Hashable) -> Hashable:
        parent = self._parent
        while (above := parent.setdefault(node, node)) != node:
            parent[node] = parent[above]
            node = above
        return node

    def join(self, one: Hashable, other: Hashable) -> None:
        self._parent[self.root(one)] = self.root(other)
