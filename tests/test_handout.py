"""The handout: what it says is so, and what it leaves to the kit follows the rubric."""

import re
import subprocess
import zipfile
from dataclasses import replace
from functools import cache
from io import BytesIO

import pytest
from helpers import PYTHON, ROOT, tree_of

from autograder.command import Refused
from autograder.grading import grade_path
from autograder.judging.steps import CUTOFF, LEAVE, UPDATE, replay
from autograder.kit import load_reference, prepare
from autograder.mistakes.variants import load_variant
from autograder.rubricfile import RubricError
from autograder.showing.summary import feedback_text
from autograder.tasks import CONVENTIONS, EQUALITY, STRICT
from autograder.workbench.handout import (
    FIELDS,
    MARK,
    for_students,
    load_course,
    page_of,
    parse_drawing,
    parts_of,
)
from autograder.workbench.package import pack, starter_files
from gametree import TreeError, load_tree, observe
from gametree.node import Node
from gametree.support.drawing import draw
from gametree.support.judging import proves_value
from gametree.support.marks import LEGEND, marks_of
from gametree.support.saying import write_number
from gametree.support.student import check

TEXT = (ROOT / "handout.md").read_text(encoding="utf-8")
PUBLIC = ROOT / "trees" / "public"
kit = cache(prepare)
BLOCK = re.compile(r"^```text (\S+) (.*)\n((?:.*\n)*?)```$", re.MULTILINE)


def course_of(**changed):
    """Return the kit with another rubric; only what it asks for is asked."""
    rubric = replace(kit().rubric, **changed)
    rubric = replace(rubric, shares={name: rubric.shares[name] for name in rubric.cents})
    tasks = tuple(task for task in kit().tasks if task.function in rubric.cents)
    return replace(kit(), rubric=rubric, tasks=tasks)


@cache
def handout(convention=EQUALITY):
    """Return the handout as students of a course of the convention read it."""
    return for_students(course_of(cutoff=convention))


@pytest.fixture
def course(tmp_path):
    """A function: the kit with another handout.md, and a course.yaml if it is given."""

    for name in ("trees", "solution"):
        (tmp_path / name).symlink_to(ROOT / name)

    def made(text, about=None):
        text = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "handout.md").write_bytes(text)
        if about is not None:
            (tmp_path / "course.yaml").write_text(about, encoding="utf-8")
        return replace(kit(), root=tmp_path)

    return made


def blocks(kind, text=TEXT):
    """Return (about, text) of every block of a kind; there is at least one."""
    found = [(about, body[:-1]) for own, about, body in BLOCK.findall(text) if own == kind]
    assert found, kind
    return found


def table(head, convention=EQUALITY):
    """Return the rows of the table whose head begins so; there is at least one."""
    lines = handout(convention).split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    assert lines, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def by_function(first, last):
    """Return function -> first cell of a row -> its cell of that function, if any."""
    rows = table(f"{first} | `minimax` | `alphabeta` | `best_move` | {last}")
    return {
        function: {name: cells[at] for name, *cells in rows if cells[at]}
        for at, function in enumerate(kit().rubric.cents)
    }


def variant(name, convention=EQUALITY):
    """Return the module of a file of solution/, such as "mistakes/no_cutoff"."""
    return load_variant(ROOT / "solution" / f"{name}.py", convention).module()


def visited(search, tree):
    return observe(search, "alphabeta", tree, tree.searches[0]).visited


# What the kit puts there.


def test_figures_and_drawings_in_the_source_are_those_of_the_kit():
    samples = {name: shown for kind, name, shown, _ in MARK.findall(TEXT) if kind == "put"}
    parts = parts_of(kit())
    assert set(samples) == set(parts)
    for name in ("points", "search seconds", "total seconds"):
        assert samples[name] == parts[name]
    for kind in ("tree", "alphabeta"):
        assert blocks(kind) == blocks(kind, handout())


def test_the_feedback_is_what_a_student_reads(monkeypatch):
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 1)  # on a busy machine too
    for mistake, told in blocks("feedback"):
        path = ROOT / "solution" / "mistakes" / f"{mistake}.py"
        _, _, below = feedback_text(grade_path(kit(), path)).partition("\n\n")
        assert below == told


