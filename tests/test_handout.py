"""The handout: what is marked follows the kit, and all the rest is the instructor's."""

import re
import subprocess
import zipfile
from dataclasses import replace
from functools import cache

import pytest
import yaml
from helpers import PYTHON, ROOT
from kitcopy import copy_kit

from autograder.command import Refused
from autograder.grading import refuse
from autograder.judging.divergence import CUTOFF, LEAVE, UPDATE, replay
from autograder.kit import load_kit, load_reference
from autograder.mistakes.variants import CONVENTIONS, STRICT, apply, load_variant
from autograder.ordering import FUNCTION as ORDERED
from autograder.workbench import examples
from autograder.workbench.coursefile import KEYS, load_course
from autograder.workbench.examples import PICTURES, tree_named
from autograder.workbench.handout import (
    EXAMPLE,
    for_students,
    handout_page,
    parts_of,
    rewritten,
    text_below,
    warnings,
)
from autograder.workbench.marks import PLAIN, pieces_of
from autograder.workbench.package import pack, starter_files
from gametree import TreeError, load_tree, observe, parse_tree
from gametree.checking import check
from gametree.node import Node
from gametree.proof import proves_value
from gametree.view import LEGEND
from gametree.words import number

TEXT = (ROOT / "handout.md").read_text(encoding="utf-8")


@cache
def kit():
    return load_kit()


def course_of(**changed):
    """Return the kit with another rubric; only what it asks for is asked."""
    rubric = replace(kit().rubric, **changed)
    rubric = replace(rubric, shares={name: rubric.shares[name] for name in rubric.cents})
    tasks = tuple(task for task in kit().tasks if task.function in rubric.cents)
    return replace(kit(), rubric=rubric, tasks=tasks)


def asking(*functions, **changed):
    """Return the kit of a course that asks for these functions."""
    return course_of(
        cents={name: kit().rubric.cents[name] for name in functions}, **changed
    )


def up_to_date(text, kit):
    """Return the text with all up to date but what takes running a program."""
    return rewritten(text, kit, slow=False)[0]


def changes(text, kit):
    return rewritten(text, kit, slow=False)[1]


@cache
def handout(convention=None):
    """Return the handout as students of a course of the convention read it."""
    other = course_of(cutoff=convention or kit().rubric.cutoff)
    return for_students(up_to_date(TEXT, other))


def blocks(kind, convention=None):
    """Return (about, text) of every block of a kind; there is at least one."""
    found = EXAMPLE.findall(handout(convention))
    texts = [(about, body[:-1]) for name, about, body in found if name == kind]
    assert texts, kind
    return texts


def table(head, convention=None):
    """Return the rows of the table whose head begins so; there is at least one."""
    lines = handout(convention).split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    assert lines, head
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def variant(name, convention="equality"):
    """Return the module of a file of solution/, such as "mistakes/no_cutoff"."""
    return load_variant(ROOT / "solution" / f"{name}.py", convention).module()


def translated(text):
    """Return a handout that says the same in another language, as far as it is free.

    Neither marks nor examples nor what the kit writes are words; the words of a head
    and what a concept's trees are about are.
    """
    new = []
    for piece in pieces_of(text):
        if piece.kind == PLAIN:
            free = re.split(
                r"(```.*?\n```|`[^`]*`|\]\([^)]*\)|\{\w+\})", piece.text, flags=re.S
            )
            free[::2] = (re.sub(r"[aeo]", "ü", words) for words in free[::2])
            piece = replace(piece, text="".join(free))
        elif piece.name == "concepts":
            own = piece.text.replace("| concept |", "| Begriff |")
            piece = replace(
                piece, text=own.replace("every leaf can matter", "jedes Blatt zählt")
            )
        new.append(str(piece))
    return "".join(new)


