"""schemathesis against the OpenAPI document: no 5xx and no undocumented answer, whatever is asked."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from fewlex.rules.storage import FILE_NAME
from tests.serve.conftest import Start
from tests.serve.running import get

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def with_known_runs(part: Any) -> Any:
    """The document with the names of runs that are there, so that most requests get past the first question."""
    if isinstance(part, list):
        return [with_known_runs(item) for item in part]
    if not isinstance(part, dict):
        return part
    changed = {key: with_known_runs(value) for key, value in part.items()}
    if part.get("maxLength") == 255 and part.get("default") == "":
        return {"type": "string", "enum": ["", "colors"]}
    return changed


@pytest.fixture
def client(start: Start, run: Path, walking: Path) -> httpx.Client:
    """A client of a run that has both a network and rules, so that every route has something to answer."""
    shutil.copy(walking / FILE_NAME, run / FILE_NAME)
    return start(run).client


@pytest.mark.filterwarnings("ignore::pytest.PytestWarning", "ignore::hypothesis.errors.HypothesisWarning")
@pytest.mark.parametrize("cases", [72, pytest.param(2000, marks=pytest.mark.slow)])
def test_no_request_meets_a_mistake_of_ours(client: httpx.Client, cases: int) -> None:
    schema = schemathesis.openapi.from_dict(with_known_runs(get(client, "/openapi.json")))
    schema.config.update(base_url=str(client.base_url).rstrip("/"))
    found: list[Any] = list(schema.get_all_operations())
    operations = [result.ok() for result in found]
    statuses: list[int] = []

    def ask(case: Any) -> None:
        response = case.call()
        statuses.append(response.status_code)
        case.validate_response(response, checks=CHECKS)

    asked = [operation for operation in operations if operation.query or operation.body]
    quiet = settings(
        max_examples=-(-cases // (len(MODES) * len(asked))),
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for round_number in range(10):  # some routes have fewer different requests than they are asked for
        for operation in operations if round_number == 0 else asked:
            # A route without input can be asked in one way only.
            for mode in MODES if operation in asked else MODES[:1]:
                strategy = operation.as_strategy(generation_mode=mode)
                if round_number == 0 or len(statuses) < cases:
                    seed(round_number)(quiet(given(case=strategy)(ask)))()
    assert len(statuses) >= cases
    assert statuses.count(200) > len(statuses) / 5, "not all requests may stop at the first question"
