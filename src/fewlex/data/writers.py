"""Examples as text that the readers read back, to a file or to standard output."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from fewlex.data.example import Example


def write_tsv(examples: Iterable[Example], file: TextIO) -> None:
    """One example per line: source, target and, where it has one, its category, between tabs."""
    for example in examples:
        columns = [" ".join(example.source), " ".join(example.target), example.category]
        file.write("\t".join(columns if example.category else columns[:2]) + "\n")


def write_jsonl(examples: Iterable[Example], file: TextIO) -> None:
    """One JSON object per line, with the keys source, target and, where it has one, category."""
    for example in examples:
        record = {"source": " ".join(example.source), "target": " ".join(example.target)}
        if example.category:
            record["category"] = example.category
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
