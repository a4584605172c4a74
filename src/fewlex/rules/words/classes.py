"""Classes of linked words: words whose neighbours are alike, in the source and in the target."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fewlex.rules.words.links import Pair

if TYPE_CHECKING:
    import numpy as np

ALIKE = 0.7
"""Two groups are one class if their neighbours overlap at least so much (Bhattacharyya coefficient)."""

CONTAINED = 0.9
"""A group belongs to another one if at least this share of its neighbours was seen with that one, too."""

FREQUENT = 3
"""A word that is so many times as frequent as the median is unlike all others until its class is known."""

EDGE = "\0edge"
VIEWS = ("source", "target left", "target right")
"""The kinds of neighbours; each counts the same."""


def find_classes(
    pairs: Sequence[Pair], links: Mapping[str, Sequence[str]], views: Sequence[str] = VIEWS
) -> dict[str, str]:
    """The name of the class of each linked word: `C0` is the largest class.

    Neighbours that are linked words count as their class, so classes are found twice. At first all words are alike but
    those that are much more frequent than others, such as an ending that many nouns have.
    """
    counts = Counter(word for source, _ in pairs for word in source if word in links)
    usual = FREQUENT * sorted(counts.values())[len(counts) // 2] if counts else 0
    classes = {word: word if counts[word] > usual else "\0linked" for word in links}
    for is_last in (False, True):
        classes = _classes(pairs, links, classes, views, is_last)
    return classes


def _classes(
    pairs: Sequence[Pair],
    links: Mapping[str, Sequence[str]],
    old: Mapping[str, str],
    views: Sequence[str],
    is_last: bool,
) -> dict[str, str]:
    neighbours = _neighbours(pairs, links, old, with_targets=len(views) > 1)
    words = sorted(links, key=lambda word: -sum(neighbours[word].values()))
    table, columns = _as_table([neighbours[word] for word in words], views)
    groups = _lead(table, len(views))
    if is_last:
        groups = _absorb_contained(groups, columns)
    groups.sort(key=lambda group: -len(group.rows))
    return {words[row]: f"C{number}" for number, group in enumerate(groups) for row in group.rows}


def _neighbours(
    pairs: Iterable[Pair], links: Mapping[str, Sequence[str]], old: Mapping[str, str], with_targets: bool
) -> dict[str, Counter[Hashable]]:
    """What stands around each word and around the tokens that it stands for."""
    words_of: dict[str, list[str]] = defaultdict(list)
    old_of_token: dict[str, str] = {}
    for word, tokens in links.items():
        words_of[tokens[0]].append(word)
        for token in tokens:
            old_of_token[token] = old[word]
    found: dict[str, Counter[Hashable]] = {word: Counter() for word in links}
    for source, target in pairs:
        present = set(source)
        around = [EDGE, *(old.get(word, word) for word in source), EDGE]
        for position, word in enumerate(source):
            if word in links:
                found[word]["source", around[position], around[position + 2]] += 1
        if not with_targets:
            continue
        around = [EDGE, EDGE, *(old_of_token.get(token, token) for token in target), EDGE]
        for position, token in enumerate(target):
            for word in words_of.get(token, ()):
                if word in present:
                    end = position + len(links[word]) - 1
                    right = around[end + 3] if end + 3 < len(around) else EDGE
                    found[word]["target left", around[position], around[position + 1]] += 1
                    found[word]["target right", around[position + 1], right] += 1
    return found


def _as_table(
    neighbours: Sequence[Counter[Hashable]], views: Sequence[str]
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Rows of shares, one for each word, and for each view the columns that belong to it."""
    features = {feature: None for row in neighbours for feature in row if feature[0] in views}  # type: ignore[index]
    import numpy as np

    columns = {feature: column for column, feature in enumerate(features)}
    table = np.zeros((len(neighbours), len(columns)))
    for number, row in enumerate(neighbours):
        for feature, n in row.items():
            if feature in columns:
                table[number, columns[feature]] = n
    view_of = np.array([str(feature[0]) for feature in columns])  # type: ignore[index]
    of_view = [view_of == view for view in views]
    for view in of_view:
        table[:, view] /= table[:, view].sum(1, keepdims=True) + 1e-9
    return table, of_view


@dataclass
class _Group:
    rows: list[int]
    total: np.ndarray
    root: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self._refresh()

    def add(self, rows: Iterable[int], total: np.ndarray) -> None:
        self.rows.extend(rows)
        self.total = self.total + total
        self._refresh()

    def _refresh(self) -> None:
        self.root = self.mean**0.5

    @property
    def mean(self) -> np.ndarray:
        return self.total / len(self.rows)


def _lead(table: np.ndarray, n_views: int) -> list[_Group]:
    """Leader clustering: frequent words come first, and each word joins the group that is most like it."""
    groups: list[_Group] = []
    for row, values in enumerate(table):
        root = values**0.5
        likeness = [float(root @ group.root) / n_views for group in groups]
        best = likeness.index(max(likeness)) if likeness else -1
        if groups and likeness[best] >= ALIKE:
            groups[best].add([row], values)
        else:
            groups.append(_Group([row], values.copy()))
    return groups


def _absorb_contained(groups: list[_Group], views: Sequence[np.ndarray]) -> list[_Group]:
    """A group whose neighbours were all seen with another group, which has more of them, belongs to that one."""
    while (merger := _next_merger(groups, views)) is not None:
        small, large = merger
        large.add(small.rows, small.total)
        groups = [group for group in groups if group is not small]
    return groups


def _next_merger(groups: list[_Group], views: Sequence[np.ndarray]) -> tuple[_Group, _Group] | None:
    import numpy as np

    n_neighbours = {id(group): int((group.total > 0).sum()) for group in groups}
    for small in sorted(groups, key=lambda group: len(group.rows)):
        best: tuple[tuple[float, float], _Group] | None = None
        for large in groups:
            if n_neighbours[id(large)] <= n_neighbours[id(small)]:
                continue
            mean, seen = small.mean, large.total > 0
            contained = min(float(mean[view & seen].sum()) for view in views)
            fit = (round(contained, 2), float(mean @ np.log(large.mean + 1e-5)))
            if best is None or fit > best[0]:
                best = (fit, large)
        if best is not None and best[0][0] >= CONTAINED:
            return small, best[1]
    return None
