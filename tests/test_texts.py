"""Sentences stand in one file a language: the same keys and values, and none in vain."""

import dataclasses
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from helpers import ROOT
from test_results import row

from autograder.grading import grade_path
from autograder.judging import edges
from autograder.judging.concepts import WEIGHTS
from autograder.kit import load_kit
from autograder.mistakes import diagnosis as d
from autograder.results import in_bounds, results_of, unfinished
from autograder.rubric import RubricError, load_rubric
from autograder.showing import sentences
from autograder.showing.report import report_html
from autograder.showing.summary import LINES, WIDTH, feedback_text
from autograder.workbench import package, textcheck
from autograder.workbench.treesets import PHRASES
from gametree import saying, trace
from gametree.saying import fields, languages, message, say, speaking
from gametree.treefile import load_trees
from gametree.view import LEGEND

GOLDEN = ROOT / "tests" / "golden"
SYMPTOMS = {
    d.NEVER_PRUNES, d.TOO_LITTLE, d.TOO_MUCH, d.OTHER_LEAVES, d.OTHER_VALUES, d.BEYOND,
    d.WRONG_ANSWER, d.WRONG_TYPE, d.AGAIN, d.LOOKS_AHEAD, d.KEEPS_STATE, d.STOPS,
}  # fmt: skip
OTHERS = [language for language in languages() if language != "en"]
ENGLISH = saying.read("en")


@pytest.fixture
def own_texts(tmp_path, monkeypatch):
    """Return a function that writes a file of sentences, where alone they are found."""
    monkeypatch.setattr(saying, "TEXTS", tmp_path)
    monkeypatch.setattr(saying, "_tables", {})
    monkeypatch.setattr(saying, "_readers", [saying.read_table])  # none that a kit keeps
    saying.at_home.cache_clear()

    def write(language, text):
        (tmp_path / f"{language}.yaml").write_text(text, encoding="utf-8")

    yield write
    monkeypatch.undo()
    saying.at_home.cache_clear()


@pytest.mark.parametrize("language", OTHERS)
def test_each_language_has_the_same_keys_with_the_same_parameters(language):
    own = {
        key: sentence
        for key, sentence in saying.read(language).items()
        if not key.startswith(textcheck.ELSEWHERE)
    }
    assert own.keys() == ENGLISH.keys()
    for key, sentence in own.items():
        difference = fields(sentence) ^ fields(ENGLISH[key])
        assert difference <= textcheck.SELECTS, key
    assert OTHERS == ["de"]


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_said_with_what_fills_it_in(language):
    assert list(textcheck.mismatches(ROOT, language)) == []


def test_what_is_named_after_a_kind_of_data_has_a_sentence_for_each():
    kinds = {
        "concept": {concept for concepts in WEIGHTS.values() for concept in concepts},
        "mark": {mark.meaning for mark in LEGEND},
        "edge": set(edges.MEASURES),
        "stopped": {
            *(trace.TIMED_OUT, trace.OUT_OF_QUERIES, trace.DIED, trace.BROKE_PROTOCOL)
        },
        "symptom": SYMPTOMS,
    }
    for section, names in kinds.items():
        told = {key for key in ENGLISH if key.startswith(f"{section}.")}
        assert told == {f"{section}.{name}" for name in names}


class TestAFileOfSentences:
    def test_a_number_picks_the_form(self, own_texts):
        own_texts("en", 'a: {b: {0: none, 1: one, other: "{count:,} of {what}"}}')
        said = [say("a.b", count=number, what="them") for number in (0, 1, 2000)]
        assert said == ["none", "one", "2,000 of them"]

    def test_what_a_language_lacks_is_said_in_english(self, own_texts):
        own_texts("en", "a: {b: here, c: there}")
        own_texts("de", "a: {b: hier}")
        with speaking("de"):
            assert (say("a.b"), say("a.c")) == ("hier", "there")
        assert say("a.b") == "here"

    def test_where_there_is_one_alone_it_is_spoken(self, own_texts):
        own_texts("de", "a: {b: hier}")
        assert say("a.b") == "hier"

    def test_a_message_is_said_in_the_language_that_is_spoken_then(self, own_texts):
        own_texts("en", 'a: {b: "here {why}", c: so}')
        own_texts("de", 'a: {b: "hier {why}", c: darum}')
        told = message("a.b", why=message("a.c"))
        with speaking("de"):
            assert str(told) == "hier darum"
        assert str(told) == "here so"

    @pytest.mark.parametrize(
        "text, line",
        [
            ('a: {b: "{open"}', ": a.b: expected '}' before end of string; mend it"),
            ('a: {b: "{}"}', ": a.b: braces hold a name, as in {count}; mend it"),
            ('a: {b: "{x.y}"}', ": a.b: braces hold a name, as in {count}; mend it"),
            ("a: {b: 3}", ": a.b: this is no text; mend it"),
            ("a: {b: {1: one}}", ": a.b: a form 'other' is missing; mend it"),
            ("a: b: c", ", line 1: cannot be read: mapping values are not allowed"),
            ("words", ": cannot be read: sections of keys and sentences go here; mend it"),
        ],
    )
    def test_a_slip_is_one_line(self, text, line, own_texts):
        own_texts("de", text)
        with pytest.raises(saying.TextError) as caught:
            saying.read_table("de")
        told = str(caught.value)
        assert told.startswith(f"texts/de.yaml{line}") and "\n" not in told

    def test_the_check_names_what_is_missing_unknown_or_filled_in_by_nothing(
        self, own_texts
    ):
        english = (ROOT / "starter/gametree/texts/en.yaml").read_text(encoding="utf-8")
        own_texts("en", english.replace("depth {depth} ends", "depth {deep} ends"))
        own_texts("de", "words: {more: '{number} weitere', odd: x}\nmistakes: {x: [a, b]}")
        lines = list(textcheck.mismatches(ROOT, "de"))
        for line in (
            "texts/en.yaml: parting.below the depth: nothing fills in {deep}; mend it",
            "texts/de.yaml: words.more: nothing fills in {number}; mend it",
            "texts/de.yaml: 'words.odd' is no key of en.yaml; take it out",
            "texts/de.yaml: 'words.and' is missing, and said in English; translate it",
        ):
            assert line in lines

    def test_the_check_names_a_sentence_that_nothing_says(self, own_texts):
        english = (ROOT / "starter/gametree/texts/en.yaml").read_text(encoding="utf-8")
        own_texts("en", english.replace("words:\n", "words:\n  odd: x\n"))
        assert list(textcheck.mismatches(ROOT)) == [
            "texts/en.yaml: nothing says 'words.odd'; take it out"
        ]

    def test_rewording_a_sentence_changes_what_is_read(self, own_texts):
        english = (ROOT / "starter/gametree/texts/en.yaml").read_text(encoding="utf-8")
        own_texts("en", english.replace('"not visited"', '"spared"'))
        assert [mark.in_words for mark in LEGEND if mark.meaning == "not visited"] == [
            "spared"
        ]


