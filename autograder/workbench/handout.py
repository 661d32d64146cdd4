"""Generate the handout for students as a page, from handout.md.

handout.md belongs to the instructor, and no command writes to it. Its comments mark the
passages that the kit fills in:

    <!-- put points --> ... <!-- /put -->   is replaced by a figure, a table or a text
    <!-- if best_move --> ... <!-- /if -->  is removed if the condition is false
    <!-- if strict: ... -->                 becomes text if the condition is true

A passage with a condition may contain "put" marks. Examples are in blocks: examples.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from markdown_it import MarkdownIt

from autograder.ground.plaintext import decode
from autograder.kit import Kit
from autograder.kit.contents import read_file
from autograder.scoring.rubric import HIDDEN, VISIBLE
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import CONVENTIONS
from autograder.showing.page import page
from autograder.showing.summary import feedback_text
from autograder.workbench.check import MISTAKES, grade_variant
from autograder.workbench.examples import fill_in_examples
from gametree.functions import FUNCTIONS, LEAVES, MOVE, NODE, NODE_COUNT, VALUE
from gametree.support.errors import InputError
from gametree.support.texts import sentence

FILE, PAGE = "handout.md", "handout.html"
STYLE = Path(__file__).with_name("handout.css")
SAMPLE = MISTAKES / "depth_not_decreased.py"  # its first screen is shown
# No other mark is inside a mark, except that a passage may contain parts.
INSIDE = r"(?:(?!<!-- /?(?:put|if)\b).)*?"
PUT = re.compile(rf"<!-- put ([\w, ]+) -->({INSIDE})<!-- /put -->", re.DOTALL)
IF = re.compile(
    rf"<!-- if ([\w, ]+)(?: -->({INSIDE})<!-- /if -->|:({INSIDE})-->)", re.DOTALL
)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
UNPAIRED = re.compile(r"<!-- /?(?:put|if)\b.*|<!--(?![\s\S]*-->).*")
SECTION = re.compile("<h2>(.*)</h2>")
UNFILLED = "<!-- The instructor adds"  # the beginning of the comment to replace
CORRECT_IF = {
    VALUE: "it is correct, and your leaves prove it",
    MOVE: "it is correct, and your leaves prove it",
    LEAVES: "you visited exactly the correct leaves",
    NODE_COUNT: "you visited no node more often than necessary",
}


# ---- the text


def for_students(kit: Kit) -> str:
    """Return the handout of the kit's course as Markdown. Raises InputError."""
    text = fill_marks(read_source(kit.root), kit)
    unpaired = UNPAIRED.search(text)
    if unpaired:
        raise InputError(f"{FILE}: {unpaired[0]!r} lacks its other half; add it")
    return COMMENT.sub("", text)


def read_source(root: Path) -> str:
    """Return the text of handout.md."""
    return decode(read_file(root, FILE))


def advice_on(root: Path) -> str:
    """Return a line if handout.md lacks what only the instructor can write, else ""."""
    if UNFILLED not in read_source(root):
        return ""
    what = "the course, the due date and an address for questions"
    return f"{FILE}: write {what} in place of its first comment"


def fill_marks(text, kit):
    """Return the text with the kit's content in place of the marks. Raises InputError."""
    holds = conditions(kit)

    def content(mark):
        return "".join(part(kit) for part in look_up(mark, PARTS))

    def passage(mark):
        _, shown, hidden = mark.groups()
        if not all(look_up(mark, holds)):
            return ""
        return hidden.strip("\n") if shown is None else shown

    return IF.sub(passage, PUT.sub(content, text))


def look_up(mark, known):
    """Return the value of each name in a mark. Raises InputError if a name is unknown.

    mark: a match whose first group has the names.
    known: name -> its value.
    """
    names = mark[1].split(", ")
    for name in names:
        if name not in known:
            first = mark[0].splitlines()[0]
            raise InputError(
                f"{FILE}: {first!r} names {name!r}, which is unknown; "
                f"write one of {', '.join(known)}"
            )
    return [known[name] for name in names]


# ---- the content of marks


