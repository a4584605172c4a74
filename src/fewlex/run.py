"""A run is a folder of JSON, TOML and safetensors files, and never of pickles. This module needs no torch.

config.toml          every setting
knowledge.json       vocabularies, and how familiar each lexicon word is
lexicon.json         the lexicon; if you edit it, the model translates with the edited one
lexicon.learned.json the lexicon as it was before the first edit
rules.json           the rules, where the run has some; they can be edited too
rules.learned.json   the rules as they were before the first edit
edits.jsonl          what was edited, so that it can be undone
edits.undone.jsonl   what was undone, so that it can be made again
edits.lock           held by whoever edits
training.lock        held by whoever trains
model.safetensors    the weights
confidence.json      how log probabilities of the network become probabilities of being right
memory.json          the training sentences that the network recalls, where it recalls some
metrics.jsonl        one line for each epoch or validation
result.json          how training went
checkpoint.safetensors   only while training is unfinished
networks/0, 1 …      a run folder for each network, where several answer together; they have the weights then

Each file but the locks carries its checksum (`fewlex.seal`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fewlex.confidence import Confidence
from fewlex.config import Config
from fewlex.config_layers import from_layers, read_toml, to_toml
from fewlex.data.copies import Copies
from fewlex.data.form import Form
from fewlex.data.vocabulary import Vocabulary
from fewlex.errors import ConfigError, DamagedError, DataError, RunError
from fewlex.familiarity import Familiarity
from fewlex.files import atomic_write, cannot_write
from fewlex.journal import LOG_NAME, EditLog
from fewlex.knowledge import Knowledge, Lesson
from fewlex.knowledge_file import checked_knowledge
from fewlex.lexicon import Edit, Entry, Journal, Lexicon
from fewlex.lexicon.journal import edit_from
from fewlex.lock import exclusive
from fewlex.own_files import MEMBERS, require_files, require_own_files
from fewlex.rules.journal import RULES, RuleEdit, RuleJournal, rule_edit_from
from fewlex.seal import check, is_sealed, read_sealed, seal_json, seal_toml
from fewlex.strict import StrictError, checked, parse_json
from fewlex.version import __version__

FORMAT = 1
"""This number goes up when an older fewlex could misread what a newer one has written."""


@dataclass(frozen=True)
class Run:
    """A run folder, which may be finished, unfinished or not written yet."""

    path: Path

    @classmethod
    def open(cls, path: Path | str) -> Run:
        """The run in an existing folder. A folder without a config does not count as a run."""
        run = cls(Path(path))
        if not run.path.is_dir():
            raise RunError(f"{path}: no such run folder. `fewlex train DATA --out {path}` makes one.")
        require_files(run.path)
        run.require("config.toml")
        return run

    def exists(self) -> bool:
        return all((self.path / name).exists() for name in ("config.toml", "knowledge.json"))

    @property
    def is_finished(self) -> bool:
        return (self.path / "result.json").exists()

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint.safetensors"

    @property
    def rules(self) -> Path:
        return self.path / "rules.json"

    @property
    def weights(self) -> Path:
        return self.path / "model.safetensors"

    def member(self, number: int) -> Run:
        """The folder of one of several networks, counted from 0, that answer together (docs/training.md)."""
        return Run(self.path / MEMBERS / str(number))

    @property
    def members(self) -> list[Run]:
        """The folders of the networks that have begun, where several answer together."""
        numbers = sorted(int(path.name) for path in self.path.glob(f"{MEMBERS}/*") if path.name.isdecimal())
        return [self.member(number) for number in numbers]

    # Writing a run.

    def locked_for_training(self) -> AbstractContextManager[None]:
        """Hold this while training, since two trainings would mix their files. It makes the folder if there is none."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.path, error) from error
        require_own_files(self.path)
        return exclusive(self.path / "training.lock", patience=0, doing="trained")

    def write_start(self, config: Config, knowledge: Knowledge, identity: Mapping[str, str]) -> None:
        """Write everything that is known before the first update. The config comes last, as a sign that all is there.

        `identity` says what the run is trained on (`training_identity`).
        """
        self.path.mkdir(parents=True, exist_ok=True)
        self.checkpoint.unlink(missing_ok=True)
        self.write_json(
            "knowledge.json",
            {
                "format": FORMAT,
                "fewlex": __version__,
                **identity,
                "longest_target": knowledge.longest_target,
                "truecase": knowledge.form.truecase,
                "source_vocab": knowledge.source_vocab.words,
                "target_vocab": knowledge.target_vocab.words,
                "familiarity": dataclasses.asdict(knowledge.familiarity),
            },
        )
        self.journal.begin_anew(knowledge.lexicon)
        if knowledge.rules is not None:
            self.rule_journal.begin_anew(knowledge.rules)
        with atomic_write(self.path / "config.toml") as file:
            file.write(seal_toml(to_toml(config)))

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Write how training went. With this file the run counts as finished."""
        self.write_json("result.json", result)
        self.checkpoint.unlink(missing_ok=True)

    def write_confidence(self, confidence: Confidence | None) -> None:
        """Keep how sure the network's answers are; a run without validation examples cannot tell."""
        if confidence is not None:
            self.write_json("confidence.json", dataclasses.asdict(confidence))

    def read_confidence(self) -> Confidence | None:
        """How sure the network's answers are; None where nobody has measured it."""
        if not (self.path / "confidence.json").exists():
            return None
        content = self.read_json("confidence.json")
        try:
            return checked(content, Confidence)
        except StrictError as error:
            raise RunError(f"{self.path / 'confidence.json'}: damaged ({error}). Delete it.") from error

    def append_metrics(self, row: Mapping[str, Any]) -> None:
        path = self.path / "metrics.jsonl"
        try:
            with path.open("ab") as file:
                file.write(seal_json(json.dumps(row)) + b"\n")
        except OSError as error:
            raise cannot_write(path, error) from error

    def cut_metrics(self, update: int) -> None:
        """Remove what a killed run reported after its last checkpoint, because it will be reported again."""
        path = self.path / "metrics.jsonl"
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        with atomic_write(path) as file:
            file.writelines(line for line in lines if _is_before(line, update))

    # Reading a run.

    def read_config(self) -> Config:
        path = self.open(self.path).path / "config.toml"
        self._read_knowledge_file()  # It complains first if a newer fewlex wrote the run, with settings unknown here.
        # Older runs have no seals. A run that has some must have one here, or a config that was cut off could pass.
        read_sealed(path, required=is_sealed(self.require("knowledge.json").read_bytes()))
        try:
            return from_layers([read_toml(path)])
        except ConfigError as error:
            raise RunError(f"{path}: {error} Train the run again.") from error

    def read_knowledge(self) -> Knowledge:
        """The knowledge of the run as it is now, with all edits of its lexicon."""
        data = self.read_config().data
        try:
            content = checked_knowledge(self._read_knowledge_file())
            vocabs = Vocabulary(content["source_vocab"]), Vocabulary(content["target_vocab"])
        except (StrictError, DataError) as error:
            where = self.path / "knowledge.json"
            raise RunError(f"{where}: damaged ({error}). Train the run again.") from error
        truecase = content.get("truecase", {})
        return Knowledge(
            *vocabs,
            Journal(self.require("lexicon.json").parent).read(),
            Familiarity(**content["familiarity"]),
            content["longest_target"],
            Form(
                data.source_tokenizer,
                data.target_tokenizer,
                data.notation,
                truecase,
                data.mark_repeats,
                Copies.named(data.copies),
            ),
            self.rule_journal.read() if self.rules.exists() else None,
        )

    def learned_knowledge(self) -> Knowledge:
        """The knowledge of the run without any edit, which is what its network is trained with."""
        knowledge = self.read_knowledge().with_lexicon(self.journal.learned())
        return knowledge if knowledge.rules is None else replace(knowledge, rules=self.rule_journal.learned())

    def require_same(self, config: Config, identity: Mapping[str, str]) -> None:
        """Complain if this folder has a run with other settings, other data or another lexicon.

        Runs of older versions did not record all of this, and only what was recorded is compared.
        """
        recorded = self._read_knowledge_file()
        differing = [name for name, value in identity.items() if recorded.get(name, value) != value]
        other = "settings (see its config.toml)" if self.read_config() != config else ""
        if differing:
            other = _DIFFERENCES[differing[0]].format(recorded[differing[0]])
        if other:
            raise RunError(
                f"{self.path} has a run with other {other}. Choose another --out, or delete the folder."
            )

    def read_json(self, name: str) -> dict[str, Any]:
        path = self.require(name)
        try:
            content = parse_json(read_sealed(path).decode())
        except (OSError, ValueError) as error:
            raise RunError(f"{path}: not JSON ({error}). Train the run again.") from error
        if not isinstance(content, dict):
            raise RunError(f"{path}: not a JSON object. Train the run again.")
        content.pop("seal", None)
        return content

    def require(self, name: str) -> Path:
        """The path of a file that every finished run has."""
        path = self.path / name
        if not path.exists():
            state = "Training did not finish. Run the same `fewlex train` again to continue it."
            raise RunError(f"{self.path}: the run folder has no {name}. {state}")
        return path

    # Teaching a run.

    @property
    def journal(self) -> Journal:
        return Journal(self.path)

    @property
    def rule_journal(self) -> RuleJournal:
        return RuleJournal(self.path)

    @property
    def edits(self) -> EditLog:
        """The log that lexicon and rules share."""
        return EditLog(self.path / LOG_NAME)

    def undo(self) -> Edit | RuleEdit:
        """Take back the last edit, be it of the lexicon or of the rules, and return it."""
        return self.rule_journal.undo() if self.edits.last == RULES else self.journal.undo()

    def redo(self) -> Edit | RuleEdit:
        """Make the edit again that was undone last, and return it."""
        return self.rule_journal.redo() if self.edits.last_undone == RULES else self.journal.redo()

    def history(self, limit: int) -> tuple[list[Edit | RuleEdit], int]:
        """The last edits that are not undone, the newest first, and how many edits there are in all."""
        return self.edits.history(_edit_from, limit)

    def teach(self, lessons: Iterable[Lesson]) -> Edit:
        """Give each taught term its translation, as its only one unless the lesson says otherwise.

        Lessons come from `Knowledge.lesson`.
        """
        lessons = list(lessons)
        if not any(lesson.also for lesson in lessons):
            return self.journal.teach((lesson.source, lesson.target, lesson.like) for lesson in lessons)

        def rows_of(lexicon: Lexicon) -> dict[str, Mapping[str, Entry]]:
            rows: dict[str, Mapping[str, Entry]] = {}
            for lesson in lessons:
                rows[lesson.source] = lesson.row(rows.get(lesson.source, lexicon.row(lesson.source)))
            return rows

        return self.journal.edit_rows("teach", rows_of)

    def forget(self, source: str, target: str | None = None) -> Edit:
        """Remove a term, or one translation of it, named as text or as the lexicon has it."""
        return self.journal.forget(*self.read_knowledge().forgettable(source, target))

    def teaching_caveat(self) -> str:
        """The reason why the network of this run may not use what it is taught; '' if there is none."""
        config = self.read_config()
        if config.rules.alone:
            return ""
        if config.model.output != "lexical":
            return "this run's network does not look at the lexicon (model.output), so it will not use the entry."
        if not config.fast_mapping.is_on:
            return (
                "this run's network was not trained to use new words (fast_mapping.probability = 0). "
                "Train with `--preset fast` to teach it words."
            )
        return ""

    def _read_knowledge_file(self) -> dict[str, Any]:
        """Read knowledge.json, and complain if this version of fewlex cannot read the run."""
        content = self.read_json("knowledge.json")
        if content.get("format", FORMAT) not in range(FORMAT + 1):
            raise RunError(
                f"{self.path} was written by fewlex {content.get('fewlex')}, this is {__version__}. "
                "Upgrade fewlex to use it."
            )
        return content

    def write_json(self, name: str, content: Mapping[str, Any], indent: int | None = 1) -> None:
        with atomic_write(self.path / name) as file:
            file.write(seal_json(json.dumps(content, ensure_ascii=False, indent=indent) + "\n"))


_DIFFERENCES = {
    "data": "data ({})",
    "training_digest": "training examples: the data has changed since",
    "lexicon_digest": "lexicon",
}
"""The words for a difference in messages, by the name of the part that was recorded."""


def _edit_from(record: Any) -> Edit | RuleEdit:
    return rule_edit_from(record) if record.get("of") == RULES else edit_from(record)


def _is_before(line: bytes, update: int) -> bool:
    """True if a metrics line is complete and reports an update that is not after the given one."""
    try:
        check(line.rstrip(b"\n"), "a metrics line")
        return bool(parse_json(line.decode())["update"] <= update)
    except (DamagedError, ValueError, KeyError, TypeError):
        return False  # The run was killed while it wrote this line.
