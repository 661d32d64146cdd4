"""Correct programs in all styles lose nothing, and known mistakes lose their points."""

import random
from functools import cache
from itertools import islice

import pytest
from helpers import (
    ROOT,
    RUBRIC,
    cases,
    definitions,
    kit_text,
    tables_beside,
    trees_in,
    variant,
    variants_in,
    write,
)

from autograder.explaining.library import STATE_SHOWS, failures
from autograder.explaining.variants import (
    IN_MINIMAX,
    base_path,
    load_variant,
    load_variants,
    overlay,
    quietly,
    read_header,
)
from autograder.kit.loading import load_reference, stage_program
from autograder.scoring.tasks import CONVENTIONS, EQUALITY, STRICT, tasks_for
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import families, random_trees
from autograder.workbench.lint import lint_headers
from gametree.functions import FUNCTIONS
from gametree.support.errors import InputError
from gametree.support.trace import OUT_OF_QUERIES

SOLUTION = ROOT / "solution"
MAX_HEADLINE = 79
MAX_NEXT_STEP = 92
CORRECT = variants_in("correct")
STRICT_CORRECT = variants_in("correct", "strict")
MISTAKES = variants_in("mistakes")
MAX_FILES = 130  # of mistakes that people make; others are lines of bench/unseen
REFERENCE = variant("search")
STRICT_REFERENCE = variant("search", "strict")
FILES = sorted(SOLUTION.glob("*/*.py"))

# Kind of finding -> the word of a `Shows:` line.
WORDS = tables_beside(__file__)["words of findings"]


def tasks_of(trees, convention=EQUALITY, functions=tuple(FUNCTIONS)):
    """Return the tasks of these trees in a course of this convention."""
    reference = load_reference(RUBRIC._replace(cutoff=convention))
    return tasks_for(trees, reference, functions)


def wrong(program, tasks):
    """Yield the wrong verdicts of a program."""
    with quietly():
        yield from failures(program.source, tasks)


def words_of(verdict):
    """Return what is wrong, in the words of a `Shows:` line."""
    if verdict.has_returned:
        return {WORDS[finding.kind] for finding in verdict.findings}
    if verdict.trace.ending.kind == OUT_OF_QUERIES:
        return {"endless"}
    return {"raised"}


@cache
def tasks_of_styles(convention):
    """Return tasks of public and small trees in a course of this convention.

    `make check` runs the correct styles on the hidden trees.
    """
    trees = [*trees_in("public"), *islice(small_trees(), 0, None, 100)]
    return tasks_of(trees, convention)


STYLES = [(EQUALITY, variant) for variant in (REFERENCE, *CORRECT)]
STYLES += [(STRICT, variant) for variant in (STRICT_REFERENCE, *STRICT_CORRECT)]


@pytest.mark.parametrize(
    "convention, style", STYLES, ids=lambda part: getattr(part, "name", part)
)
def test_a_correct_style_is_correct(convention, style):
    assert list(wrong(style, tasks_of_styles(convention))) == [], style.name


@cache
def mixed_tasks():
    """Return function -> its tasks of small, random and special trees."""
    trees = [*islice(small_trees(), 0, None, 50), *random_trees(150, seed=11)]
    rng = random.Random(12)
    trees += [family.draw(rng, number) for family in families() for number in range(2)]
    return {function: tasks_of(trees, functions=[function]) for function in FUNCTIONS}


def first_words(program, function, sought):
    """Return what is wrong with a function. Stop when all sought words are found."""
    words = set()
    for verdict in wrong(program, mixed_tasks()[function]):
        words |= words_of(verdict)
        if sought <= words:
            break
    return words


def test_there_are_at_most_130_files_of_mistakes():
    files = list((ROOT / "solution" / "mistakes").glob("*.py"))
    assert len(files) <= MAX_FILES


@pytest.mark.parametrize("program", MISTAKES, ids=lambda program: program.name)
def test_a_mistake_fails_as_its_docstring_says(program):
    for function, words in program.shows.items():
        named = set(words) - {STATE_SHOWS}
        shown = first_words(program, function, named)
        assert shown and named <= shown, function
    for function in set(FUNCTIONS).difference(program.shows):
        sample = mixed_tasks()[function][:400:32]
        assert not any(wrong(program, sample)), function


