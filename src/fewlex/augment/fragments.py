"""Fragments, templates and environments (Andreas 2020, §3).

A joint sequence is START source SEPARATOR target END. A *fragment* is one or more spans of its words, such as *walk*
and *I_WALK*. The *template* is the sequence with a numbered gap in place of every occurrence of every span. The
*environment* is the part of the template near the gaps. Sequences are strings with one character for each word, so
that `str.replace` can take a fragment out and put another one in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from fewlex.data.example import Example
from fewlex.errors import DataError

Joint: TypeAlias = str
Template: TypeAlias = str
Fragment: TypeAlias = tuple[str, ...]
"""Spans that share no word, in the order in which they first occur."""

_START, _SEPARATOR, _END, _BREAK = "\x00", "\x01", "\x02", "\x03"
GAPS = "\x04\x05\x06\x07\x08\x09\x0a\x0b"
_FIRST_WORD = 16
_MOST_WORDS = 0x110000 - _FIRST_WORD  # There is one character for each word.


class Alphabet:
    """Gives each word a character, in the order in which the words first occur."""

    def __init__(self) -> None:
        self._characters: dict[str, str] = {}
        self._words: list[str] = []

    def join(self, example: Example) -> Joint:
        return f"{_START}{self._spell(example.source)}{_SEPARATOR}{self._spell(example.target)}{_END}"

    def split(self, joint: Joint) -> tuple[tuple[str, ...], tuple[str, ...]]:
        source, target = sides(joint)
        return self._read(source), self._read(target)

    def _spell(self, words: Sequence[str]) -> str:
        for word in words:
            if word not in self._characters:
                if len(self._words) == _MOST_WORDS:
                    raise DataError(f"more than {_MOST_WORDS:,} different words. Augment a part of the data.")
                self._characters[word] = chr(_FIRST_WORD + len(self._words))
                self._words.append(word)
        return "".join([self._characters[word] for word in words])

    def _read(self, text: str) -> tuple[str, ...]:
        return tuple(self._words[ord(character) - _FIRST_WORD] for character in text)


def sides(joint: Joint) -> tuple[str, str]:
    """The source and the target, without the marks around them."""
    source, _, target = joint[1:-1].partition(_SEPARATOR)
    return source, target


def spans(joint: Joint, size: int) -> Iterator[str]:
    """Every span of at most `size` words within one side, as often as it occurs. Short spans come first."""
    both = sides(joint)
    for length in range(1, min(size, max(map(len, both))) + 1):
        for side in both:
            for first in range(len(side) - length + 1):
                yield side[first : first + length]


def count_spans(joints: Iterable[Joint], size: int) -> Counter[str]:
    return Counter(span for joint in joints for span in spans(joint, size))


def fragments(
    joint: Joint, gaps: int, size: int, most: int, is_allowed: Callable[[str], bool]
) -> Iterator[Fragment]:
    """At most `most` fragments of up to `gaps` allowed spans, with words of both sides. Few spans come first."""
    allowed = [span for span in dict.fromkeys(spans(joint, size)) if is_allowed(span)]
    return islice(_two_sided(joint, allowed, gaps), most)


def _two_sided(joint: Joint, allowed: Sequence[str], gaps: int) -> Iterator[Fragment]:
    source, target = sides(joint)
    in_source = {span for span in allowed if span in source}
    in_target = {span for span in allowed if span in target}
    for count in range(1, gaps + 1):
        for chosen in combinations(allowed, count):
            if in_source.isdisjoint(chosen) or in_target.isdisjoint(chosen):
                continue
            length = sum(map(len, chosen))
            if length > count and len(set().union(*chosen)) < sum(len(set(span)) for span in chosen):
                continue  # A word of both spans would belong to two gaps.
            yield tuple(sorted(chosen, key=joint.index))


def take_out(joint: Joint, fragment: Fragment) -> Template:
    """The template that is left when the i-th gap takes the place of the i-th span, wherever the span occurs."""
    for gap, span in zip(GAPS, fragment, strict=False):
        joint = joint.replace(span, gap)
    return joint


def put_in(template: Template, fragment: Fragment) -> Joint:
    for gap, span in zip(GAPS, fragment, strict=False):
        template = template.replace(gap, span)
    return template


def environment(template: Template, window: int) -> str:
    """The words within `window` places of each gap; with a window of 0, the whole template."""
    if window == 0:
        return template
    places = [place for place, character in enumerate(template) if character in GAPS]
    return _BREAK.join(template[max(0, place - window) : place + window + 1] for place in places)
