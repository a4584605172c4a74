"""Files that were dropped on the page: what was read, what is wrong line by line, and the lexicon that they teach.

The pairs that could be read are kept below the studio's folder, as `data/NAME/train.jsonl`, where a training finds
them. The name is a digest of the content, so that the same file is kept once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from fewlex.data import Example, TextPair, load
from fewlex.data.lines import BadLine
from fewlex.data.readers import SUFFIXES, read_file, read_parallel
from fewlex.errors import DataError
from fewlex.files import atomic_write_text
from fewlex.lexicon import learn_lexicon

MOST_PROBLEMS = 200
MOST_ENTRIES = 300
SHOWN_PAIRS = 8
UPDATES_WANTED = 2500
"""Enough for a network to learn a few hundred pairs by heart; 16 passes over them would be too few."""
BATCH = 32
_PLACE = re.compile(r"(?P<file>[^:]*):(?P<line>\d+): (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True)
class Dropped:
    """One file as the page sends it."""

    name: str
    content: bytes

    @classmethod
    def decoded(cls, name: str, content: str) -> Dropped:
        try:
            return cls(name, base64.b64decode(content, validate=True))
        except (binascii.Error, ValueError) as error:
            raise DataError(f"{name}: the content is not base64 ({error}). Send it again.") from error


@dataclass(frozen=True)
class Reading:
    """What was found in the dropped files."""

    splits: dict[str, list[TextPair]]
    problems: list[dict[str, Any]]
    total_problems: int


def read_dropped(files: Sequence[Dropped]) -> Reading:
    """Read one file, two parallel ones, or one for each split (train.tsv, test.tsv)."""
    if not files:
        raise DataError(
            "no file was dropped. Drop a .tsv, .csv, .json or .jsonl file, or two parallel text files."
        )
    problems: list[dict[str, Any]] = []
    total = 0

    def note(error: DataError) -> None:
        nonlocal total
        total += 1
        if len(problems) < MOST_PROBLEMS:
            problems.append(_told(error, names))

    with tempfile.TemporaryDirectory(prefix="fewlex-") as folder:
        # A name from the page never becomes a path: only its ending counts, because it says the format.
        paths = [Path(folder) / f"{i}{Path(file.name).suffix[:8]}" for i, file in enumerate(files)]
        names = {str(path): file.name for path, file in zip(paths, files, strict=True)}
        for path, file in zip(paths, files, strict=True):
            path.write_bytes(file.content)
        try:
            splits = _splits(files, paths, note)
        except DataError as error:
            note(error)
            splits = {}
    return Reading({name: pairs for name, pairs in splits.items() if pairs}, problems, total)


def _splits(files: Sequence[Dropped], paths: Sequence[Path], note: BadLine) -> dict[str, list[TextPair]]:
    if len(files) == 1:
        return {"train": list(read_file(paths[0], note))}
    if len(files) == 2 and all(path.suffix not in SUFFIXES for path in paths):
        return {"train": list(read_parallel(paths[0], paths[1], note))}
    splits: dict[str, list[TextPair]] = {}
    for file, path in zip(files, paths, strict=True):
        stem = Path(file.name).stem
        split = {"dev": "validation"}.get(stem, stem)
        if split not in ("train", "validation", "test") or split in splits:
            raise DataError(
                f"{file.name}: of several files, one is called train, and others may be called test and "
                "validation. Rename the file, or drop one file alone."
            )
        splits[split] = list(read_file(path, note))
    return splits


def _told(error: DataError, names: dict[str, str]) -> dict[str, Any]:
    """A problem with the name that the file had on the user's disk."""
    text = str(error)
    for path, name in names.items():
        text = text.replace(path, name)
    match = _PLACE.fullmatch(text)
    if match is None:
        return {"file": "", "line": None, "text": text}
    return {"file": match["file"], "line": int(match["line"]), "text": match["text"]}


def keep_dropped(reading: Reading, folder: Path) -> str:
    """Write the pairs below the folder, and return the path of the data relative to it."""
    contents = {
        split: "".join(json.dumps(_record(pair), ensure_ascii=False) + "\n" for pair in pairs)
        for split, pairs in reading.splits.items()
    }
    digest = hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()[:12]
    place = folder / "data" / digest
    place.mkdir(parents=True, exist_ok=True)
    for split, content in contents.items():
        atomic_write_text(place / f"{split}.jsonl", content)
    return f"data/{digest}"


def _record(pair: TextPair) -> dict[str, str]:
    record = {"source": pair.source, "target": pair.target}
    return record | {"category": pair.category} if pair.category else record


def describe(reading: Reading) -> dict[str, Any]:
    """What the page shows of a reading: figures, the first pairs, problems."""
    pairs = reading.splits.get("train", [])
    examples = _examples(pairs)
    words = [Counter(word for e in examples for word in getattr(e, side)) for side in ("source", "target")]
    return {
        "splits": {split: len(its_pairs) for split, its_pairs in reading.splits.items()},
        "pairs": len(pairs),
        "repeated": len(pairs) - len(set(pairs)),
        "source_words": len(words[0]),
        "target_words": len(words[1]),
        "seen_once": sum(count == 1 for count in words[0].values()),
        "longest_source": max((len(e.source) for e in examples), default=0),
        "longest_target": max((len(e.target) for e in examples), default=0),
        "first": [_record(pair) for pair in islice(pairs, SHOWN_PAIRS)],
        "problems": reading.problems,
        "total_problems": reading.total_problems,
        "suggested_epochs": suggested_epochs(len(pairs)),
    }


def suggested_epochs(pairs: int) -> int:
    """So many passes over the data that a small file gets enough updates; 16, the preset's number, for a large one."""
    updates_per_epoch = max(1, -(-pairs // BATCH))
    return min(300, max(16, -(-UPDATES_WANTED // updates_per_epoch)))


def preview_lexicon(examples: Sequence[Example], method: str = "simple") -> dict[str, Any]:
    """The lexicon that these examples would teach, and how long that took."""
    start = time.perf_counter()
    lexicon = learn_lexicon(list(examples), method)
    seconds = time.perf_counter() - start
    words = {word for e in examples for word in e.source}
    return {
        "method": method,
        "seconds": round(seconds, 3),
        "total": len(lexicon),
        "covered": len(words.intersection(lexicon.sources)),
        "words": len(words),
        "entries": [
            {"source": source, "target": target, "weight": entry.weight, "origin": entry.origin}
            for source, target, entry in islice(lexicon, MOST_ENTRIES)
        ],
    }


def training_examples(data: str) -> tuple[Example, ...]:
    return load(data)["train"]


def _examples(pairs: Sequence[TextPair]) -> list[Example]:
    return [Example(tuple(pair.source.split()), tuple(pair.target.split()), pair.category) for pair in pairs]
