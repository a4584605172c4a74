"""`fewlex config`: which presets and settings there are, and what they mean. Needs no torch."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated

import typer

from fewlex.cli.options import JsonOption
from fewlex.cli.screen import say
from fewlex.config.explained import all_settings, sections
from fewlex.config_layers import AT_TRANSLATION, build_config, preset_names, preset_summary, to_toml
from fewlex.errors import ConfigError

app = typer.Typer(help="List, search and show presets and settings.")


@app.callback(invoke_without_command=True)
def config(context: typer.Context) -> None:
    """List, search and show presets and settings; on its own, it lists all."""
    if context.invoked_subcommand is None:
        list_settings()


@app.command("list")
def list_settings(
    search: Annotated[
        str, typer.Argument(metavar="[SEARCH]", help="Words to look for in names and explanations.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """All presets and settings with their explanations, or those that match.

    `fewlex config list beam`

    `fewlex config list 'stop validation'`
    """
    settings = all_settings(search)
    presets = {name: preset_summary(name) for name in preset_names()}
    if search:
        presets = {name: text for name, text in presets.items() if search.lower() in f"{name} {text}".lower()}
    if not settings and not presets:
        raise ConfigError(f"nothing is about {search!r}. `fewlex config list` shows all.")
    if as_json:
        rows = [dataclasses.asdict(setting) for setting in settings]
        say(json.dumps({"presets": presets, "settings": rows}, ensure_ascii=False))
        return
    if presets:
        say("presets (--preset, joined with +)", bold=True)
    for name, text in presets.items():
        say(f"  {name:<20} {text}")
    about = sections()
    section = None
    for setting in settings:
        if (group := setting.name.partition(".")[0]) != section and group in about:
            section = group
            say(f"\n{group}: {' '.join(about[group].split())}", bold=True)
        late = "  [also at translation]" if setting.name in AT_TRANSLATION else ""
        say(f"  {setting.name} = {json.dumps(setting.default)}  ({setting.kind}){late}")
        if setting.explanation:
            say(f"      {setting.explanation}", fg="bright_black")


@app.command()
def show(
    preset: Annotated[str, typer.Argument(metavar="PRESET", help="`fast`, `fast+transformer` …")],
    data: Annotated[
        str, typer.Argument(metavar="[DATA]", help="A data set that the preset treats in its own way.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="SECTION.NAME=VALUE", help="A setting over the preset."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Every setting as `fewlex train --preset PRESET DATA` would take it, as a TOML file for --config.

    `fewlex config show fast scan:jump > mine.toml`
    """
    config = build_config(preset, data, settings=settings or ())
    say(json.dumps(dataclasses.asdict(config)) if as_json else to_toml(config), nl=as_json)
