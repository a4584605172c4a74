"""The app of the studio: the routes of `fewlex.serve`, and beside them those that only the page needs.

All of them stand behind the same guard, so foreign hosts and pages are refused, bodies are bounded, and answers carry
the strict Content-Security-Policy.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from fewlex.data import find_dataset
from fewlex.errors import DataError, FewlexError, RunError
from fewlex.serve.about import run_info
from fewlex.serve.app import create_app
from fewlex.serve.guard import Access
from fewlex.serve.limits import Limits
from fewlex.serve.problems import Problem
from fewlex.serve.reading import parse_json, read_body, read_query
from fewlex.serve.service import Service
from fewlex.studio.jobs import BusyError, Order, Trainings
from fewlex.studio.library import Library
from fewlex.studio.uploads import (
    Dropped,
    describe,
    keep_dropped,
    preview_lexicon,
    read_dropped,
    training_examples,
)

STATIC = Path(str(resources.files("fewlex.studio") / "static"))
JSON = "application/json"
LOGGER = logging.getLogger("fewlex.studio")


@dataclass(frozen=True)
class Nothing:
    """A request without parameters."""


@dataclass(frozen=True)
class FileShape:
    name: str
    base64: str


@dataclass(frozen=True)
class CheckShape:
    files: tuple[FileShape, ...]


@dataclass(frozen=True)
class DataShape:
    data: str


@dataclass(frozen=True)
class PathShape:
    path: str


@dataclass(frozen=True)
class NameShape:
    name: str


@dataclass(frozen=True)
class NewsShape:
    since: int = 0


class Studio:
    """What the page can ask for besides the routes of `fewlex.serve`. Its methods run in threads."""

    def __init__(self, service: Service, library: Library) -> None:
        self.service = service
        self.library = library
        self.trainings = Trainings(library)
        self._opening = threading.Lock()

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", _page),
            _route("/studio/runs", get=(Nothing, self.runs)),
            _route("/studio/open", post=(PathShape, self.open)),
            _route("/studio/curve", get=(PathShape, self.curve)),
            _route("/studio/samples", get=(PathShape, self.samples)),
            _route("/studio/check", post=(CheckShape, self.check)),
            _route("/studio/lexicon", post=(DataShape, self.lexicon)),
            _route("/studio/train", get=(NewsShape, self.news), post=(Order, self.train)),
            _route("/studio/train/stop", post=(NameShape, self.stop)),
            _route("/studio/train/resume", post=(NameShape, self.resume)),
            _route("/studio/train/keep", post=(NameShape, self.keep)),
            Mount("/studio/static", StaticFiles(directory=STATIC)),
        ]

    def runs(self, wanted: Nothing) -> dict[str, Any]:
        return {"runs": [asdict(card) for card in self.library.cards()]}

    def open(self, wanted: PathShape) -> dict[str, Any]:
        """Serve a run of the folder, if it is not served yet, and tell about it."""
        run = self.library.run(wanted.path)
        with self._opening:
            served = next((one for one in self.service.runs if one.run.path.resolve() == run.path), None)
            served = served or self.service.add(run.path)
        return {"run": asdict(run_info(self.service, served))}

    def curve(self, wanted: PathShape) -> dict[str, Any]:
        return {"rows": self.library.curve(wanted.path)}

    def samples(self, wanted: PathShape) -> dict[str, Any]:
        """Sentences to try; a run whose data is elsewhere has none, which is no mistake of anybody."""
        try:
            return {"samples": self.library.samples(wanted.path)}
        except (DataError, RunError):
            return {"samples": []}

    def check(self, wanted: CheckShape) -> dict[str, Any]:
        """Read dropped files, and keep the pairs that are good."""
        reading = read_dropped([Dropped.decoded(file.name, file.base64) for file in wanted.files])
        data = keep_dropped(reading, self.library.folder) if "train" in reading.splits else None
        return describe(reading) | {"data": data}

    def lexicon(self, wanted: DataShape) -> dict[str, Any]:
        return preview_lexicon(training_examples(self._data(wanted.data)))

    def news(self, wanted: NewsShape) -> dict[str, Any]:
        return self.trainings.news(max(0, wanted.since))

    def train(self, wanted: Order) -> dict[str, Any]:
        is_own = find_dataset(wanted.data) is None
        examples = len(training_examples(self._data(wanted.data))) if is_own else None
        self.trainings.start(wanted, examples)
        return {"name": wanted.name}

    def stop(self, wanted: NameShape) -> dict[str, Any]:
        self.trainings.stop()
        return {"name": wanted.name}

    def resume(self, wanted: NameShape) -> dict[str, Any]:
        self.trainings.resume(wanted.name)
        return {"name": wanted.name}

    def keep(self, wanted: NameShape) -> dict[str, Any]:
        self.trainings.keep(wanted.name)
        return {"name": wanted.name}

    def _data(self, data: str) -> str:
        """Data to train on: a data set by its name, or dropped data by its path below the folder."""
        return data if find_dataset(data) is not None else str(self.library.place(data))


def create_studio(folder: Path | str, limits: Limits | None = None) -> tuple[ASGIApp, Studio]:
    """The app for the runs below a folder; the caller stops the studio's training when the app has ended."""
    service = Service()
    studio = Studio(service, Library(folder))
    return create_app(service, Access.loopback(), limits or Limits(), extra=studio.routes()), studio


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


Answer = Callable[[Any], dict[str, Any]]
Part = tuple[type[Any], Answer]
"""The shape of a request, and who answers it."""


def _route(path: str, *, get: Part | None = None, post: Part | None = None) -> Route:
    """A route that reads what is asked, answers in a thread, and tells a busy trainer as 429."""

    async def answer(request: Request) -> Response:
        if request.method == "POST":
            assert post is not None
            shape, act = post
            if request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
                raise Problem(415, f"send the body as {JSON}.")
            wanted = read_body(shape, parse_json(await request.body()))
        else:
            assert get is not None
            shape, act = get
            wanted = read_query(shape, request.query_params)
        try:
            return JSONResponse(await asyncio.to_thread(act, wanted))
        except BusyError as error:
            raise Problem(429, str(error), headers={"Retry-After": "30"}) from error
        except FewlexError:
            raise
        except Exception as error:
            LOGGER.exception("%s %s", request.method, path)
            detail = "the studio has made a mistake. The terminal says which; please report it."
            raise Problem(500, detail) from error

    return Route(path, answer, methods=[name for name, part in (("GET", get), ("POST", post)) if part])
