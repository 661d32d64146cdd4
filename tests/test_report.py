"""The report page as a file: complete, closed to what a student's program says."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from drawn import NO_CUTOFF, grading_of, textbook, verdict_of
from helpers import tree_of

from autograder.counterexample import Counterexample
from autograder.grading import Grading
from autograder.mistakes.diagnosis import Diagnosis
from autograder.showing.report import report_html, write_report
from gametree import parse_tree
from gametree.support.trace import RAISED, Ending

ATTACK = "</script></pre><script>alert(1)</script><img src=x onerror=alert(1)>"
VOID = {"meta", "link", "input", "img", "br"}


class Reader(HTMLParser):
    """Collects tags, attributes and texts, and checks that tags are closed in order."""

    def __init__(self, html):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts, self.ids = [], [], [], [], []
        self.feed(html)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


HIDDEN = tree_of([[31, 37], [29, 41]], name="hidden")


@pytest.fixture(scope="module")
def wrong():
    return Reader(report_html(grading_of(NO_CUTOFF, [textbook()], [HIDDEN])))


def test_of_a_public_tree_all_is_shown_and_of_a_hidden_one_its_lesson_and_aspects(wrong):
    assert "Score:" in wrong.text and "/100" in wrong.text
    assert "visited c2 and c3 needlessly: you should have cut off before this" in wrong.text
    drawings = [text for text in wrong.texts if "visited needlessly" in text]
    assert any("MAX " in text for text in drawings), "<desc> is the terminal drawing"
    assert "the lesson of hidden: value right, leaves wrong, node count wrong" in wrong.text
    assert not re.search(r"\b(31|37|29|41)\b", wrong.text), "its leaves"
    opened = [one for one in wrong.attributes if one[:2] == ("details", "open")]
    assert len(opened) == 2  # alphabeta's public trees and its hidden one
    widths = {v for _, name, v in wrong.attributes if name == "style" and "width" in v}
    assert "width:100.0%" in widths and len(widths) > 1


def test_ids_are_unique_links_stay_on_the_page_and_no_script_runs(wrong):
    assert len(wrong.ids) == len(set(wrong.ids)) and "script" not in wrong.tags
    for _, name, value in wrong.attributes:
        assert name != "src" and not name.startswith("on"), value
        assert name != "href" or value.startswith(("#", "data:")), value
        if name in ("aria-labelledby", "aria-describedby"):
            assert value in wrong.ids
        if name == "href" and value.startswith("#"):
            assert value[1:] in wrong.ids
    policy = next(v for t, n, v in wrong.attributes if t == "meta" and "default-src" in v)
    assert "default-src 'none'" in policy and "script-src" not in policy


def test_what_a_program_prints_and_raises_stays_text():
    raises = f"def alphabeta(node, *window):\n    raise ValueError({ATTACK!r})\n"
    grading = grading_of(raises, [textbook()], printed=ATTACK + "\x1b[2J\u202e")
    page = Reader(report_html(grading))
    assert not {"script", "img"} & set(page.tags)
    assert f"it raised {ATTACK}" in page.text or ATTACK in page.text
    assert "\x1b" not in page.text and "\u202e" not in page.text


def test_a_class_name_of_half_a_character_stops_no_report_and_its_file_is_whole(tmp_path):
    grading, path = grading_of(NO_CUTOFF, [textbook()]), tmp_path / "a" / "report.html"
    trace = replace(grading.traces[0], ending=Ending(RAISED, "\ud800<b>", loading=True))
    write_report(replace(grading, load_failure=trace), path)
    assert [*path.parent.iterdir()] == [path]
    html = path.read_text(encoding="utf-8")
    assert "could not be loaded" in html and "<b>" not in html
    assert html.endswith("</html>\n")


def test_a_refused_file_is_told_why_and_right_rows_are_folded():
    page = Reader(report_html(Grading((), refusal=f"no search.py; found: {ATTACK}")))
    assert "no search.py; found:" in page.text and "img" not in page.tags
    page = Reader(report_html(grading_of("", [textbook()], [HIDDEN])))
    assert "Every value, every leaf and every node count is right." in page.text
    assert page.text.count("2 rows, all right") == 3
    hidden = [HIDDEN, tree_of([1, 2], name="two"), tree_of([2, 1], name="three")]
    page = Reader(report_html(grading_of(NO_CUTOFF, [textbook()], hidden)))
    assert "1 row, all right" in page.text


def test_a_diagnosis_says_what_is_seen_and_its_causes():
    causes = [
        SimpleNamespace(headline=f"You {what} <b>.", next_step=f"Mend {what}.", told="")
        for what in ("one", "two")
    ]
    diagnosis = Diagnosis(("alphabeta",), True, tuple(causes), "prunes too little")
    html = report_html(replace(grading_of(NO_CUTOFF, [textbook()]), diagnoses=(diagnosis,)))
    section = html.split('id="diagnosis"')[1].split("</section>")[0]
    assert "<h2>What it looks like</h2>" in section
    assert "<ul><li>You one &lt;b&gt;.</li><li>You two &lt;b&gt;.</li></ul>" in section


def test_what_is_named_is_plain_text_once():
    grading = grading_of("", [textbook()])
    rows = [row._replace(concept="MAX's & <MIN's>") for row in grading.rows]
    grading = replace(grading, rows=rows)
    html = report_html(grading, "Ada <b> \u202e 123 \u00b7 search.py")
    page = Reader(html)
    assert "<title>Ada &lt;b&gt; ? 123 \u00b7 search.py: report</title>" in html
    assert ">MAX&#x27;s &amp; &lt;MIN&#x27;s&gt;<" in html
    assert page.text.count("123 \u00b7 search.py") == 2 and "b" not in page.tags


def test_the_counterexample_shows_the_right_search_beside_the_own_one():
    tree = tree_of([1, [1, 1]], name="MAX [1, [1, 1]]")
    counterexample = Counterexample(verdict_of(NO_CUTOFF, tree, printed="hi"), 6)
    grading = grading_of(NO_CUTOFF, [textbook()])
    html = report_html(replace(grading, counterexample=counterexample))
    lead = "alphabeta fails on this tree; it passes all 5 smaller trees."
    assert lead in Reader(html).text
    smallest = html.split('id="smallest"')[1].split("</section>")[0]
    assert "so b2 cannot matter; your search went on to b2." in smallest
    right, own = smallest.split("Your search returns 1")
    assert "The right search returns 1" in right
    assert 'leaf pruned"' in right and "needless" not in right
    assert 'leaf needless"' in own


def test_many_large_trees_stay_below_a_megabyte():
    spec = "{branching: 8, depth: 3, values: [-99, 99], seed: %d, order: random}"
    trees = [parse_tree(f"root: max\nrandom: {spec % n}\n", f"large-{n}") for n in range(8)]
    assert len(report_html(grading_of(NO_CUTOFF, trees)).encode()) < 1_000_000
