"""What the file knowledge.json of a run looks like, as types that are checked when it is read."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from fewlex.data.limits import MAX_TOKENS
from fewlex.strict import Count, StrictError, Within, checked


class FamiliarityContent(TypedDict):
    sentences: NotRequired[dict[str, Count]]
    left: NotRequired[dict[str, list[str]]]
    right: NotRequired[dict[str, list[str]]]
    classes: NotRequired[dict[str, Count]]
    stand_ins: NotRequired[dict[str, Count]]


class KnowledgeContent(TypedDict):
    source_vocab: list[str]
    target_vocab: list[str]
    familiarity: FamiliarityContent
    longest_target: Annotated[int, Within(0, MAX_TOKENS)]
    truecase: NotRequired[dict[str, str]]


def checked_knowledge(content: object) -> KnowledgeContent:
    """The content of knowledge.json, if a network can be built from it."""
    told = checked(content, KnowledgeContent)
    for side in ("source_vocab", "target_vocab"):
        if not told[side]:
            raise StrictError(f"{side} is empty")
    familiarity = told["familiarity"]
    # A network has one vector for each class, and there are never more classes than words that are in one.
    words = familiarity.get("classes", {})
    classes = [*words.values(), *familiarity.get("stand_ins", {}).values()]
    if classes and max(classes) >= max(1, len(words)):
        raise StrictError(f"familiarity.classes has the number {max(classes)}, but not as many words")
    known = FamiliarityContent.__annotations__
    told["familiarity"] = {name: part for name, part in familiarity.items() if name in known}  # type: ignore[typeddict-item]
    return told
