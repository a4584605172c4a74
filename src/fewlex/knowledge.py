"""The knowledge of a run, besides its weights: the form of its text, its words, its lexicon, its rules, and how
familiar the words are.

Knowledge needs no torch and does not change: teaching a word makes new knowledge. Python, the command line and HTTP all
teach through `Knowledge.lesson`, which checks the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from fewlex.config import Config, DecodingConfig, LexiconConfig
from fewlex.data.copies import Copied
from fewlex.data.example import Example
from fewlex.data.form import Form
from fewlex.data.spelling import Spelling
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
    wider_reading,
    with_exact_rows,
    word_classes,
)
from fewlex.rules import RuleBook, learn_rules
from fewlex.rules.lessons import with_lessons

CLASSES: dict[str, Callable[[Sequence[Example], Mapping[str, str]], dict[str, int]]] = {
    "one": lambda examples, translations: {},
    "target": word_classes,
}
"""The functions that sort lexicon words into classes, by the name of the setting."""

TAUGHT = (PERSON, GLOSSARY)
"""The origins of rows that the network was not trained with."""


@dataclass(frozen=True)
class Lesson:
    """A source term, its only translation, and a known word that it behaves like ('' lets the run decide)."""

    source: str
    target: str
    like: str = ""
    also: bool = False
    """The term keeps what it meant before, and this is a further meaning."""

    def row(self, before: Mapping[str, Entry]) -> dict[str, Entry]:
        """The row of the term, which had the row `before`. A further meaning is the last of its row."""
        if not self.also:
            return {self.target: Entry(1.0, PERSON, like=self.like)}
        least = min((entry.weight for entry in before.values()), default=2.0)
        return {**before, self.target: Entry(least - 1, PERSON, like=self.like)}


@dataclass(frozen=True)
class Knowledge:
    """Everything except weights that a run has learned from its training data or was taught."""

    source_vocab: Vocabulary
    target_vocab: Vocabulary
    lexicon: Lexicon
    """Nothing here edits this lexicon in place; `with_lexicon` makes new knowledge instead."""
    familiarity: Familiarity
    longest_target: int
    form: Form = field(default_factory=Form)
    rules: RuleBook | None = None
    """The rules that were learned; None if the run has none. `taught_rules` adds the words that were taught."""

    @classmethod
    def learn(
        cls,
        examples: Sequence[Example],
        config: Config,
        form: Form | None = None,
        lexicon: Lexicon | None = None,
        rules: RuleBook | None = None,
    ) -> Knowledge:
        """Learn from `examples`, the training split in its `form`, what is not given: a lexicon and rules."""
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
            # A word without a row translates to itself, if it is also a target word.
            others = {word: found.get(word, word) for word in rest}
            stand_ins = class_by_place(examples, others, translations, familiarity.classes)
            familiarity = replace(familiarity, stand_ins=stand_ins)
        longest = max(len(example.target) for example in examples)
        if not config.rules.learn:
            rules = None
        elif rules is None:
            rules = learn_rules(examples, lexicon=lexicon, precision=config.rules.precision)
        return cls(source_vocab, target_vocab, lexicon, familiarity, longest, form or Form(), rules)

    @cached_property
    def extended_vocabs(self) -> tuple[Vocabulary, Vocabulary]:
        """The vocabularies, extended by the words that only the lexicon knows, because they were taught."""
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

    def hide(self, tokens: Sequence[str]) -> Copied:
        """Source tokens with slots for what is copied. Terms that somebody has taught are translated instead."""
        return self.form.copies.hide(tokens, self.taught_terms)

    @cached_property
    def taught_terms(self) -> frozenset[str]:
        """The source terms that a person or a glossary has taught."""
        return frozenset(source for source, _, entry in self.lexicon if entry.origin in TAUGHT)

    @cached_property
    def taught_rules(self) -> RuleBook | None:
        """The rules with the words that the lexicon was taught."""
        if self.rules is None:
            return None
        taught = [(source, target, entry) for source, target, entry in self.lexicon if entry.origin in TAUGHT]
        keeping = {source for source, _, entry in self.lexicon if entry.origin not in TAUGHT}
        return with_lessons(
            self.rules, [(source, target, entry.like) for source, target, entry in taught], keeping
        )

    @cached_property
    def _known_words(self) -> frozenset[str]:
        book = self.taught_rules
        of_rules = (
            () if book is None else (*(w.term for w in book.words), *(w for r in book.rules for w in r.words))
        )
        return frozenset((*self.extended_vocabs[0].words, *of_rules))

    @cached_property
    def spelling(self) -> Spelling:
        """The spelling of the source words that the run knows."""
        return Spelling(self._known_words | self.form.truecase.keys())

    def unknown_in(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The words of a tokenized source that are in no training sentence, no row of the lexicon and no rule."""
        known = self._known_words
        return tuple(unit for unit in dict.fromkeys(self.units(tokens)) if unit not in known)

    def max_output_length(self, decoding: DecodingConfig) -> int:
        """The configured limit of an output, or `2 * longest_target + 10` tokens."""
        return decoding.max_length or 2 * self.longest_target + 10

    def with_lexicon(self, lexicon: Lexicon) -> Knowledge:
        """The same knowledge with another lexicon."""
        return replace(self, lexicon=lexicon)

    def wanting(self, precision: float) -> Knowledge:
        """The same knowledge with rules that answer where they were right at least this often."""
        return self if self.rules is None else replace(self, rules=_wanting(self.rules, precision))

    def taught(self, lessons: Iterable[Lesson]) -> Knowledge:
        """The same knowledge, but each taught term has the translation of its lesson, as its only one unless the lesson
        says otherwise."""
        lexicon = self.lexicon.copy()
        for lesson in lessons:
            lexicon.replace_row(lesson.source, lesson.row(lexicon.row(lesson.source)))
        return self.with_lexicon(lexicon)

    def lesson(self, source: str, target: str, like: str = "", *, also: bool = False) -> Lesson:
        """Check a lesson and write its words as this run writes them."""
        like = self.form.source_term(like) if like else ""
        terms = self.form.source_term(source), self.form.target_term(target)
        return self._checked(Lesson(*terms, like, also))

    def lessons_in(self, path: Path | str) -> list[Lesson]:
        """Read the lessons of a file. Each line has a source, a tab and a target, and maybe a third column `like`."""
        glossary = read_glossary(path, self.form.source_tokens, self.form.target_tokens)
        return [self._checked(Lesson(source, target, entry.like)) for source, target, entry in glossary]

    def lesson_from(self, source: str, target: str, like: str = "") -> Lesson:
        """The lesson that a sentence with one new word and its translation implies (§4.1, mutual exclusivity)."""
        source_tokens, target_tokens = self.form.source_tokens(source), self.form.target_tokens(target)
        word, translation = infer_entry(
            source_tokens, target_tokens, self.lexicon, self.source_vocab, self.target_vocab
        )
        return self._checked(Lesson(word, translation, self.form.source_term(like) if like else ""))

    def wider_lesson(self, lesson: Lesson, source: str, target: str) -> Lesson:
        """The same lesson about the term of several words that its word belongs to in the example, if it does."""
        tokens, said = self.form.source_tokens(source), self.form.target_tokens(target)
        return replace(lesson, source=wider_reading(lesson.source, tokens, said, self.lexicon))

    def forgettable(self, source: str, target: str | None = None) -> tuple[str, str | None]:
        """A pair as the lexicon has it. The user may name it as a table shows it, or as text."""
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


def _wanting(book: RuleBook, precision: float) -> RuleBook:
    return replace(book, calibration=replace(book.calibration, wanted=precision))


def _learned_lexicon(examples: Sequence[Example], config: LexiconConfig) -> Lexicon:
    if Path(config.method).suffix in (".json", ".tsv"):
        return Lexicon.load(config.method)
    return learn_lexicon(examples, config.method, **config.parameters)
