"""`/v1/evaluate`: pairs in, scores and explained mistakes out."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from fewlex.data.example import Example
from fewlex.data.form import Form
from fewlex.data.readers import SUFFIXES, TextPair, read_file
from fewlex.errors import DataError
from fewlex.evaluation import score
from fewlex.mistakes import Mistake, mistakes_in
from fewlex.serve.lexicon_routes import line_of
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.service import Service
from fewlex.serve.shapes import DiffPart, Evaluated, EvaluateRequest, MistakeShape, ScoresShape
from fewlex.serve.translating import check_length, checked_beam

CHUNK = 64
"""Sentences that are decoded at a time, so that other requests get their turn in between."""


async def evaluate(service: Service, limits: Limits, wanted: EvaluateRequest) -> Evaluated:
    run = service.find(wanted.run)
    beam = checked_beam(wanted.beam, limits)
    snapshot = await asyncio.to_thread(run.snapshot)
    knowledge = snapshot.knowledge
    examples = await asyncio.to_thread(_examples, wanted, knowledge.form, limits)
    answers = []
    for first in range(0, len(examples), CHUNK):
        chunk = [example.source for example in examples[first : first + CHUNK]]
        decoded = await run.translate(chunk, beam, snapshot)
        answers += [n_best[0] for n_best in decoded.answers]
    scores = await asyncio.to_thread(score, examples, [answer.published for answer in answers])
    mistakes = await asyncio.to_thread(mistakes_in, examples, answers, knowledge)
    return Evaluated(
        run=run.name,
        version=snapshot.version,
        scores=ScoresShape(
            scores.examples, scores.exact_match, scores.bleu, scores.token_f1, scores.by_category
        ),
        errors=tuple(_shape(mistake, knowledge.form) for mistake in mistakes[: wanted.errors]),
        total_errors=len(mistakes),
    )


def _examples(wanted: EvaluateRequest, form: Form, limits: Limits) -> list[Example]:
    """The pairs as the run reads them, each checked against the limits."""
    if (wanted.pairs is None) == (wanted.content is None):
        raise Problem(422, "give either `pairs` or the `content` of a file.")
    pairs = (
        [TextPair(pair.source, pair.target, pair.category) for pair in wanted.pairs]
        if wanted.pairs is not None
        else _pairs_of_file(wanted.name, wanted.content or "")
    )
    if not pairs:
        raise Problem(422, "there is nothing to evaluate. Give at least one pair.", where="pairs")
    if len(pairs) > limits.pairs:
        raise Problem(422, f"{len(pairs)} pairs are too many: {limits.pairs} are allowed. Send fewer.")
    examples = []
    for i, pair in enumerate(pairs):
        for name in ("source", "target"):
            check_length(getattr(pair, name), limits, f"pairs[{i}].{name}")
        example = Example(form.source_tokens(pair.source), form.target_tokens(pair.target), pair.category, i)
        if not example.source or not example.target:
            raise Problem(422, f"pairs[{i}] has an empty side. Remove it.", where=f"pairs[{i}]")
        examples.append(example)
    return examples


def _pairs_of_file(name: str, content: str) -> list[TextPair]:
    """The pairs of a file that came as text. Only the ending of its name is used, never its path."""
    given = f"data{Path(name).suffix}" if Path(name).suffix in SUFFIXES else "data.txt"
    with tempfile.TemporaryDirectory(prefix="fewlex-") as folder:
        path = Path(folder) / given
        path.write_text(content, encoding="utf-8", newline="")
        try:
            return list(read_file(path))
        except DataError as error:
            message = str(error).replace(str(path), given)
            raise Problem(422, message, where="content", **line_of(given, message)) from error


def _shape(mistake: Mistake, form: Form) -> MistakeShape:
    return MistakeShape(
        number=mistake.number,
        source=" ".join(mistake.example.source),
        target=" ".join(mistake.example.target),
        output=" ".join(mistake.output),
        category=mistake.example.category,
        diff=tuple(DiffPart(part.op, part.tokens) for part in mistake.diff),
        reasons=mistake.reasons,
    )
