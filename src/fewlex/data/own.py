"""Pairs that a program has in hand, as a corpus: tuples of texts, examples, a data frame, or whatever `load` reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fewlex.data.corpus import Corpus
from fewlex.data.example import Example
from fewlex.data.limits import CUT, too_long
from fewlex.data.lines import numbered_lines
from fewlex.data.registry import load
from fewlex.data.tokenizers import make_tokenizer
from fewlex.errors import DataError

CURE = 'Give pairs such as ("turn on the lamp", "on ( lamp )"), a data frame with two columns, or the path of a file.'


def corpus_of(
    data: Any, *, source_tokenizer: str = "whitespace", target_tokenizer: str = "whitespace"
) -> Corpus:
    """A corpus from a corpus, a path, a data frame or an iterable of pairs."""
    if isinstance(data, Corpus):
        return data
    if isinstance(data, (str, Path)):
        return load(data, source_tokenizer=source_tokenizer, target_tokenizer=target_tokenizer)
    pairs = _rows_of(data) if hasattr(data, "columns") else data
    if not isinstance(pairs, Iterable):
        raise DataError(f"a {type(data).__name__} is no training data. {CURE}")
    tokenizers = make_tokenizer(source_tokenizer).tokenize, make_tokenizer(target_tokenizer).tokenize
    examples = tuple(_example(number, pair, *tokenizers) for number, pair in enumerate(pairs, start=1))
    if not examples:
        raise DataError(f"there are no pairs to learn from. {CURE}")
    return Corpus("own pairs", {"train": examples}, source_tokenizer, target_tokenizer)


def texts_of(data: Any) -> list[str]:
    """Lines of text from a list, a column, a data frame with a column `source`, or the path of a text file."""
    if isinstance(data, Path):
        return [line for _, line in numbered_lines(data)]
    if isinstance(data, str):
        raise DataError("give a list of texts, such as [text]; for one text there is `translate(text)`.")
    if hasattr(data, "columns"):
        data = data["source" if "source" in data.columns else data.columns[0]]
    texts = list(data)
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise DataError(f"text {number} is {text!r}, not a string. Give a list of texts.")
    return texts


def _rows_of(frame: Any) -> Iterable[Any]:
    """The columns `source` and `target` of a data frame, or else its first two."""
    columns = list(frame.columns)
    names = ["source", "target"] if {"source", "target"} <= set(columns) else columns[:2]
    if len(names) < 2:
        raise DataError(f"the data frame has one column, {columns[0]!r}. {CURE}")
    return zip(*(frame[name] for name in names), strict=True)


def _example(number: int, pair: Any, tokenize_source: Any, tokenize_target: Any) -> Example:
    if isinstance(pair, Example):
        return pair
    if isinstance(pair, str) or not isinstance(pair, Iterable):
        raise DataError(f"pair {number} is {pair!r}. {CURE}")
    sides = tuple(pair)
    if len(sides) != 2 or not all(isinstance(side, str) and side.strip() for side in sides):
        raise DataError(f"pair {number} is {pair!r}, not two texts. {CURE}")
    source, target = tokenize_source(sides[0]), tokenize_target(sides[1])
    if problem := too_long("source", source) or too_long("target", target):
        raise DataError(f"pair {number}: {problem}. {CUT}")
    return Example(source, target, index=number - 1)
