"""One run in use: its network, which follows the files of the run, and its edits, which go through the journal."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from fewlex.errors import DamagedError, FewlexError
from fewlex.journal import LOG_NAME
from fewlex.knowledge import Knowledge
from fewlex.lexicon import Journal
from fewlex.mind import Mind
from fewlex.rules.storage import FILE_NAME
from fewlex.run import Run
from fewlex.serve.batching import Batcher, Decoded, Observe, Snapshot
from fewlex.serve.lexicon_view import LexiconView
from fewlex.serve.problems import Problem

Stamp = tuple[int, ...]

WATCHED = ("lexicon.json", FILE_NAME, LOG_NAME)
"""Files whose change means another lexicon or other rules, be they edited here, on the command line or by hand."""


class ServedRun:
    """A run that answers over HTTP. All methods may be called from any thread."""

    def __init__(self, path: Path | str, device: str = "cpu", observe: Observe = lambda n: None) -> None:
        self.run = Run.open(path)
        self.name = self.run.path.resolve().name
        self._refreshing = threading.Lock()
        self.config = self.run.read_config()
        stamp = self._stamp()
        self._latest = stamp, Snapshot(Mind.load(self.run, self.config, device), _version(stamp))
        self._batcher = Batcher(self.snapshot, observe)
        self._view = LexiconView(self._latest[1])

    @property
    def journal(self) -> Journal:
        return self.run.journal

    @cached_property
    def caveat(self) -> str:
        """Why the network may not use what it is taught, if there is such a reason."""
        return self.run.teaching_caveat()

    @cached_property
    def data(self) -> str:
        return str(self.run.read_json("knowledge.json").get("data", ""))

    @property
    def has_rules(self) -> bool:
        return self.run.rules.exists()

    @property
    def latest(self) -> Snapshot:
        """The run as it was last read. Nothing is read for it, so the event loop may ask."""
        return self._latest[1]

    def snapshot(self) -> Snapshot:
        """The run as it is now, with all edits whose files are written."""
        with self._refreshing:
            stamp = self._stamp()  # taken before the lexicon is read: a change in between shows the next time
            known, snapshot = self._latest
            if stamp != known:
                try:
                    mind = snapshot.mind.knowing(self._reread_calmly(snapshot.knowledge))
                except FewlexError as error:
                    raise Problem(503, f"the run {self.name} cannot be read: {error}") from error
                snapshot = Snapshot(mind, _version(stamp))
                self._latest = stamp, snapshot
            return snapshot

    def _reread_calmly(self, knowledge: Knowledge) -> Knowledge:
        """Read the files; if they do not fit together, once more while nobody edits them.

        Whoever undoes an edit changes first the file and then the log, which can take long on a busy machine.
        """
        try:
            return self._reread(knowledge)
        except DamagedError:
            with self.run.edits.locked():
                return self._reread(knowledge)

    def _reread(self, knowledge: Knowledge) -> Knowledge:
        """The same knowledge with the lexicon and the rules that the files have now; nothing else can change."""
        read = replace(
            knowledge,
            lexicon=self.journal.read(),
            rules=self.run.rule_journal.read() if self.has_rules else None,
        )
        return read.wanting(self.config.rules.precision)

    def view(self) -> LexiconView:
        """The lexicon as it is now, ready to be searched and sorted."""
        snapshot = self.snapshot()
        if self._view.snapshot is not snapshot:
            self._view = LexiconView(snapshot)
        return self._view

    async def translate(
        self,
        sentences: Sequence[str | Sequence[str]],
        beam: int | None = None,
        snapshot: Snapshot | None = None,
        by: str = "both",
    ) -> Decoded:
        """The n-best answers to sentences, decoded together with those of other requests."""
        try:
            outcome = self._batcher.submit(sentences, beam, snapshot, by)
        except RuntimeError as error:
            raise Problem(503, "the server is shutting down.") from error
        return await asyncio.wrap_future(outcome)

    def close(self) -> None:
        """Answer what was accepted, and stop."""
        self._batcher.close()

    def _stamp(self) -> Stamp:
        """What tells one state of the watched files from another."""
        stamp: list[int] = []
        for name in WATCHED:
            try:
                status = (self.run.path / name).stat()
            except OSError:
                stamp.append(0)
            else:
                stamp += [status.st_mtime_ns, status.st_size, status.st_ino]
        return tuple(stamp)


def _version(stamp: Stamp) -> str:
    return hashlib.sha256(repr(stamp).encode()).hexdigest()[:16]
