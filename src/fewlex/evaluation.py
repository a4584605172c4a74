"""Measures of outputs: exact match, BLEU, token F1, and sacreBLEU and chrF of text. They know nothing of models."""

from __future__ import annotations

import importlib.util
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from fewlex.bleu import corpus_bleu, token_f1
from fewlex.data.chinese_script import has_opencc, in_simplified
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import ConfigError, DataError

if TYPE_CHECKING:
    from fewlex.mind import Advance
    from fewlex.translator import Translator

Tokens = Sequence[str]

SACREBLEU_TOKENIZERS = {"jieba": "zh", "moses": "13a"}
"""How sacreBLEU splits text, by the tokenizer of the text. Targets with other tokenizers do not count as text."""


@dataclass(frozen=True)
class Scores:
    """The figures of one set of outputs, each between 0 and 1. A figure that cannot be computed is None."""

    examples: int
    exact_match: float
    by_category: Mapping[str, float]
    bleu: float
    """Of tokens; NLTK's number. An output is compared with every target that the scored examples give its source. With
    `references="corpus"`, also with those of all other splits of the corpus."""
    token_f1: float
    by_group: Mapping[str, float] = field(default_factory=dict)
    """Exact match of the groups of categories that the paper reports for the data set."""
    one_shot_examples: int = 0
    one_shot_bleu: float | None = None
    """BLEU of the sentences that have a word which occurs once in training."""
    sacrebleu: float | None = None
    """sacreBLEU of the text that the tokens make up, with one reference."""
    chrf: float | None = None
    """chrF2 of the same text."""
    hits: str = ""
    """One digit for each example, which is 1 if the output is right."""
    one_script_bleu: float | None = None
    """BLEU of Chinese with outputs and references in simplified characters. A source does not say which script is
    wanted, so in the published figure the choice of a script is partly luck (docs/lab/eng_cmn.md)."""
    one_script_one_shot_bleu: float | None = None


References = Literal["examples", "corpus"]
"""What BLEU compares with: the targets that the scored examples give the same source, or those of the whole corpus."""


def score(
    examples: Sequence[Example],
    outputs: Sequence[Tokens],
    corpus: Corpus | None = None,
    references: References = "examples",
) -> Scores:
    """Score outputs against the examples they answer; `corpus` says which groups and which text scores there are.

    BLEU is the same number with and without the corpus, unless `references="corpus"` asks for its references.
    """
    if len(examples) != len(outputs):
        raise ValueError(f"{len(outputs)} outputs for {len(examples)} examples")
    if references == "corpus" and corpus is None:
        raise ConfigError("references of a corpus need the corpus. Give it too.")
    compared = references_of(examples, corpus if references == "corpus" else None)
    hits = is_exact(examples, outputs)
    one_shot = one_shot_examples(examples, corpus)
    sacrebleu, chrf = None, None
    if corpus and sacrebleu_tokenizer(corpus.text_tokenizer) and has_sacrebleu():
        sacrebleu, chrf = text_scores(examples, outputs, corpus.text_tokenizer)
    one_script, one_script_one_shot = _one_script_bleu(compared, outputs, one_shot, corpus)
    return Scores(
        examples=len(examples),
        exact_match=mean(hits),
        by_category=exact_match_by_category(examples, outputs),
        bleu=corpus_bleu(compared, outputs),
        token_f1=mean(token_f1(e.target, output) for e, output in zip(examples, outputs, strict=True)),
        by_group=exact_match_by_group(examples, outputs, _groups(corpus)),
        one_shot_examples=len(one_shot),
        one_shot_bleu=_bleu_of(one_shot, compared, outputs),
        sacrebleu=sacrebleu,
        chrf=chrf,
        hits="".join("01"[hit] for hit in hits),
        one_script_bleu=one_script,
        one_script_one_shot_bleu=one_script_one_shot,
    )


def evaluate(
    translator: Translator,
    examples: Sequence[Example],
    *,
    corpus: Corpus | None = None,
    beam: int | None = None,
    by: str = "both",
    references: References = "examples",
    on_batch: Advance = lambda done: None,
) -> Scores:
    """Scores of a translator's best outputs; see `score` for `corpus` and `references`."""
    outputs = translator.translate_tokens([e.source for e in examples], beam=beam, by=by, on_batch=on_batch)
    return score(examples, [n_best[0].published for n_best in outputs], corpus, references)


def _groups(corpus: Corpus | None) -> Mapping[str, Collection[str]]:
    return corpus.dataset.groups if corpus and corpus.dataset else {}


def is_exact(examples: Sequence[Example], outputs: Sequence[Tokens]) -> list[bool]:
    return [example.target == tuple(output) for example, output in zip(examples, outputs, strict=True)]


