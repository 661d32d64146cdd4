"""Sentences: the code says each of them, and fills in what stands in its braces."""

import ast
import math

import pytest
from helpers import ROOT

from autograder.judging.boundaries import MEASURES
from autograder.judging.scores import SEVERAL_WAYS
from autograder.kit import load_kit
from autograder.mistakes import symptoms as seen
from autograder.showing.sentences import REFUSED
from autograder.workbench import package
from gametree.support import saying, trace
from gametree.support.saying import (
    TextError,
    find_fields,
    load_sentences,
    say,
    use_sentences,
    write_number,
)

SYMPTOMS = {
    *(seen.NEVER_PRUNES, seen.PRUNES_BY_GIVEN, seen.TOO_LITTLE, *seen.CUTOFFS),
    *(seen.TOO_MUCH, seen.TOO_MUCH + seen.AT_MAX, seen.TOO_MUCH + seen.AT_MIN),
    *(seen.OTHER_LEAVES, seen.OTHER_VALUES, seen.OTHER_ORDER, seen.BEYOND, seen.AGAIN),
    *(seen.WRONG_ANSWER, seen.WRONG_TYPE, seen.LOOKS_AHEAD, seen.STOPS, seen.EQUAL_MOVE),
    seen.NO_MOVE,
}
MODULES = [
    ast.parse(path.read_text(encoding="utf-8"))
    for folder in ("starter", "autograder")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


@pytest.fixture
def own_texts(tmp_path, monkeypatch):
    """Return a function that writes the file of sentences that is read instead."""
    monkeypatch.setattr(saying, "TEXTS", tmp_path / "texts.yaml")
    use_sentences({})
    yield (tmp_path / "texts.yaml").write_text
    use_sentences({})


def keys_in(item):
    """Return the keys in an expression; one that is put together ends with "*"."""
    parts = list(ast.walk(item))
    joined = [part.values[0] for part in parts if isinstance(part, ast.JoinedStr)]
    texts = [part for part in parts if isinstance(part, ast.Constant)]
    texts = [part for part in texts if isinstance(part.value, str) and "." in part.value]
    known = {key.partition(".")[0] for key in load_sentences()}
    return {
        f"{part.value}*" if part in joined else part.value
        for part in texts
        if part.value.partition(".")[0] in known
    }


def imports_say(item):
    """Tell whether an item imports from gametree.support.saying."""
    return isinstance(item, ast.ImportFrom) and item.module == "gametree.support.saying"


def test_every_sentence_is_said():
    said = set().union(*map(keys_in, MODULES))
    families = tuple(key[:-1] for key in said if key.endswith("*"))
    assert [
        k for k in load_sentences() if k not in said and not k.startswith(families)
    ] == []


def test_what_is_said_exists_and_is_filled_in():
    items = [list(ast.walk(module)) for module in MODULES]
    items = [all_of for all_of in items if any(map(imports_say, all_of))]
    calls = [item for all_of in items for item in all_of if isinstance(item, ast.Call)]
    calls = [call for call in calls if getattr(call.func, "id", "") in ("say", "_say")]
    assert len(calls) > 150
    for call in calls:
        given, key = {each.arg for each in call.keywords}, call.args[0]
        for either in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
            if isinstance(either, ast.Constant):
                assert either.value in load_sentences(), either.value
                needed = find_fields(load_sentences()[either.value])
                assert None in given or needed <= given, either.value


def test_what_is_named_after_a_kind_of_data_has_a_sentence_for_each():
    kinds = {
        "boundary": set(MEASURES),
        "refused": set(REFUSED),
        "stopped": {
            *(trace.TIMED_OUT, trace.OUT_OF_QUERIES, trace.DIED, trace.BROKE_PROTOCOL),
            SEVERAL_WAYS,
        },
        "symptom": SYMPTOMS,
    }
    for section, names in kinds.items():
        told = {key for key in load_sentences() if key.startswith(f"{section}.")}
        assert told == {f"{section}.{name}" for name in names}


def test_a_number_picks_the_form(own_texts):
    own_texts('a: {b: {0: none, 1: one, other: "{count:,} of {what}"}}')
    said = [say("a.b", count=number, what="them") for number in (0, 1, 2000)]
    assert said == ["none", "one", "2,000 of them"]


def test_a_slip_is_one_line(own_texts):
    for text, line in (
        ('a: {b: "{open"}', ": a.b: expected '}' before end of string; mend it"),
        ('a: {b: "{}"}', ": a.b: braces hold a name, as in {count}; mend it"),
        ('a: {b: "{x.y}"}', ": a.b: braces hold a name, as in {count}; mend it"),
        ('a: {b: "{x}"}', ": a.b: nothing fills in {x}; mend it"),
        ("a: {b: 3}", ": a.b: this is no text; mend it"),
        ("a: {b: {1: one}}", ": a.b: a form 'other' is missing; mend it"),
        ("a: b: c", ", line 1: cannot be read: mapping values are not allowed"),
        ("words", ": cannot be read: sections of keys and sentences go here; mend it"),
    ):
        own_texts(text)
        with pytest.raises(TextError) as caught:
            say("a.b", count=3)
        told = str(caught.value)
        assert told.startswith(f"texts.yaml{line}") and "\n" not in told
        use_sentences({})


def test_rewording_a_sentence_changes_what_is_read(own_texts):
    text = (ROOT / "starter/gametree/texts.yaml").read_text(encoding="utf-8")
    own_texts(text.replace('"infinity"', '"without bound"'))
    assert write_number(-math.inf) == "-without bound"


def test_the_starter_has_only_the_sentences_that_it_says():
    shipped = package.starter_files(load_kit())["gametree/texts.yaml"]
    assert b"home:" in shipped and b"summary:" not in shipped