def test_a_wrong_search_is_drawn_and_told_as_by_a_failing_test():
    ((about, drawing),) = blocks("wrong")
    mistake, _, name = about.partition(" ")
    tree, search, _ = parse_drawing("alphabeta", name, kit())
    checked = check(variant(f"mistakes/{mistake}").alphabeta, "alphabeta", tree, search)
    marks = marks_of(tree, search, checked.trace, search.published.leaves)
    assert drawing == draw(tree, search, marks)
    quoted = re.search(r'here the one at C: "(.*?)"', TEXT, re.DOTALL)[1]
    assert checked.why == f"At C (MIN), {' '.join(quoted.split())}."


def test_rows_and_parts_are_those_of_a_grading():
    rows, parts = by_function("concept", "its trees"), by_function("part", "right where")
    for function, shares in kit().rubric.shares.items():
        own = [row for row in kit().rows if row.function == function]
        assert rows[function] == {row.concept: f"{row.max_cents / 100:g}" for row in own}
        assert parts[function] == {part: f"{share:g} %" for part, share in shares.items()}


# What is said only somewhere.


def test_a_function_that_is_left_out_is_not_spoken_of():
    for functions in (("minimax", "alphabeta"), ("alphabeta",)):
        cents = {name: kit().rubric.cents[name] for name in functions}
        plain = BLOCK.sub("", for_students(course_of(cents=cents)))
        for name in kit().rubric.cents:
            assert (f"`{name}" in plain) == (name in functions), name
        assert "Best move" not in plain and "play.py" not in plain


def test_a_strict_course_reads_the_strict_rule_and_sees_it_drawn():
    assert "**Stop only when `alpha > beta`" in handout(STRICT)
    assert "**Stop as soon as `alpha >= beta`" in handout(EQUALITY)
    drawn = dict(blocks("alphabeta", handout(STRICT)))["max [1, [1, 1]]"]
    assert "pruned" not in drawn
    for convention, other in (CONVENTIONS, CONVENTIONS[::-1]):
        own = set(handout(convention).split("\n\n"))
        assert len(own - set(handout(other).split("\n\n"))) >= 4


def test_other_points_by_hand_and_rows_to_come_are_told_where_the_rubric_has_them():
    assert "byhand" not in handout() and "not shown to you" not in handout()
    cents = {**kit().rubric.cents, "minimax": 2050}
    more = course_of(cents=cents, by_hand_cents=550)
    row = kit().rows[0]._replace(visibility="after_published")
    vars(more)["rows"] = (row, *kit().rows[1:])
    text = for_students(more)
    for told in (
        "| `minimax(node, depth, maximizing)` | 20.5 |",
        "| 15 |\n| `byhand.yaml` | 5.5 |\n",
        "### By hand, before you write code",
        "Upload `search.py` and `byhand.yaml` to",
        "Not all rows are shown to you at once",
    ):
        assert told in text


def test_no_mark_and_no_comment_reaches_students(course):
    for text in (handout(), handout(STRICT)):
        assert "<!--" not in text and "-->" not in text and "\n\n\n" not in text
        assert not re.search(r"\{(name|due|contact)\}", text)
    text = for_students(course("# Title\n\n<!-- ask: who\nmarks? -->\nText\n"))
    assert text == "# Title\n\nText\n"


def test_what_course_yaml_says_is_filled_in_and_a_line_that_nothing_fills_is_gone(course):
    assert for_students(course("a\nDue {due}, ask {contact}\nb\n")) == "a\nb\n"
    page = (ROOT / "docs" / "instructor.md").read_text(encoding="utf-8")
    shown = re.search(r"```yaml\n( *name: .*?)```", page, re.DOTALL)[1]
    told = course(TEXT.encode("utf-8-sig"), shown)
    assert set(load_course(told.root)) == set(FIELDS)
    head = for_students(told)[:200]
    assert "- **Course:** CS 188, Autumn 2026\n- **Due:** 1 December 2026, 23:59\n" in head
    assert "- **Questions:** staff@example.edu\n" in head
    due = course("{due}\n", "due: 2026-12-01 23:59\n")  # which YAML takes for a date
    assert for_students(due) == "2026-12-01 23:59\n"


