"""What a client is told when a request cannot be answered: a problem document (RFC 9457)."""

from __future__ import annotations

import http
import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from fewlex.errors import FewlexError

MEDIA_TYPE = "application/problem+json"


class Problem(FewlexError):  # noqa: N818  # the word of RFC 9457
    """A request that cannot be answered: the HTTP status, what was wrong, and what to do about it.

    `more` adds members to the document, such as `where` (the field that is wrong) and `line` (of an imported file).
    """

    def __init__(
        self, status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more

    def response(self) -> Response:
        """The problem as an answer."""
        title = http.HTTPStatus(self.status).phrase
        document = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail}
        content = json.dumps(document | self.more, ensure_ascii=False).encode("utf-8", "backslashreplace")
        return Response(content, self.status, self.headers, MEDIA_TYPE)
