# `make help` lists the targets. Everything is installed into .venv, once per change of pyproject.toml.

PYTHON ?= python3
TORCH := torch==2.13.0
# Its layers are compared with ours; the vision package that it asks for is built for another torch.
TIMM := timm==1.0.31
# Not beside torch's CPU build in every environment: torch.compile looks at what is installed.
TRITON := triton==3.9.0
CONFIG := examples/qwen3-32b-yarn/config.json

# Relative paths only: a checkout may lie in a folder whose name has spaces.
BIN := .venv/bin
PIP := $(BIN)/python -m pip install

export PIP_QUIET := 2
export PIP_NO_INPUT := 1
export PIP_PROGRESS_BAR := off
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help tour test gpu-tests full lint style types contracts web docs figures clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

tour: .venv/.posenc ## Show and prove how the model in examples/ tells positions (no torch needed)
	@$(BIN)/posenc tour $(CONFIG)

test: .venv/.test ## Install what the tests need, torch first, and run them
	$(BIN)/python -m pytest -n auto --dist loadscope

gpu-tests: .venv/.test ## Run the kernels for GPUs in Triton's interpreter
	$(PIP) --no-deps $(TRITON)
	$(BIN)/python -m pytest -n auto --dist loadscope -m triton

full: .venv/.test ## Run the slow tests too
	$(BIN)/python -m pytest -n auto --dist loadscope -m "not triton"

lint: style types contracts ## Check style, types and the direction of imports

style: .venv/.lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.lint
	$(BIN)/mypy

contracts: .venv/.lint
	$(BIN)/lint-imports --no-logo

web: .venv/.web ## Check the page's script, and that what is shipped is what its source makes
	cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent all

docs: .venv/.docs ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

figures: .venv/.figures ## Draw every figure into out/
	$(BIN)/posenc tour --out out

clean: ## Remove .venv and everything that was built
	rm -rf .venv build dist out docs/_build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

# One stamp per set of packages. A newer pip first: older ones know no dependency groups.

.venv/.pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "posenc needs Python 3.11 or newer; name one with make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(PIP) --upgrade pip
	@touch $@

.venv/.posenc: pyproject.toml | .venv/.pip
	$(PIP) --editable .
	@touch $@

# torch before everything else, so that nothing that depends on it chooses another release.
.venv/.test: pyproject.toml | .venv/.pip
	$(PIP) $(TORCH)
	$(PIP) --editable '.[convert,fast,jax,plot,torch]' --group test
	$(PIP) --no-deps $(TIMM)
	@touch $@ .venv/.posenc

.venv/.lint: .venv/.test
	$(PIP) --group lint
	@touch $@

.venv/.web: pyproject.toml web/package-lock.json | .venv/.pip
	$(PIP) --group web
	cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --no-audit --no-fund
	@touch $@

# The reference imports every module that it documents, posenc.testing and posenc.figures among them.
.venv/.docs: .venv/.test
	$(PIP) --group docs
	@touch $@

.venv/.figures: .venv/.posenc
	$(PIP) --editable '.[plot]'
	@touch $@
