# The two commands of README are `make run` and `make test`; `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

# Under root the data live outside this folder, and a server that somebody killed may still be running on them.
ERASE := from pathlib import Path; from db.embedded import EmbeddedServer; \
	EmbeddedServer(Path('var/postgres')).start().release(erase=True)

# What tests leave behind for a look stays in this folder as well.
IN_FOLDER := mkdir -p var/tmp && TMPDIR='$(CURDIR)/var/tmp'

# A process that may not keep what it compiled reads and compiles all of this anew: half the time of a short one.
unexport PYTHONDONTWRITEBYTECODE

# Two files of proofs at a time, the longest one first: begun last, it would be waited for alone.
IN_PAIRS := -n 2 --dist loadfile --no-loadscope-reorder
LONGEST := tests/prove/test_specification.py

.DEFAULT_GOAL := help
.PHONY: help install run test prove lint format lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(INSTALLED): requirements.lock setup.cfg
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

install: $(INSTALLED) ## build .venv with the locked versions

run: install ## play the demonstration days and serve the API (Ctrl-C stops)
	@$(BIN)/flask --app wsgi serve --demonstration

test: install ## every behaviour at small size, PostgreSQL included (under 5 minutes)
	$(IN_FOLDER) $(BIN)/python -m pytest -n 3 -m "not prove" tests

prove: install ## a restore, crowds, races and the fuzzed API on real workers; SIZE=small|full
	$(IN_FOLDER) PROVE_SIZE=$(or $(SIZE),small) $(BIN)/python -m pytest $(if $(filter full,$(SIZE)),-m prove,$(IN_PAIRS) -m "prove and not long") $(LONGEST) tests

lint: install ## ruff, import contracts, types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/mypy

format: install ## put the code into the one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header

lock: install ## refresh requirements.lock from setup.cfg, and of it what is deployed
	$(LOCK) --all-extras setup.cfg --output-file requirements.lock
	$(LOCK) --constraint requirements.lock setup.cfg --output-file deploy/requirements.lock

clean: ## remove the environment and the data of the embedded server of this folder
	-@test ! -d var/postgres || test ! -x $(BIN)/python || $(BIN)/python -c "$(ERASE)"
	rm -rf .venv var build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
