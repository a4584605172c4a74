"""The table of routes. The app answers by it and the OpenAPI document is made from it, so neither can drift."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from fewlex.serve import (
    about,
    evaluating,
    lexicon_routes,
    lexicon_shapes,
    libre,
    metrics,
    rule_routes,
    rule_shapes,
    shapes,
    teaching,
    translating,
)
from fewlex.serve.limits import Limits
from fewlex.serve.service import Service

Handle = Callable[[Service, Limits, Any], Awaitable[Any]]
"""From the service, its limits and a request of the route's shape to an answer of the route's shape."""

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"

ALWAYS = (400, 401, 403, 408, 413, 422, 429, 500, 503)
"""Problems that any route can have: from the guard, from reading the request, and from the files of a run."""


@dataclass(frozen=True)
class Endpoint:
    """One method of one path: who answers it, and what goes in and out."""

    method: str
    path: str
    summary: str
    handle: Handle
    query: type[Any] | None = None
    body: type[Any] | None = None
    answer: Any = None
    """The shape of a JSON answer; None where `media_types` says what comes instead."""
    media_types: tuple[str, ...] = (JSON,)
    accepts: tuple[str, ...] = (JSON,)
    problems: tuple[int, ...] = ()
    is_upload: bool = False
    """Whether the body may be as large as a file."""
    is_public: bool = False
    """Whether it needs no token."""
    takes_key: bool = False
    """Whether the token may come as `api_key`, as LibreTranslate's clients send it."""
    is_work: bool = True
    """Whether it counts among the requests that are worked on at once."""

    @property
    def statuses(self) -> tuple[int, ...]:
        """All problems that this route may answer with."""
        own = (415,) if self.body is not None else ()
        return tuple(sorted({*ALWAYS, *own, *self.problems}))


ENDPOINTS = (
    Endpoint(
        "GET",
        "/health",
        "Whether the server is up",
        about.health,
        answer=shapes.Health,
        is_public=True,
        is_work=False,
    ),
    Endpoint(
        "GET",
        "/metrics",
        "Counts and times, for Prometheus",
        about.metrics,
        media_types=(metrics.MEDIA_TYPE,),
        is_work=False,
    ),
    Endpoint("GET", "/v1/runs", "The runs that are served, and the limits", about.runs, answer=shapes.Runs),
    Endpoint(
        "POST",
        "/v1/translate",
        "Translate sentences",
        translating.translate,
        body=shapes.TranslateRequest,
        answer=shapes.TranslateAnswer,
        problems=(404,),
    ),
    Endpoint(
        "GET",
        "/v1/lexicon",
        "Page through the lexicon of a run",
        lexicon_routes.page,
        query=lexicon_shapes.LexiconQuery,
        answer=lexicon_shapes.LexiconPage,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/lexicon",
        "Add one translation, or change it",
        lexicon_routes.set_entry,
        body=lexicon_shapes.SetEntry,
        answer=shapes.Edited,
        problems=(404,),
    ),
    Endpoint(
        "DELETE",
        "/v1/lexicon",
        "Remove a word, or one translation of it",
        lexicon_routes.delete,
        query=lexicon_shapes.DeleteQuery,
        answer=shapes.Edited,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/lexicon/import",
        "Import a lexicon file, or see what it would change",
        lexicon_routes.import_lexicon,
        body=lexicon_shapes.ImportRequest,
        answer=lexicon_shapes.Imported,
        problems=(404,),
        is_upload=True,
    ),
    Endpoint(
        "GET",
        "/v1/lexicon/export",
        "The lexicon as a file",
        lexicon_routes.export,
        query=lexicon_shapes.ExportQuery,
        media_types=tuple(lexicon_routes.MEDIA_TYPES.values()),
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/teach",
        "Teach words, or see what lessons would change",
        teaching.teach,
        body=lexicon_shapes.TeachRequest,
        answer=lexicon_shapes.Taught,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/undo",
        "Take back the last edit",
        teaching.undo,
        body=lexicon_shapes.RunRequest,
        answer=shapes.Edited,
        problems=(404, 409),
    ),
    Endpoint(
        "POST",
        "/v1/redo",
        "Make the edit again that was undone last",
        teaching.redo,
        body=lexicon_shapes.RunRequest,
        answer=shapes.Edited,
        problems=(404, 409),
    ),
    Endpoint(
        "GET",
        "/v1/edits",
        "The last edits of a run",
        teaching.edits,
        query=lexicon_shapes.EditsQuery,
        answer=lexicon_shapes.Edits,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/evaluate",
        "Score a run on pairs and explain its mistakes",
        evaluating.evaluate,
        body=shapes.EvaluateRequest,
        answer=shapes.Evaluated,
        problems=(404,),
        is_upload=True,
    ),
    Endpoint(
        "GET",
        "/v1/rules",
        "Page through the rules of a run",
        rule_routes.show,
        query=rule_shapes.RulesQuery,
        answer=rule_shapes.RulesAnswer,
        problems=(404,),
    ),
    Endpoint(
        "GET",
        "/v1/rules/words",
        "Page through the words that fill the holes of rules",
        rule_routes.words,
        query=rule_shapes.RuleWordsQuery,
        answer=rule_shapes.RuleWords,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/rules",
        "Add a rule, or change one, or see what that would change",
        rule_routes.set_rule,
        body=rule_shapes.SetRule,
        answer=rule_shapes.RuleSet,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/v1/rules/import",
        "Import rules, or see what they would change",
        rule_routes.import_rules,
        body=rule_shapes.ImportRules,
        answer=rule_shapes.RulesImported,
        problems=(404,),
        is_upload=True,
    ),
    Endpoint(
        "GET",
        "/v1/rules/export",
        "The rules as a file",
        rule_routes.export,
        query=rule_shapes.ExportRulesQuery,
        media_types=tuple(rule_routes.MEDIA_TYPES.values()),
        problems=(404,),
    ),
    Endpoint(
        "DELETE",
        "/v1/rules",
        "Remove a rule",
        rule_routes.forget,
        query=rule_shapes.ForgetRuleQuery,
        answer=shapes.Edited,
        problems=(404,),
    ),
    Endpoint(
        "POST",
        "/translate",
        "Translate, as LibreTranslate does",
        libre.translate,
        body=shapes.LibreRequest,
        answer=shapes.LibreAnswer,
        accepts=(JSON, FORM),
        takes_key=True,
    ),
    Endpoint(
        "GET",
        "/languages",
        "The languages of the runs, as LibreTranslate tells them",
        libre.languages,
        answer=tuple[shapes.Language, ...],
        takes_key=True,
    ),
    Endpoint(
        "POST",
        "/detect",
        "How much of a text each source language knows, as LibreTranslate tells it",
        libre.detect,
        body=shapes.DetectRequest,
        answer=tuple[shapes.Detected, ...],
        accepts=(JSON, FORM),
        takes_key=True,
    ),
)
