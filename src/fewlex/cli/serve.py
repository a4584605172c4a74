"""`fewlex serve`: runs behind HTTP, for programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fewlex.cli.options import DeviceOption
from fewlex.cli.screen import note, use_threads
from fewlex.errors import ConfigError

if TYPE_CHECKING:
    from fewlex.serve.shapes import LanguagePair


def serve(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN [RUN …]", help="Folders that `fewlex train` has written.")
    ],
    host: Annotated[
        str, typer.Option(help="The address to listen on. Any but loopback needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 = any free port.")] = 8000,
    token: Annotated[
        str,
        typer.Option(
            envvar="FEWLEX_TOKEN",
            help="What callers must send as `Authorization: Bearer …`. Other users of this machine can read a "
            "command line, so --token-file is safer.",
        ),
    ] = "",
    token_file: Annotated[Path | None, typer.Option(help="A file with the token.")] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A further name of this server, such as that of a proxy before it."
        ),
    ] = None,
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN=FROM:TO", help="The languages of a run for LibreTranslate clients."),
    ] = None,
    device: DeviceOption = "cpu",
    threads: Annotated[int, typer.Option(min=1, help="CPU threads for each run.")] = 1,
) -> None:
    """Serve runs over HTTP: translate, look at the lexicon, teach, undo, evaluate. Needs `fewlex[studio]`.

    `fewlex serve runs/jump`

    `fewlex serve runs/eng-cmn runs/jump --port 9000 --token-file token.txt`

    `/openapi.json` describes every route; LibreTranslate clients work too (docs/serve.md).
    """
    try:
        from fewlex.serve.app import create_app
        from fewlex.serve.guard import Access
        from fewlex.serve.server import bind, run_server
        from fewlex.serve.service import Service
    except ModuleNotFoundError as error:
        raise ConfigError(
            f'the server needs {error.name}, which is not installed. Run: pip install "fewlex[studio]"'
        ) from error

    access = Access.bound_to(host, _token(token, token_file), tuple(allow_host or ()))
    languages = dict(map(_languages, language or ()))
    use_threads(threads)
    with bind(host, port) as listening:  # before the runs are loaded, so that a taken port is told at once
        service = Service.open(runs, device, languages)
        url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        names = ", ".join(run.name for run in service.runs)
        run_server(create_app(service, access), listening, lambda: note(f"{names} at {url}; Ctrl-C ends it"))


def _token(token: str, file: Path | None) -> str:
    """The token that was given, be it in a file or not; blanks around it do not count."""
    if file is not None:
        if token:
            raise ConfigError("--token and --token-file contradict each other. Give one of them.")
        try:
            token = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"cannot read the token in {file}: {error}. Check the file.") from error
        if not token.strip():
            raise ConfigError(
                f"{file} is empty. Write a token into it, such as `openssl rand -hex 32` makes."
            )
    token = token.strip()
    if not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            "a token is made of letters, digits and signs of ASCII, without blanks. Choose another."
        )
    return token


def _languages(text: str) -> tuple[str, LanguagePair]:
    """`colors=en:es` as the name of a run and its languages."""
    from fewlex.serve.shapes import LanguagePair

    name, equals, pair = text.partition("=")
    source, colon, target = pair.partition(":")
    if not (name and equals and source and colon and target):
        raise ConfigError(f"--language {text}: write RUN=FROM:TO, such as `jump=en:es`.")
    return name, LanguagePair(source, target)
