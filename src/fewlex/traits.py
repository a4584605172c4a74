"""What can be seen in training pairs before anything is trained. Needs no torch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from fewlex.data.brackets import CLOSER_OF, is_balanced, uses_brackets
from fewlex.data.copies import find_copies
from fewlex.data.example import Example
from fewlex.data.registry import NOTATIONS
from fewlex.data.truecase import learn_truecase
from fewlex.errors import NotationError
from fewlex.lexicon import Lexicon, best_translations, learn_lexicon, word_classes

TEXT_VOCABULARY = 300
"""Fewer different target words than this are no text of a natural language."""
TEXT_SEEN_ONCE = 0.3
"""In natural text, about half of the different words occur once; in made-up languages hardly any."""
MAX_NOTATION_LENGTH = 0.8
"""A notation pays if it makes targets at least this much shorter."""
NOTATION_SAMPLE = 200


@dataclass(frozen=True)
class Traits:
    """Figures of the training pairs that a recipe follows from."""

    pairs: int
    has_validation: bool
    longest_source: int
    longest_target: int
    mean_target: float
    source_words: int
    target_words: int
    seen_once: int
    """Different source words that occur in one sentence."""
    target_seen_once: int
    """Different target words that occur once."""
    lexicon_rows: int
    """Source words for which the learner `simple` finds a translation."""
    lexicon_share: float
    """The share of the target tokens that are translations of a lexicon word of their sentence."""
    class_sizes: tuple[int, ...]
    """How many lexicon words each class has, largest first."""
    has_brackets: bool
    is_balanced: bool
    notation: str
    """A notation that makes all targets shorter; '' if there is none."""
    truecase: bool
    repeats: int
    """Different source words that repeat themselves at once and are not translated twice for that."""
    copies: str
    """The kinds of things that are copied from source to target and not counted as words; '' if there are none."""

    @property
    def is_text(self) -> bool:
        """True if the targets look like a natural language."""
        return (
            self.target_words >= TEXT_VOCABULARY
            and self.target_seen_once >= TEXT_SEEN_ONCE * self.target_words
        )


def traits_of(examples: Sequence[Example], *, has_validation: bool = False) -> Traits:
    """Look at the training examples; `has_validation` says whether the data bring validation examples of their own."""
    copies = find_copies(examples)
    seen = _traits_of([*map(copies.hide_in_pair, examples)], has_validation, copies.name)
    # In a natural language, what a number becomes depends on the words around it.
    return _traits_of(examples, has_validation) if copies.kinds and seen.is_text else seen


def _traits_of(examples: Sequence[Example], has_validation: bool, copies: str = "") -> Traits:
    sources = Counter(word for example in examples for word in set(example.source))
    targets = Counter(word for example in examples for word in example.target)
    lexicon = learn_lexicon(examples, "simple")
    translations = best_translations(lexicon, targets)
    classes = Counter(word_classes(examples, translations).values())
    lengths = [len(example.target) for example in examples]
    return Traits(
        pairs=len(examples),
        has_validation=has_validation,
        longest_source=max(len(example.source) for example in examples),
        longest_target=max(lengths),
        mean_target=sum(lengths) / len(lengths),
        source_words=len(sources),
        target_words=len(targets),
        seen_once=sum(count == 1 for count in sources.values()),
        target_seen_once=sum(count == 1 for count in targets.values()),
        lexicon_rows=len(translations),
        lexicon_share=_share_translated(examples, lexicon),
        class_sizes=tuple(sorted(classes.values(), reverse=True)),
        has_brackets=uses_brackets(e.target for e in examples),
        is_balanced=any(token in CLOSER_OF for e in examples for token in e.target)
        and all(is_balanced(e.target) for e in examples),
        notation=_best_notation([example.target for example in examples]),
        truecase=_has_sentence_capitals(examples),
        repeats=_count_repeating(examples, lexicon),
        copies=copies,
    )


def _share_translated(examples: Iterable[Example], lexicon: Lexicon) -> float:
    translated = total = 0
    for example in examples:
        known = {target for word in set(example.source) for target in lexicon.row(word)}
        translated += sum(token in known for token in example.target)
        total += len(example.target)
    return translated / max(1, total)


def _count_repeating(examples: Iterable[Example], lexicon: Lexicon) -> int:
    """Different words that repeat themselves at once although the target mostly says them once less.

    *add add two and two and one* repeats a word by accident: the target has both.
    """
    once: Counter[str] = Counter()
    for example in examples:
        for word in {one for one, two in pairwise(example.source) if one == two}:
            said = max(map(example.target.count, lexicon.row(word)), default=0)
            once[word] += 1 if said < example.source.count(word) else -1
    return sum(n > 0 for n in once.values())


def _best_notation(targets: Sequence[tuple[str, ...]]) -> str:
    """The notation that makes targets shortest, if it can write all of them."""
    length = sum(map(len, targets))
    shortest, best = MAX_NOTATION_LENGTH * length, ""
    for name, codec in NOTATIONS.items():
        try:
            # Most data are in no special notation, and a few targets tell.
            for target in targets[:NOTATION_SAMPLE]:
                codec.encode(target)
            written = sum(len(codec.encode(target).tokens) for target in targets)
        except NotationError:
            continue
        if written < shortest:
            shortest, best = written, name
    return best


def _has_sentence_capitals(examples: Sequence[Example]) -> bool:
    """True if most sentences begin with a capital and some of these words are written small elsewhere."""
    capitals = sum(example.source[0][:1].isupper() for example in examples)
    return 2 * capitals > len(examples) and bool(learn_truecase(example.source for example in examples))
