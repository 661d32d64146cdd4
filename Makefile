# Everything that a TA or an instructor runs. `make` alone prints the table of commands.
#
# A command's comment is its line in that table; NAME=value settings stand in brackets.
# Each one sets up what it needs in .venv, says what it made, and exits with 2 and one
# line where it cannot do what is asked.

PYTHON ?= python3
VENV   ?= .venv

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.SILENT:
.DELETE_ON_ERROR:

PY    := $(VENV)/bin/python
READY := $(VENV)/.ready
DEV   := $(VENV)/.ready-dev
PIP   := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check

SETTINGS := PYTHON VENV ARGS BEFORE BRANCHING CONVENTION COUNT DEPTH FORCE JOBS KEEP \
	MUTANTS ONLY ORDER OUT PEERS PRUNED REPORTS ROOT SEARCH SEED SUBMISSION SUBMISSIONS TIES \
	TREE
given = $(filter command,$(firstword $(origin $(1))))
UNKNOWN := $(strip $(foreach name,$(filter-out MAKE% -%,$(.VARIABLES)),\
	$(if $(call given,$(name)),$(filter-out $(SETTINGS),$(name)))))
$(if $(UNKNOWN),$(error $(UNKNOWN) is no setting of the kit; `make help` lists them))

# $(call option,--seed,$(SEED)) is nothing without a SEED; $(call flag,--force,$(FORCE))
# is --force where FORCE is neither empty nor 0.
option = $(if $(2),$(1) "$(2)")
flag = $(if $(filter-out 0 no,$(2)),$(1))
need = $(if $($(1)),,echo "$@: give $(1), as in make $@ $(2)" >&2; exit 2)
next = $(if $(filter $@,$(MAKECMDGOALS)),echo "next: $(1)")

.PHONY: help grade show grade-all regrade check trees tree holdout cutoff copies dist rehearse \
	test lint bench clean

help: ## this table
	echo "make COMMAND [NAME=value ...]"
	sed -n -e 's/^## \(.*\)/\n\1/p' -e 's/^\([a-z-]*\):.*## \(.*\)$$/  \1|\2/p' Makefile \
	| awk -F'|' 'NF > 1 {printf "%-11s %s\n", $$1, $$2; next} {print}'

$(READY): autograder/requirements.txt
	echo "setting up $(VENV) with $(PYTHON) (once)"
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || { \
		echo "setup: $(PYTHON) is no Python 3.10 or newer; add PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV) >/dev/null || { rm -rf $(VENV); \
		echo "setup: $(PYTHON) makes no virtual environment; install python3-venv" >&2; exit 2; }
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
	$(PY) -m autograder.grade "$(or $(SUBMISSION),solution)" --out "$(or $(OUT),build/grade)"

show: $(READY) ## step through one tree TREE=trees/public/... [SUBMISSION=... SEARCH=1 OUT]
	$(call need,TREE,TREE=trees/public/03-aima-figure-5-2.yaml)
	$(PY) -m autograder.workbench.show "$(TREE)" --out "$(or $(OUT),build/show)" \
		$(call option,--search,$(SEARCH)) $(call option,--submission,$(SUBMISSION))

COURSE = $(call option,--jobs,$(JOBS)) $(call option,--only,$(ONLY)) \
	$(call option,--before,$(BEFORE)) $(call flag,--force,$(FORCE)) \
	$(if $(filter 0 no,$(REPORTS)),--no-reports)

grade-all: $(READY) ## grade a course SUBMISSIONS=... [OUT JOBS ONLY=sid,... FORCE=1 REPORTS=0]
	$(call need,SUBMISSIONS,SUBMISSIONS=export.zip)
	$(PY) -m autograder.batch "$(SUBMISSIONS)" --out "$(or $(OUT),build/course)" $(COURSE)
	$(call next,open $(or $(OUT),build/course)/report.html)

regrade: BEFORE ?= build/course/gradebook.csv
regrade: $(READY) ## as grade-all, and tell who changed [BEFORE=build/course/gradebook.csv]
	$(call need,SUBMISSIONS,SUBMISSIONS=export.zip)
	$(PY) -m autograder.batch "$(SUBMISSIONS)" --out "$(or $(OUT),build/regrade)" $(COURSE)
	$(call next,open $(or $(OUT),build/regrade)/changes.csv)

## For an instructor

check: $(READY) ## prove the kit: right programs, mistakes, trees, texts [MUTANTS=1]
	$(PY) -m autograder.workbench.check $(call flag,--mutants,$(MUTANTS))
	$(call next,make dist)

trees: $(READY) ## generate a fresh hidden set SEED=7 [COUNT=40 FORCE=1 KEEP=1 OUT]
	$(call need,SEED,SEED=7)
	$(PY) -m autograder.workbench.generate --seed "$(SEED)" $(call option,--count,$(COUNT)) \
		$(call option,--out,$(OUT)) $(call flag,--force,$(FORCE)) $(call flag,--keep,$(KEEP))

tree: $(READY) ## one tree DEPTH=3 BRANCHING=2 [ORDER=best TIES=yes PRUNED=40 ROOT SEED OUT FORCE]
	$(call need,DEPTH,DEPTH=3 BRANCHING=2)
	$(call need,BRANCHING,DEPTH=3 BRANCHING=2)
	$(PY) -m autograder.workbench.onetree --depth "$(DEPTH)" --branching "$(BRANCHING)" \
		$(call option,--order,$(ORDER)) $(call option,--ties,$(TIES)) \
		$(call option,--pruned,$(PRUNED)) $(call option,--root,$(ROOT)) \
		$(call option,--seed,$(SEED)) $(call option,--out,$(OUT)) $(call flag,--force,$(FORCE))

holdout: $(READY) ## hide half the mistakes: how many would a set catch? [SEED=7 COUNT=40]
	$(PY) -m autograder.workbench.holdout $(call option,--seed,$(SEED)) \
		$(call option,--count,$(COUNT))

cutoff: $(READY) ## teach the other rule for ties CONVENTION=strict (or equality)
	$(call need,CONVENTION,CONVENTION=strict)
	$(PY) -m autograder.workbench.convention "$(CONVENTION)"

copies: ## copy trees/public into starter/trees, where students find them
	rm -rf starter/trees && mkdir starter/trees && cp trees/public/*.yaml starter/trees/
	echo "copied trees/public into starter/trees"
	$(call next,make check)

dist: check ## make dist/starter.zip and dist/autograder.zip, after make check
	$(PY) -m autograder.workbench.package
	$(call next,make rehearse)

rehearse: $(READY) ## run dist/autograder.zip as Gradescope does
	$(PY) -m autograder.workbench.rehearse

## For a developer of the kit

test: $(DEV) ## run the kit's own tests [ARGS="-k rubric"]
	$(PY) -m pytest -n auto --dist loadfile $(ARGS)
	$(call next,make lint)

lint: $(DEV) ## check style and docstrings with ruff
	$(PY) -m ruff check . && $(PY) -m ruff format --check --quiet .

bench: $(READY) ## measure what grading costs, beside other ways to grade [PEERS=1]
	$(PY) -m bench $(call flag,--peers,$(PEERS))

clean: ## remove everything that these commands made
	rm -rf build dist $(VENV) .pytest_cache .ruff_cache .hypothesis *.egg-info
	[ ! -d trees/hidden ] || rm -rf trees/.hidden.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	echo "removed build/, dist/, $(VENV)/ and all caches"
