"""L in sparse form against L written out."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.vocabulary import UNK, Vocabulary
from fewlex.lexicon import Lexicon, finish
from fewlex.model.lexicon_matrix import LexiconMatrix

SOURCE, TARGET = Vocabulary("abcde"), Vocabulary("ABCDEFe")


@st.composite
def lexicons(draw: st.DrawFn) -> Lexicon:
    pairs = draw(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("ABCDEF"), st.integers(1, 9))))
    lexicon = Lexicon()
    for source, target, weight in pairs:
        lexicon.set(source, target, weight, origin="test")
    return lexicon


def dense(lexicon: Lexicon, temperature: float) -> torch.Tensor:
    finished = finish(lexicon, SOURCE.words, TARGET.words, temperature)
    matrix = torch.zeros(len(SOURCE), len(TARGET))
    matrix[:4, UNK] = 1.0  # boundaries translate to nothing
    for word in SOURCE.words:
        for target, prob in (finished.probs(word) or {"<unk>": 1.0}).items():
            matrix[SOURCE.id(word), TARGET.id(target)] = prob
    return matrix


@pytest.mark.parametrize("trained", [False, True])
@given(lexicon=lexicons())
def test_lookup_and_translate_equal_the_dense_matrix(lexicon: Lexicon, trained: bool) -> None:
    expected = dense(lexicon, 2.0)
    matrix = LexiconMatrix(finish(lexicon, SOURCE.words, TARGET.words, 2.0), SOURCE, TARGET, trained=trained)
    if matrix.background_probs[UNK] == 0:
        expected[:4] = matrix.background_probs
    source = torch.tensor([[1, *SOURCE.encode("aab"), 2], [1, *SOURCE.encode("cde"), 2]])
    target = torch.tensor([TARGET.encode("ABCe"), TARGET.encode("DEFA")])
    looked_up = matrix.lookup(source, target)
    torch.testing.assert_close(looked_up, expected[source[:, None, :], target[:, :, None]])

    attention = torch.rand(2, 5).softmax(-1)
    translated = matrix.translate(attention, source, matrix.sentence_entries(source, len(TARGET)))
    torch.testing.assert_close(translated, torch.einsum("bs,bsw->bw", attention, expected[source]))


def test_a_trained_row_stays_a_distribution() -> None:
    lexicon = Lexicon()
    lexicon.set("a", "A", 3, origin="test")
    lexicon.set("a", "B", 1, origin="test")
    lexicon.set("b", "C", 1, origin="test")
    matrix = LexiconMatrix(finish(lexicon, SOURCE.words, TARGET.words, 1.0), SOURCE, TARGET, trained=True)
    optimizer = torch.optim.SGD(matrix.parameters(), lr=5.0)
    source, target = torch.tensor([[SOURCE.id("a")]]), torch.tensor([[TARGET.id("B")]])
    before = matrix.lookup(source, target).item()
    for _ in range(5):
        optimizer.zero_grad()
        (-matrix.lookup(source, target).log().sum()).backward()
        optimizer.step()
    assert matrix.lookup(source, target).item() > before
    everything = torch.arange(len(TARGET))[None]
    assert matrix.lookup(source, everything).sum().item() == pytest.approx(1.0)


def test_an_empty_lexicon_over_disjoint_words_is_all_background() -> None:
    finished = finish(Lexicon(), ("a",), ("A", "B"), 0.0)
    matrix = LexiconMatrix(finished, Vocabulary("a"), Vocabulary("AB"))
    found = matrix.lookup(torch.tensor([[4]]), torch.tensor([[4, 5]]))
    assert found.flatten().tolist() == [0.5, 0.5]
