"""Looks for the words and rules that describe the pairs in the shortest way.

A hypothesis says which words are linked. Rules are learned for it, and then the trusted training sentences are parsed
with these rules. The description length is the size of the rules plus the size of all pairs that come out wrong.
While there are errors, two things are tried: rules are split (`splitting.py`), and linked words on which most errors
depend become words of rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace

from fewlex.rules.book import RuleBook
from fewlex.rules.brackets import common_edges, open_ended
from fewlex.rules.learning.binding import make_book
from fewlex.rules.learning.completing import complete
from fewlex.rules.learning.counting import Census, Effort, prune, without_rivals
from fewlex.rules.learning.draft import DraftGrammar, rule_size
from fewlex.rules.learning.factoring import add_common_parts
from fewlex.rules.learning.growing import grow_grammar
from fewlex.rules.learning.noise import Trust, trusted
from fewlex.rules.learning.redundancy import drop_redundant
from fewlex.rules.learning.series import price_of_longer_lists
from fewlex.rules.learning.shape import Shape
from fewlex.rules.learning.splitting import split_rules
from fewlex.rules.parsing.parser import RuleParser
from fewlex.rules.words.function_words import MAX_OPERATORS
from fewlex.rules.words.lexis import thinned, unlinked
from fewlex.rules.words.links import Pair
from fewlex.rules.words.templates import Lexis, count_templates

N_CHECKED = 500
"""So many training sentences are parsed to check a hypothesis."""

FEW = 0.005
"""A share of errors that is not worth another hypothesis."""

MAX_SPLITS, MAX_UNLINKED = 3, 3
"""How often rules are split and words are unlinked, at most."""

MAX_COMPLETED = 2
"""How often rare words are looked at again with the rules that were learned."""

SUPPOSED_NOISE = 0.02
"""Where rules leave so much of the data unexplained, it is tried whether that much of the data is wrong."""

PAIRS_OF_A_RULE = 25
"""Where a rule has fewer pairs than this on average, it is tried whether lists are parts. Arguments that may be left
out make a rule for each way to leave some out; if lists are parts, one rule for each argument will do."""

MAX_TRIES = 4
"""So many classes of words are unlinked by way of trial, each of at most MAX_OPERATORS words."""

MIN_BLAME = 3
"""A word is not to blame for fewer errors."""


@dataclass(frozen=True)
class Assumptions:
    """What is supposed about targets as a whole."""

    lists_are_parts: bool = False
    """Parts of targets may hold separators."""
    edges: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """What all targets begin and end with, if one rule around the whole sentence says it, as `=` before formulas."""


@dataclass(frozen=True)
class Hypothesis:
    """Words, the rules that were learned with them, and what these get wrong."""

    lexis: Lexis
    grammar: DraftGrammar
    census: Census
    trust: Trust
    book: RuleBook
    checked: tuple[Pair, ...]
    wrong: tuple[Pair, ...]
    assumptions: Assumptions
    doubted: tuple[int, int]
    """How many of the checked pairs, and of the wrong ones, are of doubtful templates."""

    @property
    def error_rate(self) -> float:
        """The share of the pairs that come out wrong, apart from as many doubtful ones as are wrong in themselves."""
        n_trusted, n_doubtful = self._n_wrong
        forgiven = self.trust.noise * self.trust.n_pairs
        n_all = sum(count.n for count in (*self.trust.templates, *self.trust.doubtful))
        return (n_trusted + max(0.0, n_doubtful - forgiven)) / max(1, n_all)

    @property
    def _n_wrong(self) -> tuple[float, float]:
        """About how many pairs of trusted and of doubtful templates come out wrong."""
        checked, wrong = self.doubted
        rate = (len(self.wrong) - wrong) / max(1, len(self.checked) - checked)
        return rate * sum(count.n for count in self.trust.templates), len(self.trust.doubtful) * wrong / max(
            1, checked
        )

    @property
    def cost(self) -> float:
        """The description length: a pair that comes out wrong has to be written down, whoever is wrong.

        It has the rules that longer lists are going to need.
        """
        mean_size = sum(len(s) + len(t) for s, t in self.checked) / max(1, len(self.checked))
        n_wrong = max(sum(self._n_wrong), self.census.n_pairs - self.census.n_derived)
        rules = sum(rule_size(rule.source, rule.target) for rule in self.book.rules)
        return rules + price_of_longer_lists(self.book.rules) + n_wrong * mean_size


PLAIN = Assumptions()


@dataclass
class Search:
    """Tries hypotheses about one list of pairs, whose targets have all their brackets."""

    pairs: Sequence[Pair]
    is_open_ended: bool
    effort: Effort = field(default_factory=Effort)
    n_set_aside: int = 0
    """The number of pairs that are not on the list because they contradict the links."""
    found: list[Hypothesis] = field(default_factory=list)

    @property
    def best(self) -> Hypothesis:
        return min(self.found, key=lambda hypothesis: hypothesis.cost)

    def explore(self, lexis: Lexis) -> None:
        """Try a lexis, and what follows from its errors."""
        latest = self._completed(self.attempt(lexis))
        if self.effort.is_spent:
            return
        if latest.error_rate > FEW or latest.census.share_derived < 1 - SUPPOSED_NOISE:
            doubting = self.attempt(lexis, least_noise=SUPPOSED_NOISE)
            if doubting.cost < latest.cost and doubting.census.share_derived > 1 - 3 * SUPPOSED_NOISE:
                latest = self._completed(doubting)
        edges = common_edges([target for _, target in self.pairs])
        if any(edges):
            framed = self.attempt(latest.lexis, replace(latest.assumptions, edges=edges))
            if framed.cost < latest.cost:
                latest = self._completed(framed)
        if len(latest.book.rules) * PAIRS_OF_A_RULE > len(self.pairs):
            listing = self.attempt(latest.lexis, replace(latest.assumptions, lists_are_parts=True))
            if listing.cost < latest.cost:
                latest = self._completed(listing)
        for _ in range(MAX_UNLINKED):
            if latest.error_rate <= FEW or self.effort.is_spent:
                return
            before = self.best.cost
            pairs = thinned(self.pairs)
            tries = [
                self.attempt(unlinked(pairs, latest.lexis, words), latest.assumptions, max_splits=0)
                for words in (_blamed(latest), *_small_classes(latest))
                if words
            ]
            if not tries:
                return
            best = min(tries, key=lambda tried: tried.cost)
            latest = self._completed(self.attempt(best.lexis, best.assumptions))
            if self.best.cost >= before:
                return

    def _completed(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis with what its rules say about rare words, if it is better for that."""
        for _ in range(MAX_COMPLETED):
            lexis = complete(hypothesis.lexis, hypothesis.book, self.pairs)
            if lexis is None or self.effort.is_spent:
                break
            tries = [self._recounted(hypothesis, lexis)]
            if tries[0].error_rate > FEW:
                tries.append(self.attempt(lexis, hypothesis.assumptions))
            completed = min(tries, key=lambda tried: tried.cost)
            if completed.cost >= hypothesis.cost:
                break
            hypothesis = completed
        return hypothesis

    def _recounted(self, hypothesis: Hypothesis, lexis: Lexis) -> Hypothesis:
        """The same rules with more words; rules that only one of these words needed are dropped."""
        counts = count_templates(lexis.read(self.pairs), lexis)
        trust = trusted(counts, n_set_aside=self.n_set_aside)
        grammar = deepcopy(hypothesis.grammar)
        census = prune(grammar, counts, trust.support)
        return self._consider(lexis, grammar, census, trust, hypothesis.assumptions)

    def attempt(
        self,
        lexis: Lexis,
        assumptions: Assumptions = PLAIN,
        max_splits: int = MAX_SPLITS,
        least_noise: float = 0.0,
    ) -> Hypothesis:
        """Learn rules with these words, and split rules while there are errors."""
        counts = count_templates(lexis.read(self.pairs), lexis)
        trust = trusted(counts, least_noise, self.n_set_aside)
        shape = Shape(counts, lexis, assumptions.lists_are_parts)
        before, after = ("".join(map(lexis.coder.character, edge)) for edge in assumptions.edges)
        grammar = grow_grammar(trust, shape, (before, after))
        census = prune(grammar, counts, trust.support)
        grammar, census = without_rivals(grammar, counts, census, trust.support)
        best = latest = self._consider(lexis, grammar, census, trust, assumptions)
        for simplify in (drop_redundant, add_common_parts, add_common_parts):
            shorter = deepcopy(grammar)
            if simplify(shorter, shape):
                drop_redundant(shorter, shape)
                recount = prune(shorter, counts, trust.support)
                simpler = self._consider(lexis, shorter, recount, trust, assumptions)
                if simpler.cost <= latest.cost:
                    grammar, best, latest = shorter, simpler, simpler
        for _ in range(max_splits):
            grammar = deepcopy(grammar)
            if self.effort.is_spent or latest.error_rate <= FEW or not split_rules(grammar, latest.census):
                break
            census = prune(grammar, counts, trust.support)
            latest = self._consider(lexis, grammar, census, trust, assumptions)
            best = min(best, latest, key=lambda tried: tried.cost)
        return best

    def _consider(
        self, lexis: Lexis, grammar: DraftGrammar, census: Census, trust: Trust, assumptions: Assumptions
    ) -> Hypothesis:
        self.effort.spent += census.work
        book = make_book(grammar, census, lexis, self.is_open_ended)
        checked = self._to_check(lexis, trust)
        parser = RuleParser(book)
        wrong = tuple(pair for pair in checked if not _is_right(parser, *pair))
        doubted = sum(checked.values()), sum(checked[pair] for pair in wrong)
        hypothesis = Hypothesis(
            lexis, grammar, census, trust, book, tuple(checked), wrong, assumptions, doubted
        )
        self.found.append(hypothesis)
        return hypothesis

    def _to_check(self, lexis: Lexis, trust: Trust) -> dict[Pair, bool]:
        """Up to three sentences of each template that is not thought wrong, and whether the template is doubtful."""
        is_doubtful = {
            (count.template.source, count.template.kinds, count.template.target): doubt
            for doubt, counts in ((False, trust.templates), (True, trust.doubtful))
            for count in counts
        }
        chosen: dict[Pair, bool] = {}
        per_template: Counter[object] = Counter()
        step = max(1, len(self.pairs) // (4 * N_CHECKED))
        for source, target in self.pairs[::step]:
            (reading,) = lexis.read([(source, target)])
            kinds = tuple(lexis.classes.get(unit, "") for unit in reading.units)
            key = (reading.source, kinds, reading.target)
            if key in is_doubtful and per_template[key] < 3:
                per_template[key] += 1
                pair = source, open_ended(target) if self.is_open_ended else target
                chosen[pair] = is_doubtful[key]
            if len(chosen) == N_CHECKED:
                break
        return chosen


def _is_right(parser: RuleParser, source: tuple[str, ...], target: tuple[str, ...]) -> bool:
    derivation = parser.parse(source)
    return derivation is not None and derivation.tokens == target


def _blamed(hypothesis: Hypothesis) -> set[str]:
    """Linked words that occur in errors much more often than others do."""
    units = hypothesis.lexis.units
    n_all = Counter(word for source, _ in hypothesis.checked for word in set(units(source)))
    n_wrong = Counter(word for source, _ in hypothesis.wrong for word in set(units(source)))
    rates = {
        word: n_wrong[word] / n_all[word] for word in hypothesis.lexis.links if n_wrong[word] >= MIN_BLAME
    }
    highest = max(rates.values(), default=0.0)
    return {word for word, rate in rates.items() if rate >= max(0.7 * highest, 2 * hypothesis.error_rate)}


def _small_classes(hypothesis: Hypothesis) -> list[set[str]]:
    """The words of small classes in errors: perhaps `plus` and `times` look alike and bind differently."""
    units = hypothesis.lexis.units
    in_errors = {word for source, _ in hypothesis.wrong for word in units(source)}
    members: dict[str, set[str]] = {}
    for word, kind in hypothesis.lexis.classes.items():
        members.setdefault(kind, set()).add(word)
    found = [words for words in members.values() if len(words) <= MAX_OPERATORS and words & in_errors]
    return sorted(found, key=lambda words: -len(words & in_errors))[:MAX_TRIES]
