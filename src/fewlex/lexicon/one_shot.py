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
    return word, _new_target(word, units, target, lexicon, known_targets)


def _new_source(units: Iterable[str], lexicon: Lexicon, known: Container[str]) -> str:
    without_row = [unit for unit in dict.fromkeys(units) if unit not in lexicon]
    candidates = [unit for unit in without_row if unit not in known] or without_row
    if not candidates:
        raise LexiconError(f"every source word of the example has a translation already. {CURE}")
    return _the_only(candidates, "source")


def _new_target(
    word: str, units: Iterable[str], target: Iterable[str], lexicon: Lexicon, known: Container[str]
) -> str:
    explained = {token for translation in lexicon.targets for token in translation.split(" ")}
    copied = {unit for unit in units if unit != word}  # a word without a row may translate to itself
    unexplained = [token for token in dict.fromkeys(target) if token not in explained | copied]
    candidates = [token for token in unexplained if token not in known] or unexplained
    if not candidates:
        raise LexiconError(
            f"every target word of the example is the translation of another word than {word!r}. {CURE}"
        )
    return _the_only(candidates, "target")


def _the_only(candidates: Sequence[str], side: str) -> str:
    if len(candidates) > 1:
        found = ", ".join(candidates)
        raise LexiconError(f"several {side} words of the example could be the new one: {found}. {CURE}")
    return candidates[0]
