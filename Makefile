# Every target does all of its own set-up: nothing is needed beforehand but Python 3.11 or later, make and a C library.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: demo test check bench clean

demo: .venv/ready
	@exec $(MANAGE) demo $(if $(PORT),--port $(PORT))

test: .venv/ready-for-tests
	@$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/ready-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MANAGE) makemigrations --check --dry-run
	$(MANAGE) check

bench: .venv/ready-for-tests
	$(MANAGE) bench --seconds 5 --json

proof-%: .venv/ready-for-tests
	@$(BIN)/python -m tests.proofs.$*

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, not " + sys.version)'
	$(PYTHON) -m venv .venv

.venv/ready: requirements.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

.venv/ready-for-tests: tests/requirements.txt .venv/ready
	$(BIN)/python -m pip install --quiet -r tests/requirements.txt
	@touch $@

clean:
	rm -rf .venv var