class TestTheMarks:
    def test_the_handout_is_as_the_kit_says_and_running_mends_what_is_not(self):
        wrong = TEXT.replace("Score: 92.72/100", "Score: 92/100").replace(" 511 ", " 512 ")
        text, (program, feedback) = rewritten(wrong, kit())
        assert "output gametree.experiment --branching 2" in program
        assert "feedback depth_not_decreased: for 'Score: 92/100" in feedback
        assert text == TEXT
        assert warnings(TEXT, kit()) == []

    @pytest.mark.parametrize(
        "other",
        [
            {"cents": {"minimax": 2050, "alphabeta": 6000, "best_move": 1500}},
            {"cutoff": STRICT, "by_hand_cents": 550},
            {"cents": {"alphabeta": 7000}, "extra_cents": {ORDERED: 500}, "hints": "none"},
        ],
        ids=["points", "strict and by hand", "alphabeta alone"],
    )
    def test_rewriting_settles_at_once_and_is_undone_by_the_rubric(self, other):
        other = course_of(**other)
        text = up_to_date(TEXT, other)
        assert text != TEXT and changes(text, other) == []
        assert up_to_date(text, kit()) == TEXT

    @pytest.mark.parametrize(
        "old, new, told",
        [
            ("maximizing)` | 25 |", "maximizing)` | 26 |", "points: for '| `minimax(node"),
            ("| ties |  | 8 |", "| ties |  | 9 |", "concepts: for '| ties |  | 9 |"),
            ("| value | 40 %", "| value | 30 %", "shares: for '| `minimax` | value"),
            (">60<!-- /kit -->", ">90<!-- /kit -->", "total seconds: for '90' the kit"),
            (">12<!-- /kit -->", ">13<!-- /kit -->", "plies: for '13' the kit has '12'"),
            ("14    5     2\n        ●", "14    5     3\n        ●", "alphabeta trees/03"),
            ("15    -6    2", "15    -5    2", "wrong no_cutoff_at_min trees/04"),
        ],
    )  # fmt: skip
    def test_a_wrong_figure_is_told_with_its_line_and_mended(self, old, new, told):
        assert old in TEXT
        wrong = TEXT.replace(old, new)
        (line,) = changes(wrong, kit())
        assert re.match(r"handout.md, line \d+: ", line) and told in line
        assert up_to_date(wrong, kit()) == TEXT

    def test_a_grading_that_ran_out_of_time_is_no_feedback(self, monkeypatch):
        refused = refuse(kit(), "no time")
        monkeypatch.setattr(examples, "grade_path", lambda *_: refused)
        with pytest.raises(Refused, match="ran out of time; run it again"):
            examples.example("feedback", "depth_not_decreased", kit())

    def test_a_reworded_sentence_is_the_instructors(self):
        for old in ("Equal is enough.", "## 6. Depth", "Upload", "You need Python"):
            text = TEXT.replace(old, "Something else")
            assert text != TEXT and changes(text, kit()) == []
            assert "Something else" in for_students(text)

    def test_a_translated_handout_packs_and_keeps_its_words_when_points_change(self):
        text = translated(TEXT)
        assert changes(text, kit()) == []
        dearer = course_of(cents={**kit().rubric.cents, "minimax": 5000})
        text = up_to_date(text, dearer)
        assert "| `minimax(node, depth, maximizing)` | 50 |" in text
        assert "| Begriff |" in text and "| jedes Blatt zählt |" in text
        assert "Yüu writü functiüns" in handout_page(text, dearer)

    def test_a_part_that_was_removed_is_a_warning_and_nothing_more(self):
        marked = re.compile("<!-- kit: shares -->.*?<!-- /kit -->", re.DOTALL)
        text = marked.sub("", TEXT)
        assert changes(text, kit()) == []
        assert "marks no shares" in warnings(text, kit())[0]
        assert "| share |" not in for_students(text)

    def test_a_heading_that_was_translated_under_a_link_is_a_warning(self):
        text = TEXT.replace("## 5. The rule about ties", "## 5. Gleichstand")
        (line,) = warnings(text, kit())
        assert line.startswith("handout.md: the link (#5-the-rule-about-ties) leads to no")

    @pytest.mark.parametrize(
        "old, new, told",
        [
            ("kit: points", "kit: ponits", "line 11: a mark names 'ponits'.* mean points"),
            ("if: node count", "if: node cuont", "'node cuont'.* did you mean node count"),
            ("off: by hand;", "off: by hand", "a mark has no other half"),
            ("<!-- /if -->", "", "a mark stands within 'best_move'"),
            ("```text tree", "```text three", "'three' is no kind of example"),
            ("tree trees/03", "tree trees/33", "33"),
            ("limit.yaml 2", "limit.yaml 3", "has 2 searches"),
            ("wrong no_", "wrong on_", "no solution/mistakes/on_cutoff_at_min.py"),
            ("output gametree", "output os", "only gametree is run"),
        ],
    )
    def test_a_slip_in_a_mark_is_refused_in_one_line(self, old, new, told):
        assert old in TEXT
        with pytest.raises((Refused, TreeError), match=told) as caught:
            rewritten(TEXT.replace(old, new, 1), kit())
        assert "\n" not in str(caught.value)