class TestTheRubric:
    def test_chooses_the_language(self, tmp_path):
        assert self.language(tmp_path, "language: de") == "de"
        assert self.language(tmp_path, "") == "en"

    def test_refuses_one_that_is_not_there_and_says_which_are(self, tmp_path):
        with pytest.raises(RubricError) as caught:
            self.language(tmp_path, "language: fr")
        line = "rubric.yaml: language: 'fr' is unknown; write de or en"
        assert str(caught.value) == line

    def language(self, folder, line):
        text = (ROOT / "autograder" / "rubric.yaml").read_text(encoding="utf-8")
        path = folder / "rubric.yaml"
        path.write_text(text.replace("language: en", line), encoding="utf-8")
        return load_rubric(path).language


@pytest.fixture(scope="module")
def kit():
    kit = load_kit(trees=GOLDEN / "trees")
    return dataclasses.replace(kit, rubric=dataclasses.replace(kit.rubric, language="de"))


class TestGerman:
    def test_a_wrong_submission_reads_exactly(self, kit, request, monkeypatch):
        """Its results.json, and the first screen within its lines and columns."""
        monkeypatch.setattr(sentences, "PYTHON", "Python 3.x")
        grading = grade_path(kit, GOLDEN / "calls_minimax")
        expected = GOLDEN / "calls_minimax" / "results.de.json"
        told = in_bounds(results_of(grading))
        if request.config.getoption("--update-golden"):
            expected.write_text(told)
        assert told == expected.read_text()
        lines = feedback_text(grading).split("\n")
        assert len(lines) <= LINES and max(map(len, lines)) <= WIDTH
        page = report_html(grading)
        assert '<html lang="de">' in page
        for german in ("Wonach es aussieht", "Der kleinste Baum", "unnötig besucht"):
            assert german in page
        page = re.sub("(?s)<pre.*?</pre>", "", page.partition("<body>")[2])
        words = re.sub("<[^>]*>", " ", page)
        for english in ("visited", "wrong", "trees right", "Your", "cutoff", "the "):
            assert english not in words

    def test_what_did_not_finish_says_so(self):
        german = SimpleNamespace(language="de")
        data = unfinished(SimpleNamespace(rubric=german, rows_of_all=[row("1.01", 0, 33)]))
        assert data["output"].startswith("Der Autograder ist nicht fertig geworden.")
        assert data["tests"][0]["name"] == "minimax: Spiele"

    def test_a_refusal_is_german_for_the_student_and_english_for_staff(self, kit):
        grading = grade_path(kit, GOLDEN / "misnamed")
        assert "kein search.py in der Abgabe; gefunden: Search.py" in feedback_text(grading)
        assert str(grading.refusal).startswith("no search.py in the submission")

    def test_every_known_mistake_has_its_two_sentences(self):
        assert textcheck.untranslated(ROOT, "de") == []

    def test_every_lesson_of_the_kit_and_every_phrase_of_a_fresh_one_is_known(self):
        german = saying.read("de")
        public = load_trees(ROOT / "trees" / "public")
        for tree in (*public, *load_trees(ROOT / "trees" / "hidden")):
            whole = f"lessons.{tree.lesson}" in german
            parts = all(f"lessons.{part}" in german for part in tree.lesson.split(", "))
            assert whole or parts, tree.lesson
        assert {f"lessons.{phrase}" for phrase in PHRASES.values()} <= german.keys()
        assert {f"titles.{tree.title}" for tree in public} <= german.keys()

    def test_the_starter_speaks_it_and_has_no_more_than_it_says_itself(self, tmp_path):
        rubric = (ROOT / "autograder" / "rubric.yaml").read_text(encoding="utf-8")
        assert "language: en" in rubric
        for name, content in package.said_at_home(ROOT, "de").items():
            (tmp_path / name).parent.mkdir(parents=True)
            (tmp_path / name).write_bytes(content)
            assert b"mistakes:" not in content and b"summary:" not in content
        for path in (ROOT / "starter" / "gametree").glob("*.py"):
            (tmp_path / "gametree" / path.name).write_bytes(path.read_bytes())
        program = (
            "from gametree import Search, parse_tree, observe\n"
            "from gametree.checking import problems\n"
            "from gametree.words import in_words\n"
            "print(in_words(['a', 'b']))"
        )
        run = subprocess.run(
            [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
        )
        assert (run.stdout, run.stderr) == ("a und b\n", "")
