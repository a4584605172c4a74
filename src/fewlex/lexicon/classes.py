"""Word classes that are learned from the data: words with the same neighbours belong to the same class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fewlex.data.example import Example

EDGE = ("edge",)
LEXICON_WORD = ("lexicon word",)


def word_classes(examples: Iterable[Example], translations: Mapping[str, str]) -> dict[str, int]:
    """The class of each source word that was seen with its translation; class 0 is the largest.

    Two words are in the same class if their translations occur in the target between the same left and right
    neighbours, or if other words connect them in this way. All translations count as the same neighbour. Classes of
    equal size are numbered by first appearance in `translations`.
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
    """For words outside the lexicon that have a translation too (`others`): the class that occurs in the same places.

    A place is given by the two target tokens before it. In nested COGS the translation `*` of *the* comes after
    `agent =` and `theme =`, and so do names, since both begin a phrase. A word gets a class if more than half of the
    word's occurrences are in places where the class was seen, and more than half of the class's occurrences are in
    places where the word was seen.
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
        for number, class_places in of_class.items()
        if min(_share(places, class_places), _share(class_places, places)) > 1 / 2
    }


def _share(places: Counter[Hashable], among: Counter[Hashable]) -> float:
    """The share of the occurrences in `places` whose place is also in `among`."""
    return sum(n for place, n in places.items() if place in among) / max(places.total(), 1)


def _numbered(group_of: Mapping[str, Hashable]) -> dict[str, int]:
    """Number the groups by falling size, then by first appearance (`most_common` is stable)."""
    number = {group: i for i, (group, _) in enumerate(Counter(group_of.values()).most_common())}
    return {word: number[group] for word, group in group_of.items()}


class _Forest:
    """Disjoint sets (union–find with path halving) of words and slots; words are strings and slots are tuples."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}

    def root(self, node: Hashable) -> Hashable:
        """The member that stands for the set of this node."""
        parent = self._parent
        while (above := parent.setdefault(node, node)) != node:
            parent[node] = parent[above]
            node = above
        return node

    def join(self, one: Hashable, other: Hashable) -> None:
        """Unite the sets of two nodes."""
        self._parent[self.root(one)] = self.root(other)