class TestTheParts:
    def test_the_figures_in_sentences_are_those_that_the_kit_keeps_to(self):
        limits = kit().rubric.limits
        flat = " ".join(handout().split())
        assert f"may use {limits.search_cpu_seconds:g} seconds of processor time" in flat
        assert f"your whole submission {limits.total_seconds:g} seconds" in flat
        said = {name: part("") for name, part in parts_of(kit()).items()}
        assert f"at most {said['decimals']} decimals" in flat
        assert f"at most {said['children']} children" in flat

    def test_no_other_function_and_no_other_aspect_is_named(self):
        functions = [row[0].strip("`").split("(")[0] for row in table("function | points")]
        assert functions == [*kit().rubric.cents]
        rows = [(row[0].strip("`"), row[1]) for row in table("function | aspect | share")]
        asked = kit().rubric.asked.items()
        assert rows == [(name, aspect) for name, aspects in asked for aspect in aspects]

    def test_the_concepts_are_the_rows_of_a_grading(self):
        functions = [*kit().rubric.cents]
        stated = {
            (function, concept): worth
            for concept, *cells, _ in table(
                "concept | `minimax` | `alphabeta` | `best_move` | its trees"
            )
            for function, worth in zip(functions, cells)
            if worth
        }
        rows = {
            (row.function, row.concept): f"{row.most_cents / 100:g}" for row in kit().rows
        }
        assert stated == rows

    def test_a_row_is_numbered_as_it_is_told(self):
        for row in kit().rows:
            assert f"{row.number[0]} `{row.function}`" in handout()

    def test_a_function_that_is_left_out_is_not_spoken_of(self):
        free = re.sub("```text (?:feedback|output).*?```", "", TEXT, flags=re.DOTALL)
        plain = for_students(up_to_date(free, asking("minimax", "alphabeta")))
        assert "best_move" not in plain and "Best move" not in plain
        plain = for_students(up_to_date(free, asking("alphabeta")))
        assert "`minimax" not in plain and "-k minimax" not in plain
        assert "best_move" not in plain

    def test_a_node_count_that_is_not_judged_is_not_spoken_of(self):
        shares = {"alphabeta": {"value": 20, "leaves": 80}}
        plain = for_students(up_to_date(TEXT, asking("alphabeta", shares=shares)))
        assert "node count** is" not in plain and "node count is wrong" not in plain

    def test_by_hand_and_extra_credit_are_told_where_they_earn_points(self):
        assert "byhand" not in handout() and ORDERED not in handout()
        more = course_of(by_hand_cents=550, extra_cents={ORDERED: 250})
        text = for_students(up_to_date(TEXT, more))
        assert "| 15 |\n| `byhand.yaml` | 5.5 |\n" in text and "| +2.5 |" in text
        assert "## By hand, before you write code" in text
        assert "python -m gametree.byhand --id 123456" in text
        assert "Upload `search.py` and `byhand.yaml` to" in text
        without = re.sub("<!-- off: by hand;.*?/if -->", "", TEXT, flags=re.DOTALL)
        assert "says nothing of by hand" in warnings(without, more)[0]

    def test_a_handout_in_another_coding_is_refused_in_one_line(self, tmp_path):
        (tmp_path / "handout.md").write_bytes("# Übung".encode("latin-1"))
        with pytest.raises(Refused, match="not UTF-8; save it as UTF-8"):
            text_below(tmp_path)
        (tmp_path / "handout.md").write_bytes("\ufeff# Übung\r\n".encode())
        assert text_below(tmp_path) == "# Übung\n"

    def test_no_mark_and_nothing_hidden_reaches_students(self):
        for text in (handout(), handout(STRICT)):
            assert "<!--" not in text and "/if" not in text and "\n\n\n" not in text
            assert not re.search(r"\{(name|due|late|contact|ai|collaboration)\}", text)


