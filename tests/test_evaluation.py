"""Scores with hand-computed numbers, and BLEU beside NLTK's."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fewlex import evaluation
from fewlex.bleu import corpus_bleu, token_f1
from fewlex.data import DATASETS
from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.errors import DataError
from fewlex.evaluation import exact_match_by_example, references_of, score, text_scores

EXAMPLES = (
    Example(("a",), ("A", "B"), "easy"),
    Example(("b",), ("B",), "easy"),
    Example(("c",), ("C", "C"), "hard"),
)


def test_scores_by_hand() -> None:
    scores = score(EXAMPLES, [("A", "B"), ("A",), ("C",)])
    assert scores.examples == 3
    assert scores.exact_match == pytest.approx(1 / 3)
    assert scores.by_category == {"easy": 0.5, "hard": 0.0}
    assert scores.token_f1 == pytest.approx((1 + 0 + 2 / 3) / 3)
    assert scores.hits == "100"


def test_accuracy_of_each_example_over_seeds() -> None:
    seeds = [[("A", "B"), ("B",), ("C",)], [("A", "B"), ("A",), ("C",)]]
    assert [share for _, share in exact_match_by_example(EXAMPLES, seeds)] == [1.0, 0.5, 0.0]


def test_outputs_must_match_examples() -> None:
    with pytest.raises(ValueError, match="1 outputs for 3 examples"):
        score(EXAMPLES, [("A",)])


def test_all_splits_give_references() -> None:
    corpus = Corpus("test", {"train": (Example(("a",), ("X",)),), "test": EXAMPLES})
    assert references_of(EXAMPLES[:1], corpus) == [[("A", "B"), ("X",)]]


def test_the_paper_groups_of_cogs() -> None:
    """Two categories of `recursion` with one and two examples, one category that is in no group."""
    categories = ["cp_recursion", "pp_recursion", "pp_recursion", "subj_to_obj_proper", "active_to_passive"]
    examples = tuple(Example(("a",), ("A",), category) for category in categories)
    corpus = Corpus("cogs", {"train": examples}, dataset=DATASETS["cogs"])
    scores = score(examples, [("A",), ("B",), ("B",), ("A",), ("A",)], corpus)
    assert scores.by_group == {"active → passive": 1.0, "recursion": pytest.approx(1 / 3)}
    assert score(examples, [("A",)] * 5).by_group == {}, "without a corpus nobody knows the groups"
    assert len(DATASETS["cogs"].groups) == 9
    assert sum(map(len, DATASETS["cogs"].groups.values())) == 15


def test_one_shot_bleu_is_that_of_sentences_with_a_word_seen_once() -> None:
    """*often* occurs twice, *once* once, *new* never."""
    train = (Example(("often", "often", "once"), ("X",)),)
    test = (
        Example(("often",), ("A", "B", "C", "D")),
        Example(("once", "often"), ("A", "B", "C", "D", "E")),
        Example(("new",), ("A", "B", "C", "D")),
    )
    corpus = Corpus("own", {"train": train, "test": test})
    scores = score(test, [("A", "B", "C", "D"), ("A", "B", "C", "D", "F"), ("Z",)], corpus)
    assert scores.one_shot_examples == 1
    assert scores.one_shot_bleu == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert score(test, [("A",)] * 3).one_shot_bleu is None


def test_text_scores_are_those_of_sacrebleu() -> None:
    """Chinese without blanks, Latin words with: what jieba has split is put together again."""
    import sacrebleu

    references = [("我", "喜欢", "Tom", "Jones", "."), ("没有", "其他人", "伸出", "援手", ".")]
    outputs = [("我", "不", "喜欢", "Tom", "Jones", "."), ("没有", "人", "伸出", "援手", ".")]
    examples = tuple(Example(("x",), reference) for reference in references)
    texts, wanted = ["我不喜欢Tom Jones.", "没有人伸出援手."], ["我喜欢Tom Jones.", "没有其他人伸出援手."]
    scores = score(examples, outputs, Corpus("eng-cmn", {"train": examples}, target_tokenizer="jieba"))
    assert scores.sacrebleu == pytest.approx(
        sacrebleu.corpus_bleu(texts, [wanted], tokenize="zh").score / 100
    )
    assert scores.chrf == pytest.approx(sacrebleu.corpus_chrf(texts, [wanted]).score / 100)
    assert scores.sacrebleu is not None
    assert 0 < scores.sacrebleu < 1


def test_formal_targets_have_no_text_scores() -> None:
    scores = score(EXAMPLES, [e.target for e in EXAMPLES], Corpus("own", {"train": EXAMPLES}))
    assert (scores.sacrebleu, scores.chrf) == (None, None)


def test_without_sacrebleu_the_other_figures_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluation, "has_sacrebleu", lambda: False)
    corpus = Corpus("own", {"train": EXAMPLES}, target_tokenizer="moses:de")
    scores = score(EXAMPLES, [e.target for e in EXAMPLES], corpus)
    assert (scores.exact_match, scores.sacrebleu, scores.chrf) == (1.0, None, None)
    with pytest.raises(DataError, match=r'pip install "fewlex\[text\]"'):
        text_scores(EXAMPLES, [("A",)] * 3, "moses")


def test_empty_outputs() -> None:
    assert token_f1((), ()) == 1.0
    assert corpus_bleu([[("A",)]], [()]) == 0.0


sentences = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(st.lists(st.tuples(st.lists(sentences, min_size=1, max_size=3), sentences), min_size=1, max_size=8))
def test_bleu_is_that_of_nltk(pairs: list[tuple[list[list[str]], list[str]]]) -> None:
    from nltk.translate.bleu_score import corpus_bleu as nltk_bleu

    references, outputs = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns where an order has no match; both then give (nearly) 0
        expected = nltk_bleu(references, outputs)
    assert corpus_bleu(references, outputs) == pytest.approx(expected, abs=1e-12)


def test_in_one_script_the_choice_of_characters_does_not_count() -> None:
    target = ("我", "很", "喜歡", "這裡", ".")
    test = (Example(("i", "like", "it"), target), Example(("once",), target))
    train = (Example(("i", "like", "it", "once"), ("他",)), Example(("i", "like", "it"), ("他",)))
    corpus = Corpus("own", {"train": train, "test": test}, target_tokenizer="jieba")
    output = ("我", "很", "喜欢", "这里", ".")
    scores = score(test, [output, output], corpus)
    assert scores.bleu == 0
    assert scores.one_script_bleu == scores.one_script_one_shot_bleu == pytest.approx(1.0)
    assert score(test, [output, output]).one_script_bleu is None
    assert score(test, [output, output], Corpus("own", {"train": train})).one_script_bleu is None
