"""The runs that are served, by the names of their folders. Clients name a run and never a path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from fewlex.errors import ConfigError, did_you_mean
from fewlex.serve.metrics import Metrics
from fewlex.serve.problems import Problem
from fewlex.serve.served import ServedRun
from fewlex.serve.shapes import LanguagePair


class Service:
    """The runs and what is counted about them. Runs may be added and removed while requests are answered."""

    def __init__(self, device: str = "cpu", languages: Mapping[str, LanguagePair] | None = None) -> None:
        self.metrics = Metrics()
        self._device = device
        self._languages = dict(languages or {})
        self._runs: dict[str, ServedRun] = {}

    @classmethod
    def open(
        cls,
        paths: Iterable[Path | str],
        device: str = "cpu",
        languages: Mapping[str, LanguagePair] | None = None,
    ) -> Service:
        """The runs in these folders. Two folders of one name cannot be told apart, so they are refused."""
        service = cls(device, languages)
        try:
            for path in paths:
                service.add(path)
            for name in service._languages:
                if name not in service._runs:
                    raise ConfigError(f"--language {name}: {did_you_mean(name, service._runs)}")
        except BaseException:
            service.close()
            raise
        return service

    @property
    def runs(self) -> tuple[ServedRun, ...]:
        return tuple(self._runs.values())

    def add(self, path: Path | str) -> ServedRun:
        """Serve one more run."""
        name = Path(path).resolve().name
        if name in self._runs:
            taken = self._runs[name].run.path
            raise ConfigError(
                f"{path} and {taken} are both called {name!r}, and clients know runs by name. Rename one folder."
            )
        served = ServedRun(path, self._device, self.metrics.observe_batch)
        self._runs[name] = served
        return served

    def remove(self, name: str) -> None:
        """Serve a run no more; what it was asked before is answered."""
        self._runs.pop(name).close()

    def find(self, name: str) -> ServedRun:
        """The run of a name; without a name, the only run."""
        if name in self._runs:
            return self._runs[name]
        if name:
            raise Problem(404, f"there is no run {name!r}. {did_you_mean(name, self._runs)}", where="run")
        if len(self._runs) != 1:
            raise Problem(
                422, f"say which run: {', '.join(self._runs) or 'none is served yet'}.", where="run"
            )
        return next(iter(self._runs.values()))

    def languages(self, run: ServedRun) -> LanguagePair:
        """The languages of a run for LibreTranslate's clients: those it was given, or those that its name tells."""
        if run.name in self._languages:
            return self._languages[run.name]
        source, _, target = run.name.partition("-")
        if source and target and "-" not in target:
            return LanguagePair(source, target)
        return LanguagePair(run.name, run.name)

    def close(self) -> None:
        for run in self.runs:
            run.close()
