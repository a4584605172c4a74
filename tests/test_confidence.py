"""Confidence: log probabilities become probabilities of being right, and a user can ask for sure answers only."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

import fewlex
from fewlex.cli import app
from fewlex.confidence import Confidence, fit_confidence, reliability
from fewlex.evaluation_view import plot_reliability

COMMANDS = Path(__file__).parent.parent / "examples" / "commands.tsv"


def test_the_curve_is_the_one_that_made_the_data() -> None:
    rng = random.Random(0)
    truth = Confidence(0.8, 1.5, 0)
    scores = [-rng.expovariate(0.3) for _ in range(5000)]
    found = fit_confidence(scores, [rng.random() < truth.of(score) for score in scores])
    assert found is not None
    for score in (-0.1, -2.0, -8.0):
        assert found.of(score) == pytest.approx(truth.of(score), abs=0.03)
    assert found.checked == 5000


def test_few_answers_make_no_certainty() -> None:
    assert fit_confidence([-0.1] * 9, [True] * 9) is None
    found = fit_confidence([-0.1] * 30, [True] * 30)
    assert found is not None
    assert 0.9 < found.of(-0.1) < 0.99


def test_answers_that_can_be_told_apart_keep_a_finite_curve() -> None:
    found = fit_confidence([-0.1] * 20 + [-9.0] * 20, [True] * 20 + [False] * 20)
    assert found is not None
    assert found.of(-0.1) > 0.9
    assert found.of(-9.0) < 0.1
    assert math.isfinite(found.slope)
    assert found.of(float("-inf")) >= 0
    odd = fit_confidence([-0.1] * 20 + [-9.0] * 20, [False] * 20 + [True] * 20)
    assert odd is not None
    assert odd.of(-0.1) == odd.of(-9.0) == pytest.approx(0.5, abs=0.01)


def test_the_calibration_error_by_hand(tmp_path: Path) -> None:
    found = reliability([0.95, 0.95, 0.15, 0.15], [True, False, False, False])
    assert found is not None
    assert [(row.count, row.accuracy) for row in found.bins] == [(2, 0.0), (2, 0.5)]
    assert found.error == pytest.approx(0.5 * 0.15 + 0.5 * 0.45)
    assert reliability([], []) is None
    plot_reliability(found, tmp_path / "reliability.png")
    assert (tmp_path / "reliability.png").stat().st_size > 1000


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network that has learned a little, so that some of its answers are right."""
    settings = ["training.epochs=8", "data.validation_share=0.2", "model.hidden=64", "model.embedding=64"]
    config = fewlex.build_config("fast", settings=settings)
    return fewlex.train(fewlex.load(COMMANDS), config, tmp_path_factory.mktemp("runs") / "run").path


def test_a_networks_answers_have_a_confidence(run: Path) -> None:
    [[answer]] = fewlex.Translator.load(run).translate_lines(["open the door"])
    assert answer.by == "network"
    assert answer.confidence is not None
    assert 0 < answer.confidence < 1
    assert fewlex.Run.open(run).read_confidence() is not None
    (run / "confidence.json").rename(run / "kept.json")
    [[unsure]] = fewlex.Translator.load(run).translate_lines(["open the door"])
    (run / "kept.json").rename(run / "confidence.json")
    assert unsure.confidence is None


def test_unsure_answers_are_left_out(run: Path) -> None:
    line = "open the door\n"
    free = CliRunner().invoke(app, ["translate", str(run)], input=line)
    asked = CliRunner().invoke(app, ["translate", str(run), "--min-confidence", "1"], input=line)
    assert free.stdout.strip()
    assert asked.stdout == "\n"
    told = CliRunner().invoke(app, ["translate", str(run), "--min-confidence", "1", "--json"], input=line)
    assert json.loads(told.stdout)["outputs"][0]["by"] == "nobody"


def test_reliability_is_told_and_drawn(run: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "diagram.svg"
    done = CliRunner().invoke(app, ["reliability", str(run), str(COMMANDS), "--plot", str(drawn)])
    assert done.exit_code == 0, done.output
    assert "calibration error" in done.stdout
    assert drawn.exists()
    told = json.loads(CliRunner().invoke(app, ["reliability", str(run), str(COMMANDS), "--json"]).stdout)
    assert told["answers"] == sum(row["count"] for row in told["bins"])
    assert 0 <= told["error"] <= 1
