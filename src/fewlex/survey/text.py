"""A survey as text."""

from __future__ import annotations

from collections.abc import Iterator

from fewlex.survey.counts import Side
from fewlex.survey.looking import Survey

SHOWN = 3


def survey_text(survey: Survey) -> str:
    return "".join(f"{line}\n" for line in _lines(survey))


def _lines(survey: Survey) -> Iterator[str]:
    sizes = ", ".join(f"{name} {size:,}" for name, size in survey.splits.items())
    yield f"{survey.name}: {sizes} pairs"
    yield from survey.notes
    if survey.may_have_header:
        yield "the first line looks like a header: if it is one, write `source` and `target` into it, or remove it"
    yield f"  sources     {_side(survey.source)}"
    yield f"  targets     {_side(survey.target)}"
    for guess in survey.guesses:
        if guess.tokenizer:
            yield f"  tokens      {guess.reason}, so they are cut by `{guess.tokenizer}`, as `fewlex train` does"
    if not any(guess.tokenizer for guess in survey.guesses):
        yield "  tokens      words between blanks, which looks right"
    yield f"  repeated    {survey.duplicates:,} pairs say again what another pair says"
    if survey.in_other_splits:
        yield f"  leaked      {survey.in_other_splits:,} pairs of other splits are training pairs too"
    yield from _contradictions(survey)
    coverage = survey.coverage
    yield (
        f"  lexicon     {coverage.with_row:,} of {coverage.words:,} source words have a clear translation; "
        f"of the {coverage.once:,} that occur once, {coverage.once_with_row:,}"
    )
    for sentence in survey.expectations:
        yield f"  expect      {sentence}"
    yield f"  next        {survey.command}"


def _contradictions(survey: Survey) -> Iterator[str]:
    found = survey.contradictions
    yield f"  contradict  {len(found):,} sources have more than one target"
    for one in found[:SHOWN]:
        yield f"              {one.source}  →  {'  or  '.join(one.targets[:SHOWN])}"


def _side(side: Side) -> str:
    once = f", such as {', '.join(side.example_once[:SHOWN])}" if side.example_once else ""
    return (
        f"{side.shortest} to {side.longest} tokens, {side.median:g} in the middle; "
        f"{side.words:,} words, {side.seen_once:,} of them in one sentence only{once}"
    )
