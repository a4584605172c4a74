"""A run is a folder that explains itself. No pickle: JSON, TOML and safetensors only.

config.toml          every setting
knowledge.json       vocabularies, and how familiar each lexicon word is
lexicon.json         the lexicon; edit it and the model translates with the edited one
model.safetensors    the weights
metrics.jsonl        one line for each epoch or validation
result.json          how training went
checkpoint.safetensors   only while training is unfinished
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import nn

from fewlex.config import Config
from fewlex.config_layers import from_layers, read_toml, to_toml
from fewlex.data.vocabulary import Vocabulary
from fewlex.errors import ConfigError, RunError
from fewlex.files import atomic_write, atomic_write_text
from fewlex.lexicon import Lexicon
from fewlex.model.assemble import Knowledge
from fewlex.model.fast_mapping import Familiarity
from fewlex.version import __version__

FORMAT = 1
"""Raised when an older fewlex could misread what a newer one has written."""


@dataclass(frozen=True)
class RunFolder:
    path: Path

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint.safetensors"

    @property
    def is_finished(self) -> bool:
        return (self.path / "result.json").exists()

    def exists(self) -> bool:
        return (self.path / "config.toml").exists()

    def write_start(self, config: Config, knowledge: Knowledge, data: str) -> None:
        """Everything that is known before the first update; the config last, as the sign that all is there."""
        self.path.mkdir(parents=True, exist_ok=True)
        self._write_json(
            "knowledge.json",
            {
                "format": FORMAT,
                "fewlex": __version__,
                "data": data,
                "longest_target": knowledge.longest_target,
                "truecase": knowledge.truecase,
                "source_vocab": knowledge.source_vocab.words,
                "target_vocab": knowledge.target_vocab.words,
                "familiarity": dataclasses.asdict(knowledge.familiarity),
            },
        )
        knowledge.lexicon.save(self.path / "lexicon.json")
        atomic_write_text(self.path / "config.toml", to_toml(config))

    def write_end(self, model: nn.Module, result: Mapping[str, Any]) -> None:
        with atomic_write(self.path / "model.safetensors") as file:
            # A trained lexicon is kept in lexicon.json, where it can be read and corrected.
            weights = {
                name: weight.contiguous().cpu()
                for name, weight in model.state_dict().items()
                if not name.startswith("lexicon.")
            }
            file.write(save_tensors(weights))
        self._write_json("result.json", result)
        self.checkpoint.unlink(missing_ok=True)

    def read_config(self) -> Config:
        if not self.path.is_dir():
            raise RunError(
                f"{self.path}: no such run folder. `fewlex train DATA --out {self.path}` makes one."
            )
        path = self._require("config.toml")
        self._read_knowledge_file()  # a newer fewlex may have settings that this one does not know: say that first
        try:
            return from_layers([read_toml(path)])
        except ConfigError as error:
            raise RunError(f"{path}: {error} Train the run again.") from error

    def read_knowledge(self) -> Knowledge:
        content = self._read_knowledge_file()
        try:
            return Knowledge(
                Vocabulary(content["source_vocab"]),
                Vocabulary(content["target_vocab"]),
                Lexicon.load(self._require("lexicon.json")),
                Familiarity(**content["familiarity"]),
                content["longest_target"],
                content.get("truecase", {}),
            )
        except (KeyError, TypeError) as error:
            raise RunError(
                f"{self.path / 'knowledge.json'}: damaged ({error}). Train the run again."
            ) from error

    def _read_knowledge_file(self) -> dict[str, Any]:
        """knowledge.json, if this version of fewlex can read the run."""
        content = self.read_json("knowledge.json")
        if content.get("format", 0) > FORMAT:
            raise RunError(
                f"{self.path} was written by fewlex {content.get('fewlex')}, this is {__version__}. "
                "Upgrade fewlex to use it."
            )
        return content

    def read_data_name(self) -> str:
        return str(self.read_json("knowledge.json").get("data", ""))

    def load_weights(self, model: nn.Module) -> None:
        path = self._require("model.safetensors")
        try:
            model.load_state_dict(load_tensors(path.read_bytes()))
        except (SafetensorError, RuntimeError) as error:
            raise RunError(
                f"{path}: not the weights of this run's config ({error}). Train the run again."
            ) from error

    def read_json(self, name: str) -> dict[str, Any]:
        path = self._require(name)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RunError(f"{path}: not JSON ({error}). Train the run again.") from error
        if not isinstance(content, dict):
            raise RunError(f"{path}: not a JSON object. Train the run again.")
        return content

    def append_metrics(self, row: Mapping[str, Any]) -> None:
        with (self.path / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def cut_metrics(self, update: int) -> None:
        """Forget what a killed run reported after its last checkpoint: it will be reported again."""
        path = self.path / "metrics.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        kept = [line for line in lines if _is_before(line, update)]
        atomic_write_text(path, "".join(line + "\n" for line in kept))

    def _write_json(self, name: str, content: Mapping[str, Any]) -> None:
        atomic_write_text(self.path / name, json.dumps(content, ensure_ascii=False, indent=1) + "\n")

    def _require(self, name: str) -> Path:
        path = self.path / name
        if not path.exists():
            state = "Training did not finish: run the same `fewlex train` again and it goes on."
            raise RunError(f"{self.path}: the run folder has no {name}. {state}")
        return path


def _is_before(line: str, update: int) -> bool:
    """Whether a metrics line is whole and reports an update up to the given one."""
    try:
        return bool(json.loads(line)["update"] <= update)
    except (ValueError, KeyError):
        return False  # the line that was being written when the run was killed
