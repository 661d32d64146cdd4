"""The code uses every sentence of texts.yaml and fills in all its placeholders."""

from functools import cache, partial

import pytest
from helpers import ROOT, cases, kit_text, refusal_of, slips

from autograder.explaining.changes import KINDS
from autograder.kit.loading import load_kit
from autograder.workbench import texts as workbench
from gametree.support import texts
from gametree.support.texts import (
    load_sentences,
    sentence,
    use_sentences,
    write_number,
)

TEXTS = kit_text("starter/gametree/texts.yaml")


used_sentences = cache(workbench.used_sentences)  # it parses all modules of the kit


@pytest.fixture
def write_texts(tmp_path, monkeypatch):
    """Return a function that writes a file of sentences, which replaces texts.yaml."""
    path = tmp_path / "texts.yaml"
    monkeypatch.setattr(texts, "TEXTS", path)
    monkeypatch.setattr(workbench, "used_sentences", used_sentences)
    use_sentences({})
    yield path.write_text
    use_sentences({})


@cases("wrong texts")
def test_make_check_reports_a_wrong_text_in_one_line(old, new, problem, write_texts):
    assert old in TEXTS
    write_texts(TEXTS.replace(old, new, 1))
    (found,) = [line for line in workbench.text_problems() if problem in line]
    assert found.startswith("texts.yaml")
    assert "\n" not in found


def test_the_kit_uses_every_sentence_and_fills_in_its_placeholders(monkeypatch):
    monkeypatch.setattr(workbench, "used_sentences", used_sentences)
    assert used_sentences().keys() == load_sentences().keys()
    assert list(workbench.text_problems()) == []


def test_each_named_change_is_a_kind_of_change():
    section = "small change."
    keys = [key for key in load_sentences() if key.startswith(section)]
    names = {key.removeprefix(section) for key in keys}
    assert names - {"any"} <= {kind.name for kind in KINDS}


def test_the_count_selects_the_form_of_a_sentence(write_texts):
    write_texts('a: {b: {0: none, 1: one, other: "{count:,} of {what}"}}')
    assert sentence("a.b", count=0, what="them") == "none"
    assert sentence("a.b", count=1, what="them") == "one"
    assert sentence("a.b", count=2000, what="them") == "2,000 of them"


@slips("texts")
def test_a_wrong_file_of_sentences_is_reported_in_one_line(text, message, write_texts):
    write_texts(text)
    line = refusal_of(partial(sentence, "a.b", count=3))
    assert line.startswith(f"texts.yaml{message}")


def test_a_kit_with_an_error_in_its_sentences_is_refused(write_texts):
    write_texts("a: b: c")
    assert refusal_of(load_kit, ROOT).startswith("texts.yaml, line 1: ")


@cases("numbers")
def test_a_number_is_written_in_full(number, text):
    assert write_number(number) == text
