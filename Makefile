# The commands for TAs and instructors. `make` without a command prints their table.
#
# The comment of a command is its line in that table; optional settings are in brackets.
# Each command sets up .venv and names the files that it made. If a command cannot do its
# work, it prints one line and exits with status 2.

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.SILENT:
.DELETE_ON_ERROR:

COMMANDS := help grade explain show match grade-all check trees dist rehearse \
	test style bench clean
.PHONY: $(COMMANDS)

# The settings of each command. Every command also takes PYTHON.
TAKES_grade     := SUBMISSION OUT
TAKES_explain   := SUBMISSION ROW BOOKS
TAKES_show      := TREE FUNCTION SUBMISSION OUT
TAKES_match     := SUBMISSIONS OUT ROSTER
TAKES_grade-all := SUBMISSIONS OUT JOBS ONLY ROSTER
TAKES_trees     := SEED FORCE OUT
TAKES_dist      := PUBLISHED
TAKES_test      := ARGS

# A setting may be the name of a student's file, so make must not expand it, and no shell
# may run it. Settings are passed in the environment. Recipes write "$$NAME" and never
# $(NAME).
GIVEN := $(foreach name,$(filter-out MAKE% -%,$(.VARIABLES)),\
	$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
$(foreach name,$(GIVEN),$(eval override $(name) := $$(value $(name)))$(eval export $(name)))
export PYTHON ?= python3

GOALS := $(or $(MAKECMDGOALS),help)
TAKEN := $(sort $(foreach goal,$(GOALS),$(TAKES_$(goal))))
STRAY := $(if $(filter-out $(COMMANDS),$(GOALS)),,$(filter-out PYTHON $(TAKEN),$(GIVEN)))
$(if $(STRAY),$(error make $(GOALS) has no setting $(STRAY); it takes \
	$(or $(TAKEN),none)))
$(if $(filter SUBMISSION,$(GIVEN)),$(if $(SUBMISSION),,$(error SUBMISSION is empty)))

# The newest Python with which the kit was tested, as .ci/pythons does.
NEWEST := 3.15

# $(call option,SEED,--seed) passes SEED if it is set. $(call flag,FORCE,--force) is --force
# unless FORCE is empty, 0 or no.
option = $${$(1):+$(2)="$$$(1)"}
flag = $(if $(filter-out 0 no,$(value $(1))),$(2))
need = $(if $(value $(1)),,echo "$@: give $(1), as in make $@ $(2)" >&2; exit 2)
next = $(if $(filter $@,$(MAKECMDGOALS)),echo "next: $(1)")

PY    := .venv/bin/python
READY := .venv/.ready
DEV   := .venv/.ready-dev
PAGES := .venv/.ready-pages
PIP   := $(PY) -m pip install --quiet --disable-pip-version-check

help: ## print this table
	echo "make COMMAND [NAME=value ...]"
	awk -F ':.*## ' '/^## / {print "\n" substr($$0, 4)} \
		/^[a-z-]+:.*## / {printf "  %-9s %s\n", $$1, $$2}' Makefile

$(READY): autograder/requirements.txt
	echo "setting up .venv with $$PYTHON (once)"
	"$$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
		echo "setup: $$PYTHON is not Python 3.10 or newer; add PYTHON=python3.12" >&2; exit 2; }
	"$$PYTHON" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] > "$(NEWEST)")' || \
		echo "note: $$PYTHON is newer than $(NEWEST), the newest Python that was tested"
	"$$PYTHON" -m venv .venv >/dev/null || { rm -rf .venv; \
		echo "setup: $$PYTHON cannot create a virtual environment; install python3-venv" >&2; \
		exit 2; }
	$(PIP) -r autograder/requirements.txt || { \
		echo "setup: the packages could not be installed; see above" >&2; exit 2; }
	touch $@

$(DEV): $(READY) requirements-dev.txt
	echo "setting up the development tools (once)"
	$(PIP) -r requirements-dev.txt || { \
		echo "setup: the tools could not be installed; see above" >&2; exit 2; }
	touch $@

