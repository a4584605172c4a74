"""What a run knows besides its weights: the form of its text, its words, its lexicon, its rules, and how familiar the
words are.

Knowledge needs no torch and does not change: teaching a word makes new knowledge. Whoever teaches, be it from Python,
on the command line or over HTTP, comes through `Knowledge.lesson`, which is where a lesson is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from fewlex.config import Config, DecodingConfig, LexiconConfig
from fewlex.data.example import Example
from fewlex.data.form import Form
from fewlex.data.terms import TermMatcher
from fewlex.data.vocabulary import Vocabulary
from fewlex.errors import LexiconError
from fewlex.familiarity import Familiarity
from fewlex.lexicon import (
    GLOSSARY,
    PERSON,
    Entry,
    Lexicon,
    best_translations,
    class_by_place,
    infer_entry,
    learn_lexicon,
    read_glossary,
    with_exact_rows,
    word_classes,
)
from fewlex.rules import RuleBook, learn_rules
from fewlex.rules.lessons import with_lessons

CLASSES: dict[str, Callable[[Sequence[Example], Mapping[str, str]], dict[str, int]]] = {
    "one": lambda examples, translations: {},
    "target": word_classes,
}
"""How lexicon words are sorted into classes, by the name of the setting."""

TAUGHT = (PERSON, GLOSSARY)
"""Origins of rows that the network was not trained with."""


@dataclass(frozen=True)
class Lesson:
    """A source term, its only translation, and a known word that it behaves like ('' = the run decides)."""

    source: str
    target: str
    like: str = ""

    @property
    def row(self) -> dict[str, Entry]:
        return {self.target: Entry(1.0, PERSON, like=self.like)}


@dataclass(frozen=True)
class Knowledge:
    """Everything that a run has learned from its training data, or was taught, and that is not a weight."""

    source_vocab: Vocabulary
    target_vocab: Vocabulary
    lexicon: Lexicon
    """Treated as fixed: `with_lexicon` makes other knowledge, and nothing here edits this one in place."""
    familiarity: Familiarity
    longest_target: int
    form: Form = field(default_factory=Form)
    rules: RuleBook | None = None
    """The rules that were learned; None where the run has none. They also know the words that the lexicon is taught."""

    @classmethod
    def learn(
        cls,
        examples: Sequence[Example],
        config: Config,
        form: Form | None = None,
        lexicon: Lexicon | None = None,
    ) -> Knowledge:
        """Learn from `examples`, the training split in its `form`; a given lexicon takes the place of a learned one."""
        source_vocab = Vocabulary.from_sentences((e.source for e in examples), "source")
        target_vocab = Vocabulary.from_sentences((e.target for e in examples), "target")
        if config.model.output != "lexical":
            lexicon = Lexicon()
        elif lexicon is None:
            lexicon = _learned_lexicon(examples, config.lexicon)
        familiarity = Familiarity()
        if config.fast_mapping.is_on:
            translations = best_translations(lexicon, target_vocab.words)
            classes = CLASSES[config.fast_mapping.classes](examples, translations)
            familiarity = Familiarity.collect(examples, lexicon.sources, classes)
        if config.lexicon.exact_rows:
            lexicon = with_exact_rows(lexicon, examples)
        if config.lexicon.exact_rows and config.fast_mapping.is_on:
            rest = [word for word in source_vocab.words if word not in translations]
            found = best_translations(lexicon, target_vocab.words)
            # A word without a row stands for itself, if that is a target.
            others = {word: found.get(word, word) for word in rest}
            stand_ins = class_by_place(examples, others, translations, familiarity.classes)
            familiarity = replace(familiarity, stand_ins=stand_ins)
        longest = max(len(example.target) for example in examples)
        rules = None
        if config.rules.learn:
            rules = learn_rules(examples, lexicon, precision=config.rules.precision)
        return cls(source_vocab, target_vocab, lexicon, familiarity, longest, form or Form(), rules)

    @cached_property
    def extended_vocabs(self) -> tuple[Vocabulary, Vocabulary]:
        """The vocabularies with the words that only the lexicon knows, since they were taught."""
        return (
            self.source_vocab.extended(self.lexicon.sources),
            self.target_vocab.extended(self.lexicon.targets),
        )

    @cached_property
    def _terms(self) -> TermMatcher:
        return TermMatcher(self.lexicon.sources)

    def units(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Source tokens as a model reads them, with each term of several tokens as one unit."""
        return self._terms.segment(self.form.read(tokens))

    @cached_property
    def taught_rules(self) -> RuleBook | None:
        """The rules with the words that the lexicon was taught."""
        if self.rules is None:
            return None
        taught = [(source, target, entry) for source, target, entry in self.lexicon if entry.origin in TAUGHT]
        return with_lessons(self.rules, [(source, target, entry.like) for source, target, entry in taught])

    def max_output_length(self, decoding: DecodingConfig) -> int:
        """The configured limit of an output, or `2 * longest_target + 10` tokens."""
        return decoding.max_length or 2 * self.longest_target + 10

    def with_lexicon(self, lexicon: Lexicon) -> Knowledge:
        """The same knowledge with another lexicon."""
        return replace(self, lexicon=lexicon)

    def taught(self, lessons: Iterable[Lesson]) -> Knowledge:
        """The same knowledge, in which each taught term has the lesson's translation and no other."""
        lexicon = self.lexicon.copy()
        for lesson in lessons:
            lexicon.replace_row(lesson.source, lesson.row)
        return self.with_lexicon(lexicon)

    def lesson(self, source: str, target: str, like: str = "") -> Lesson:
        """A lesson in words, checked and written as this run writes its words."""
        like = self.form.source_term(like) if like else ""
        return self._checked(Lesson(self.form.source_term(source), self.form.target_term(target), like))

    def lessons_in(self, path: Path | str) -> list[Lesson]:
        """The lessons of a file: source, tab, target on each line, and maybe a third column `like`."""
        glossary = read_glossary(path, self.form.source_tokens, self.form.target_tokens)
        return [self._checked(Lesson(source, target, entry.like)) for source, target, entry in glossary]

    def lesson_from(self, source: str, target: str, like: str = "") -> Lesson:
        """The lesson that a sentence with one new word and its translation implies (§4.1, mutual exclusivity)."""
        source_tokens, target_tokens = self.form.source_tokens(source), self.form.target_tokens(target)
        word, translation = infer_entry(
            source_tokens, target_tokens, self.lexicon, self.source_vocab, self.target_vocab
        )
        return self._checked(Lesson(word, translation, self.form.source_term(like) if like else ""))

    def forgettable(self, source: str, target: str | None = None) -> tuple[str, str | None]:
        """A pair as the lexicon has it. What a table shows can be named as it stands there, or as text."""
        word = source if source in self.lexicon else self.form.source_term(source)
        if target is not None and target not in self.lexicon.row(word):
            target = self.form.target_term(target)
        return word, target

    def _checked(self, lesson: Lesson) -> Lesson:
        if lesson.like and lesson.like not in self.source_vocab:
            raise LexiconError(
                f"like {lesson.like!r}: the run was not trained with this word. Name a source word that it knows."
            )
        return lesson


def _learned_lexicon(examples: Sequence[Example], config: LexiconConfig) -> Lexicon:
    if Path(config.method).suffix in (".json", ".tsv"):
        return Lexicon.load(config.method)
    return learn_lexicon(examples, config.method, **config.parameters)
