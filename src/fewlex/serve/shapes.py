"""What requests and answers look like. The OpenAPI document and the checks of requests are both made from these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from fewlex.serve.limits import Limits
from fewlex.strict import Within

Name = Annotated[str, Within(least=1)]
"""A text that is not empty."""
RunName = Annotated[str, Within(most=255)]
Count = Annotated[int, Within(least=0, most=10**9)]
Positive = Annotated[int, Within(least=1, most=10**6)]


# What several answers share.


@dataclass(frozen=True)
class EntryShape:
    """One translation in the lexicon; `probability` is its entry in the matrix L, where that is known."""

    source: str
    target: str
    weight: float
    origin: str
    dice: float
    like: str
    probability: float | None = None


@dataclass(frozen=True)
class ChangeShape:
    """The translations of one source word before and after an edit; an empty list means that there are none."""

    source: str
    before: tuple[EntryShape, ...]
    after: tuple[EntryShape, ...]


@dataclass(frozen=True)
class RuleChange:
    """A rule, or a word of the rules, before and after an edit, as text; null means that there is none."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class EditShape:
    """One edit of the journal. `changes` and `rule_changes` may be cut off; `total` counts all of them."""

    time: str
    action: str
    of: Literal["lexicon", "rules"]
    changes: tuple[ChangeShape, ...]
    rule_changes: tuple[RuleChange, ...]
    total: int


@dataclass(frozen=True)
class State:
    """Where a run stands; `version` changes whenever its lexicon does."""

    run: str
    version: str
    can_undo: bool
    can_redo: bool


@dataclass(frozen=True)
class Edited:
    state: State
    edit: EditShape


# The server.


@dataclass(frozen=True)
class Health:
    status: Literal["ok"]
    version: str
    runs: tuple[str, ...]


@dataclass(frozen=True)
class LanguagePair:
    source: str
    target: str


@dataclass(frozen=True)
class RunInfo:
    run: str
    version: str
    can_undo: bool
    can_redo: bool
    entries: int
    sources: int
    edits: int
    has_rules: bool
    has_network: bool
    caveat: str
    beam: int
    data: str
    preset: str
    source_tokenizer: str
    target_tokenizer: str
    languages: LanguagePair


@dataclass(frozen=True)
class Runs:
    runs: tuple[RunInfo, ...]
    limits: Limits


# Translating.


@dataclass(frozen=True)
class TranslateRequest:
    texts: tuple[str, ...]
    run: RunName = ""
    n_best: Positive = 1
    beam: Positive | None = None
    explain: bool = False
    by: Literal["both", "rules", "network"] = "both"


@dataclass(frozen=True)
class Output:
    """One output. `explanation` says for each token where it comes from (docs/serve.md)."""

    text: str
    log_prob: float | None
    by: Literal["network", "rules", "nobody"]
    confidence: float | None
    explanation: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Translation:
    source: str
    outputs: tuple[Output, ...]


@dataclass(frozen=True)
class TranslateAnswer:
    run: str
    version: str
    translations: tuple[Translation, ...]


# Evaluating.


@dataclass(frozen=True)
class Pair:
    source: str
    target: str
    category: str = ""


@dataclass(frozen=True)
class EvaluateRequest:
    """Either `pairs` or the `content` of a file, whose `name` says its format by its ending."""

    run: RunName = ""
    pairs: tuple[Pair, ...] | None = None
    content: str | None = None
    name: Annotated[str, Within(most=255)] = "data.tsv"
    beam: Positive | None = None
    errors: Count = 100


@dataclass(frozen=True)
class ScoresShape:
    examples: int
    exact_match: float
    bleu: float
    token_f1: float
    by_category: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class DiffPart:
    op: Literal["same", "missing", "extra"]
    tokens: tuple[str, ...]


@dataclass(frozen=True)
class MistakeShape:
    number: int
    source: str
    target: str
    output: str
    category: str
    diff: tuple[DiffPart, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Evaluated:
    run: str
    version: str
    scores: ScoresShape
    errors: tuple[MistakeShape, ...]
    total_errors: int


# LibreTranslate.


@dataclass(frozen=True)
class LibreRequest:
    q: str | tuple[str, ...]
    source: str = "auto"
    target: str = ""
    format: Literal["text", "html"] = "text"
    alternatives: Annotated[int, Within(least=0, most=15)] = 0
    api_key: str = ""


@dataclass(frozen=True)
class Detected:
    confidence: float
    language: str


@dataclass(frozen=True)
class LibreAnswer:
    """A list of texts gets lists; `alternatives` is there where the request asked for some."""

    translatedText: str | tuple[str, ...]  # noqa: N815  # LibreTranslate's names
    alternatives: tuple[str, ...] | tuple[tuple[str, ...], ...] | None = None
    detectedLanguage: Detected | tuple[Detected, ...] | None = None  # noqa: N815


@dataclass(frozen=True)
class DetectRequest:
    q: str
    api_key: str = ""


@dataclass(frozen=True)
class Language:
    code: str
    name: str
    targets: tuple[str, ...]
