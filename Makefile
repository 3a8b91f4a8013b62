# Every target does all of its own set-up: nothing is needed beforehand but Python 3.11 or later, make and a C library.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
MANAGE := $(BIN)/python manage.py
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Packages are compiled when they are first imported: most of what they bring never is. What was compiled must be kept
# then, or every process would compile it again.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(BIN)/python -m pip install --quiet --no-compile

.PHONY: demo test test-all check bench bench-pages audit kernels measure mutants pictures release clean

demo: .venv/ready
	@exec $(MANAGE) demo $(if $(PORT),--port $(PORT))

# Every feature, of a few rulesets. The engine is compiled while the packages that only tests need are fetched.
test: .venv/ready
	@$(MAKE) --no-print-directory --jobs 2 .venv/ready-for-tests kernels
	@$(BIN)/python -m tools.measure --run test $(BIN)/python -m pytest -n 2 --dist worksteal

# Everything there is: every ruleset, many examples of each property, thorough tests too.
test-all: .venv/ready
	@$(MAKE) --no-print-directory --jobs 2 .venv/ready-for-tests kernels
	@TESTS=all $(BIN)/python -m tools.measure --run test-all $(BIN)/python -m pytest -n 2 --dist worksteal

kernels: .venv/ready
	@$(BIN)/python -m simulator.engine.compilation

check: .venv/ready-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file clients/python/pyproject.toml clients/python/catalogue_client
	$(BIN)/lint-imports
	$(BIN)/python -m tools.prose --phrases
	$(MANAGE) makemigrations --check --dry-run
	$(MANAGE) check

bench: .venv/ready-for-tests
	$(MANAGE) bench --seconds 5 --json

# What the pages cost, on the database as it is. `make bench-pages TREE=../before` measures another revision as well.
bench-pages: .venv/ready
	@$(BIN)/python -m tests.proofs.page_costs $(if $(TREE),--tree $(TREE) --tree .)

# Licences against the policy, and advisories where the package index can be asked.
audit: .venv/ready
	@$(INSTALL) 'pip-audit>=2.10,<3' || echo 'pip-audit cannot be installed here' >&2
	@$(MANAGE) audit

# The size of the project and the cost of its tests, beside an earlier commit: `make measure BASE=COMMIT`.
measure: .venv/ready
	@$(BIN)/python -m tools.measure $(BASE)

# An hour and more: a sample of 100 faults, one after the other, before the tests of `make test`; with ALL=1 what these
# do not notice before those of `make test-all`. `make mutants SAMPLE=10 SEED=2 ALL=1 WORKERS=1`; a run that was broken
# off goes on where it was.
mutants: .venv/ready-for-tests kernels
	@$(BIN)/python -m tests.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(ALL),--all) $(if $(WORKERS),--workers $(WORKERS))

# All types of pages at three widths, light and dark, into var/pictures; twelve of them, and a film of a turn, into
# docs/pictures. Of a site that is filled for it (some minutes), or of one that runs: `make pictures AT=http://…`.
pictures: .venv/ready-for-tests
	@$(BIN)/python -m tests.proofs.pictures --keep $(if $(AT),--at $(AT))

# Everything that is deposited, of what is committed, into a folder that is not there yet: `make release TO=../release
# SITE=https://games.example.org`; twice the same bytes. The copy of the site takes most of its minutes; ONLY=python.
release: .venv/ready-for-tests
	@$(BIN)/python -m tools.release $(or $(TO),var/release) $(if $(SITE),--site $(SITE)) $(addprefix --only ,$(ONLY))

proof-%: .venv/ready-for-tests
	@$(BIN)/python -m tests.proofs.$(subst -,_,$*)

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, not " + sys.version)'
	$(PYTHON) -m venv .venv

.venv/ready: requirements.txt | .venv/bin/python
	$(INSTALL) -r requirements.txt
	@touch $@

.venv/ready-for-tests: tests/requirements.txt .venv/ready
	$(INSTALL) -r tests/requirements.txt
	@touch $@

clean:
	rm -rf .venv var