# The one development tool that the handout's page needs.
$(PAGES): $(READY) requirements-dev.txt
	$(PIP) "$$(grep ^markdown-it-py requirements-dev.txt)" || { \
		echo "setup: markdown-it-py could not be installed; see above" >&2; exit 2; }
	touch $@

## For a TA

grade: $(READY) ## grade one submission [SUBMISSION=solution] [OUT=build/grade]
	$(PY) -m autograder.grade --out="$${OUT:-build/grade}" -- "$${SUBMISSION:-solution}"

explain: $(READY) ## explain lost points, for staff only SUBMISSION=... [ROW=2.06 BOOKS]
	$(call need,SUBMISSION,SUBMISSION=search.py ROW=2.06)
	$(PY) -m autograder.workbench.explain $(call option,ROW,--row) \
		$(call option,BOOKS,--books) -- "$$SUBMISSION"

show: $(READY) ## step through one tree TREE=trees/public/... [SUBMISSION=... FUNCTION=minimax OUT]
	$(call need,TREE,TREE=trees/public/03-aima-figure-5-2.yaml)
	$(PY) -m autograder.workbench.show --out="$${OUT:-build/show}" \
		$(call option,FUNCTION,--function) $(call option,SUBMISSION,--submission) -- "$$TREE"

match: $(READY) ## match a course to its class list, without grading SUBMISSIONS=... [ROSTER OUT]
	$(call need,SUBMISSIONS,SUBMISSIONS=export.zip ROSTER=roster.csv)
	$(PY) -m autograder.batch --match --out="$${OUT:-build/course}" \
		$(call option,ROSTER,--roster) -- "$$SUBMISSIONS"

grade-all: $(READY) ## grade a course SUBMISSIONS=... [ROSTER ONLY=sid,... OUT JOBS]
	$(call need,SUBMISSIONS,SUBMISSIONS=export.zip)
	$(PY) -m autograder.batch --out="$${OUT:-build/course}" $(call option,JOBS,--jobs) \
		$(call option,ONLY,--only) $(call option,ROSTER,--roster) -- "$$SUBMISSIONS"

## For an instructor

check: $(READY) ## prove that trees load, correct programs get full marks and mistakes lose points
	$(PY) -m autograder.workbench.check
	$(call next,make dist)

trees: $(READY) ## generate fresh hidden trees from a secret seed [FORCE=1 SEED OUT]
	$(PY) -m autograder.workbench.generate $(call option,SEED,--seed) \
		$(call option,OUT,--out) $(call flag,FORCE,--force)

dist: $(PAGES) ## make starter.zip, autograder.zip and handout.html in dist/ [PUBLISHED=1]
	$(PY) -m autograder.workbench.package $(call flag,PUBLISHED,--published)
	$(call next,make rehearse)

rehearse: $(READY) ## run the zip in dist/ as Gradescope does
	$(PY) -m autograder.workbench.rehearse

## For a developer of the kit

test: $(DEV) ## run the kit's own tests [ARGS="-k rubric"]
	PYTEST_ADDOPTS="-n auto --dist worksteal $$PYTEST_ADDOPTS $$ARGS" $(PY) -m pytest
	$(call next,make style)

style: $(DEV) ## check style and docstrings with ruff, and types with mypy
	$(PY) -m ruff check . && $(PY) -m ruff format --check --quiet . && $(PY) -m mypy

bench: $(DEV) ## compare the cost of grading and the quality of trees and hints with the targets
	bars=0; $(PY) -m bench || bars=$$?; $(PY) -m bench.proofs && exit $$bars

clean: ## remove all files that these commands made, except folders with grades
	[ ! -d build ] || [ -e build/gradebook.csv ] || find build -mindepth 1 -maxdepth 1 \
		-exec sh -c 'find "$$1" -name gradebook.csv -o -name overrides.csv | grep -q . || \
		rm -rf "$$1"' clean {} \;
	rmdir build 2>/dev/null || [ ! -d build ] || echo "spared classes:" build/*
	rm -rf dist .venv .pytest_cache .ruff_cache .mypy_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	echo "removed dist/, .venv/, all caches and other files in build/"
