"""Grades: how daring a derivation is. The confidence in a grade is measured (`calibration.py`)."""

from __future__ import annotations

from collections.abc import Iterable

from fewlex.rules.book import CLOSENESSES
from fewlex.rules.parsing.items import Item
from fewlex.rules.rule import Rule

MARGINS = (3.0, 1.0)
"""A reading that is ahead of all others by less than one of these, in log probability, is more daring."""


def grade(items: Iterable[Item], is_heard_of: bool, margin: float) -> int:
    """How daring a derivation is: 0 if everything in it was seen in training and nothing comes close to it.

    0 … 2: all fillers were seen in their holes; 3 … 5: some were only seen in similar holes; 6 … 8: a word has never
    filled any hole; 9 … 11: a filler was unheard of, or a word is unknown. Within each of these, the closer the next
    reading, the higher the grade.
    """
    daring = 0 if is_heard_of else 3
    for item in items:
        if not isinstance(item.of, Rule):
            daring = max(daring, 3 if item.of.is_unknown else 0 if item.of.word.habits else 2)
        elif daring == 0 and any(
            seen and fill.kind not in seen for seen, fill in zip(item.of.fillers, item.fills, strict=True)
        ):
            daring = 1
    return CLOSENESSES * daring + sum(margin < least for least in MARGINS)
