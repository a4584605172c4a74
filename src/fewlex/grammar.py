"""The rules of a run, with one method for all who ask: `answer` gives their answer to a source. It needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fewlex.answer import Answer, Origin
from fewlex.data.codec import Pointed
from fewlex.garbage import uncollected
from fewlex.knowledge import Knowledge
from fewlex.rules import Derivation, RuleParser
from fewlex.rules.evaluation import parse_or_none


@dataclass(frozen=True)
class Grammar:
    """A rule book in use. It does not change, so threads may share it."""

    knowledge: Knowledge
    parser: RuleParser

    @classmethod
    def of(cls, knowledge: Knowledge) -> Grammar | None:
        """The grammar of a run; None if the run has no rules, or if its data had none to learn."""
        with uncollected():  # a million taught words may be among its words
            book = knowledge.taught_rules
            return cls(knowledge, RuleParser(book)) if book is not None and book.rules else None

    def answer(self, source: Sequence[str], *, only_if_sure: bool = True) -> Answer | None:
        """The answer to a tokenized source; None if the rules derive no answer, or if they are not sure of it."""
        units = self.knowledge.form.read(source)
        derivation = parse_or_none(self.parser, units)
        if derivation is None or (only_if_sure and not derivation.is_sure):
            return None
        return self._answer(units, derivation)

    def _answer(self, source: tuple[str, ...], derivation: Derivation) -> Answer:
        form = self.knowledge.form
        published = form.published(Pointed(derivation.tokens, derivation.positions))
        near = _nearest(derivation.positions)
        origins = [
            Origin(
                token,
                "rule" if position is None else "translated",
                source[close],
                close,
                attention=float(position is not None),
                write_gate=float(position is None),
            )
            for token, position, close in zip(derivation.tokens, derivation.positions, near, strict=True)
        ]
        return Answer(
            text=form.text(published),
            source=source,
            tokens=derivation.tokens,
            published=published,
            log_prob=derivation.score,
            attention=tuple(_one_hot(position, len(source)) for position in derivation.positions),
            write_gate=tuple(origin.write_gate for origin in origins),
            origins=tuple(origins),
            by="rules",
            confidence=derivation.confidence,
            derivation=derivation,
        )


def nobody(source: Sequence[str]) -> Answer:
    """The answer to a source that nobody has an answer to."""
    return Answer(
        text="",
        source=tuple(source),
        tokens=(),
        published=(),
        log_prob=float("-inf"),
        attention=(),
        write_gate=(),
        origins=(),
        by="nobody",
        confidence=0.0,
    )


def at_least(answers: Sequence[Answer], least: float) -> list[Answer]:
    """The answers if the best of them is sure enough; otherwise that of nobody, which is empty.

    Where nobody has measured how sure a network is, none of its answers is sure enough.
    """
    is_sure = least <= 0 or (answers[0].confidence or 0.0) >= least
    return list(answers) if is_sure else [nobody(answers[0].source)]


def _nearest(positions: Sequence[int | None]) -> list[int]:
    """The source position of each token. A token without one takes that of its left neighbour, or else the first."""
    found, last = [], 0
    for position in positions:
        last = last if position is None else position
        found.append(last)
    return found


def _one_hot(position: int | None, length: int) -> tuple[float, ...]:
    return tuple(float(i == position) for i in range(length))
