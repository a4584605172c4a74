"""What teaching a word would break: training sentences that were right before a lesson and are wrong after it."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import islice

from fewlex.data.example import Example
from fewlex.data.terms import TermMatcher
from fewlex.errors import FewlexError
from fewlex.knowledge import Knowledge, Lesson
from fewlex.run import Run

MAX_SENTENCES = 50


@dataclass(frozen=True)
class Broken:
    """A training sentence that a lesson would break."""

    source: str
    before: str
    after: str


def broken_by(run: Run, knowledge: Knowledge, lessons: Sequence[Lesson]) -> list[Broken]:
    """Training sentences with a taught term that come out right now and would not after the lessons.

    `knowledge` is that of the run. Nothing is found where the training data is no longer there, and a term that
    training never had breaks nothing, so that most lessons are checked without loading a network.
    """
    examples = _examples_with(run, knowledge, {lesson.source for lesson in lessons})
    if not examples:
        return []
    from fewlex.translator import Translator

    translator = Translator.load(run.path)
    sources = [example.source for example in examples]
    before = [answers[0] for answers in translator.translate_tokens(sources)]
    taught = translator.with_lexicon(translator.knowledge.taught(lessons).lexicon)
    after = [answers[0] for answers in taught.translate_tokens(sources)]
    return [
        Broken(" ".join(example.source), old.text, new.text)
        for example, old, new in zip(examples, before, after, strict=True)
        if old.published == example.target != new.published
    ]


def _examples_with(run: Run, knowledge: Knowledge, terms: Set[str]) -> list[Example]:
    """Some training examples that contain one of the terms."""
    words = {word for term in terms for word in term.split(" ")}
    if not all(word in knowledge.source_vocab for word in words) or not run.is_finished:
        return []
    try:
        examples = knowledge.form.load(run.read_json("knowledge.json").get("data", ""))["train"]
    except FewlexError:
        return []  # the data was moved, or came from a program
    matcher = TermMatcher(terms)
    found = (example for example in examples if not terms.isdisjoint(matcher.segment(example.source)))
    return list(islice(found, MAX_SENTENCES))
