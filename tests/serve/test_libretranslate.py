"""LibreTranslate's own client works unchanged."""

from __future__ import annotations

import urllib.error
from pathlib import Path
from typing import Any

import httpx
import pytest
from libretranslatepy import LibreTranslateAPI

from fewlex.errors import ConfigError
from fewlex.serve.guard import Access
from fewlex.serve.service import Service
from fewlex.serve.shapes import LanguagePair
from tests.serve.conftest import Start
from tests.serve.running import get, post


def libre(client: httpx.Client, key: str | None = None) -> LibreTranslateAPI:
    return LibreTranslateAPI(str(client.base_url), key)


def test_the_published_client_works(reading: httpx.Client) -> None:
    api = libre(reading)
    assert api.languages() == [{"code": "colors", "name": "colors", "targets": ["colors"]}]
    assert api.translate("dax fep", "colors", "colors") == "RED RED RED"
    assert api.translate("dax fep", "auto", "colors") == "RED RED RED"
    assert api.detect("dax unknown") == [{"confidence": 50.0, "language": "colors"}]
    with pytest.raises(urllib.error.HTTPError, match="422"):
        api.translate("dax", "en", "es")


def test_the_key_of_the_client_is_the_token(start: Start) -> None:
    client = start(access=Access.loopback("secret")).client
    api = libre(client, "secret")
    assert api.translate("dax", "auto", "colors") == "RED"
    assert api.detect("dax")[0]["language"] == "colors"
    assert api.languages()[0]["code"] == "colors"
    for key in (None, "wrong"):
        with pytest.raises(urllib.error.HTTPError, match="401"):
            libre(client, key).translate("dax", "auto", "colors")
        with pytest.raises(urllib.error.HTTPError, match="401"):
            libre(client, key).languages()


def test_json_lists_and_alternatives(reading: httpx.Client) -> None:
    body: dict[str, Any] = {"source": "colors", "target": "colors"}
    assert post(reading, "/translate", q=["dax", "lug"], **body) == {"translatedText": ["RED", "BLUE"]}
    told = post(reading, "/translate", q="dax", alternatives=2, **body)
    assert told["translatedText"] == "RED"
    assert len(told["alternatives"]) == 2
    guessed = post(reading, "/translate", q="dax", target="colors")
    assert guessed["detectedLanguage"]["language"] == "colors"
    assert (
        "Take the tags out"
        in post(reading, "/translate", 422, q="<b>dax</b>", format="html", **body)["detail"]
    )


def test_languages_come_from_the_name_or_are_given(run: Path) -> None:
    pair = run.rename(run.with_name("eng-cmn"))
    service = Service.open([pair])
    assert service.languages(service.runs[0]) == LanguagePair("eng", "cmn")
    service.close()
    given = Service.open([pair], languages={"eng-cmn": LanguagePair("en", "zh")})
    assert given.languages(given.runs[0]) == LanguagePair("en", "zh")
    given.close()
    with pytest.raises(ConfigError, match="--language eng-zho: Known: eng-cmn"):
        Service.open([pair], languages={"eng-zho": LanguagePair("en", "zh")})


def test_an_unknown_language_is_told_what_there_is(reading: httpx.Client) -> None:
    problem = post(reading, "/translate", 422, q="dax", source="colors", target="colours")
    assert "colors → colors" in problem["detail"]
    assert get(reading, "/languages")[0]["targets"] == ["colors"]
