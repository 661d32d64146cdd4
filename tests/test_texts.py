"""The code uses every sentence of texts.yaml and fills in all its placeholders."""

import ast
import math

import pytest
from helpers import ROOT, cases, slips, tasks_of, tree_of

from autograder.explaining import symptoms
from autograder.explaining.evidence import REPORTED, search_properties
from autograder.scoring.concepts import WEIGHTS
from autograder.scoring.scores import SEVERAL_WAYS
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
    """Return the string constants of a module."""
    values = [value for name, value in vars(module).items() if name.isupper()]
    return {value for value in values if isinstance(value, str)}


NOT_SYMPTOMS = {  # constants that are a part of a symptom or imported
    symptoms.NO_CUTOFF,
    symptoms.AT_MAX,
    symptoms.AT_MIN,
    trace.OUT_OF_QUERIES,
}
JOINED_SYMPTOMS = {
    symptoms.TOO_MUCH + symptoms.AT_MAX,
    symptoms.TOO_MUCH + symptoms.AT_MIN,
    *symptoms.CUTOFFS,
}
LIMIT_ERRORS = """
    SyntaxError ModuleNotFoundError EOFError PermissionError BlockingIOError
"""
A_TASK = tasks_of(tree_of("[1, 2]"))[0]
NAMED_AFTER_DATA = {  # section -> the names of its sentences
    "boundary": {*REPORTED, *search_properties(A_TASK)},
    "concept": set().union(*WEIGHTS.values()),
    "hidden boundary": set(HIDDEN_BOUNDARIES),
    "refused": set(LIMIT_ERRORS.split()),
    "stopped": {
        trace.TIMED_OUT,
        trace.OUT_OF_QUERIES,
        trace.DIED,
        trace.BROKE_PROTOCOL,
        SEVERAL_WAYS,
    },
    "symptom": constants_of(symptoms) - NOT_SYMPTOMS | JOINED_SYMPTOMS,
}
TEXTS = (ROOT / "starter/gametree/texts.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def modules():
    """Return the syntax trees of all modules of the kit."""
    paths = [*ROOT.glob("starter/**/*.py"), *ROOT.glob("autograder/**/*.py")]
    return [ast.parse(path.read_text(encoding="utf-8")) for path in paths]


@pytest.fixture
def write_texts(tmp_path, monkeypatch):
    """Return a function that writes a file of sentences, which replaces texts.yaml."""
    path = tmp_path / "texts.yaml"
    monkeypatch.setattr(saying, "TEXTS", path)
    use_sentences({})
    yield path.write_text
    use_sentences({})


def keys_in(module):
    """Return the keys in a module. A key that an f-string completes ends with "*"."""
    sections = {key.partition(".")[0] for key in load_sentences()}
    nodes = list(ast.walk(module))
    f_strings = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    beginnings = [node.values[0] for node in f_strings]
    keys = set()
    for node in nodes:
        value = getattr(node, "value", None)
        if not isinstance(value, str):
            continue
        section, dot, _ = value.partition(".")
        if dot and section in sections:
            keys.add(f"{value}*" if node in beginnings else value)
    return keys


def test_every_sentence_is_used(modules):
    keys = set().union(*map(keys_in, modules))
    prefixes = tuple(key[:-1] for key in keys if key.endswith("*"))
    unused = [key for key in load_sentences() if key not in keys]
    assert [key for key in unused if not key.startswith(prefixes)] == []


def imports_say(node):
    """Tell whether a syntax node imports from gametree.support.saying."""
    return isinstance(node, ast.ImportFrom) and node.module == "gametree.support.saying"


@pytest.fixture(scope="module")
def calls(modules):
    """Return the calls of say() and of _say(), which passes its arguments to say()."""
    calls = []
    for module in modules:
        nodes = list(ast.walk(module))
        if not any(map(imports_say, nodes)):
            continue
        for node in nodes:
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("say", "_say"):
                calls.append(node)
    return calls


def constants_in(key):
    """Return the constants among the values that an expression may have."""
    choices = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
    return [choice.value for choice in choices if isinstance(choice, ast.Constant)]


def test_each_call_names_a_sentence_and_gives_all_its_fields(calls):
    assert len(calls) > 150
    for call in calls:
        given = {keyword.arg for keyword in call.keywords}
        for key in constants_in(call.args[0]):
            assert key in load_sentences(), key
            missing = find_fields(load_sentences()[key]) - given
            assert not missing or None in given, key


def test_the_list_of_placeholders_has_the_fields_of_all_sentences_and_calls(calls):
    names = {key: find_fields(text) for key, text in load_sentences().items()}
    for call in calls:
        given = {keyword.arg for keyword in call.keywords} - {None}
        for key in constants_in(call.args[0]):
            names[key] |= given
    lines = [f"{key}: {' '.join(sorted(names[key]))}".strip() for key in sorted(names)]
    assert lint.PLACEHOLDERS.read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize("old, new, problem", cases("wrong texts"))
def test_make_check_reports_a_wrong_text_in_one_line(write_texts, old, new, problem):
    assert old in TEXTS
    write_texts(TEXTS.replace(old, new, 1))
    (found,) = [line for line in lint.text_problems() if problem in line]
    assert found.startswith("texts.yaml")
    assert "\n" not in found


def test_the_shipped_texts_have_no_problem():
    assert list(lint.text_problems()) == []


@pytest.mark.parametrize("section", NAMED_AFTER_DATA)
def test_a_section_has_a_sentence_for_each_kind_of_data(section):
    prefix = f"{section}."
    keys = [key for key in load_sentences() if key.startswith(prefix)]
    names = {key.removeprefix(prefix) for key in keys}
    assert names == NAMED_AFTER_DATA[section]


def test_the_count_selects_the_form_of_a_sentence(write_texts):
    write_texts('a: {b: {0: none, 1: one, other: "{count:,} of {what}"}}')
    assert say("a.b", count=0, what="them") == "none"
    assert say("a.b", count=1, what="them") == "one"
    assert say("a.b", count=2000, what="them") == "2,000 of them"


@pytest.mark.parametrize("text, message", slips("texts"))
def test_a_wrong_file_of_sentences_is_reported_in_one_line(write_texts, text, message):
    write_texts(text)
    with pytest.raises(TextError) as caught:
        say("a.b", count=3)
    line = str(caught.value)
    assert line.startswith(f"texts.yaml{message}")
    assert "\n" not in line


def test_a_changed_sentence_is_used(write_texts):
    write_texts(TEXTS.replace('"infinity"', '"without bound"'))
    assert write_number(-math.inf) == "-without bound"


@pytest.mark.parametrize("number, text", cases("returned numbers"))
def test_a_returned_number_is_rounded_unless_the_tree_has_it(number, text):
    search = Search(depth=1, maximizing=True, alpha=-7654321)
    root = parse_tree("{root: max, tree: [1234.5678, 2]}", "tree").root
    assert write_returned(number, root, search) == text