class TestTheCourse:
    """course.yaml fills the places of the handout; without it none is seen."""

    COURSE = """\
name: CS 188, Autumn 2026
due: 2026-12-01 23:59
contact: staff@example.edu
late: |
  Two days, ten per cent each.
collaboration: In pairs.
ai: Not at all.
"""

    @pytest.fixture(scope="class")
    def course(self, tmp_path_factory):
        copy = copy_kit(tmp_path_factory.mktemp("course"))
        (copy / "course.yaml").write_text(self.COURSE, encoding="utf-8")
        return replace(kit(), root=copy)

    def test_what_it_says_stands_in_the_handout_as_it_is_written(self, course):
        plain = for_students(up_to_date(TEXT, course), course.root)
        assert "*CS 188, Autumn 2026*" in plain
        assert "**Due:** 2026-12-01 23:59\n" in plain
        assert "Write to us (staff@example.edu) with" in plain
        assert "\nIn pairs.\n" in plain and "**AI assistants.** Not at all.\n" in plain
        assert "Talk about the ideas" not in plain and "ask a classmate" not in plain
        assert set(load_course(course.root)) == set(KEYS)

    def test_the_one_that_the_readme_shows_is_whole(self, tmp_path):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        shown = re.search(r"```yaml\n( *name: .*?)```", readme, re.DOTALL)[1]
        (tmp_path / "course.yaml").write_text(shown, encoding="utf-8")
        assert set(load_course(tmp_path)) == set(KEYS)

    def test_a_place_that_nothing_fills_is_refused(self, tmp_path):
        with pytest.raises(
            Refused, match="{due} has no value; put it between <!-- if: due"
        ):
            for_students("Due {due}.\n", tmp_path)

    def test_what_the_handout_does_not_ask_for_is_a_warning(self, course):
        text = TEXT.replace("{late}", "").replace("off: late;", "off: due;")
        (line,) = warnings(text, course)
        assert "says nothing of late" in line

    @pytest.mark.parametrize(
        "written, told",
        [
            ("dew: 1 May\n", "unknown key 'dew'; write one of name, due"),
            ("due: [1, 2]\n", "due: write text"),
            ("late:\n", "late: write text"),
            ("name: |\n  a\n  b\n", "name: write one line"),
            ("- due\n", "write lines such as"),
            ("due: 'x\n", "course.yaml, line 2: cannot be read"),
        ],
    )
    def test_a_slip_in_it_is_one_line(self, tmp_path, written, told):
        (tmp_path / "course.yaml").write_text(written, encoding="utf-8")
        with pytest.raises(Refused, match=told) as caught:
            load_course(tmp_path)
        assert "\n" not in str(caught.value)


class TestTheWords:
    def test_every_mark_of_a_drawing_is_explained(self):
        meanings = dict(table("mark | meaning"))
        assert set(meanings) == {mark.sign for mark in LEGEND}
        for mark in LEGEND:
            assert mark.meaning in meanings[mark.sign]

    def test_those_that_feedback_uses_are_explained(self):
        words = {word for row in table("word | meaning") for word in row[0].split(", ")}
        assert words >= {
            "leaf", "ply", "window", "alpha", "beta", "cutoff", "static value", "expand",
            "fail-soft", "fail-hard", "node count", "bound", "pruned", "terminal", "visit",
        }  # fmt: skip

    def test_what_a_node_offers_is_what_the_node_has(self):
        names = re.findall(r"^\| `node\.(\w+)", handout(), re.MULTILINE)
        assert names == ["children", "evaluate", "is_terminal", "name"]
        assert all(hasattr(Node, name) for name in names)

    def test_the_infinities_that_are_named_are_beyond_all_values(self):
        assert "strictly between -10^9 and 10^9" in handout()
        for value in ("1000000000", "-1000000000"):
            with pytest.raises(TreeError):
                parse_tree(f"root: max\ntree: [{value}]\n", "x")


