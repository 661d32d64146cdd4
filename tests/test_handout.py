"""The handout: what it says is so, and what it leaves to the kit follows the rubric."""

import re
import subprocess
import zipfile
from dataclasses import replace
from functools import cache
from io import BytesIO

import pytest
import yaml
from helpers import PYTHON, ROOT

from autograder.command import Refused
from autograder.grading import grade_path
from autograder.judging.steps import CUTOFF, LEAVE, UPDATE, replay
from autograder.kit import load_kit, load_reference, prepare
from autograder.mistakes.variants import load_variant
from autograder.showing.summary import feedback_text
from autograder.tasks import CONVENTIONS, EQUALITY, STRICT
from autograder.workbench.handout import (
    KEYS,
    MARK,
    for_students,
    load_course,
    page_of,
    parts_of,
    seen,
)
from autograder.workbench.package import pack, starter_files
from gametree import TreeError, load_tree, observe, parse_tree
from gametree.drawing import LEGEND, draw, marks_of
from gametree.judging import proves_value
from gametree.node import Node
from gametree.saying import number
from gametree.student import check

TEXT = (ROOT / "handout.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```text (\S+) (.*)\n((?:.*\n)*?)```$", re.MULTILINE)


@cache
def kit():
    return load_kit()


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
    found = [
        (about, body[:-1]) for name, about, body in BLOCK.findall(text) if name == kind
    ]
    assert found, kind
    return found


def table(head, convention=EQUALITY):
    """Return the rows of the table whose head begins so; there is at least one."""
    lines = handout(convention).split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    assert lines, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def variant(name, convention=EQUALITY):
    """Return the module of a file of solution/, such as "mistakes/no_cutoff"."""
    return load_variant(ROOT / "solution" / f"{name}.py", convention).module()


class TestWhatTheKitPutsThere:
    def test_the_figures_in_the_source_are_those_of_the_kits_own_rubric(self):
        samples = {
            name: shown for kind, name, shown, _ in MARK.findall(TEXT) if kind == "put"
        }
        parts = parts_of(kit())
        assert set(samples) == set(parts)
        for name in ("points", "search seconds", "total seconds"):
            assert samples[name] == parts[name]

    def test_the_drawings_in_the_source_are_those_of_the_kit(self):
        for kind in ("tree", "alphabeta"):
            assert blocks(kind) == blocks(kind, handout())

    def test_the_feedback_is_what_a_student_reads(self):
        for mistake, told in blocks("feedback"):
            path = ROOT / "solution" / "mistakes" / f"{mistake}.py"
            assert feedback_text(grade_path(prepare(ROOT), path)) == told

    def test_a_wrong_search_is_drawn_and_told_as_by_a_failing_test(self):
        ((about, drawing),) = blocks("wrong")
        mistake, _, name = about.partition(" ")
        tree, search, _ = seen("alphabeta", name, kit())
        checked = check(variant(f"mistakes/{mistake}").alphabeta, "alphabeta", tree, search)
        marks = marks_of(tree, search, checked.trace, search.published.leaves)
        assert drawing == draw(tree, search, marks)
        quoted = re.search(r'here the one at C: "(.*?)"', TEXT, re.DOTALL)[1]
        assert checked.why == f"At C (MIN), {' '.join(quoted.split())}."

    def test_the_rows_are_those_of_a_grading(self):
        functions = [*kit().rubric.cents]
        head = "concept | `minimax` | `alphabeta` | `best_move` | its trees"
        stated = {
            (function, concept): worth
            for concept, *cells, _ in table(head)
            for function, worth in zip(functions, cells)
            if worth
        }
        assert stated == {
            (row.function, row.concept): f"{row.most_cents / 100:g}" for row in kit().rows
        }

    def test_the_parts_are_those_of_the_rubric(self):
        head = "part | `minimax` | `alphabeta` | `best_move` | right where"
        rows = {aspect: cells for aspect, *cells, _ in table(head)}
        for column, shares in enumerate(kit().rubric.shares.values()):
            own = {aspect: cells[column] for aspect, cells in rows.items() if cells[column]}
            assert own == {aspect: f"{share:g} %" for aspect, share in shares.items()}

    def test_other_points_stand_in_the_students_copy_and_not_in_the_source(self):
        dearer = course_of(cents={**kit().rubric.cents, "minimax": 2050})
        assert "| `minimax(node, depth, maximizing)` | 20.5 |" in for_students(dearer)
        assert (ROOT / "handout.md").read_text(encoding="utf-8") == TEXT


