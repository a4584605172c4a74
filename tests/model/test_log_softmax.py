"""Log-probabilities of a few columns equal those of the whole softmax, and so do their gradients."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fewlex.model import log_softmax
from fewlex.model.log_softmax import Averaged, log_softmax_at

ROWS, COLUMNS = 7, 12
RANDOM = torch.Generator().manual_seed(0)
LOGITS = torch.randn(ROWS, COLUMNS, generator=RANDOM)
WANTED = torch.randint(COLUMNS, (ROWS, 2), generator=RANDOM)
OF_WANTED, OF_MEAN = torch.randn(ROWS, 2, generator=RANDOM), torch.randn(ROWS, generator=RANDOM)
WEIGHT = torch.arange(COLUMNS) % 3 + 0.0
AVERAGED = Averaged(WEIGHT, torch.linspace(0, 1, COLUMNS))


def plainly(logits: Tensor, averaged: Averaged | None) -> tuple[Tensor, Tensor]:
    log_probs = logits.log_softmax(-1)
    chosen = log_probs.gather(-1, WANTED)
    if averaged is None:
        return chosen, torch.zeros(ROWS)
    kept = (log_probs - averaged.log_weight).masked_fill(logits.isinf(), 0.0)
    return chosen, (kept * averaged.weight).sum(-1) / averaged.weight.sum()


@pytest.fixture(params=[1, 3 * COLUMNS, 2**18], ids=["row by row", "blocks of three", "one block"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_softmax, "BLOCK", request.param)


@pytest.mark.usefixtures("block")
@pytest.mark.parametrize("averaged", [None, AVERAGED], ids=["gold alone", "with a mean"])
@pytest.mark.parametrize("barred", [False, True])
def test_it_equals_the_whole_softmax(averaged: Averaged | None, barred: bool) -> None:
    logits = LOGITS.clone()
    if barred:
        unwanted = ~torch.zeros_like(logits, dtype=torch.bool).scatter(1, WANTED, True)
        logits[unwanted & (torch.arange(COLUMNS) % 4 == 1)] = float("-inf")
    gradients = []
    for found in (log_softmax_at, lambda x, _, a: plainly(x, a)):
        given = logits.clone().requires_grad_()
        chosen, mean = found(given, WANTED, averaged)
        expected_chosen, expected_mean = plainly(logits, averaged)
        torch.testing.assert_close(chosen, expected_chosen)
        torch.testing.assert_close(mean, expected_mean)
        ((chosen * OF_WANTED).sum() + (mean * OF_MEAN).sum()).backward()
        gradients.append(given.grad)
    torch.testing.assert_close(*gradients)


def test_leading_dimensions_are_kept() -> None:
    chosen, mean = log_softmax_at(LOGITS[:6].view(2, 3, COLUMNS), WANTED[:6].view(2, 3, 2))
    assert chosen.shape == (2, 3, 2)
    assert mean.shape == (2, 3)
    torch.testing.assert_close(chosen.flatten(0, 1), plainly(LOGITS, None)[0][:6])


def test_short_numbers_have_exact_sums() -> None:
    """A sum of 10,000 equal shares would stand still in bfloat16."""
    chosen, _ = log_softmax_at(torch.zeros(1, 10_000, dtype=torch.bfloat16), torch.tensor([[5]]))
    assert chosen.dtype == torch.float32
    assert chosen.item() == pytest.approx(-torch.tensor(10_000.0).log().item())
