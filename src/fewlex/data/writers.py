"""Writers for examples, to a file or to standard output, in formats that the readers can read back."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from typing import TextIO

from fewlex.data.example import Example
from fewlex.files import atomic_write_text


def write_examples(examples: Iterable[Example], out: str) -> None:
    """Write examples to a file, as JSON lines if its name ends in .jsonl, else as TSV. `-` is standard output."""
    text = io.StringIO()
    (write_jsonl if out.endswith(".jsonl") else write_tsv)(examples, text)
    if out == "-":
        sys.stdout.write(text.getvalue())
    else:
        atomic_write_text(out, text.getvalue())


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
