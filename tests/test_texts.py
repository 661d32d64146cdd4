"""Sentences: the code says each of them, and fills in what stands in its braces."""

import ast
import math

import pytest
from helpers import ROOT, cases, slips, tasks_of, tree_of

from autograder.judging.concepts import WEIGHTS
from autograder.judging.evidence import REPORTED, search_properties
from autograder.judging.scores import SEVERAL_WAYS
from autograder.mistakes import symptoms
from autograder.showing.messages import HIDDEN_BOUNDARIES
from autograder.workbench import lint
from gametree import parse_tree
from gametree.support import saying, trace
from gametree.support.saying import (
    TextError,
    find_fields,
    load_sentences,
    say,
    use_sentences,
    write_number,
    write_returned,
)
from gametree.support.tree import Search


def constants_of(module):
    """Return the texts that are constants of a module."""
    values = [value for name, value in vars(module).items() if name.isupper()]
    return {value for value in values if isinstance(value, str)}


NO_SYMPTOMS = {  # parts of a symptom, and a name that is imported
    symptoms.NO_CUTOFF,
    symptoms.AT_MAX,
    symptoms.AT_MIN,
    trace.OUT_OF_QUERIES,
}
PUT_TOGETHER = {
    symptoms.TOO_MUCH + symptoms.AT_MAX,
    symptoms.TOO_MUCH + symptoms.AT_MIN,
    *symptoms.CUTOFFS,
}
ERRORS_OF_LIMITS = """
    SyntaxError ModuleNotFoundError EOFError PermissionError BlockingIOError
"""
A_TASK = tasks_of(tree_of("[1, 2]"))[0]
# What the names of these sentences end in: section -> the names.
NAMED_AFTER_DATA = {
    "boundary": {*REPORTED, *search_properties(A_TASK)},
    "concept": set().union(*WEIGHTS.values()),
    "hidden boundary": set(HIDDEN_BOUNDARIES),
    "refused": set(ERRORS_OF_LIMITS.split()),
    "stopped": {
        trace.TIMED_OUT,
        trace.OUT_OF_QUERIES,
        trace.DIED,
        trace.BROKE_PROTOCOL,
        SEVERAL_WAYS,
    },
    "symptom": constants_of(symptoms) - NO_SYMPTOMS | PUT_TOGETHER,
}
TEXTS = (ROOT / "starter/gametree/texts.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def modules():
    """Return the syntax trees of all modules of the kit."""
    paths = [*ROOT.glob("starter/**/*.py"), *ROOT.glob("autograder/**/*.py")]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths]


@pytest.fixture
def own_texts(tmp_path, monkeypatch):
    """Return a function that writes the file of sentences that is read instead."""
    path = tmp_path / "texts.yaml"
    monkeypatch.setattr(saying, "TEXTS", path)
    use_sentences({})
    yield path.write_text
    use_sentences({})


def keys_in(module):
    """Return the keys in a module; one that is put together ends with "*"."""
    sections = {key.partition(".")[0] for key in load_sentences()}
    items = list(ast.walk(module))
    joined = [item for item in items if isinstance(item, ast.JoinedStr)]
    beginnings = [item.values[0] for item in joined]
    keys = set()
    for item in items:
        value = getattr(item, "value", None)
        if not isinstance(value, str):
            continue
        section, dot, _ = value.partition(".")
        if dot and section in sections:
            keys.add(f"{value}*" if item in beginnings else value)
    return keys


def test_every_sentence_is_said(modules):
    keys = set().union(*map(keys_in, modules))
    families = tuple(key[:-1] for key in keys if key.endswith("*"))
    unsaid = [key for key in load_sentences() if key not in keys]
    assert [key for key in unsaid if not key.startswith(families)] == []


def imports_say(item):
    """Tell whether an item imports from gametree.support.saying."""
    return isinstance(item, ast.ImportFrom) and item.module == "gametree.support.saying"


@pytest.fixture(scope="module")
def calls(modules):
    """Return the calls of say(), or of _say(), which passes all on to it."""
    calls = []
    for module in modules:
        items = list(ast.walk(module))
        if not any(map(imports_say, items)):
            continue
        for item in items:
            if isinstance(item, ast.Call) and ast.unparse(item.func) in ("say", "_say"):
                calls.append(item)
    return calls


def constants_in(key):
    """Return the keys that an expression can be, as far as they are written out."""
    choices = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
    return [choice.value for choice in choices if isinstance(choice, ast.Constant)]


def test_what_is_said_exists_and_is_filled_in(calls):
    assert len(calls) > 150
    for call in calls:
        given = {keyword.arg for keyword in call.keywords}
        for key in constants_in(call.args[0]):
            assert key in load_sentences()
            missing = find_fields(load_sentences()[key]) - given
            assert not missing or None in given, key


def test_the_list_of_placeholders_has_what_each_sentence_and_each_call_names(calls):
    names = {key: find_fields(text) for key, text in load_sentences().items()}
    for call in calls:
        given = {keyword.arg for keyword in call.keywords} - {None}
        for key in constants_in(call.args[0]):
            names[key] |= given
    lines = [f"{key}: {' '.join(sorted(names[key]))}".strip() for key in sorted(names)]
    assert lint.PLACEHOLDERS.read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize("old, new, problem", cases("wrong texts"))
def test_a_mistake_in_the_texts_is_one_line_of_make_check(own_texts, old, new, problem):
    assert old in TEXTS
    own_texts(TEXTS.replace(old, new, 1))
    (found,) = [line for line in lint.text_problems() if problem in line]
    assert found.startswith("texts.yaml")
    assert "\n" not in found


def test_the_shipped_texts_have_no_problem():
    assert list(lint.text_problems()) == []


@pytest.mark.parametrize("section", NAMED_AFTER_DATA)
def test_what_is_named_after_a_kind_of_data_has_a_sentence_for_each(section):
    prefix = f"{section}."
    keys = [key for key in load_sentences() if key.startswith(prefix)]
    names = {key.removeprefix(prefix) for key in keys}
    assert names == NAMED_AFTER_DATA[section]


def test_a_number_picks_the_form(own_texts):
    own_texts('a: {b: {0: none, 1: one, other: "{count:,} of {what}"}}')
    assert say("a.b", count=0, what="them") == "none"
    assert say("a.b", count=1, what="them") == "one"
    assert say("a.b", count=2000, what="them") == "2,000 of them"


@pytest.mark.parametrize("text, message", slips("texts"))
def test_a_slip_is_one_line(own_texts, text, message):
    own_texts(text)
    with pytest.raises(TextError) as caught:
        say("a.b", count=3)
    line = str(caught.value)
    assert line.startswith(f"texts.yaml{message}")
    assert "\n" not in line


def test_rewording_a_sentence_changes_what_is_read(own_texts):
    own_texts(TEXTS.replace('"infinity"', '"without bound"'))
    assert write_number(-math.inf) == "-without bound"


@pytest.mark.parametrize("number, text", cases("returned numbers"))
def test_a_returned_number_is_shown_in_three_digits_unless_the_tree_has_it(number, text):
    search = Search(depth=1, maximizing=True, alpha=-7654321)
    root = parse_tree("{root: max, tree: [1234.5678, 2]}", "tree").root
    assert write_returned(number, root, search) == text
