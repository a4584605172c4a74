"""Words with two meanings, terms in examples, and lessons that would break what was right."""

from __future__ import annotations

from pathlib import Path

import assistant
import pytest
from sampling import draw
from typer.testing import CliRunner

import fewlex
from fewlex.cli import app
from fewlex.lexicon import Lexicon, infer_entry, wider_reading

PAIRS = draw(assistant.LANGUAGE, 120, tests=1).train


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("assistant")
    data = folder / "pairs.tsv"
    data.write_text("".join(f"{source}\t{target}\n" for source, target in PAIRS))
    fewlex.fit(data, folder / "run", preset="rules")
    return folder / "run"


def test_the_rule_that_fits_chooses_the_meaning(run: Path) -> None:
    translator = fewlex.Translator.load(run)
    translator.teach("jazz", "room.jazzclub", like="kitchen", also=True)
    assert translator.translate("play jazz in the jazz") == (
        "media ( query = music.jazz , room = room.jazzclub )"
    )
    translator.teach("jazz", "room.cellar", like="kitchen")
    assert "music.jazz" not in translator.translate("play jazz in the jazz"), "the old meaning is replaced"


def test_a_new_word_with_two_meanings(run: Path) -> None:
    translator = fewlex.Translator.load(run)
    translator.teach("bank", "dev.powerbank", like="lamp")
    translator.teach("bank", "room.bank", like="kitchen", also=True)
    expected = "on ( device = dev.powerbank , room = room.bank )"
    assert translator.translate("turn on the bank in the bank") == expected


def test_further_meanings_are_written_and_undone(run: Path) -> None:
    runner = CliRunner()
    arguments = ["teach", str(run), "jazz", "room.jazzclub", "--like", "kitchen", "--also"]
    assert runner.invoke(app, arguments).exit_code == 0
    row = fewlex.Run.open(run).read_knowledge().lexicon.row("jazz")
    assert list(row) == ["music.jazz", "room.jazzclub"], "the network reads the first meaning"
    said = runner.invoke(app, ["translate", str(run)], input="play jazz in the jazz\n").stdout
    assert said == "media ( query = music.jazz , room = room.jazzclub )\n"
    assert runner.invoke(app, ["lexicon", "undo", str(run)]).exit_code == 0
    assert list(fewlex.Run.open(run).read_knowledge().lexicon.row("jazz")) == ["music.jazz"]


def test_an_example_offers_the_term_of_several_words(run: Path) -> None:
    sentence = "turn on the kitchen door", "on ( device = dev.kitchendoor )"
    done = CliRunner().invoke(app, ["teach", str(run), "--example", *sentence, "--yes"])
    assert "the example says: kitchen door ↦ dev.kitchendoor" in done.stderr
    assert "could also be door ↦ dev.kitchendoor" in done.stderr
    translator = fewlex.Translator.load(run)
    assert translator.translate("open the kitchen door") == "open ( device = dev.kitchendoor )"
    assert translator.translate("open the lamp in the kitchen") == (
        "open ( device = dev.lamp , room = room.kitchen )"
    )
    CliRunner().invoke(app, ["lexicon", "undo", str(run)])


def test_new_words_side_by_side_are_one_term() -> None:
    lexicon = Lexicon()
    lexicon.set("open", "OPEN")
    known = {"open", "the"}
    assert infer_entry(["open", "the", "lava", "lamp"], ["OPEN", "LAVA"], lexicon, known, {"OPEN"}) == (
        "lava lamp",
        "LAVA",
    )
    lexicon.set("lava", "HOT")
    assert wider_reading("lamp", ["open", "the", "lava", "lamp"], ["OPEN", "LAVA"], lexicon) == "lava lamp"
    assert wider_reading("lamp", ["open", "the", "lava", "lamp"], ["OPEN", "HOT"], lexicon) == "lamp"


def test_a_lesson_that_breaks_a_sentence_says_so(run: Path) -> None:
    done = CliRunner().invoke(app, ["teach", str(run), "jazz", "room.club", "--like", "kitchen"])
    assert "came out right before and not any more" in done.stderr
    assert "music.jazz" in done.stderr
    CliRunner().invoke(app, ["lexicon", "undo", str(run)])
    quiet = CliRunner().invoke(app, ["teach", str(run), "sauna", "dev.sauna"])
    assert "any more" not in quiet.stderr
    CliRunner().invoke(app, ["lexicon", "undo", str(run)])
