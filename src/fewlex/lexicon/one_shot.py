"""One-shot learning: the new entry that a single example implies by mutual exclusivity (§4.1)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from fewlex.data.terms import TermMatcher
from fewlex.errors import LexiconError
from fewlex.lexicon.lexicon import Lexicon

CURE = "Teach the pair itself: `fewlex teach RUN SOURCE TARGET`."


def infer_entry(
    source: Sequence[str],
    target: Sequence[str],
    lexicon: Lexicon,
    known_sources: Container[str],
    known_targets: Container[str],
) -> tuple[str, str]:
    """The one new source word of an example, and the one target word that no other word explains.

    The new source word has no row in the lexicon and was never seen in training. If all words were seen in training,
    it is the word that has no row. Its translation is a target word that belongs to no other source word; one that was
    never seen in training is preferred.
    """
    units = TermMatcher(lexicon.sources).segment(source)
    word = _new_source(units, lexicon, known_sources)
    return word, _new_target(word.split(" "), units, target, lexicon, known_targets)


def wider_reading(word: str, source: Sequence[str], target: Iterable[str], lexicon: Lexicon) -> str:
    """The term of several words that a new word may belong to: `garage door` for *door*; the word itself if to none.

    A neighbour belongs to the term if it has a translation of its own and the target does not have it.
    """
    units, said = TermMatcher(lexicon.sources).segment(source), set(target)
    if word not in units:
        return word

    def is_silenced(index: int) -> bool:
        row = lexicon.row(units[index]) if 0 <= index < len(units) else {}
        return bool(row) and not any(said.issuperset(translation.split(" ")) for translation in row)

    first = last = units.index(word)
    while is_silenced(first - 1):
        first -= 1
    while is_silenced(last + 1):
        last += 1
    return " ".join(units[first : last + 1])


def _new_source(units: Sequence[str], lexicon: Lexicon, known: Container[str]) -> str:
    without_row = [unit for unit in dict.fromkeys(units) if unit not in lexicon]
    candidates = [unit for unit in without_row if unit not in known] or without_row
    if not candidates:
        raise LexiconError(f"every source word of the example has a translation already. {CURE}")
    together = " ".join(candidates)
    is_part = len(candidates) < len(units) and candidates != without_row
    if is_part and f" {together} " in f" {' '.join(units)} ":
        return together  # new words that stand side by side among known ones are one term
    return _the_only(candidates, "source")


def _new_target(
    words: Sequence[str],
    units: Iterable[str],
    target: Iterable[str],
    lexicon: Lexicon,
    known: Container[str],
) -> str:
    explained = {token for translation in lexicon.targets for token in translation.split(" ")}
    copied = {unit for unit in units if unit not in words}  # a word without a row may translate to itself
    unexplained = [token for token in dict.fromkeys(target) if token not in explained | copied]
    candidates = [token for token in unexplained if token not in known] or unexplained
    if not candidates:
        raise LexiconError(
            f"every target word of the example is the translation of another word than {' '.join(words)!r}. {CURE}"
        )
    return _the_only(candidates, "target")


def _the_only(candidates: Sequence[str], side: str) -> str:
    if len(candidates) > 1:
        found = ", ".join(candidates)
        raise LexiconError(f"several {side} words of the example could be the new one: {found}. {CURE}")
    return candidates[0]
