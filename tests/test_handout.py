"""The handout: points, words, drawings and commands hold, and `make check` sees to it."""

import re
import subprocess
import zipfile
from dataclasses import replace
from functools import cache

import pytest
import yaml
from helpers import PYTHON, ROOT

from autograder.grading import grade_path
from autograder.judging.divergence import CUTOFF, LEAVE, UPDATE, replay
from autograder.kit import load_reference, prepare
from autograder.mistakes.variants import CONVENTIONS, apply, load_variant
from autograder.rubric import load_rubric
from autograder.showing.summary import feedback_text
from autograder.workbench import handoutcheck
from autograder.workbench.convention import passages
from autograder.workbench.handoutcheck import tree_named
from autograder.workbench.package import pack, starter_files
from gametree import TreeError, load_tree, observe, parse_tree
from gametree.checking import check
from gametree.drawing import draw
from gametree.functions import FUNCTIONS
from gametree.node import Node
from gametree.proof import proves_value
from gametree.view import LEGEND
from gametree.words import number

RUBRIC = load_rubric(ROOT / "autograder" / "rubric.yaml")


@cache
def handout(convention=RUBRIC.cutoff):
    """Return the handout as a course of the convention reads it."""
    text = (ROOT / "handout.md").read_text(encoding="utf-8")
    for passage in passages():
        if passage.file == "handout.md":
            text = passage.turned(text, convention, "handout.md")
    return text


def blocks(kind, convention=RUBRIC.cutoff):
    """Return (about, text) of every block of a kind; there is at least one."""
    texts = handoutcheck.blocks(handout(convention), kind)
    assert texts, kind
    return texts


def table(head, convention=RUBRIC.cutoff):
    """Return the rows of the table whose head begins so; there is at least one."""
    rows = handoutcheck.table(handout(convention), head)
    assert rows, head
    return rows


def variant(name, convention="equality"):
    """Return the module of a file of solution/, such as "mistakes/no_cutoff"."""
    return load_variant(ROOT / "solution" / f"{name}.py", convention).module()


class TestTheFigures:
    def mismatches(self, text, rubric=RUBRIC):
        reference = load_reference(ROOT, rubric.cutoff)
        return list(handoutcheck.mismatches(text, rubric, reference, ROOT))

    def test_points_shares_limits_and_drawings_hold(self):
        assert self.mismatches(handout()) == []
        assert f"may use {RUBRIC.limits.search_cpu_seconds} seconds" in handout()
        assert f"whole submission {RUBRIC.limits.total_seconds} seconds" in handout()

    def test_no_other_function_and_no_other_aspect_is_named(self):
        functions = [row[0].strip("`").split("(")[0] for row in table("function | points")]
        assert functions == [*FUNCTIONS]
        rows = table("function | aspect")
        assert {
            (name, aspect) for names, aspect, *_ in rows for name in names.split("`")[1::2]
        } == {
            (name, aspect) for name, known in FUNCTIONS.items() for aspect in known.aspects
        }

    def test_points_that_were_changed_in_the_rubric_only_are_noticed(self):
        rubric = replace(RUBRIC, cents={**RUBRIC.cents, "minimax": 2050})
        line = self.mismatches(handout(), rubric)[0]
        assert "minimax is worth 25 in its first table, 20.5 in rubric.yaml" in line

    @pytest.mark.parametrize(
        "old, new, noticed",
        [
            ("| value | 40 %", "| value | 30 %", "says 30 % for minimax's value"),
            ("whole submission 60 seconds", "whole submission 90 seconds", "says 60"),
            ("        3     12    8     2     4     6     14    5     2\n        ●",
             "        3     12    8     2     4     6     14    5     3\n        ●",
             "the drawing of trees/03-aima"),
        ],
    )  # fmt: skip
    def test_a_handout_that_drifted_is_noticed(self, old, new, noticed):
        assert old in handout()
        assert noticed in self.mismatches(handout().replace(old, new))[0]


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

    def test_links_to_sections_lead_somewhere(self):
        anchors = {
            re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
            for head in re.findall(r"^#+ (.*)", handout(), re.MULTILINE)
        }
        assert set(re.findall(r"\]\(#(.*?)\)", handout())) <= anchors

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
        rows = table("returned | at", convention)
        assert [row[:4] for row in rows] == [row for row, _ in expected]
        for row, (_, pruned) in zip(rows, expected):
            assert ("**cutoff**" in row[4]) == bool(pruned)
            assert all(name in row[4] for name in pruned)
        assert steps[-1].kind == LEAVE and "returns 3" in rows[-1][4]


class TestTheDrawings:
    def drawn(self, about, convention, other=None):
        reference = load_reference(ROOT, convention)
        return handoutcheck.drawn(about, reference, ROOT, other)

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_of_right_searches_are_what_gametree_draws(self, convention):
        drawings = blocks("alphabeta", convention)
        assert len(drawings) >= 3
        for about, text in drawings:
            assert self.drawn(about, convention) == text

    def test_of_trees_are_what_gametree_draws(self):
        for about, text in blocks("tree"):
            assert draw(tree_named(about, ROOT)[0]) == text

    @pytest.mark.parametrize("convention", CONVENTIONS)
    def test_of_wrong_searches_are_what_gametree_draws(self, convention):
        for about, text in blocks("wrong", convention):
            mistake, _, tree = about.partition(" ")
            wrong = variant(f"mistakes/{mistake}", convention).alphabeta
            assert self.drawn(tree, convention, wrong) == text

    def test_the_sentence_above_the_wrong_one_is_what_a_failing_test_says(self):
        ((about, _),) = blocks("wrong")
        mistake, _, name = about.partition(" ")
        tree, index = tree_named(name, ROOT)
        wrong = variant(f"mistakes/{mistake}").alphabeta
        checked = check(wrong, "alphabeta", tree, tree.searches[index])
        quoted = re.search(r'here the one at C: "(.*?)"', handout("equality"), re.DOTALL)[1]
        assert checked.why == f"At C (MIN), {' '.join(quoted.split())}."

    def test_the_feedback_that_is_shown_is_what_a_student_reads(self):
        kit = prepare()
        for about, text in blocks("feedback"):
            path = ROOT / "solution" / "mistakes" / f"{about}.py"
            assert text == feedback_text(grade_path(kit, path))


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
        (folder / "search.py").write_text(apply(source, RUBRIC.cutoff), encoding="utf-8")
        own = re.search(r"```yaml\n(.*?)```", handout(), re.DOTALL)[1]
        assert yaml.safe_load(own)
        (folder / "my.yaml").write_text(own, encoding="utf-8")
        return folder

    def test_there_is_one_for_everything_that_a_student_does(self):
        for part in (
            "pip install",
            "pytest",
            "gametree ",
            "--order",
            "--steps",
            "--page",
            "--score",
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
            assert about == ""
            if "experiment" in command:
                assert text in done.stdout

    def test_every_file_that_is_named_lies_in_the_starter(self, starter):
        required = {
            name for command in COMMANDS for name in re.findall(r"-r (\S+)", command)
        }
        named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html|txt))`", handout())
        for name in {*named} | required:
            assert (starter / name).is_file(), name
