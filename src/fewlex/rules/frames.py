"""Frames: words that stand around all words of a class and are part of its terms.

If *the sum of* means `+` and *the product of* means `*`, then *the _ of* is a frame of that class, and a new word of
the class, such as *power*, is said within it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fewlex.rules.book import Word

Tokens = tuple[str, ...]

MIN_TERMS = 2
"""So many terms of a class must differ only within a frame."""


@dataclass(frozen=True)
class Frame:
    """What stands before and after a word, and what this says in the target."""

    before: Tokens = ()
    after: Tokens = ()
    target_before: Tokens = ()
    target_after: Tokens = ()

    def around(self, source: Tokens, target: Tokens) -> tuple[Tokens, Tokens]:
        """The term that a word becomes within the frame, and its translation."""
        return (
            (*self.before, *source, *self.after),
            (*self.target_before, *target, *self.target_after),
        )


def frames_of(words: Iterable[Word]) -> list[Frame]:
    """The frames in which several words of a class are said, the most common one first."""
    framed: dict[tuple[Tokens, Tokens], list[Word]] = defaultdict(list)
    for word in words:
        for before, after in _ways_to_frame(word.source):
            framed[before, after].append(word)
    common = {frame: terms for frame, terms in framed.items() if len(terms) >= MIN_TERMS}
    # Of the frames that fit the same terms only the widest one says where the word itself begins and ends.
    widest: dict[Tokens, tuple[Tokens, Tokens]] = {}
    for frame, terms in sorted(common.items(), key=lambda item: sum(map(len, item[0]))):
        widest["\n".join(term.term for term in terms),] = frame
    ranked = sorted(widest.values(), key=lambda frame: -len(common[frame]))
    return [_with_targets(frame, common[frame]) for frame in ranked]


def frame_around(word: Sequence[str], term: Word, words: Iterable[Word]) -> Frame | None:
    """The frame in which a word is said in a term; None if it is not in the term. `words` are those of its class."""
    size = len(word)
    for start in range(len(term.source) - size + 1):
        if term.source[start : start + size] == tuple(word):
            frame = term.source[:start], term.source[start + size :]
            siblings = [other for other in words if _fits(frame, other.source)]
            return _with_targets(frame, siblings)
    return None


def _ways_to_frame(term: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    for start in range(len(term)):
        for end in range(start + 1, len(term) + 1):
            if end - start < len(term):
                yield term[:start], term[end:]


def _fits(frame: tuple[Tokens, Tokens], term: Tokens) -> bool:
    before, after = frame
    is_wider = len(term) > len(before) + len(after)
    return is_wider and term[: len(before)] == before and term[len(term) - len(after) :] == after


def _with_targets(frame: tuple[Tokens, Tokens], terms: Sequence[Word]) -> Frame:
    """The frame with what all of its terms have in common in the target, apart from one token at least."""
    targets = [term.target for term in terms]
    room = min(map(len, targets)) - 1
    if len(terms) < MIN_TERMS or room <= 0:
        return Frame(*frame)
    before = _common(targets, room)
    after = _common([target[::-1] for target in targets], room - len(before))[::-1]
    return Frame(*frame, before, after)


def _common(targets: Sequence[Tokens], room: int) -> Tokens:
    """The tokens that all targets begin with, at most `room` of them."""
    found = 0
    while found < room and len({target[found] for target in targets}) == 1:
        found += 1
    return targets[0][:found]
