"""The judge trusts the memory where its clues are good, and nowhere else."""

from __future__ import annotations

import pytest
import torch

from fewlex.model.trust import CLUES, Trust, clues
from fewlex.training.remembering import Lessons, teach_judge


def lessons(scale: float = 1.0) -> Lessons:
    """Places where the memory is right when it is near, and wrong when it is far; the network knows little."""
    near = scale * torch.tensor([[0.1, 0.4], [10.0, 11.0]] * 50)
    tokens = torch.tensor([[1, 2], [1, 2]] * 50)
    probs = torch.tensor([[0.1, 0.1, 0.1, 0.7]] * 100)
    gold = torch.tensor([1, 3] * 50)
    written = probs.gather(1, gold[:, None])[:, 0]
    return Lessons(clues(near, tokens, probs), written, near, tokens == gold[:, None])


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_a_judge_learns_where_a_memory_is_right(scale: float) -> None:
    """However large distances are: what is far for one network is near for another."""
    taught = lessons(scale)
    share, temperature = teach_judge(taught)(taught.clues)
    assert share[0] > 0.9
    assert share[1] < 0.1
    assert temperature[0] < 0.3 * scale  # only the nearest place was right, so it must count for most


def test_a_judge_is_the_same_each_time_and_leaves_random_numbers_alone() -> None:
    torch.manual_seed(3)
    wanted = torch.rand(2)
    torch.manual_seed(3)
    first, second = teach_judge(lessons()), teach_judge(lessons())
    torch.testing.assert_close(torch.rand(2), wanted)
    assert first.numbers() == second.numbers()


def test_a_new_judge_says_the_same_of_everything() -> None:
    share, temperature = Trust(0.4, 5.0)(torch.randn(10, CLUES))
    torch.testing.assert_close(share, torch.full((10, 1), 0.4))
    torch.testing.assert_close(temperature, torch.full((10, 1), 5.0))


def test_a_judge_comes_back_from_its_numbers() -> None:
    judge = teach_judge(lessons())
    again = Trust.of_numbers(judge.numbers())
    seen = torch.randn(10, CLUES)
    for mine, its in zip(judge(seen), again(seen), strict=True):
        torch.testing.assert_close(mine, its)


@pytest.mark.parametrize("spoil", [{"units.bias": [0.0]}, {"more": [1.0]}])
def test_numbers_of_another_size_are_refused(spoil: dict[str, list[float]]) -> None:
    with pytest.raises(ValueError, match="trust must have"):
        Trust.of_numbers(Trust().numbers() | spoil)


def test_absurd_numbers_give_shares_all_the_same() -> None:
    """A file that somebody has written can hold any numbers; probabilities must stay probabilities."""
    for number in (-1e6, 1e6):
        numbers = {name: [number] * len(values) for name, values in Trust().numbers().items()}
        share, temperature = Trust.of_numbers(numbers)(torch.randn(10, CLUES))
        assert ((share >= 0) & (share <= 1)).all()
        assert (temperature > 0).all()
        assert temperature.isfinite().all()


def test_clues_are_finite_at_a_distance_of_nothing_and_with_a_single_place() -> None:
    near, tokens, probs = torch.zeros(1, 1), torch.tensor([[2]]), torch.tensor([[0.0, 1.0, 0.0]])
    seen = clues(near, tokens, probs)
    assert seen.shape == (1, CLUES)
    assert seen.isfinite().all()
