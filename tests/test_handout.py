"""Every example of the handout runs, in both cutoff conventions, and no figure drifts."""

import re
import subprocess
import zipfile
from dataclasses import replace
from functools import cache

import pytest
import yaml
from helpers import PYTHON, ROOT

from autograder.grading import grade
from autograder.judging.proof import proves_value
from autograder.judging.steps import CUTOFF, LEAVE, UPDATE, replay
from autograder.judging.verdict import ASPECTS
from autograder.kit import load_kit, load_reference
from autograder.rubric import load_rubric
from autograder.running.convention import CONVENTIONS, apply
from autograder.running.variants import load_variant
from autograder.showing.sentences import number
from autograder.showing.summary import summary_text
from autograder.workbench import handoutcheck
from autograder.workbench.convention import passages
from autograder.workbench.package import pack, starter_files
from gametree import TreeError, load_tree, observe, parse_tree
from gametree.drawing import draw
from gametree.marks import LEGEND

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
    return handoutcheck.blocks(handout(convention), kind)


def table(head, convention=RUBRIC.cutoff):
    return handoutcheck.table(handout(convention), head)


def tree_named(about):
    return handoutcheck.tree_named(about, ROOT)


def drawn(about, convention, other=None):
    reference = load_reference(ROOT, convention)
    return handoutcheck.drawn(about, reference, ROOT, other)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_drawing_of_a_right_search_is_what_gametree_draws(convention):
    found = blocks("alphabeta", convention)
    assert len(found) >= 3
    for about, text in found:
        assert drawn(about, convention) == text


def test_the_drawing_of_a_tree_is_what_gametree_draws():
    for about, text in blocks("tree"):
        assert draw(tree_named(about)[0]) == text


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_drawing_of_a_wrong_search_is_what_gametree_draws(convention):
    for about, text in blocks("wrong", convention):
        mistake, _, tree = about.partition(" ")
        path = ROOT / "solution" / "mistakes" / f"{mistake}.py"
        wrong = load_variant(path, convention).module().alphabeta
        assert drawn(tree, convention, wrong) == text


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_each_row_by_hand_is_a_step_of_the_right_search(convention):
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


def test_the_points_are_the_rubrics():
    said = {row[0].strip("`").split("(")[0]: row[1] for row in table("function | points")}
    assert said == {name: f"{cents / 100:g}" for name, cents in RUBRIC.cents.items()}


def test_the_shares_are_the_rubrics():
    said = {}
    for functions, aspect, share, _ in table("function | aspect"):
        for function in re.findall(r"`(\w+)`", functions):
            said[function, aspect] = share
    assert said == {
        (function, aspect): f"{share} %"
        for function, shares in RUBRIC.shares.items()
        for aspect, share in shares.items()
    }
    assert {aspect for _, aspect in said} == set().union(*ASPECTS.values())


def test_the_limits_are_the_rubrics():
    limits = RUBRIC.limits
    assert f"may use {limits.search_cpu_seconds} seconds" in handout()
    assert f"whole submission {limits.total_seconds} seconds" in handout()


def test_every_mark_of_a_drawing_is_explained():
    said = dict(table("mark | meaning"))
    assert set(said) == {mark.sign for mark in LEGEND}
    for mark in LEGEND:
        assert mark.meaning in said[mark.sign]


def test_the_words_that_feedback_uses_are_explained():
    said = {word for row in table("word | meaning") for word in row[0].split(", ")}
    assert said >= {
        "leaf", "ply", "window", "alpha", "beta", "cutoff", "static value", "expand",
        "fail-soft", "fail-hard", "node count", "bound", "pruned", "terminal", "visit",
    }  # fmt: skip


def test_what_a_node_offers_is_what_the_node_has():
    from gametree.node import Node

    names = re.findall(r"^\| `node\.(\w+)", handout(), re.MULTILINE)
    assert names == ["children", "evaluate", "is_terminal", "name"]
    assert all(hasattr(Node, name) for name in names)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_answers_outside_a_window_are_accepted(convention):
    text = handout(convention)
    nested = re.search(r"max `(\[\[3, 10.*?)` is worth 6", text)[1]
    search = parse_tree(
        f"root: max\ntree: {nested}\nsearches: [{{alpha: 7}}]\n", "x"
    ).searches[0]
    tree = tree_named(f"max {nested}")[0]
    full = tree.searches[0]
    trace = observe(load_reference(ROOT, convention).minimax, "minimax", tree, full)
    assert trace.answer.number == 6
    accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(search, 6, 6, n)]
    assert accepted == [6, 6.5, 7]


