"""Word classes from the data: words whose translations stand between the same neighbours belong together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fewlex.data.example import Example

EDGE = ("edge",)
LEXICON_WORD = ("lexicon word",)


def word_classes(examples: Iterable[Example], translations: Mapping[str, str]) -> dict[str, int]:
    """The class of each source word that was seen with its translation; 0 is the largest.

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
