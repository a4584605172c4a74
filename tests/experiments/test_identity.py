"""Which runs are the same run."""

from __future__ import annotations

from dataclasses import replace

from fewlex.experiments.experiment import Experiment, WithoutWord
from fewlex.experiments.identity import config_of, identity, own_settings

COLORS = Experiment("colors", "colors", "colors", settings=("model.hidden=16",))


def identity_of(experiment: Experiment, seed: int = 0) -> str:
    return identity(experiment, config_of(experiment, seed))


def test_names_and_seeds_do_not_matter() -> None:
    assert identity_of(COLORS, 0) == identity_of(COLORS, 1)
    assert identity_of(COLORS) == identity_of(replace(COLORS, name="other", method="other"))


def test_settings_and_data_matter() -> None:
    others = (
        replace(COLORS, settings=("model.hidden=32",)),
        replace(COLORS, preset="paper"),
        replace(COLORS, prepare=WithoutWord("zup")),
    )
    assert len({identity_of(experiment) for experiment in (COLORS, *others)}) == 4


def test_a_setting_at_its_default_does_not_matter() -> None:
    """So that a setting which a later fewlex adds leaves old results what they are."""
    spelt_out = replace(COLORS, settings=(*COLORS.settings, "decoding.beam=1"))
    assert identity_of(spelt_out) == identity_of(COLORS)
    settings = own_settings(config_of(COLORS, 7))
    assert settings["model"]["hidden"] == 16
    assert not {"preset", "seed", "decoding"} & settings.keys()


def test_what_is_switched_off_does_not_matter() -> None:
    off = replace(COLORS, settings=("fast_mapping.probability=0", "model.output=write"))
    other = replace(off, settings=(*off.settings, "fast_mapping.policy=word", "lexicon.method=pmi"))
    assert identity_of(off) == identity_of(other)
    assert identity_of(COLORS) != identity_of(replace(COLORS, settings=("fast_mapping.policy=word",)))


def test_copying_has_an_end_mark_and_no_other_setting_of_a_lexicon() -> None:
    copying = replace(COLORS, settings=("fast_mapping.probability=0", "model.output=copy"))
    assert identity_of(replace(copying, settings=(*copying.settings, "lexicon.method=pmi"))) == identity_of(
        copying
    )
    assert identity_of(
        replace(copying, settings=(*copying.settings, "lexicon.end_mark=true"))
    ) != identity_of(copying)
