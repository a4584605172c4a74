"""GECA by its definition, on lists of words: every fragment, template and exchange. Shares no code with fewlex."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

Pair = tuple[tuple[str, ...], tuple[str, ...]]
Joint = tuple[object, ...]
Spans = tuple[tuple[str, ...], ...]

START, SEPARATOR, END = object(), object(), object()


def joint_of(pair: Pair) -> Joint:
    return (START, *pair[0], SEPARATOR, *pair[1], END)


def occurs(span: tuple[str, ...], words: tuple[object, ...]) -> bool:
    return any(words[i : i + len(span)] == span for i in range(len(words)))


def first_place(span: tuple[str, ...], joint: Joint) -> int:
    return next(i for i in range(len(joint)) if joint[i : i + len(span)] == span)


def fragments_of(pair: Pair, gaps: int, size: int) -> list[Spans]:
    all_spans = {
        side[i : i + length]
        for side in pair
        for length in range(1, size + 1)
        for i in range(len(side) - length + 1)
    }
    found = []
    for count in range(1, gaps + 1):
        for chosen in combinations(sorted(all_spans), count):
            one_word_twice = any(set(a) & set(b) for a, b in combinations(chosen, 2))
            on_both_sides = all(any(occurs(span, side) for span in chosen) for side in pair)
            if on_both_sides and not one_word_twice:
                found.append(tuple(sorted(chosen, key=lambda span: first_place(span, joint_of(pair)))))
    return found


def without(joint: Joint, fragment: Spans) -> Joint:
    """Numbers as gaps."""
    result: list[object] = []
    place = 0
    while place < len(joint):
        for gap, span in enumerate(fragment):
            if joint[place : place + len(span)] == span:
                result.append(gap)
                place += len(span)
                break
        else:
            result.append(joint[place])
            place += 1
    return tuple(result)


def filled(template: Joint, fragment: Spans) -> Pair:
    words: list[Any] = []  # words and marks; only words are left in the end
    for item in template:
        words.extend(fragment[item] if isinstance(item, int) else [item])
    split = words.index(SEPARATOR)
    return tuple(words[1:split]), tuple(words[split + 1 : -1])


def environment_of(template: Joint, window: int) -> Joint:
    if window == 0:
        return template
    gaps = [i for i, item in enumerate(template) if isinstance(item, int)]
    return tuple(template[max(0, i - window) : i + window + 1] for i in gaps)


def everything_licensed(pairs: list[Pair], window: int, gaps: int, size: int) -> set[Pair]:
    """All exchanges of two fragments that share an environment and differ in every gap, old pairs among them."""
    inhabitants: dict[Joint, set[Spans]] = defaultdict(set)
    homes: dict[Spans, set[Joint]] = defaultdict(set)
    uses: list[tuple[Joint, Spans]] = []
    for pair in pairs:
        for fragment in fragments_of(pair, gaps, size):
            template = without(joint_of(pair), fragment)
            surroundings = environment_of(template, window)
            inhabitants[surroundings].add(fragment)
            homes[fragment].add(surroundings)
            uses.append((template, fragment))
    return {
        filled(template, other)
        for template, fragment in uses
        for home in homes[fragment]
        for other in inhabitants[home]
        if all(a != b for a, b in zip(fragment, other, strict=True))
    }
