"""Experiments with words that training never sees and that are taught afterwards.

They are English–Chinese terms, or nouns and verbs of COGS. The words are drawn by seed from the training split, and
every sentence with one of them is removed from training and validation. Then the network is measured three times on the
test sentences that contain them: before teaching, after teaching (where the mixture decides), and with the terms
required.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.evaluation import mean, score
from fewlex.lexicon import GLOSSARY, Entry, Lexicon, best_translations, learn_lexicon

if TYPE_CHECKING:
    from fewlex.translator import Translator


class Taught(NamedTuple):
    """The translation of a held-out word, and a known word that behaves alike ('' if none is named)."""

    target: str
    like: str = ""


Words = Mapping[str, Taught]
"""The held-out source words, and what is taught about each of them."""


def translation_words(corpus: Corpus, seed: int, number: int = 200) -> Words:
    """Draw words that occur in 5 to 20 training sentences, of which at least 60 % have the word's best translation.

    The best translation is the one with the highest Dice coefficient.
    """
    from fewlex.lexicon.counts import Counts

    counts = Counts.from_examples(corpus["train"])
    seen = counts.source_count_of_pair
    dice = 2 * counts.cooccurrence / (seen + counts.target_count_of_pair)
    best: dict[str, int] = {}
    for k in ((seen >= 5) & (seen <= 20)).nonzero()[0].tolist():
        source = counts.source_words[counts.pair_source[k]]
        best[source] = max(best.get(source, k), k, key=lambda pair: (dice[pair], -pair))
    fit = sorted(source for source, k in best.items() if counts.cooccurrence[k] >= 0.6 * seen[k])
    drawn = random.Random(seed).sample(fit, number)
    return {source: Taught(counts.target_words[counts.pair_target[best[source]]]) for source in drawn}


def cogs_words(corpus: Corpus, seed: int, number: int = 20) -> Words:
    """Draw all forms of 20 nouns and 20 verbs that occur in 10 to 300 training sentences and in the test split.

    In a logical form a role follows a verb (`eat . agent`), and a bracket follows a noun (`cake (`). Each word is
    taught as one that behaves like the most frequent noun or verb that was not held out.
    """
    translations = best_translations(learn_lexicon(corpus["train"]), ())
    forms: dict[str, list[str]] = {}
    for source, target in translations.items():
        forms.setdefault(target, []).append(source)
    triples = {t for e in corpus["train"] for t in zip(e.target, e.target[1:], e.target[2:], strict=False)}
    tested = {word for e in corpus["test"] for word in e.source}
    sentences: dict[str, int] = {}
    for example in corpus["train"]:
        for lemma in {translations[word] for word in example.source if word in translations}:
            sentences[lemma] = sentences.get(lemma, 0) + 1
    fit = [w for w in sorted(forms) if 10 <= sentences.get(w, 0) <= 300 and tested.intersection(forms[w])]
    is_verb = {word for word, dot, role in triples if dot == "." and role != "nmod"}
    is_noun = {word for word, bracket, variable in triples if (bracket, variable) == ("(", "x")} - is_verb
    rng = random.Random(seed)
    taught: dict[str, Taught] = {}
    for kind in (is_verb, is_noun):
        drawn = rng.sample([w for w in fit if w in kind], number)
        known = max((w for w in sentences if w in kind and w not in drawn), key=lambda w: sentences[w])
        taught |= {form: Taught(lemma, like=forms[known][0]) for lemma in drawn for form in forms[lemma]}
    return taught


LEARNED_FROM = ("train", "validation")
DRAWS: dict[str, Callable[[Corpus, int], Words]] = {"cogs": cogs_words, "translation": translation_words}


@dataclass(frozen=True)
class WithoutDrawnWords:
    """Train without words that are drawn by seed, and test on the sentences that contain them."""

    draw: str
    """A key of `DRAWS`."""

    def words(self, corpus: Corpus, seed: int) -> Words:
        return DRAWS[self.draw](corpus, seed)

    def __call__(self, corpus: Corpus, seed: int) -> Corpus:
        return held_out(corpus, self.words(corpus, seed))


def held_out(corpus: Corpus, words: Words) -> Corpus:
    """The corpus without the words in training and validation."""
    splits = {
        name: tuple(e for e in examples if name not in LEARNED_FROM or not words.keys() & set(e.source))
        for name, examples in corpus.splits.items()
    }
    return Corpus(f"{corpus.name} without {len(words)} words", splits)


def measure(translator: Translator, corpus: Corpus, words: Words) -> dict[str, Any]:
    """Measure test sentences that have a held-out word and its translation, and those that have no held-out word."""
    glossary = Lexicon(
        (source, taught.target, Entry(1.0, GLOSSARY, like=taught.like)) for source, taught in words.items()
    )
    concerned = [e for e in corpus["test"] if _terms_of(e, words)]
    others = [e for e in corpus["test"] if not words.keys() & set(e.source)]
    contenders = {
        "untaught": translator,
        "taught": translator.with_glossary(glossary),
        "required": translator.with_glossary(glossary, required=True),
    }
    figures: dict[str, Any] = {"sentences": len(concerned), "other_sentences": len(others)}
    for name, contender in contenders.items():
        outputs = _outputs(contender, concerned)
        scores = score(concerned, outputs, corpus, "corpus")
        rest = score(others, _outputs(contender, others), corpus, "corpus")
        figures[name] = {
            "term_share": mean(
                set(_terms_of(e, words)) <= set(output) for e, output in zip(concerned, outputs, strict=True)
            ),
            "exact_match": scores.exact_match,
            "bleu": scores.bleu,
            "other_bleu": rest.bleu,
            "other_exact_match": rest.exact_match,
        }
    return figures


def _terms_of(example: Example, words: Words) -> list[str]:
    """The translations of those held-out words of the source that the reference contains."""
    targets = [words[word].target for word in example.source if word in words]
    return [target for target in targets if target in example.target]


def _outputs(translator: Translator, examples: Sequence[Example]) -> list[tuple[str, ...]]:
    return [n_best[0].published for n_best in translator.translate_tokens([e.source for e in examples])]
