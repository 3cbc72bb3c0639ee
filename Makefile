# Everything runs from a virtual environment in the tree: `make demo` and `make test` need
# Python 3.11 or later with its venv module, make, and a package index; no service.

.DEFAULT_GOAL := help
.PHONY: help venv demo test lint format types imports pytest bench clean
.DELETE_ON_ERROR:

# The first that runs and is new enough: a name on PATH may be a shim that runs nothing.
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3.14 python3; do \
	if $$name -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
		>/dev/null 2>&1; then command -v $$name; break; fi; done)

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALLED := .venv/.installed
DEVELOPED := .venv/.developed
PYTEST_ARGS ?= --numprocesses=auto
BENCH_ARGS ?=

help:
	@echo 'make demo    play, replay, verify, cut off and resume a game'
	@echo 'make test    lint, types, import order and tests'
	@echo 'make lint    ruff alone          make types   mypy alone'
	@echo 'make format  let ruff format     make bench   the benchmarks'
	@echo 'make venv    the environment     make clean   remove what was made'

venv: $(DEVELOPED)

$(INSTALLED): pyproject.toml
	@test -n "$(PYTHON)" || { \
		echo 'apnap needs Python 3.11 or later with its venv module on PATH' >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --editable .
	@touch $@

$(DEVELOPED): $(INSTALLED)
	$(PIP) install --editable '.[dev]'
	@touch $@

demo: $(INSTALLED)
	@$(BIN)/python -m apnap.cli.demo

# pytest comes last: its last line says how many tests were skipped, and why.
test: lint types imports pytest

lint: $(DEVELOPED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEVELOPED)
	$(BIN)/ruff format .

types: $(DEVELOPED)
	$(BIN)/mypy -p apnap
	$(BIN)/mypy tests

imports: $(DEVELOPED)
	$(BIN)/lint-imports --no-logo

# The script, not `python -m pytest`: the top folders must not become importable as `events`.
pytest: $(DEVELOPED)
	$(BIN)/pytest $(PYTEST_ARGS)

bench: $(INSTALLED)
	$(BIN)/apnap bench $(BENCH_ARGS)

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
