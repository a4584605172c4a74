"""Writers for examples, in formats that the readers can read back."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from typing import TextIO

from fewlex.data.example import Example


def examples_as_text(examples: Iterable[Example], out: str) -> str:
    """The text of a file with these examples: JSON lines if its name ends in .jsonl, else TSV."""
    text = io.StringIO()
    (write_jsonl if out.endswith(".jsonl") else write_tsv)(examples, text)
    return text.getvalue()


def write_tsv(examples: Iterable[Example], file: TextIO) -> None:
    """Write one example on each line: source, target and, if it has one, its category, with tabs between them."""
    for example in examples:
        columns = [" ".join(example.source), " ".join(example.target), example.category]
        file.write("\t".join(columns if example.category else columns[:2]) + "\n")


def write_jsonl(examples: Iterable[Example], file: TextIO) -> None:
    """Write one JSON object on each line, with the keys source, target and, if the example has one, category."""
    for example in examples:
        record = {"source": " ".join(example.source), "target": " ".join(example.target)}
        if example.category:
            record["category"] = example.category
        file.write(json.dumps(record, ensure_ascii=False) + "\n")