class TestWhatIsSaidOnlySomewhere:
    @pytest.mark.parametrize("functions", [("minimax", "alphabeta"), ("alphabeta",)])
    def test_a_function_that_is_left_out_is_not_spoken_of(self, functions):
        cents = {name: kit().rubric.cents[name] for name in functions}
        plain = BLOCK.sub("", for_students(course_of(cents=cents)))
        for name in kit().rubric.cents:
            assert (f"`{name}" in plain) == (name in functions), name
        assert "Best move" not in plain and "play.py" not in plain

    def test_a_strict_course_reads_the_strict_rule_and_sees_it_drawn(self):
        assert "**Stop only when `alpha > beta`" in handout(STRICT)
        assert "**Stop as soon as `alpha >= beta`" in handout(EQUALITY)
        drawn = dict(blocks("alphabeta", handout(STRICT)))["max [1, [1, 1]]"]
        assert "pruned" not in drawn
        for convention, other in (CONVENTIONS, CONVENTIONS[::-1]):
            own = set(handout(convention).split("\n\n"))
            assert len(own - set(handout(other).split("\n\n"))) >= 4

    def test_by_hand_and_rows_to_come_are_told_where_the_rubric_has_them(self):
        assert "byhand" not in handout() and "not shown to you" not in handout()
        more = course_of(by_hand_cents=550)
        text = for_students(more)
        assert "| 15 |\n| `byhand.yaml` | 5.5 |\n" in text
        assert "### By hand, before you write code" in text
        assert "Upload `search.py` and `byhand.yaml` to" in text
        later = replace(kit())
        row = kit().rows[0]._replace(visibility="after_published")
        vars(later)["rows"] = (row, *kit().rows[1:])
        assert "Not all rows are shown to you at once" in for_students(later)

    def test_no_mark_and_nothing_hidden_reaches_students(self):
        for text in (handout(), handout(STRICT)):
            assert "<!--" not in text and "-->" not in text and "\n\n\n" not in text
            assert not re.search(r"\{(name|due|contact)\}", text)

    def test_a_comment_of_the_instructors_own_does_not_either(self, course):
        text = for_students(course("# Title\n\n<!-- ask: who\nmarks? -->\nText\n"))
        assert text == "# Title\n\nText\n"

    @pytest.mark.parametrize(
        "text, told",
        [
            (
                "\n<!-- put ponits -->x<!-- /put -->",
                "line 2: a mark names 'ponits', which is",
            ),
            (
                "<!-- if cuont: x -->",
                "line 1: a mark names 'cuont', which is none of minimax",
            ),
            ("<!-- if best_move -->\nx", "line 1: a mark lacks its other half; mend it"),
            ("<!-- if strict: x -->\ny<!-- /if -->", "line 2: a mark lacks its other half"),
            ("```text alphabeta trees/08-depth-limit.yaml 3\n```", "has 2 searches"),
            ("```text tree trees/33.yaml\n```", "33.yaml"),
            ("```text tree max [1, [\n```", "handout.md: max"),
            ("# A\n\n[a](#b)", r"the link \(#b\) leads to no heading; mend it"),
            ("# Übung".encode("latin-1"), "it is not UTF-8; save it as UTF-8"),
        ],
    )
    def test_a_slip_is_refused_in_one_line(self, course, text, told):
        with pytest.raises((Refused, TreeError), match=told) as caught:
            page_of(course(text))
        assert "\n" not in str(caught.value)


class TestTheCourse:
    ABOUT = "name: CS 188, Autumn 2026\ndue: 2026-12-01 23:59\ncontact: ta@example.edu\n"

    def test_what_it_says_is_filled_in_as_it_is_written(self, course):
        told = course(TEXT.encode("utf-8-sig"), self.ABOUT)
        assert set(load_course(told.root)) == set(KEYS)
        head = for_students(told)[:200]
        assert "- **Course:** CS 188, Autumn 2026\n- **Due:** 2026-12-01 23:59\n" in head
        assert "- **Questions:** ta@example.edu\n" in head

    def test_the_one_that_instructors_are_shown_is_whole(self, course):
        page = (ROOT / "docs" / "instructor.md").read_text(encoding="utf-8")
        shown = re.search(r"```yaml\n( *name: .*?)```", page, re.DOTALL)[1]
        assert set(load_course(course("x", shown).root)) == set(KEYS)

    def test_a_line_that_nothing_fills_is_gone(self, course):
        assert for_students(course("a\nDue {due}, ask {contact}\nb\n")) == "a\nb\n"

    @pytest.mark.parametrize(
        "written, told",
        [
            ("dew: 1 May\n", "unknown key 'dew'; write one of name, due, contact"),
            ("late: never\n", "unknown key 'late'; .* all else into handout.md"),
            ("due: [1, 2]\n", "due: write one line of text"),
            ("due:\n", "due: write one line of text"),
            ("name: |\n  a\n  b\n", "name: write one line of text"),
            ("- due\n", "unknown key"),
            ("due: 'x\n", "course.yaml, line 2: cannot be read"),
        ],
    )
    def test_a_slip_in_it_is_one_line(self, course, written, told):
        with pytest.raises(Refused, match=told) as caught:
            for_students(course("x", written))
        assert "\n" not in str(caught.value)


