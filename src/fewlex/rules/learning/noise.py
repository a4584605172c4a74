"""How wrong the data are, which pairs to learn from, and how much support a rule needs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from fewlex.rules.learning.counting import LEAST_SUPPORT
from fewlex.rules.words.links import Pair
from fewlex.rules.words.templates import TemplateCount

MISSING = 0.3
"""A pair in which more than this share of the linked words miss their token is set aside."""

RARE = 0.1
"""A target that fewer sentences of the same symbols have may be a mistake."""

MIN_GROUP = 10
"""Noise is measured on groups of at least so many sentences with the same symbols."""

CLEAN = 0.01
"""Less noise than this is none."""

BY_CHANCE = 1e-3
"""A rule is believed if the probability that all its pairs are wrong is at most this."""

SAME_MISTAKE = 0.005
"""No mistake is made in more than this share of the wrong pairs."""


def agreeing(pairs: Sequence[Pair], links: Mapping[str, str]) -> list[int]:
    """The places of the pairs that have the tokens of most of their linked words."""
    kept = []
    for place, (source, target) in enumerate(pairs):
        expected = {links[word] for word in source if word in links}
        if len(expected.difference(target)) <= MISSING * len(expected):
            kept.append(place)
    return kept


@dataclass(frozen=True)
class Trust:
    """Which templates to learn from, and the share of wrong pairs among all."""

    templates: list[TemplateCount]
    noise: float
    n_pairs: int
    doubtful: list[TemplateCount]
    """Templates that were seen once among noise: learned from after all others, and only where several agree."""
    n_set_aside: int = 0
    """The number of wrong pairs that are not among the templates, because they contradict the links."""

    @property
    def support(self) -> int:
        """The number of pairs that a rule needs: so many are not all wrong by chance, or wrong in the same way.

        Pairs that were set aside count among the wrong ones. The more of them there were, the more of their kind are
        left that agree with the links by chance, and with each other.
        """
        n_wrong = self.noise * self.n_pairs + self.n_set_aside
        if n_wrong < CLEAN * (self.n_pairs + self.n_set_aside):
            return LEAST_SUPPORT
        by_chance = math.log(BY_CHANCE) / math.log(self.noise) if self.noise else 0.0
        return math.ceil(max(LEAST_SUPPORT, by_chance, SAME_MISTAKE * n_wrong))


def trusted(counts: Sequence[TemplateCount], least_noise: float = 0.0, n_set_aside: int = 0) -> Trust:
    """Templates whose target is not rare among sentences with the same symbols.

    Mistakes are rare targets. Where there are any, a template that was seen only once is doubtful. `least_noise` is
    supposed where too few sentences are alike to show any; `n_set_aside` pairs are known to be wrong and not counted.
    """
    groups: dict[Hashable, list[TemplateCount]] = defaultdict(list)
    for count in counts:
        groups[count.template.source, count.template.kinds].append(count)
    total = {key: sum(count.n for count in group) for key, group in groups.items()}
    n_rare = n_all = 0
    for key, group in groups.items():
        if total[key] >= MIN_GROUP:
            n_all += total[key]
            n_rare += sum(count.n for count in group if count.n < RARE * total[key])
    noise = max(n_rare / n_all if n_all else 0.0, least_noise)
    least, share = (1, RARE) if noise < CLEAN else (2, max(RARE, min(0.5, 2 * noise)))
    spoken = [count for count in counts if count.template.source]  # silent words alone make no rule
    believed = [
        count
        for count in spoken
        if count.n >= max(least, share * total[count.template.source, count.template.kinds])
    ]
    alone = [count for count in spoken if count.n == 1 == total[count.template.source, count.template.kinds]]
    return Trust(believed, noise, sum(total.values()), alone if least > 1 else [], n_set_aside)
