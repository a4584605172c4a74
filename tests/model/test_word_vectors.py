"""A word's vector is its own and the sum of its letter groups."""

from __future__ import annotations

import torch

from fewlex.data.letter_groups import spelling_of
from fewlex.model.word_vectors import WordVectors


def vectors() -> WordVectors:
    torch.manual_seed(0)
    return WordVectors(5, 4, spelling_of(["", "walk", "walks", "go"]))


def test_a_vector_is_the_sum_of_a_word_and_its_groups() -> None:
    made = vectors()
    assert made.groups is not None
    groups = made.spelled[1][made.spelled[1] > 0]
    expected = made.weight[1] + made.groups.weight[groups].sum(0) / len(groups) ** 0.5
    torch.testing.assert_close(made(torch.tensor([1]))[0], expected)


def test_words_without_groups_and_anonymous_words_are_themselves() -> None:
    made = vectors()
    for word in (3, 4):
        torch.testing.assert_close(made(torch.tensor([word]))[0], made.weight[word])


def test_reading_at_once_and_from_the_table_is_the_same() -> None:
    made = vectors()
    ids = torch.tensor([[1, 2, 1], [3, 0, 4]])
    trained = made(ids)
    with torch.no_grad():
        torch.testing.assert_close(made(ids), trained)
        torch.testing.assert_close(made.table(), made(torch.arange(5)))


def test_the_table_follows_the_weights() -> None:
    made = vectors()
    assert made.groups is not None
    with torch.no_grad():
        before = made.table().clone()
        made.groups.weight += 1.0
        assert not torch.equal(made.table()[1], before[1])
        made.weight += 1.0
        torch.testing.assert_close(made.table()[3], before[3] + 1)


def test_a_group_learns_from_every_word_that_has_it() -> None:
    made = vectors()
    made(torch.tensor([1, 2])).sum().backward()
    assert made.groups is not None
    gradient = made.groups.weight.grad
    assert gradient is not None
    assert (gradient[1:] > 0).all()
    assert (gradient[0] == 0).all()
