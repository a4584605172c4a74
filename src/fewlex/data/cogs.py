"""COGS (Kim & Linzen 2020): English sentences and their logical forms, in the version that the paper used."""

from __future__ import annotations

from fewlex.data.download import PublishedFile, locate
from fewlex.data.example import Example
from fewlex.data.readers import read_examples

_ADDRESS = "najoungkim/COGS/6f663835897945e94fd330c8cbebbdc494fbb690/data"

FILES = {
    split: PublishedFile(f"cogs/{file_name}", f"{_ADDRESS}/{file_name}", sha256)
    for split, file_name, sha256 in (
        ("train", "train.tsv", "220b3804b562c0156ee986eff1bdd15c27e52142549362a64f57baf86e304c78"),
        ("validation", "dev.tsv", "ab66388a309c7ac1ad210c781a6a0ce12281a9ef24619a12422a752cef61bc21"),
        ("test", "test.tsv", "68f8e51e9f6d9cd22d64efe68dd21d7ea5ba327e9a2359481030161aea757035"),
        ("gen", "gen.tsv", "410369d993e7cf3af9bb75835a77b1a332b56e60985a8bf1e7d75c30e91d4828"),
    )
}

PAPER_GROUPS: dict[str, tuple[str, ...]] = {
    "primitive → {subj, obj, inf}": (
        "prim_to_subj_common",
        "prim_to_subj_proper",
        "prim_to_obj_common",
        "prim_to_obj_proper",
        "prim_to_inf_arg",
    ),
    "active → passive": ("active_to_passive",),
    "obj PP → subj PP": ("obj_pp_to_subj_pp",),
    "passive → active": ("passive_to_active",),
    "recursion": ("cp_recursion", "pp_recursion"),
    "unacc → transitive": ("unacc_to_transitive",),
    "obj → subj proper": ("obj_to_subj_proper",),
    "subj → obj common": ("subj_to_obj_common",),
    "PP dative ↔ obj dative": ("pp_dative_to_do_dative", "do_dative_to_pp_dative"),
}
"""The rows of the paper's COGS table, with the categories of `gen` that each one has. Six categories are in no row."""


def splits() -> dict[str, tuple[Example, ...]]:
    """The splits train, validation and test, which are alike, and gen, which tests generalization."""
    return {split: read_examples(locate(file)) for split, file in FILES.items()}