TEXTS = {"headline": MAX_HEADLINE, "next_step": MAX_NEXT_STEP}


@pytest.mark.parametrize("course", [(), ("strict",)], ids=CONVENTIONS)
@pytest.mark.parametrize("text", TEXTS)
def test_headlines_and_next_steps_are_short_and_unique(course, text):
    mistakes = variants_in("mistakes", *course)
    by_file = {}
    for mistake in mistakes:
        by_file[mistake.path] = (*mistake.shows, getattr(mistake, text))
    assert len(set(by_file.values())) == len(by_file)
    lines = [words[-1] for words in by_file.values()]
    assert [line for line in lines if not line.endswith(".")] == []
    assert [line for line in lines if len(line) > TEXTS[text]] == []


# ---- files of solution/, which contain only changed definitions

HEAD = '"""Mine."""\n'
BASE = '"""Base."""\nimport math\nA = 1\ndef one(): ...\ndef two(): ...\n'


@cache
def definitions_of(style):
    """Return the definitions of a correct style; those of the reference if it is None."""
    path = base_path(style, SOLUTION) if style else SOLUTION / "search.py"
    return definitions(load_variant(path).source)


def test_no_file_repeats_a_definition_of_its_base():
    for path in FILES:
        text = path.read_text()
        (style,) = read_header(text)["Changes"] or [None]
        base = definitions_of(style)
        changed = definitions(text)
        repeated = [name for name in changed if changed[name] == base.get(name)]
        assert repeated == [], path.name


@cases("overlaid files")
def test_definitions_of_a_file_replace_those_of_its_base(text, complete):
    assert overlay(HEAD + text, BASE) == f"{HEAD}\nimport math\n{complete}"


def test_an_overlay_has_the_imports_of_both_files():
    text = "from __future__ import division\nimport math\nimport cmath\nfrom os import x\n"
    assert overlay(HEAD + text, BASE).startswith(f"{HEAD}\n{text}A = 1\n")


def test_a_copy_of_a_mistake_elsewhere_is_not_completed(tmp_path):
    source = (SOLUTION / "mistakes" / "no_cutoff.py").read_bytes()
    copy = tmp_path / "search.py"
    copy.write_bytes(source)
    assert stage_program(copy).source == source


@cases("wrong files")
def test_a_wrong_file_is_reported_in_one_line(text, problem, tmp_path):
    reference = kit_text("solution/search.py")
    write(tmp_path, {"search.py": reference, "mistakes/own.py": text + reference})
    with pytest.raises(InputError, match=f"/mistakes/own.py{problem}"):
        load_variants(tmp_path / "mistakes", EQUALITY)


def test_each_word_of_a_header_has_a_meaning():
    assert list(lint_headers(SOLUTION)) == []


@cases("headers without a meaning")
def test_a_word_of_a_header_without_a_meaning_is_one_line(lines, problem, tmp_path):
    header = f"Fails.\nFix it.\nShows: minimax value\n{lines}\n"
    write(tmp_path, {"mistakes/own.py": f'"""{header}"""\n'})
    (line,) = lint_headers(tmp_path)
    assert line.startswith(f"mistakes/own.py: {problem}; ")


@cases("wrong references")
def test_a_wrong_reference_is_reported_in_one_line(text, problem, tmp_path):
    write(tmp_path / "solution", {"search.py": text})
    with pytest.raises(InputError, match=f"/solution/search.py{problem}"):
        load_reference(RUBRIC, tmp_path)


def test_a_file_of_the_kit_that_is_not_python_is_staged_as_it_is(tmp_path):
    path = tmp_path / "solution" / "search.py"
    path.parent.mkdir()
    path.write_text("def alphabeta(:\n")
    assert stage_program(path, "strict", tmp_path).source == b"def alphabeta(:\n"


# ---- mistakes of minimax that are derived from mistakes of alphabeta


def test_only_minimax_is_wrong_in_derived_mistakes(kit):
    right = definitions(REFERENCE.source)
    tasks = mixed_tasks()["minimax"]
    for mistake in kit.library.variants:
        if mistake.name.startswith(IN_MINIMAX):
            changed = definitions(mistake.source)
            assert changed["alphabeta"] == right["alphabeta"], mistake.name
            assert any(wrong(mistake, tasks)), mistake.name
