"""What `fewlex train` accepts and shows beyond the library."""

from __future__ import annotations

import pytest

from fewlex.cli.screen import clock_time, training_bar
from fewlex.training.progress import Progress, Validation


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (62, "1:02"), (3599.6, "1:00:00"), (5405, "1:30:05")]
)
def test_time_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock_time(seconds) == text


def news(epoch: int, seconds: float, share: float, milestone: bool = True) -> Progress:
    validation = Validation(0.5, 0.25) if milestone else None
    return Progress(epoch, epoch * 2, share, 1.5, 0.1, 12345.6, seconds, milestone, validation)


def test_a_line_an_epoch_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with training_bar("learning") as observe:
        observe(news(0, seconds=5, share=0.1, milestone=False))
        observe(news(0, seconds=10, share=0.2))
        observe(news(1, seconds=10.5, share=0.21))  # too soon for another line
        observe(news(2, seconds=20, share=0.4))
        observe(news(3, seconds=20.1, share=1.0))  # the end is always told
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" · ")[1] for line in lines] == ["epoch 1", "epoch 3", "epoch 4"]
    assert lines[0] == (
        "learning:  20% · epoch 1 · loss 1.500 · validation 0.250 · 12,346 tokens/s · 0:40 left"
    )
