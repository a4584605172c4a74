"""A file that is one JSON array of records, as many tools export their data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fewlex.data.lines import name_of
from fewlex.errors import DataError
from fewlex.strict import StrictError, parse_json

CURE = 'Write [{"source": "zup fep", "target": "YELLOW YELLOW YELLOW"}, …], or one object a line (.jsonl).'
_BETWEEN = re.compile(r"[\s,]*")


def array_items(path: str | Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Any]]:
    """The records, each with the number of the line that it begins on. The whole file is held in memory."""
    numbered = list(lines)
    first = numbered[0][0]
    text = "\n".join(line for _, line in numbered)
    try:
        content = parse_json(text)
    except StrictError as error:
        number = first + (error.line or 1) - 1
        raise DataError.at(name_of(path), number, f"this is not JSON ({error})", CURE) from None
    if not isinstance(content, list) or not content:
        raise DataError.at(name_of(path), first, "this is JSON, but not an array of pairs", CURE)
    decoder = json.JSONDecoder()
    number, counted, place = first, 0, text.index("[") + 1
    for item in content:
        begin = _end_of(_BETWEEN, text, place)
        number += text.count("\n", counted, begin)
        counted = begin
        _, place = decoder.raw_decode(text, begin)
        yield number, item


def _end_of(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
