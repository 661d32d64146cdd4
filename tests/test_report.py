"""The report page is complete, and shows untrusted text only as text."""

import re

import pytest
from drawn import (
    NO_CUTOFF,
    explained,
    failing_on,
    graded,
    grading_of,
    textbook,
    verdict_of,
)
from helpers import tree_of
from pagereader import Reader

from autograder.showing.report import report_html
from gametree import parse_tree
from gametree.support.trace import RAISED, Answer, Ending, Trace

ATTACK = "</script></pre><script>alert(1)</script><img src=x onerror=alert(1)>"
HIDDEN = tree_of("[[31, 37], [29, 41]]", name="hidden")
TWO_LEAVES = tree_of("[1, 2]", name="two leaves")


@pytest.fixture(scope="module")
def page():
    """Return the page of a program that never cuts off."""
    grading = grading_of(NO_CUTOFF, [textbook()], [HIDDEN])
    return Reader(report_html(grading))


@pytest.mark.parametrize(
    "shown",
    [
        "Score:",
        "/100",
        "visited c2 and c3 unnecessarily: prune before this",
        "textbook, searched by your alphabeta",
        "c2 = 4 (unnecessary)",
        "the chosen move",  # in the only legend
        "the lesson of hidden: leaves wrong",
    ],
)
def test_the_page_shows_the_score_the_public_tree_and_the_hidden_lesson(page, shown):
    assert page.text.count(shown) == 1


def test_no_value_of_a_hidden_tree_is_shown(page):
    assert re.findall(r"(?<![.\d])(31|37|29|41)\b", page.text) == []


def test_wrong_rows_are_open_and_each_score_has_a_bar(page):
    opened = [tag for tag, name, _ in page.attributes if name == "open"]
    assert opened == ["details"] * 2  # alphabeta's public trees and its hidden one
    assert page.tags.count("meter") == 9  # three functions with two rows each


def test_links_point_into_the_page(page):
    ids = page.values_of("id")
    assert set(page.values_of("aria-labelledby", "aria-describedby")) < set(ids)
    outside = [link for link in page.values_of("href") if not link.startswith("data:")]
    assert set(outside) < {f"#{id}" for id in ids}
    assert page.values_of("src") == []


def test_no_script_runs(page):
    assert "script" not in page.tags
    handlers = [name for _, name, _ in page.attributes if name.startswith("on")]
    assert handlers == []
    contents = page.values_of("content")
    (policy,) = [content for content in contents if "default-src" in content]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_printed_output_and_error_messages_stay_text():
    raises = f"def alphabeta(node, *window):\n    raise ValueError({ATTACK!r})\n"
    grading = grading_of(raises, [textbook()], printed=ATTACK + "\x1b[2J\u202e")
    page = Reader(report_html(grading))
    assert {"script", "img"}.isdisjoint(page.tags)
    assert page.text.count(ATTACK) > 1
    assert "\x1b" not in page.text
    assert "\u202e" not in page.text


NOTHING = graded([], [])
UNLOADED = Ending(RAISED, ATTACK, loading=True)
CANNOT_RUN = {
    "no search.py; found:": NOTHING._replace(refusal=f"no search.py; found: {ATTACK}"),
    "could not be loaded": NOTHING._replace(
        load_failure=Trace("minimax", TWO_LEAVES.searches[0], [], Answer(), UNLOADED),
    ),
}


@pytest.mark.parametrize("reason", CANNOT_RUN)
def test_the_page_of_a_file_that_cannot_run_has_the_reason(reason):
    page = Reader(report_html(CANNOT_RUN[reason]))
    assert reason in page.text
    assert {"script", "img"}.isdisjoint(page.tags)


def test_only_wrong_searches_of_public_trees_are_drawn():
    html = report_html(grading_of(NO_CUTOFF, [TWO_LEAVES, textbook()]))
    section = html.split('id="alphabeta"')[1].split("</section>")[0]
    assert "<h3>textbook" in section
    assert "<h3>two leaves" not in section
    assert "the lesson of two leaves: correct" in section


def test_names_are_escaped_and_occur_once_in_the_title_and_once_in_the_heading():
    grading = grading_of("", [textbook()])
    rows = [row._replace(concept="MAX's & <MIN's>") for row in grading.rows]
    named = grading._replace(rows=rows)
    html = report_html(named, "Ada <b> \u202e 123 \u00b7 search.py")
    assert "<title>Ada &lt;b&gt; ? 123 \u00b7 search.py: report</title>" in html
    assert ">MAX&#x27;s &amp; &lt;MIN&#x27;s&gt;<" in html
    page = Reader(html)
    assert page.text.count("123 \u00b7 search.py") == 2
    assert "b" not in page.tags


def test_the_smallest_tree_shows_both_searches_side_by_side():
    tree = tree_of("[1, [1, 1]]", name="tie")
    smallest = failing_on(verdict_of(NO_CUTOFF, tree, printed="hi"), 6)
    grading = grading_of(NO_CUTOFF, [textbook()])
    html = report_html(explained(grading, smallest=smallest))
    lead = "alphabeta fails on this tree; it passes all 5 trees tried before it."
    assert lead in Reader(html).text
    section = html.split('id="smallest"')[1].split("</section>")[0]
    assert "so b2 should be pruned, but your search visited b2." in section
    correct, wrong = section.split("Your search returns 1")
    assert "The correct search returns 1" in correct
    assert 'leaf pruned"' in correct
    assert 'node leaf needless" transform' not in correct
    assert 'node leaf needless" transform' in wrong


def test_a_drawing_of_a_large_tree_has_a_hundred_nodes():
    spec = "root: max\nrandom: {branching: 8, depth: 3, values: [-99, 99], seed: 1}\n"
    html = report_html(grading_of(NO_CUTOFF, [parse_tree(spec, "large")]))
    assert len(re.findall('<g class="node [^>]* transform=', html)) == 100
    assert len(html.encode()) < 60_000