class TestThePage:
    def test_it_is_one_file_the_same_each_time_with_a_link_to_each_section(self):
        page = page_of(kit())
        assert page == page_of(kit())
        assert not re.findall(
            r"""(?:src|href)=["'](?!#|https://|data:)|@import|url\(""", page
        )
        anchors = set(re.findall(r'<h\d id="([^"]+)"', page))
        links = re.findall(r'<li><a href="#([^"]+)">', page)
        assert set(links) <= anchors and len(links) == TEXT.count("\n## ")
        assert (
            page.count("<svg class=")
            > page.count("<desc")
            == len(blocks("tree") + blocks("alphabeta"))
        )

    @pytest.mark.parametrize(
        "text, html",
        [
            (" - one\n - two\n", "<li>one</li>"),
            ("   1. one\n   2. two\n", "<li>two</li>"),
            ("a <b>bold</b> word", "<b>bold</b>"),
            ("$x_1$ and a note[^1]\n\n[^1]: here", "$x_1$"),
            ("![a tree](data:image/png;base64,AA)", '<img src="data:image/png;base64,AA"'),
            (
                "Title\n=====\n\n[a][b]\n\n[b]: https://x.org",
                '<a href="https://x.org">a</a>',
            ),
            ("    code\n", "<pre><code>code"),
            ("```\n<script>\n```\n", "&lt;script&gt;"),
        ],
    )
    def test_whatever_is_markdown_is_written(self, course, text, html):
        assert html in page_of(course(text))

    def test_a_picture_beside_it_is_put_into_the_page(self, course):
        told = course("![a tree](my%20tree.png)")
        with pytest.raises(Refused, match="no picture my%20tree.png; put it beside hando"):
            page_of(told)
        (told.root / "my tree.png").write_bytes(b"PNG")
        assert '<img src="data:image/png;base64,UE5H" alt="a tree"' in page_of(told)


