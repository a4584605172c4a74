"""What settings were called in earlier versions of fewlex, so that old run folders, results and files still load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fewlex.errors import ConfigError
from fewlex.tables import Layer, merge, nested

RENAMED = {
    "model.bidirectional": "model.lstm.bidirectional",
    "model.features": "model.lstm.features",
    "model.input_feeding": "model.lstm.input_feeding",
    "model.heads": "model.transformer.heads",
    "model.feedforward": "model.transformer.feedforward",
    "model.position_skips": "model.transformer.position_skips",
    "model.syntax_action": "model.syntactic_attention.syntax_action",
    "model.scaled_scores": "model.syntactic_attention.scaled_scores",
    "fast_mapping.halves": "fast_mapping.limit_sources",
}
"""The old name and the name of today."""


def with_current_names(layer: Layer) -> Layer:
    """The same settings under the names that they have today. A setting that is gone is an error if it had a say."""
    current: dict[str, Any] = {
        section: dict(table) if isinstance(table, Mapping) else table for section, table in layer.items()
    }
    _drop_lexical_head(current.get("model"))
    moved: Layer = {}
    for old, new in RENAMED.items():
        section, name = old.split(".")
        table = current.get(section)
        if isinstance(table, dict) and name in table:
            moved = merge(moved, nested(new, table.pop(name)))
    return merge(moved, current)


def _drop_lexical_head(model: Any) -> None:
    """The Transformer could translate with the mean of its heads; today it always does with the first one."""
    if not isinstance(model, dict):
        return
    head = model.pop("lexical_head", "first")
    if head != "first" and model.get("backbone", "transformer") == "transformer":
        raise ConfigError(
            "model.lexical_head is gone: the Transformer always translates with its first head, which was better "
            "(docs/backbones.md). Leave the setting out."
        )