def test_the_trap_of_best_move_is_one():
    tree = tree_named("max [2, [2, 1]]")[0]
    path = ROOT / "solution" / "mistakes" / "move_shares_alpha_and_keeps_ties.py"
    wrong = load_variant(path).module().best_move
    trace = observe(wrong, "best_move", tree, tree.searches[0])
    assert trace.answer.path == (1,)
    assert "max `[2, [2, 1]]`" in handout("equality")


def test_a_fail_hard_search_visits_more_in_a_strict_course():
    tree = tree_named("max [1, [[0], 0]]")[0]
    source = (ROOT / "solution" / "correct" / "fail_hard.py").read_text()
    path = ROOT / "solution" / "correct" / "fail_hard.py"
    hard = {}
    exec(compile(apply(source, "strict"), str(path), "exec"), hard)
    soft = load_reference(ROOT, "strict").alphabeta
    visits = [
        observe(search, "alphabeta", tree, tree.searches[0]).visited
        for search in (soft, hard["alphabeta"])
    ]
    assert visits[1] - visits[0] == {(1, 1)}


def test_depth_one_and_two_are_as_told():
    tree = load_tree(ROOT / "starter" / "trees" / "08-depth-limit.yaml")
    deep, shallow = (search.published for search in tree.searches)
    name = [tree.root.at(p.move).name for p in (shallow, deep)]
    assert (shallow.value, deep.value, *name) == (9, 5, "D", "C")


def test_the_infinities_that_are_named_are_beyond_all_values():
    assert "strictly between -10^9 and 10^9" in handout()
    for value in ("1000000000", "-1000000000"):
        with pytest.raises(TreeError):
            parse_tree(f"root: max\ntree: [{value}]\n", "x")


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
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


def test_there_are_commands_for_everything_a_student_does():
    for said in ("pip install", "pytest", "gametree ", "play.py", "experiment", "my.yaml"):
        assert any(said in command for command in COMMANDS), said


@pytest.mark.parametrize("command", [c for c in COMMANDS if "pip install" not in c])
def test_a_command_runs_in_an_unpacked_starter(starter, command):
    program = command.replace("python", f"{PYTHON} -B", 1).split()
    done = subprocess.run(
        program, cwd=starter, input="quit\n", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for about, text in blocks("output"):
        assert about == ""
        if "experiment" in command:
            assert text in done.stdout


def test_what_is_to_be_installed_is_there(starter):
    for command in COMMANDS:
        for name in re.findall(r"-r (\S+)", command):
            assert (starter / name).is_file()


def test_every_file_that_is_named_lies_in_the_starter(starter):
    named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html|txt))`", handout())
    for name in {*named} - {"requirements.txt"}:
        assert (starter / name).is_file(), name


def test_the_feedback_that_is_shown_is_what_a_student_reads():
    kit = load_kit()
    for about, text in blocks("feedback"):
        source = (ROOT / "solution" / "mistakes" / f"{about}.py").read_bytes()
        summary = summary_text(grade(kit, source)).splitlines()
        assert set(text.splitlines()) <= set(summary)


def test_links_to_sections_lead_somewhere():
    anchors = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^#+ (.*)", handout(), re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#(.*?)\)", handout())) <= anchors


def slips_of(text, rubric=RUBRIC):
    reference = load_reference(ROOT, rubric.cutoff)
    return list(handoutcheck.slips(text, rubric, reference, ROOT))


def test_make_check_finds_nothing_to_mend():
    assert slips_of(handout()) == []


def test_make_check_notices_points_that_were_changed_in_the_rubric_only():
    rubric = replace(RUBRIC, cents={**RUBRIC.cents, "minimax": 2050})
    (line,) = slips_of(handout(), rubric)
    assert "minimax is worth 25 in its first table, 20.5 in rubric.yaml" in line


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("| value | 30 %", "| value | 40 %", "says 40 % for minimax's value"),
        ("whole submission 60 seconds", "whole submission 90 seconds", "says 60"),
        ("        3     12    8     2     4     6     14    5     2\n        ●",
         "        3     12    8     2     4     6     14    5     3\n        ●",
         "the drawing of trees/03-aima"),
    ],
)  # fmt: skip
def test_make_check_notices_a_handout_that_drifted(old, new, said):
    assert old in handout()
    assert said in slips_of(handout().replace(old, new))[0]