# A slip in handout.md, or in course.yaml; and what is said of it.
SLIPS = (
    ("\n<!-- put ponits -->x<!-- /put -->", "line 2: a mark names 'ponits', which is none"),
    ("<!-- if cuont: x -->", "line 1: a mark names 'cuont', which is none of minimax"),
    ("<!-- if best_move -->\nx", "line 1: a mark lacks its other half; mend it"),
    ("<!-- if strict: x -->\ny<!-- /if -->", "line 2: a mark lacks its other half"),
    ("\n<!-- put points -->x\n<!-- put rows -->y<!-- /put -->", "line 2: a mark lacks"),
    ("<!-- if strict: x\n<!-- if strict: y -->", "line 1: a mark lacks its other half"),
    ("a\n<!-- ask: who\n<!-- when? -->", "line 2: a mark lacks its other half"),
    ("`{a}`\nDue {deu}", "line 2: {deu} is none of name, due, contact; mend it"),
    ("```text alphabeta trees/08-depth-limit.yaml 3\n```", "has 2 searches"),
    ("```text tree trees/33.yaml\n```", "33.yaml"),
    ("```text tree max [1, [\n```", "handout.md: max"),
    ("# A\n\n[a](#b)", r"the link \(#b\) leads to no heading; mend it"),
    ("![a tree](my%20tree.png)", "no picture my%20tree.png; put it beside handout.md"),
    ("# Übung".encode("latin-1"), "it is not UTF-8; save it as UTF-8"),
)
COURSE_SLIPS = (
    ("dew: 1 May\n", "dew: name, due, contact have one line .* all else into handout.md"),
    ("due: [1, 2]\n", "due: name, due, contact have one line of text each, or are left"),
    ("due:\n", "due: name, due"),
    ("name: |\n  a\n  b\n", "name: name, due"),
    ("- due\n", "one line of text each"),
    ("due: 'x\n", "course.yaml, line 1: the quote is never closed"),
    ("due: 1\ndue: 2\n", "course.yaml, line 2: "),
)


def test_a_slip_is_refused_in_one_line(course):
    slips = [(text, None, told) for text, told in SLIPS]
    for text, about, told in slips + [("x", *slip) for slip in COURSE_SLIPS]:
        with pytest.raises((Refused, RubricError, TreeError), match=told) as caught:
            page_of(course(text, about))
        assert "\n" not in str(caught.value)


# The page.


def test_the_page_is_one_file_the_same_each_time_with_a_link_to_each_section():
    page = page_of(kit())
    assert page == page_of(kit())
    assert not re.findall(r"""(?:src|href)=["'](?!#|https://|data:)|@import|url\(""", page)
    anchors = set(re.findall(r'<h\d id="([^"]+)"', page))
    links = re.findall(r'<li><a href="#([^"]+)">', page)
    assert set(links) <= anchors and len(links) == TEXT.count("\n## ")
    drawn = blocks("tree") + blocks("alphabeta")
    assert page.count("<svg class=") > page.count("<desc") == len(drawn)


MARKDOWN = {
    " - one\n - two\n": "<li>one</li>",
    "a <b>bold</b> word": "<b>bold</b>",
    "$x_1$ and a note[^1]\n\n[^1]: here": "$x_1$",
    "![a tree](data:image/png;base64,AA)": '<img src="data:image/png;base64,AA"',
    "![a tree](my%20tree.png)": '<img src="data:image/png;base64,UE5H" alt="a tree"',
    "```\n<script>\n```\n": "&lt;script&gt;",
}


def test_whatever_is_markdown_is_written_and_pictures_are_put_into_the_page(course):
    (course("").root / "my tree.png").write_bytes(b"PNG")
    for text, html in MARKDOWN.items():
        assert html in page_of(course(text))


# The facts.


def test_it_is_short_and_explains_its_words_marks_and_names():
    assert len(TEXT.split()) <= 3200
    plain = " ".join(TEXT.split())
    assert "strictly between -10⁹ and 10⁹" in plain
    for words in (
        "leaf, plies, window, alpha, beta, cutoff, pruned, static value, expands",
        "visits the leaf, fail-soft, fail-hard",
    ):
        for word in words.split(", "):
            assert f"**{word}**" in plain.lower(), word
    meanings = dict(table("mark | meaning"))
    assert set(meanings) == {mark.sign for mark in LEGEND}
    for mark in LEGEND:
        assert mark.meaning in meanings[mark.sign]
    names = re.findall(r"^\| `node\.(\w+)", TEXT, re.MULTILINE)
    assert names == ["children", "evaluate", "is_terminal", "name"]
    assert all(hasattr(Node, name) for name in names)


