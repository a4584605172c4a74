"""Learns a rule book from pairs: links and classes, templates from short to long, the smallest extension for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fewlex.data.example import Example
from fewlex.rules.book import SAME, SILENT, Measured, RuleBook, Word
from fewlex.rules.brackets import closed
from fewlex.rules.counting import Census, prune
from fewlex.rules.draft import SENTENCE, DraftGrammar, rule_size
from fewlex.rules.extension import Extender
from fewlex.rules.forest import Forest
from fewlex.rules.lexis import find_lexis, unlinked
from fewlex.rules.links import Pair, count_cooccurrence, find_links
from fewlex.rules.parser import RuleParser
from fewlex.rules.rule import Rule
from fewlex.rules.shape import Shape
from fewlex.rules.splitting import split_rules
from fewlex.rules.templates import Lexis, TemplateCount, count_templates

import os
SPLITS=int(os.environ.get('SPLITS','3'))
TOLERANCES = (0.02, 0.06, 0.12, 0.25)


def learn_rules(examples: Iterable[Example]) -> RuleBook:
    pairs = [(tuple(example.source), tuple(example.target)) for example in examples]
    balanced = [(source, closed(target)) for source, target in pairs]
    is_open_ended = any(len(a[1]) != len(b[1]) for a, b in zip(pairs, balanced))
    found = []

    def consider(grammar, census, lexis):
        book = _book(grammar, census, lexis, is_open_ended)
        wrong = errors(book, pairs)
        cost = sum(rule_size(rule.source, rule.target) for rule in book.rules)
        cost += len(wrong) / 500 * sum(len(source) + len(target) for source, target in pairs) if len(pairs) > 500 else sum(len(source) + len(target) for source, target in wrong)
        found.append((cost, len(found), wrong, book, lexis))
        return wrong

    def attempt(lexis):
        counts = count_templates(balanced, lexis)
        grammar = _learn(counts, lexis)
        census = prune(grammar, counts, support=2)
        wrong = consider(grammar, census, lexis)
        for _ in range(SPLITS):
            if len(wrong) <= 2 or not split_rules(grammar, census):
                break
            census = prune(grammar, counts, support=2)
            wrong = consider(grammar, census, lexis)
        return wrong

    for lexis, good in _lexica(balanced):
        wrong = attempt(lexis)
        for _ in range(3):
            own = blamed(lexis, wrong, balanced) if wrong else set()
            if not own:
                break
            before = min(found)[0]
            lexis = unlinked(balanced, lexis, own)
            wrong = attempt(lexis)
            if min(found)[0] >= before:
                break
        if len(min(found)[2]) <= 5:
            break
    return min(found)[3]


def blamed(lexis: Lexis, wrong: Sequence[Pair], pairs: Sequence[Pair]) -> set[str]:
    """Linked words in whose sentences most errors are."""
    n_all: Counter[str] = Counter()
    n_wrong: Counter[str] = Counter()
    for source, _ in list(dict.fromkeys(pairs))[:500]:
        n_all.update(set(lexis.units(source)))
    for source, _ in wrong:
        n_wrong.update(set(lexis.units(source)))
    rates = {word: n_wrong[word] / n_all[word] for word in lexis.links if n_wrong[word] >= 3}
    overall = len(wrong) / min(500, len(pairs))
    best = max(rates.values(), default=0.0)
    return {word for word, rate in rates.items() if rate >= max(0.7 * best, 2 * overall)}


def errors(book: RuleBook, pairs: Sequence[Pair]) -> list[Pair]:
    parser = RuleParser(book)
    wrong = []
    for source, target in list(dict.fromkeys(pairs))[:500]:
        derivation = parser.parse(source)
        if derivation is None or derivation.tokens != target:
            wrong.append((source, target))
    return wrong


def _lexica(pairs: Sequence[Pair]) -> Iterator[tuple[Lexis, Sequence[Pair]]]:
    counts = count_cooccurrence(pairs)
    for tolerance in TOLERANCES:
        yield find_lexis(pairs, find_links(pairs, counts, tolerance)), pairs


def _learn(counts: Sequence[TemplateCount], lexis: Lexis) -> DraftGrammar:
    grammar = DraftGrammar()
    shape = Shape(counts, lexis)
    total: Counter[tuple[str, ...]] = Counter()
    for count in counts:
        total[count.template.symbols] += count.n
    frequent = [count for count in counts if count.n >= 0.1 * total[count.template.symbols]]
    clean = [count for count in frequent if count.template.is_clean]
    _extend(grammar, shape, clean)
    plain = [c for c in frequent if c.template.is_plain and not c.template.is_clean and c.n > 1]
    _extend(grammar, shape, plain)
    _extend(grammar, shape, [c for c in frequent if c.template.is_whole and not c.template.is_plain])
    return grammar


def _extend(grammar: DraftGrammar, shape: Shape, counts: Sequence[TemplateCount]) -> None:
    for count in counts:
        forest = Forest(grammar, count.template)
        whole = forest.whole()
        if whole is not None:
            grammar.widen(grammar.sentence, 0, whole.kind)
            continue
        extension = Extender(grammar, forest, shape).smallest()
        if extension is not None:
            extension.apply()


def _book(grammar: DraftGrammar, census: Census, lexis: Lexis, is_open_ended: bool) -> RuleBook:
    names = {rule.name: f"R{number}" for number, rule in enumerate(sorted(grammar.rules.values(), key=lambda rule: -census.uses[rule.name]), 1)}
    kinds = {**{kind: kind for kind in lexis.classes.values()}, **names}
    rules = tuple(
        Rule(
            names[rule.name],
            rule.source,
            tuple(lexis.coder.token(s) if isinstance(s, str) else s for s in rule.target),
            tuple({kinds[kind]: n for kind, n in fillers.most_common()} for fillers in rule.fillers),
            census.uses[rule.name],
            example=census.examples[rule.name],
        )
        for rule in sorted(grammar.rules.values(), key=lambda rule: -census.uses[rule.name])
    )
    words = tuple(
        Word(tuple(term.split(" ")), tokens, lexis.classes[term], habits={
            f"{names[hole.split('#')[0]]}#{hole.split('#')[1]}": n for hole, n in census.habits[term].items() if not hole.startswith(SENTENCE)})
        for term, tokens in lexis.links.items()
    )
    words += tuple(Word((word,), (), SILENT) for word in sorted(lexis.silent))
    words += tuple(Word((word,), (to,), SAME) for word, to in sorted(lexis.same.items()))
    return RuleBook(rules, words, {kinds[k]: n for k, n in grammar.sentence.fillers[0].most_common()}, is_open_ended, measured=Measured(census.n_pairs, census.share_derived))
