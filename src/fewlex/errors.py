"""Every mistake that a user can correct has an exception in this small tree.

FewlexError
├── DataError          a corpus or glossary that cannot be read: file, line, cure
│   ├── DownloadError  a published data set that could not be fetched
│   └── NotationError  a target that is not in the notation that it should be in
├── DamagedError       a file that is not as fewlex has written it, by its checksum
├── ConfigError        a setting that does not exist or does not fit the others
├── JournalError       a log of edits that cannot be read or written, or has nothing to undo
├── LexiconError       a lexicon file or edit that makes no sense
├── LockedError        a folder that another process is editing
├── RuleError          a rule or rule book that makes no sense
│   └── ParseBudgetError  a sentence that would take the rules too long
├── InterruptedRunError  Ctrl-C or SIGTERM ended a command that can go on later
├── OutOfTimeError     a time budget that was used up before training could begin
└── RunError           a run folder that is incomplete, foreign or from a newer version
    └── DivergedError  a training whose numbers have left all bounds

The command line prints the message of a FewlexError and no traceback. Any other exception is a bug in fewlex.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class FewlexError(Exception):
    """A mistake that the user can correct. Its message says what went wrong, where, and what to do about it."""


class DataError(FewlexError):
    """Data that cannot be read."""

    @classmethod
    def at(cls, path: Path | str, line: int, problem: str, cure: str) -> DataError:
        """A problem in one line of one file, in the form that editors turn into a link."""
        return cls(f"{path}:{line}: {problem}. {cure}")


class DownloadError(DataError):
    """A published data set that could not be fetched or does not have the published checksum."""


class NotationError(DataError):
    """A target that is not in the notation that it should be in."""


class DamagedError(FewlexError):
    """A file that is not as fewlex has written it: the disk has damaged it, or somebody has edited it by hand."""


class ConfigError(FewlexError):
    """A setting that does not exist, has the wrong type or contradicts another."""


class JournalError(FewlexError):
    """A log of edits that cannot be read or written, or that has nothing to undo."""


class LexiconError(FewlexError):
    """A lexicon file that cannot be read, or an edit that makes no sense."""


class LockedError(FewlexError):
    """A folder that another process is editing."""


class RuleError(FewlexError):
    """A rule or a rule book that makes no sense."""


class ParseBudgetError(RuleError):
    """A sentence that is too long or too ambiguous for the rules to be parsed in bounded time and memory."""


class InterruptedRunError(FewlexError):
    """Somebody has stopped a command that can go on later; `code` is the exit code that shells expect."""

    def __init__(self, message: str, code: int = 130) -> None:
        super().__init__(message)
        self.code = code


class OutOfTimeError(FewlexError):
    """A time budget that was used up before training could begin."""

    def __init__(self, seconds: float, doing: str) -> None:
        super().__init__(
            f"the time budget of {seconds:g} s was used up while {doing}, before the network could be trained. Give it "
            "more time, or train on less data."
        )


class RunError(FewlexError):
    """A run folder that cannot be used."""


class DivergedError(RunError):
    """A training whose loss or gradient is not a finite number any more."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint such as `Did you mean 'hidden'?` if a known name is similar, otherwise the list of known names."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"Did you mean {close[0]!r}?" if close else f"Known: {', '.join(known)}."
