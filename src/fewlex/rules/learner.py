"""Learns a rule book from pairs: links and classes, templates from short to long, the smallest extension for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fewlex.data.example import Example
from fewlex.rules.book import Measured, RuleBook, Word
from fewlex.rules.brackets import closed
from fewlex.rules.classes import find_classes
from fewlex.rules.counting import Census, prune
from fewlex.rules.draft import SENTENCE, DraftGrammar, rule_size
from fewlex.rules.extension import Extender
from fewlex.rules.forest import Forest
from fewlex.rules.links import Pair, count_cooccurrence, find_links
from fewlex.rules.rule import Rule
from fewlex.rules.shape import Shape
from fewlex.rules.templates import Lexis, TemplateCount, count_templates

TOLERANCES = (0.02, 0.06, 0.12, 0.25)


def learn_rules(examples: Iterable[Example]) -> RuleBook:
    pairs = [(tuple(example.source), tuple(example.target)) for example in examples]
    balanced = [(source, closed(target)) for source, target in pairs]
    found = []
    for lexis, good in _lexica(balanced):
        counts = count_templates(good, lexis)
        grammar = _learn(counts, lexis)
        census = prune(grammar, counts, support=2)
        derived = census.n_derived / len(pairs)
        cost = sum(rule_size(rule.source, rule.target) for rule in grammar.rules.values())
        cost += (1 - derived) * sum(len(source) + len(target) for source, target in pairs)
        found.append((cost, len(found), grammar, census, lexis))
        if derived > 0.99:
            break
    _, _, grammar, census, lexis = min(found)
    return _book(grammar, census, lexis, any(len(a[1]) != len(b[1]) for a, b in zip(pairs, balanced)))


def _lexica(pairs: Sequence[Pair]) -> Iterator[tuple[Lexis, Sequence[Pair]]]:
    counts = count_cooccurrence(pairs)
    for tolerance in TOLERANCES:
        links = find_links(pairs, counts, tolerance)
        as_tokens = {word: (token,) for word, token in links.items()}
        yield Lexis(as_tokens, find_classes(pairs, as_tokens)), pairs


def _learn(counts: Sequence[TemplateCount], lexis: Lexis) -> DraftGrammar:
    grammar = DraftGrammar()
    shape = Shape(counts, lexis)
    total: Counter[tuple[str, ...]] = Counter()
    for count in counts:
        total[count.template.symbols] += count.n
    frequent = [count for count in counts if count.n >= 0.1 * total[count.template.symbols]]
    clean = [count for count in frequent if count.template.is_clean]
    repeated = [count for count in frequent if count.template.is_plain and not count.template.is_clean and count.n > 1]
    for count in (*clean, *repeated):
        forest = Forest(grammar, count.template)
        whole = forest.whole()
        if whole is not None:
            grammar.widen(grammar.sentence, 0, whole.kind)
            continue
        extension = Extender(grammar, forest, shape).smallest()
        if extension is not None:
            extension.apply()
    return grammar


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
    return RuleBook(rules, words, {kinds[k]: n for k, n in grammar.sentence.fillers[0].most_common()}, is_open_ended, measured=Measured(census.n_pairs, census.share_derived))