class TestTheExamples:
    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_the_answers_outside_a_window_are_accepted(self, convention):
        nested = re.search(r"max `(\[\[3, 10.*?)` is worth 6", handout(convention))[1]
        text = f"root: max\ntree: {nested}\nsearches: [{{}}, {{alpha: 7}}]\n"
        tree = parse_tree(text, "x")
        full, narrow = tree.searches
        trace = observe(load_reference(ROOT, convention).minimax, "minimax", tree, full)
        assert trace.answer.number == 6
        accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(narrow, 6, 6, n)]
        assert accepted == [6, 6.5, 7]

    def test_the_trap_of_best_move_is_one(self):
        tree, _ = tree_named("max [2, [2, 1]]", ROOT)
        wrong = variant("mistakes/move_shares_alpha_and_keeps_ties").best_move
        trace = observe(wrong, "best_move", tree, tree.searches[0])
        assert trace.answer.path == (1,)
        assert "max `[2, [2, 1]]`" in handout("equality")

    def test_a_fail_hard_search_visits_more_in_a_strict_course(self):
        tree, _ = tree_named("max [1, [[0], 0]]", ROOT)
        soft = load_reference(ROOT, "strict").alphabeta
        visits = [
            observe(search, "alphabeta", tree, tree.searches[0]).visited
            for search in (soft, variant("correct/fail_hard", "strict").alphabeta)
        ]
        assert visits[1] - visits[0] == {(1, 1)}

    def test_depth_one_and_two_are_as_told(self):
        tree = load_tree(ROOT / "starter" / "trees" / "08-depth-limit.yaml")
        deep, shallow = (search.published for search in tree.searches)
        names = [tree.root.at(p.move).name for p in (shallow, deep)]
        assert (shallow.value, deep.value, *names) == (9, 5, "D", "C")

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_each_row_by_hand_is_a_step_of_the_right_search(self, convention):
        tree = load_tree(ROOT / "starter" / "trees" / "03-aima-figure-5-2.yaml")
        steps = replay(tree, tree.searches[0], convention)
        values = {s.path: s.value for s in steps if s.kind not in (UPDATE, CUTOFF)}
        expected = []
        for step, after in zip(steps, steps[1:]):
            if step.kind == UPDATE:
                node, child = tree.root.at(step.path), tree.root.at(step.child_path)
                player = "MIN" if len(step.path) % 2 else "MAX"
                row = [f"{child.name} = {values[child.path]}", f"{node.name} ({player})"]
                row += [number(step.alpha), number(step.beta)]
                pruned = [tree.root.at(path).name for path in after.pruned_paths]
                expected.append((row, pruned))
        rows = table("returned | at | alpha | beta | what follows", convention)
        assert [row[:4] for row in rows] == [row for row, _ in expected]
        for row, (_, pruned) in zip(rows, expected):
            assert ("**cutoff**" in row[4]) == bool(pruned)
            assert all(name in row[4] for name in pruned)
        assert steps[-1].kind == LEAVE and "returns 3" in rows[-1][4]


class TestTheDrawings:
    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_there_are_some_of_each_kind_in_both_conventions(self, convention):
        assert all(blocks(kind, convention) for kind in (*PICTURES, "wrong", "feedback"))
        assert len(blocks("alphabeta", convention)) >= 3

    def test_the_sentence_above_the_wrong_one_is_what_a_failing_test_says(self):
        ((about, _),) = blocks("wrong")
        mistake, _, name = about.partition(" ")
        tree, index = tree_named(name, ROOT)
        wrong = variant(f"mistakes/{mistake}").alphabeta
        checked = check(wrong, "alphabeta", tree, tree.searches[index])
        quoted = re.search(r'here the one at C: "(.*?)"', handout("equality"), re.DOTALL)[1]
        assert checked.why == f"At C (MIN), {' '.join(quoted.split())}."


COMMANDS = sorted(
    {
        line
        for text in [
            *re.findall(r"```sh\n(.*?)```", handout(), re.DOTALL),
            *re.findall(r"`(python [^`]+\.yaml)`", handout()),
        ]
        for line in text.strip().splitlines()
    }
)


class TestTheCommands:
    @pytest.fixture(scope="class")
    def starter(self, tmp_path_factory):
        """An unpacked starter.zip with the reference in it, and the handout's my.yaml."""
        folder = tmp_path_factory.mktemp("starter")
        (folder / "starter.zip").write_bytes(pack(starter_files()))
        with zipfile.ZipFile(folder / "starter.zip") as archive:
            archive.extractall(folder)
        source = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
        (folder / "search.py").write_text(
            apply(source, kit().rubric.cutoff), encoding="utf-8"
        )
        own = re.search(r"```yaml\n(.*?)```", handout(), re.DOTALL)[1]
        assert yaml.safe_load(own)
        (folder / "my.yaml").write_text(own, encoding="utf-8")
        return folder

    def test_there_is_one_for_everything_that_a_student_does(self):
        for part in (
            "pip install",
            "pytest",
            "gametree ",
            "--steps",
            "--page",
            "-x",
            "connect4",
            "experiment",
            "my.yaml",
        ):
            assert any(part in command for command in COMMANDS), part

    @pytest.mark.parametrize("command", [c for c in COMMANDS if "pip install" not in c])
    def test_each_runs_in_an_unpacked_starter(self, starter, command):
        program = command.replace("python", f"{PYTHON} -B", 1).split()
        done = subprocess.run(
            program, cwd=starter, input="quit\n", capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
        for about, text in blocks("output"):
            if about in command:
                assert text in done.stdout

    def test_every_file_that_is_named_lies_in_the_starter(self, starter):
        required = {
            name for command in COMMANDS for name in re.findall(r"-r (\S+)", command)
        }
        named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html|txt))`", handout())
        for name in {*named} | required:
            assert (starter / name).is_file(), name
