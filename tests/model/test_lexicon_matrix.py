"""L in sparse form against L written out."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fewlex.data.example import Example
from fewlex.data.vocabulary import BOS, EOS, UNK, Vocabulary
from fewlex.lexicon import Lexicon, finish, learn_lexicon
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
    entries, written = matrix.sentence_entries(source, len(TARGET)), torch.rand(2, len(TARGET))
    with torch.no_grad():
        added = matrix.add_translations(written.clone(), attention, source, entries) - written
        column = torch.tensor([TARGET.id("A"), TARGET.id("e")])
        chosen = matrix.translation_of(column, attention, source, entries)
    translated = torch.einsum("bs,bsw->bw", attention, expected[source])
    torch.testing.assert_close(added, translated, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(chosen, translated[torch.arange(2), column])


def test_with_an_end_mark_the_end_of_a_source_means_the_end_of_the_target() -> None:
    """And nothing else: no word translates to it, and it is no row of the lexicon that training leaves."""
    lexicon = Lexicon()
    lexicon.set("a", "A", 1, origin="test")
    finished = finish(lexicon, SOURCE.words, TARGET.words, mutual_exclusivity=False)
    source, everything = torch.tensor([[BOS, SOURCE.id("a"), EOS]]), torch.arange(len(TARGET))[None]
    plain = LexiconMatrix(finished, SOURCE, TARGET).lookup(source, everything)[0]
    marked = LexiconMatrix(finished, SOURCE, TARGET, end_mark=True)
    looked_up = marked.lookup(source, everything)[0]
    assert plain[UNK, 2] == 1
    assert plain[EOS, 2] == 0
    assert looked_up[EOS].tolist() == [0, 0, 1]
    assert looked_up[:, 2].sum() == 1
    torch.testing.assert_close(looked_up[:, :2], plain[:, :2])
    assert [row[:2] for row in marked.learned_rows(SOURCE, TARGET)] == [("a", "A"), ("e", "e")]
    attention = torch.tensor([[0.25, 0.25, 0.5]])
    with torch.no_grad():
        entries = marked.sentence_entries(source, len(TARGET))
        assert marked.add_translations(torch.zeros(1, len(TARGET)), attention, source, entries)[0, EOS] == 0.5


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


def test_a_row_with_one_entry_moves_only_to_its_candidates() -> None:
    examples = [Example(("a", "b"), ("A", "B")), Example(("a",), ("A",)), Example(("b",), ("B",))]
    source, target = torch.tensor([[SOURCE.id("a")]]), torch.tensor([[TARGET.id("B")]])
    for candidates in (False, True):
        lexicon = learn_lexicon(examples, "simple", candidates=candidates)
        finished = finish(lexicon, SOURCE.words, TARGET.words, 0.5)
        matrix = LexiconMatrix(finished, SOURCE, TARGET, trained=True)
        before = matrix.lookup(source, target)
        assert bool(before > 0) is candidates
        if candidates:
            (-before.log().sum()).backward()
            torch.optim.SGD(matrix.parameters(), lr=5.0).step()
            assert matrix.lookup(source, target).item() > 0.5


def test_an_empty_lexicon_over_disjoint_words_is_all_background() -> None:
    finished = finish(Lexicon(), ("a",), ("A", "B"), 0.0)
    matrix = LexiconMatrix(finished, Vocabulary("a"), Vocabulary("AB"))
    found = matrix.lookup(torch.tensor([[4]]), torch.tensor([[4, 5]]))
    assert found.flatten().tolist() == [0.5, 0.5]
