# Everything that a TA or an instructor runs. `make` alone prints the table of commands.
#
# A command's comment is its line in that table; NAME=value settings stand in brackets.
# Each one sets up what it needs in .venv, says what it made, and exits with 2 and one
# line where it cannot do what is asked.

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.SILENT:
.DELETE_ON_ERROR:

COMMANDS := help grade explain show grade-all check handout trees dist rehearse \
	test lint bench clean
.PHONY: $(COMMANDS)

# The settings that each command takes; all take PYTHON.
TAKES_grade     := SUBMISSION OUT
TAKES_explain   := SUBMISSION ROW BOOKS OUT
TAKES_show      := TREE FUNCTION SUBMISSION OUT
TAKES_grade-all := SUBMISSIONS OUT JOBS ONLY FORCE ROSTER DUE
TAKES_trees     := SEED COUNT FORCE KEEP OUT
TAKES_test      := ARGS

# A setting may be the name of a student's file: it is data, which make does not expand
# and no shell reads as a command. It travels in the environment, and recipes write
# "$$NAME" for it; never $(NAME).
GIVEN := $(foreach name,$(filter-out MAKE% -%,$(.VARIABLES)),\
	$(if $(filter command,$(firstword $(origin $(name)))),$(name)))
$(foreach name,$(GIVEN),$(eval override $(name) := $$(value $(name)))$(eval export $(name)))
export PYTHON ?= python3

GOALS := $(or $(MAKECMDGOALS),help)
TAKEN := $(sort $(foreach goal,$(GOALS),$(TAKES_$(goal))))
STRAY := $(if $(filter-out $(COMMANDS),$(GOALS)),,$(filter-out PYTHON $(TAKEN),$(GIVEN)))
$(if $(STRAY),$(error $(STRAY) is no setting of make $(GOALS), which takes \
	$(or $(TAKEN),nothing)))
$(if $(filter SUBMISSION,$(GIVEN)),$(if $(SUBMISSION),,$(error SUBMISSION is empty)))

# $(call option,SEED,--seed) hands SEED over where it is given; $(call flag,FORCE,--force)
# is --force where FORCE is neither empty nor 0.
option = $${$(1):+$(2)="$$$(1)"}
flag = $(if $(filter-out 0 no,$(value $(1))),$(2))
need = $(if $(value $(1)),,echo "$@: give $(1), as in make $@ $(2)" >&2; exit 2)
next = $(if $(filter $@,$(MAKECMDGOALS)),echo "next: $(1)")

PY    := .venv/bin/python
READY := .venv/.ready
DEV   := .venv/.ready-dev
PIP   := $(PY) -m pip install --quiet --disable-pip-version-check

help: ## this table
	echo "make COMMAND [NAME=value ...]"
	awk -F ':.*## ' '/^## / {print "\n" substr($$0, 4)} \
		/^[a-z-]+:.*## / {printf "  %-9s %s\n", $$1, $$2}' Makefile

$(READY): autograder/requirements.txt
	echo "setting up .venv with $$PYTHON (once)"
	"$$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
		echo "setup: $$PYTHON is no Python 3.10 or newer; add PYTHON=python3.12" >&2; exit 2; }
	"$$PYTHON" -m venv .venv >/dev/null || { rm -rf .venv; \
		echo "setup: $$PYTHON makes no virtual environment; install python3-venv" >&2; exit 2; }
	$(PIP) -r autograder/requirements.txt || { \
		echo "setup: the packages could not be installed; see above" >&2; exit 2; }
	touch $@

$(DEV): $(READY) requirements-dev.txt
	echo "setting up the development tools (once)"
	$(PIP) -r requirements-dev.txt || { \
		echo "setup: the tools could not be installed; see above" >&2; exit 2; }
	touch $@

## For a TA

grade: $(READY) ## grade one submission [SUBMISSION=solution] [OUT=build/grade]
	$(PY) -m autograder.grade --out="$${OUT:-build/grade}" -- "$${SUBMISSION:-solution}"

explain: $(READY) ## why points were lost, for staff only SUBMISSION=... [ROW=2.06 BOOKS OUT]
	$(call need,SUBMISSION,SUBMISSION=search.py ROW=2.06)
	$(PY) -m autograder.workbench.explain --out="$${OUT:-build/explain}" \
		$(call option,ROW,--row) $(call option,BOOKS,--books) -- "$$SUBMISSION"

show: $(READY) ## step through one tree TREE=trees/public/... [SUBMISSION=... FUNCTION=minimax OUT]
	$(call need,TREE,TREE=trees/public/03-aima-figure-5-2.yaml)
	$(PY) -m autograder.workbench.show --out="$${OUT:-build/show}" \
		$(call option,FUNCTION,--function) $(call option,SUBMISSION,--submission) -- "$$TREE"

grade-all: $(READY) ## grade a course SUBMISSIONS=... [ROSTER DUE ONLY=sid,... FORCE=1 OUT JOBS]
	$(call need,SUBMISSIONS,SUBMISSIONS=export.zip)
	$(PY) -m autograder.batch --out="$${OUT:-build/course}" $(call option,JOBS,--jobs) \
		$(call option,ONLY,--only) $(call flag,FORCE,--force) \
		$(call option,ROSTER,--roster) $(call option,DUE,--due) -- "$$SUBMISSIONS"

## For an instructor

check: $(READY) ## prove the kit: trees, right programs, mistakes
	$(PY) -m autograder.workbench.check
	$(call next,make dist)

handout: $(DEV) ## make build/handout.html, the handout as students will read it
	$(PY) -m autograder.workbench.handout
	$(call next,make check)

trees: $(READY) ## generate a fresh hidden set, from a secret seed [FORCE=1 KEEP=1 COUNT=60 SEED OUT]
	$(PY) -m autograder.workbench.generate $(call option,SEED,--seed) \
		$(call option,COUNT,--count) $(call option,OUT,--out) \
		$(call flag,FORCE,--force) $(call flag,KEEP,--keep)

dist: check $(DEV) ## make starter.zip, autograder.zip and handout.html in dist/, after make check
	$(PY) -m autograder.workbench.package
	$(call next,make rehearse)

rehearse: $(READY) ## run dist/autograder.zip as Gradescope does
	$(PY) -m autograder.workbench.rehearse

## For a developer of the kit

test: $(DEV) ## run the kit's own tests [ARGS="-k rubric"]
	PYTEST_ADDOPTS="$$PYTEST_ADDOPTS $$ARGS" $(PY) -m pytest -n auto --dist worksteal
	$(call next,make lint)

lint: $(DEV) ## check style and docstrings with ruff
	$(PY) -m ruff check . && $(PY) -m ruff format --check --quiet .

bench: $(DEV) ## measure what grading costs, and what the trees and hints catch, against the bars
	bars=0; $(PY) -m bench || bars=$$?; $(PY) -m bench.proofs && exit $$bars

clean: ## remove everything that these commands made, but classes: folders with grades
	[ ! -d build ] || [ -e build/gradebook.csv ] || find build -mindepth 1 -maxdepth 1 \
		-exec sh -c 'find "$$1" -name gradebook.csv -o -name overrides.csv | grep -q . || \
		rm -rf "$$1"' clean {} \;
	rmdir build 2>/dev/null || [ ! -d build ] || echo "spared classes:" build/*
	rm -rf dist .venv .pytest_cache .ruff_cache .hypothesis *.egg-info
	[ ! -d trees/hidden ] || rm -rf trees/.hidden.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	echo "removed dist/, .venv/, all caches and the rest of build/"