def test_the_answers_outside_a_window_are_accepted():
    nested = re.search(r"max\s+`(\[\[3, 10.*?)` is worth 6", TEXT)[1]
    tree = tree_of(nested, searches="[{}, {alpha: 7}]")
    full, narrow = tree.searches
    for convention in CONVENTIONS:
        trace = observe(load_reference(ROOT, convention).minimax, "minimax", tree, full)
        assert trace.answer.number == 6
        accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(narrow, 6, 6, n)]
        assert accepted == [6, 6.5, 7]


def test_the_trap_of_best_move_is_one():
    assert "max `[2, [2, 1]]`" in handout()
    tree = tree_of("[2, [2, 1]]")
    wrong = variant("mistakes/move_shares_alpha_and_keeps_ties").best_move
    assert observe(wrong, "best_move", tree, tree.searches[0]).answer.path == (1,)


def test_a_fail_hard_search_visits_more_in_a_strict_course():
    assert "max `[1, [[0], 0]]`" in handout(STRICT)
    tree = tree_of("[1, [[0], 0]]")
    soft = visited(load_reference(ROOT, STRICT).alphabeta, tree)
    hard = visited(variant("correct/fail_hard", STRICT).alphabeta, tree)
    assert hard - soft == {(1, 1)}


def test_depth_one_and_two_are_as_told():
    tree = load_tree(PUBLIC / "08-depth-limit.yaml")
    deep, shallow = (search.published for search in tree.searches)
    names = [tree.root.at(p.move).name for p in (shallow, deep)]
    assert (shallow.value, deep.value, *names) == (9, 5, "D", "C")


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_each_row_by_hand_is_a_step_of_the_right_search(convention):
    tree = load_tree(PUBLIC / "03-aima-figure-5-2.yaml")
    steps = replay(tree, tree.searches[0], convention)
    values = {s.path: s.value for s in steps if s.kind not in (UPDATE, CUTOFF)}
    expected = []
    for step, after in zip(steps, steps[1:]):
        if step.kind == UPDATE:
            node, child = tree.root.at(step.path), tree.root.at(step.child_path)
            player = "MIN" if len(step.path) % 2 else "MAX"
            row = [f"{child.name} = {values[child.path]}", f"{node.name} ({player})"]
            window = (write_number(bound) for bound in (step.alpha, step.beta))
            row += [b.replace("-", "−").replace("infinity", "∞") for b in window]
            pruned = [tree.root.at(path).name for path in after.pruned_paths]
            expected.append((row, pruned))
    rows = table("returned | at | alpha | beta | what follows", convention)
    assert [row[:4] for row in rows] == [row for row, _ in expected]
    for row, (_, pruned) in zip(rows, expected):
        assert ("**cutoff**" in row[4]) == bool(pruned)
        assert all(name in row[4] for name in pruned)
    assert steps[-1].kind == LEAVE and "returns 3" in rows[-1][4]


# The commands.


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    """An unpacked starter.zip with the reference in it, and the handout's my.yaml."""
    folder = tmp_path_factory.mktemp("starter")
    with zipfile.ZipFile(BytesIO(pack(starter_files(kit())))) as archive:
        archive.extractall(folder)
    (folder / "search.py").write_bytes((ROOT / "solution" / "search.py").read_bytes())
    own = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)[1]
    (folder / "my.yaml").write_text(own, encoding="utf-8")
    return folder


def test_each_command_runs_in_an_unpacked_starter(starter):
    texts = [*re.findall(r"```sh\n(.*?)```", handout(), re.DOTALL)]
    texts += re.findall(r"`(python [^`]+\.yaml)`", handout())
    commands = {line for text in texts for line in text.strip().splitlines()}
    for part in ("pip install", "pytest", "--page", "-x", "connect4", "my.yaml"):
        assert any(part in command for command in commands), part
    failed = {}
    for command in sorted(c for c in commands if "pip install" not in c):
        program = command.replace("python", f"{PYTHON} -B", 1).split()
        told = {"input": "quit\n", "capture_output": True, "text": True, "timeout": 60}
        done = subprocess.run(program, cwd=starter, **told)
        if done.returncode:
            failed[command] = done.stdout + done.stderr
    assert failed == {}


def test_every_file_that_is_named_lies_in_the_starter(starter):
    named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html))`", handout())
    assert len(named) > 8
    for name in {*named, "requirements.txt"}:
        assert (starter / name).is_file(), name
