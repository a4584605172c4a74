"""Finds data in which letters count and not words: words and their sounds or forms, numbers in words and in digits.

Such data have targets like *pleasing*, *tried* and *4718*, which are hardly ever the same twice. A model of whole words
could only give back the targets of training, whatever it is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from statistics import correlation, mean

from fewlex.data.example import Example
from fewlex.data.tokenizers import Marks

_MARKS = Marks()

MIN_EXAMPLES = 20
"""With fewer examples nothing is said about spelling."""
SINGLE = 0.95
"""The share of the texts of a side that are one word each."""
DIFFERENT = 0.8
"""The share of these words that differ from each other."""
MIN_CORRELATION = 0.6
"""The correlation of lengths from which on two sides are taken for spellings of each other."""
MIN_SHARED = 0.5
"""The mean share of a target's letters that stand together in one source word, from which on targets are forms."""
MAX_COPIED = 0.2
"""If more targets than this are words of their sources, whole words are copied."""
MIN_KNOWN = 0.5
"""The share of the examples whose source words are all in other examples, too."""


def is_spelled(examples: Sequence[Example], side: str) -> bool:
    """True if one side of the examples, `source` or `target`, is to be read letter by letter.

    A list of words and their translations is not: the lengths of the two have little to do with each other, they have
    few letters in common, and no source says anything about another one.
    """
    if len(examples) < MIN_EXAMPLES:
        return False
    if side == "source":
        alone = _are_new_words([e.source for e in examples]) and _lengths_go_together(examples)
        return alone or (_are_new_words([e.target for e in examples]) and _are_forms(examples))
    return _are_new_words([e.target for e in examples]) and (
        _lengths_go_together(examples) or _are_forms(examples) or _has_known_sources(examples)
    )


def _are_new_words(texts: Sequence[Sequence[str]]) -> bool:
    """True if the texts are single words, hardly any of them twice. `f(x)` is no word, although it has no blank."""
    words = [text for text in texts if len(text) == 1 and len(_MARKS.tokenize(text[0])) == 1]
    return len(words) >= SINGLE * len(texts) and len({*map(tuple, texts)}) >= DIFFERENT * len(texts)


def _lengths_go_together(examples: Sequence[Example]) -> bool:
    """True if longer sources have longer targets."""
    sources, targets = [[_length(getattr(e, side)) for e in examples] for side in ("source", "target")]
    return min(len(set(sources)), len(set(targets))) > 1 and correlation(sources, targets) >= MIN_CORRELATION


def _length(tokens: Sequence[str]) -> int:
    """The length of a word in letters, and of a list of sounds in sounds."""
    return len(tokens[0]) if len(tokens) == 1 else len(tokens)


def _are_forms(examples: Sequence[Example]) -> bool:
    """True if targets are mostly made of the letters of a source word, as *pleasing* is of *please ING*."""
    singles = [e for e in examples if len(e.target) == 1]
    copied = sum(e.target[0] in e.source for e in singles)
    return copied <= MAX_COPIED * len(singles) and mean(map(_shared, singles)) >= MIN_SHARED


def _shared(example: Example) -> float:
    """The largest part of a target word that one source word has, too."""
    target = example.target[0].casefold()
    return max((_common(word.casefold(), target) for word in example.source), default=0) / len(target)


def _common(word: str, target: str) -> int:
    return SequenceMatcher(None, word, target, autojunk=False).find_longest_match().size


def _has_known_sources(examples: Sequence[Example]) -> bool:
    """True if most sources are sentences of words that other sources have, so that there is something to learn."""
    sentences = Counter(word for e in examples for word in set(e.source))
    known = sum(len(e.source) > 1 and all(sentences[word] > 1 for word in e.source) for e in examples)
    return known >= MIN_KNOWN * len(examples)
