# Every target sets up what it needs: a virtual environment in .venv with the project and its development tools.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-slow lint bench clean

demo: $(READY)  ## learn Colors from 14 examples, on data that comes with the package
	$(BIN)/fewlex demo

test: $(READY)  ## all quick tests, about two minutes
	$(BIN)/pytest -m "not slow" -n auto

test-slow: $(READY)  ## the tests that train models or read whole corpora
	$(BIN)/pytest -m slow

lint: $(READY)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## training throughput as a share of the machine's peak
	$(BIN)/python benchmarks/training.py

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache

# constraints.txt pins torch, whose newest release may bring gigabytes that a laptop does not need.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable ".[dev]" --constraint constraints.txt
	touch $@
