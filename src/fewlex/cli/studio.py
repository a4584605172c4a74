"""`fewlex studio`: the local page."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from fewlex.cli.screen import note
from fewlex.errors import ConfigError, RunError


def studio(
    run: Annotated[
        Path | None,
        typer.Argument(metavar="[RUN]", help="A run folder to begin with.", show_default=False),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(help="Where runs are looked for and written.", show_default="the run's, or `runs`"),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port on this machine; 0 = a free one.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, open nothing.")
    ] = False,
) -> None:
    """Open a page where you see what a run says and why, correct it, teach it, evaluate it and train another.

    `fewlex studio runs/jump`

    The page is for this machine alone: nothing is sent anywhere.
    """
    try:
        from fewlex.serve.server import bind, run_server
        from fewlex.studio.app import create_studio
    except ModuleNotFoundError as error:
        raise ConfigError(f'the studio needs {error.name}. Run: pip install "fewlex[studio]"') from error

    folder = folder or (run.resolve().parent if run is not None else Path("runs"))
    start = ""
    if run is not None:
        if not run.resolve().is_relative_to(folder.resolve()):
            raise RunError(
                f"{run} does not lie below {folder}. Leave --folder out, or name the folder above it."
            )
        start = f"#/try?run={quote(run.resolve().relative_to(folder.resolve()).as_posix(), safe='')}"
    folder.mkdir(parents=True, exist_ok=True)
    app, opened = create_studio(folder)
    listening = bind("127.0.0.1", port)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/{start}"

    def ready() -> None:
        note(f"the studio is at {address} (Ctrl-C ends it)")
        if not no_browser:
            webbrowser.open(address)

    try:
        run_server(app, listening, ready)
    finally:
        opened.trainings.stop()
