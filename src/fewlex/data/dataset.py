"""The description of a published data set: its name, its licence, its groups, its notations and its loader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from fewlex.data.codec import Codec
from fewlex.data.example import Example

Splits: TypeAlias = Mapping[str, tuple[Example, ...]]


@dataclass(frozen=True)
class DataSet:
    """A data set that fewlex knows by name: what it is, where it comes from and how to load it."""

    name: str
    summary: str
    licence: str
    address: str
    variants: Mapping[str, Callable[[], Splits]]
    """The loader of each variant. A data set without variants has one variant, which is called ''."""
    evaluation_split: str = "test"
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Categories of the evaluation split that the paper reports together."""
    source_tokenizer: str = "whitespace"
    """The tokenizer that the publishers used on the sources, where these are text."""
    target_tokenizer: str = "whitespace"
    """The tokenizer that the publishers used on the targets, if the targets are text."""
    notations: Mapping[str, Codec] = field(default_factory=dict)
    """The notations in which the targets can be written, besides the published one (docs/notations.md)."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that `load` takes: `colors`, or one name for each variant, such as `scan:jump`."""
        return tuple(f"{self.name}:{variant}" if variant else self.name for variant in self.variants)