class TestTheFacts:
    def test_it_is_short(self):
        assert len(TEXT.split()) <= 3200

    def test_every_mark_of_a_drawing_is_explained(self):
        meanings = dict(table("mark | meaning"))
        assert set(meanings) == {mark.sign for mark in LEGEND}
        for mark in LEGEND:
            assert mark.meaning in meanings[mark.sign]

    def test_the_words_that_feedback_uses_are_explained_in_bold_or_code(self):
        plain = " ".join(TEXT.split()).lower()
        for words in (
            "leaf, plies, window, alpha, beta, cutoff, pruned, static value, expands",
            "visits the leaf, fail-soft, fail-hard",
        ):
            for word in words.split(", "):
                assert f"**{word}**" in plain, word

    def test_what_a_node_offers_is_what_the_node_has(self):
        names = re.findall(r"^\| `node\.(\w+)", TEXT, re.MULTILINE)
        assert names == ["children", "evaluate", "is_terminal", "name"]
        assert all(hasattr(Node, name) for name in names)

    def test_the_infinities_that_are_named_are_beyond_all_values(self):
        assert "strictly between -10⁹ and 10⁹" in TEXT
        for value in ("1000000000", "-1000000000"):
            with pytest.raises(TreeError):
                parse_tree(f"root: max\ntree: [{value}]\n", "x")

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_the_answers_outside_a_window_are_accepted(self, convention):
        nested = re.search(r"max\s+`(\[\[3, 10.*?)` is worth 6", TEXT)[1]
        text = f"root: max\ntree: {nested}\nsearches: [{{}}, {{alpha: 7}}]\n"
        tree = parse_tree(text, "x")
        full, narrow = tree.searches
        trace = observe(load_reference(ROOT, convention).minimax, "minimax", tree, full)
        assert trace.answer.number == 6
        accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(narrow, 6, 6, n)]
        assert accepted == [6, 6.5, 7]

    def test_the_trap_of_best_move_is_one(self):
        assert "max `[2, [2, 1]]`" in handout()
        tree = parse_tree("root: max\ntree: [2, [2, 1]]\n", "x")
        wrong = variant("mistakes/move_shares_alpha_and_keeps_ties").best_move
        trace = observe(wrong, "best_move", tree, tree.searches[0])
        assert trace.answer.path == (1,)

    def test_a_fail_hard_search_visits_more_in_a_strict_course(self):
        assert "max `[1, [[0], 0]]`" in handout(STRICT)
        tree = parse_tree("root: max\ntree: [1, [[0], 0]]\n", "x")
        soft = load_reference(ROOT, STRICT).alphabeta
        visits = [
            observe(search, "alphabeta", tree, tree.searches[0]).visited
            for search in (soft, variant("correct/fail_hard", STRICT).alphabeta)
        ]
        assert visits[1] - visits[0] == {(1, 1)}

    def test_depth_one_and_two_are_as_told(self):
        tree = load_tree(ROOT / "trees" / "public" / "08-depth-limit.yaml")
        deep, shallow = (search.published for search in tree.searches)
        names = [tree.root.at(p.move).name for p in (shallow, deep)]
        assert (shallow.value, deep.value, *names) == (9, 5, "D", "C")

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_each_row_by_hand_is_a_step_of_the_right_search(self, convention):
        tree = load_tree(ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml")
        steps = replay(tree, tree.searches[0], convention)
        values = {s.path: s.value for s in steps if s.kind not in (UPDATE, CUTOFF)}
        expected = []
        for step, after in zip(steps, steps[1:]):
            if step.kind == UPDATE:
                node, child = tree.root.at(step.path), tree.root.at(step.child_path)
                player = "MIN" if len(step.path) % 2 else "MAX"
                row = [f"{child.name} = {values[child.path]}", f"{node.name} ({player})"]
                window = (number(bound) for bound in (step.alpha, step.beta))
                row += [b.replace("-", "−").replace("infinity", "∞") for b in window]
                pruned = [tree.root.at(path).name for path in after.pruned_paths]
                expected.append((row, pruned))
        rows = table("returned | at | alpha | beta | what follows", convention)
        assert [row[:4] for row in rows] == [row for row, _ in expected]
        for row, (_, pruned) in zip(rows, expected):
            assert ("**cutoff**" in row[4]) == bool(pruned)
            assert all(name in row[4] for name in pruned)
        assert steps[-1].kind == LEAVE and "returns 3" in rows[-1][4]


class TestTheCommands:
    @pytest.fixture(scope="class")
    def starter(self, tmp_path_factory):
        """An unpacked starter.zip with the reference in it, and the handout's my.yaml."""
        folder = tmp_path_factory.mktemp("starter")
        with zipfile.ZipFile(BytesIO(pack(starter_files(kit())))) as archive:
            archive.extractall(folder)
        source = (ROOT / "solution" / "search.py").read_bytes()
        (folder / "search.py").write_bytes(source)
        own = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)[1]
        assert yaml.safe_load(own)
        (folder / "my.yaml").write_text(own, encoding="utf-8")
        return folder

    def test_each_runs_in_an_unpacked_starter(self, starter):
        texts = [*re.findall(r"```sh\n(.*?)```", handout(), re.DOTALL)]
        texts += re.findall(r"`(python [^`]+\.yaml)`", handout())
        commands = {line for text in texts for line in text.strip().splitlines()}
        for part in (
            "pip install",
            "pytest",
            "--page",
            "-x",
            "connect4",
            "my.yaml",
        ):
            assert any(part in command for command in commands), part
        failed = {}
        for command in sorted(c for c in commands if "pip install" not in c):
            program = command.replace("python", f"{PYTHON} -B", 1).split()
            done = subprocess.run(
                program,
                cwd=starter,
                input="quit\n",
                capture_output=True,
                text=True,
                timeout=60,
            )
            if done.returncode:
                failed[command] = done.stdout + done.stderr
        assert failed == {}

    def test_every_file_that_is_named_lies_in_the_starter(self, starter):
        named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html))`", handout())
        assert len(named) > 8
        for name in {*named, "requirements.txt"}:
            assert (starter / name).is_file(), name