def exact_match_by_category(examples: Sequence[Example], outputs: Sequence[Tokens]) -> dict[str, float]:
    """Exact match of each category, in alphabetical order; empty if the examples have no categories."""
    hits: dict[str, list[bool]] = defaultdict(list)
    for example, hit in zip(examples, is_exact(examples, outputs), strict=True):
        if example.category:
            hits[example.category].append(hit)
    return {category: mean(hits[category]) for category in sorted(hits)}


def exact_match_by_group(
    examples: Sequence[Example], outputs: Sequence[Tokens], groups: Mapping[str, Collection[str]]
) -> dict[str, float]:
    """Exact match over all examples of each group of categories. Groups without examples are left out."""
    hits = list(zip(examples, is_exact(examples, outputs), strict=True))
    members = {
        group: [hit for example, hit in hits if example.category in categories]
        for group, categories in groups.items()
    }
    return {group: mean(its_hits) for group, its_hits in members.items() if its_hits}


def exact_match_by_example(
    examples: Sequence[Example], outputs_of_seeds: Sequence[Sequence[Tokens]]
) -> list[tuple[Example, float]]:
    """The share of seeds that got each example right (appendix, table 7)."""
    hits_of_seeds = [is_exact(examples, outputs) for outputs in outputs_of_seeds]
    return [
        (example, mean(hits))
        for example, hits in zip(examples, zip(*hits_of_seeds, strict=True), strict=True)
    ]


def references_of(examples: Sequence[Example], corpus: Corpus | None) -> list[list[Tokens]]:
    """All targets that the corpus pairs with the same source, in any split (NOTES: multi-reference BLEU)."""
    targets: dict[tuple[str, ...], dict[Tokens, None]] = defaultdict(dict)
    for split in (examples, *(corpus.splits.values() if corpus else ())):
        for example in split:
            targets[example.source][example.target] = None
    return [list(targets[example.source]) for example in examples]


def one_shot_examples(examples: Sequence[Example], corpus: Corpus | None) -> list[int]:
    """The numbers of the examples that have a source word which occurs once in training (§5.4)."""
    if corpus is None:
        return []
    counts = Counter(word for example in corpus["train"] for word in example.source)
    return [i for i, example in enumerate(examples) if any(counts[word] == 1 for word in example.source)]


def _bleu_of(
    numbers: Sequence[int], references: Sequence[Sequence[Tokens]], outputs: Sequence[Tokens]
) -> float | None:
    """BLEU of some of the outputs; None if there are none."""
    if not numbers:
        return None
    return corpus_bleu([references[i] for i in numbers], [outputs[i] for i in numbers])


def _one_script_bleu(
    references: Sequence[Sequence[Tokens]],
    outputs: Sequence[Tokens],
    one_shot: Sequence[int],
    corpus: Corpus | None,
) -> tuple[float | None, float | None]:
    """BLEU of all sentences and of the one-shot sentences in simplified characters, if the targets are Chinese."""
    if corpus is None or sacrebleu_tokenizer(corpus.text_tokenizer) != "zh" or not has_opencc():
        return None, None
    plain_references = [[in_simplified(reference) for reference in options] for options in references]
    plain_outputs = [in_simplified(output) for output in outputs]
    return corpus_bleu(plain_references, plain_outputs), _bleu_of(one_shot, plain_references, plain_outputs)


def text_scores(
    examples: Sequence[Example], outputs: Sequence[Tokens], tokenizer: str
) -> tuple[float, float]:
    """sacreBLEU and chrF2 of outputs that `tokenizer` joins to text. The reference is the target of the example."""
    if not has_sacrebleu():
        raise DataError('sacreBLEU and chrF need sacrebleu. Run: pip install "fewlex[text]"')
    metrics = import_module("sacrebleu.metrics")
    join = make_tokenizer(tokenizer).detokenize
    texts = [join(output) for output in outputs]
    references = [[join(example.target) for example in examples]]
    bleu = metrics.BLEU(tokenize=sacrebleu_tokenizer(tokenizer)).corpus_score(texts, references)
    chrf = metrics.CHRF().corpus_score(texts, references)
    return float(bleu.score) / 100, float(chrf.score) / 100


def has_sacrebleu() -> bool:
    return importlib.util.find_spec("sacrebleu") is not None


def sacrebleu_tokenizer(tokenizer: str) -> str | None:
    """How sacreBLEU should split text that one of our tokenizers has split; None if the tokens are not text."""
    return SACREBLEU_TOKENIZERS.get(tokenizer.partition(":")[0])


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return sum(values) / len(values) if values else 0.0
