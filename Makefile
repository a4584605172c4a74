# Every target sets up what it needs: a virtual environment in .venv with the project, and for tests with its tools.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

.PHONY: demo test test-slow lint bench torture torture-short audit clean

demo: $(READY)  ## learn Colors from 14 examples, on data that comes with the package
	$(BIN)/fewlex demo

test: $(READY_DEV)  ## all quick tests, about two minutes
	$(BIN)/pytest -m "not slow" -n auto

test-slow: $(READY_DEV)  ## the tests that train models or read whole corpora
	$(BIN)/pytest -m slow

lint: $(READY_DEV)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY_DEV)  ## speed, as ratios taken in one run (docs/lab/speed.md); needs COGS and eng-cmn (FEWLEX_DATA or network)
	$(BIN)/python -m pip install --quiet --editable ".[dev,bench]" --constraint constraints.txt
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/decoding.py
	$(BIN)/python benchmarks/teaching.py
	$(BIN)/python benchmarks/serving.py
	$(BIN)/python benchmarks/lexicon.py

torture: $(READY_DEV)  ## an hour of kills, full disks, flipped bits, bad input and load; writes docs/reliability.md
	$(BIN)/python -m torture --minutes 60 --record

torture-short: $(READY_DEV)  ## the same for ten minutes; writes nothing
	$(BIN)/python -m torture --minutes 10

audit: $(READY_DEV)  ## look up the locked versions in the database of known weaknesses; needs the network
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/pip-audit -r tests.lock --no-deps --disable-pip

clean:
	rm -rf $(VENV) runs .pytest_cache .mypy_cache .ruff_cache

# constraints.txt pins torch, whose newest release may bring gigabytes that a laptop does not need.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable . --constraint constraints.txt
	touch $@

$(READY_DEV): $(READY)
	$(BIN)/python -m pip install --quiet --editable ".[dev]" --constraint constraints.txt
	touch $@
