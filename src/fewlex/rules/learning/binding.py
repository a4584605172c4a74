"""Binds a book: the grammar as it was learned and counted becomes rules and words that people read."""

from __future__ import annotations

from fewlex.rules.book import SAME, SILENT, Measured, RuleBook, Word
from fewlex.rules.learning.counting import Census
from fewlex.rules.learning.draft import SENTENCE, DraftGrammar
from fewlex.rules.rule import Rule
from fewlex.rules.words.templates import Lexis


def make_book(grammar: DraftGrammar, census: Census, lexis: Lexis, is_open_ended: bool) -> RuleBook:
    """The rules in the order of their use: `R1` is used by most pairs."""
    drafts = sorted(grammar.rules.values(), key=lambda rule: (-census.uses[rule.name], rule.name))
    names = {draft.name: f"R{number}" for number, draft in enumerate(drafts, start=1)}
    rules = tuple(
        Rule(
            names[draft.name],
            draft.source,
            tuple(lexis.coder.token(s) if isinstance(s, str) else s for s in draft.target),
            tuple({names.get(kind, kind): n for kind, n in kinds.most_common()} for kinds in draft.fillers),
            census.uses[draft.name],
            example=tuple(" ".join(census.examples[draft.name]).split(" ")),
        )
        for draft in drafts
    )
    words = [
        Word(tuple(term.split(" ")), tokens, lexis.classes[term], habits=_habits(census, term, names))
        for term, tokens in lexis.links.items()
    ]
    words += [Word((word,), (), SILENT) for word in sorted(lexis.silent)]
    words += [Word((word,), (to,), SAME) for word, to in sorted(lexis.same.items())]
    sentences = {names.get(kind, kind): n for kind, n in grammar.sentence.fillers[0].most_common()}
    measured = Measured(census.n_pairs, census.share_derived)
    return RuleBook(rules, tuple(words), sentences, is_open_ended, measured=measured)


def _habits(census: Census, term: str, names: dict[str, str]) -> dict[str, int]:
    """Which holes a word has filled; the hole that is the whole sentence is no habit."""
    habits = {}
    for hole, n in census.habits.get(term, {}).items():
        rule, _, number = hole.rpartition("#")
        if rule != SENTENCE:
            habits[f"{names[rule]}#{number}"] = n
    return habits