def conditions(kit: Kit) -> dict[str, bool]:
    """Return name of a condition -> whether the condition is true."""
    rubric = kit.rubric
    holds = {function: function in rubric.cents for function in FUNCTIONS}
    for convention in CONVENTIONS:
        holds[convention] = convention == rubric.cutoff
    holds["rows never"] = rubric.visibility == HIDDEN
    holds["rows later"] = rubric.visibility not in (VISIBLE, HIDDEN)
    holds[NODE_COUNT] = any(NODE_COUNT in shares for shares in rubric.shares.values())
    return holds


def points_table(kit):
    """Return the table of functions with their arguments and points."""
    rows = []
    for name, cents in kit.rubric.cents.items():
        arguments = ", ".join(("node", *FUNCTIONS[name].arguments))
        rows.append((f"`{name}({arguments})`", points_text(cents)))
    return table(("function", "points"), rows)


def rows_table(kit):
    """Return the table of concepts, with the points of each function."""
    points = {(row.concept, row.function): points_text(row.max_cents) for row in kit.rows}
    about = {row.concept: sentence(f"concept.{row.concept}") for row in kit.rows}
    return table_by_function("concept", points, kit.rubric.cents, "its trees", about)


def aspects_table(kit):
    """Return the table of aspects, with the share of a tree's points that each earns."""
    shares = {
        (aspect, function): f"{float(share):g} %"
        for function, of_function in kit.rubric.shares.items()
        for aspect, share in of_function.items()
    }
    meanings = dict(CORRECT_IF)
    for function in kit.rubric.cents:
        if FUNCTIONS[function].answer == NODE:
            meanings[LEAVES] += f"; `{function}`: no leaf that minimax does not visit"
    return table_by_function("part", shares, kit.rubric.cents, "correct if", meanings)


def table_by_function(first_head, cells, functions, last_head, meanings):
    """Return a table with one column per function and a row for each name with a cell.

    cells: (name, function) -> the text of a cell.
    meanings: name -> the text of the last column.
    """
    rows = []
    for name, meaning in meanings.items():
        row = [cells.get((name, function), "") for function in functions]
        if any(row):
            rows.append((name, *row, meaning))
    heads = [f"`{function}`" for function in functions]
    return table((first_head, *heads, last_head), rows)


def table(heads, rows):
    """Return a Markdown table with these heads and rows."""
    rule = ["---"] * len(heads)
    lines = [f"| {' | '.join(row)} |\n" for row in (heads, rule, *rows)]
    return "\n" + "".join(lines)


def sample_feedback(kit: Kit) -> str:
    """Return the first screen of a known mistake, as a block."""
    grading = grade_variant(kit, SAMPLE)
    return f"\n```text\n{feedback_text(grading.student_view)}\n```\n"


# Name of a mark -> the function of the kit that returns its content.
PARTS: dict[str, Callable[[Kit], str]] = {
    "title": lambda kit: kit.rubric.title,
    "points": points_table,
    "rows": rows_table,
    "aspects": aspects_table,
    "feedback": lambda kit: kit.cached("sample", lambda: sample_feedback(kit)),
    "search seconds": lambda kit: f"{kit.rubric.limits.search_cpu_seconds:g}",
    "total seconds": lambda kit: f"{kit.rubric.limits.total_seconds:g}",
}


# ---- the page


def page_of(kit: Kit, starter: Mapping[str, bytes]) -> str:
    """Return the handout as a page that needs no other file. Raises InputError.

    starter: archive name -> content of the files that students download.
    """
    markdown = fill_in_examples(for_students(kit), kit, starter)
    html = MarkdownIt().enable("table").render(markdown)
    links = []
    for title in SECTION.findall(html):
        links.append(f'<li><a href="#{anchor_of(title)}">{title}</a></li>')
    html = SECTION.sub(add_anchor, html)
    before, section, rest = html.partition("<h2")
    body = f"{before}<nav><ul>{''.join(links)}</ul></nav>\n{section}{rest}"
    return page(kit.rubric.title, body, STYLE.read_text(encoding="utf-8"))


def add_anchor(heading):
    """Return the heading of a section with an anchor."""
    title = heading[1]
    return f'<h2 id="{anchor_of(title)}">{title}</h2>'


def anchor_of(title):
    """Return the anchor of a section: how-to-test for "How to test"."""
    return re.sub(r"\W+", "-", title.lower())
