"""The paper's tables as data: every cell has a run that can be made, and it is the paper's method."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fewlex.experiments import reported
from fewlex.experiments.identity import config_of
from fewlex.experiments.paper import (
    EXPERIMENTS,
    METHODS,
    METHODS_WITH_GAPS,
    PAPER_TASKS,
    PRESETS,
    TASKS,
    experiment_name,
)
from fewlex.experiments.paper_tables import tables
from fewlex.experiments.plan import OWN_METHODS

PEOPLE = ""


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_has_a_valid_config(name: str) -> None:
    config_of(EXPERIMENTS[name], seed=0)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_cell_has_an_experiment(preset: str) -> None:
    for table in tables(preset):
        assert set(table.experiments()) <= EXPERIMENTS.keys() | {PEOPLE}
        assert all(set(row.cells) <= set(table.columns) for row in table.rows)


@pytest.mark.parametrize("preset", PRESETS)
def test_all_numbers_of_table_2_have_a_cell(preset: str) -> None:
    table = tables(preset)[0]
    cells = {cell.experiment: cell.paper for row in table.rows for cell in row.cells.values() if cell.paper}
    assert len(cells) == 8 * 4 - 3, "eight methods on four tasks; copying was run on COGS only"
    assert cells[experiment_name("around-right", "bayesian", preset)] == reported.Reported(0.02, 0.04)
    assert cells[experiment_name("cogs", "copy", preset)] == reported.Reported(0.66, 0.03)


def test_the_bars_of_table_3_are_accuracies() -> None:
    whole = {method: figure.mean for method, figure in reported.TABLE_3["all"].items()}
    for method, mean in whole.items():
        assert mean == pytest.approx(reported.TABLE_2[method]["cogs"].mean, abs=0.01)


def test_the_papers_rows_are_the_papers_method() -> None:
    for table in tables("fast"):
        for row in table.rows:
            for cell in row.cells.values():
                if cell.paper is None or not cell.experiment:
                    continue
                config = config_of(EXPERIMENTS[cell.experiment], 0)
                assert not config.fast_mapping.is_on
                assert config.data.notation in ("flat", "compact", "one_script"), (
                    "variables are generated, not read off attention"
                )
                assert not config.data.truecase
                assert not config.lexicon.exact_rows
                of_soft_rows = {
                    "soft": {"identity_bonus": True},
                    "learned": {"identity_bonus": True, "candidates": True},
                }
                expected = of_soft_rows.get(EXPERIMENTS[cell.experiment].method, {})
                assert config.lexicon.parameters == expected, "ε = 3 in all experiments"
                assert config.augmentation.is_on == (EXPERIMENTS[cell.experiment].method == "geca")
                assert not row.is_ours


ALIKE = ("jump", "around-right", "eng-cmn")


@pytest.mark.parametrize("task", PAPER_TASKS)
@pytest.mark.parametrize("methods", [("lstm", "geca"), ("simple", "pmi", "ibm2", "bayesian", "copy")])
def test_rows_of_a_column_differ_in_lexicon_and_data_alone(task: str, methods: tuple[str, ...]) -> None:
    """Those with a lexicon among themselves, and those without; on SCAN and English–Chinese both alike.

    On COGS, rows whose lexicon does not have the rare words are trained as those without a lexicon.
    """
    if task == "cogs":
        gaps = set(METHODS_WITH_GAPS)
        methods = (*methods, *gaps) if "lstm" in methods else tuple(set(methods) - gaps)
    first, *others = (
        config_of(experiment, seed=0)
        for experiment in EXPERIMENTS.values()
        if experiment.task == task
        and experiment.preset == "fast"
        and experiment.method in (("lstm", *methods) if task in ALIKE else methods)
    )
    assert others
    for config in others:
        assert replace(config.model, output="write") == replace(first.model, output="write")
        assert (config.training, config.decoding) == (first.training, first.decoding)


def test_a_label_names_one_method_in_each_table() -> None:
    for preset in PRESETS:
        for table in tables(preset):
            labels = [row.label for row in table.rows]
            assert len(labels) == len(set(labels))
    assert len({method.label for method in METHODS.values()}) == len(METHODS)


def test_tasks_and_methods_of_an_experiment_are_known() -> None:
    for experiment in EXPERIMENTS.values():
        assert experiment.task in TASKS
        assert experiment.method in OWN_METHODS
