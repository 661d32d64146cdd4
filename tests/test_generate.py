"""`make trees` generates hidden trees from a seed and writes only sets that pass checks."""

import re
from collections import Counter

import pytest
from helpers import ROOT, RUBRIC, run_command, tasks_of, tree_of, trees_in, write
from kitcopy import files_in

from autograder.ground.command import status_of
from autograder.kit import Kit
from autograder.kit.contents import OWN, hidden_folder
from autograder.smalltrees.families import DECISIONS, Family, families
from autograder.workbench import generate
from autograder.workbench.generate import (
    files_of,
    fit_set,
    load_course,
    requirements,
    row_of,
    sort_files,
)
from autograder.workbench.lint import hash_of_tree, lacking, lint, published_warning
from bench.unseen.programs import changed_programs, escaping
from gametree import load_trees
from gametree.support.errors import InputError

SEED = 2**64  # the smallest accepted seed
MAX_QUERIES = 7500  # of the correct searches of a set, in a course with the shipped rubric
OWN_TREE = "title: Own\nlesson: own\nsource: a book\nroot: max\ntree: [1, 2]  # mine\n"


@pytest.fixture
def quick(monkeypatch):
    """Generate sets of six random trees, for no rows and without known mistakes."""

    monkeypatch.setattr(generate, "load_trees", lambda folder: trees_in("public"))
    monkeypatch.setattr(Kit, "mistakes", [])
    monkeypatch.setattr(generate, "families", lambda: [DECISIONS._replace(trees=6)])
    monkeypatch.setattr(generate, "requirements", lambda course: Counter())


def make_trees(folder, *options):
    """Run `make trees` for six trees in a folder. Return its exit status."""
    return generate.main(["--out", str(folder), *options])


def rows_of(tree):
    """Return the names of the rows in which a hidden tree counts."""
    return {row_of(task, RUBRIC) for task in tasks_of(tree)}


@pytest.fixture
def folder(tmp_path):
    """Return a folder with one tree file that an instructor wrote."""
    folder = tmp_path / "hidden"
    folder.mkdir()
    (folder / "own.yaml").write_text(OWN_TREE)
    return folder


def test_the_printed_command_generates_the_same_set_again(quick, folder, capsys):
    assert make_trees(folder) == 0
    first = files_in(folder)
    assert len(first) == 7 and first["own.yaml"] == OWN_TREE.encode()
    again = r"^the same set again: make trees FORCE=1 SEED=(\d+);"
    (seed,) = re.findall(again, capsys.readouterr().out, re.MULTILINE)
    assert 2**100 < int(seed) < 2**128
    written = "".join(f"{name} {text!r}" for name, text in first.items())
    assert seed not in written and f"{int(seed):x}" not in written
    assert make_trees(folder, "--seed", seed, "--force") == 0
    assert files_in(folder) == first


def test_a_set_has_the_trees_of_each_family(fresh_set):
    titles = []
    for family in families():
        others = [f"{family.title}, {number}" for number in range(2, family.trees + 1)]
        titles += [family.title, *others]
    assert [tree.title for tree in fresh_set] == titles


def test_random_trees_show_what_the_families_do_not_show(quick, monkeypatch):
    row = "alphabeta: a given window"
    monkeypatch.setattr(generate, "families", lambda: [])
    missing = Counter({row: 2})
    monkeypatch.setattr(generate, "requirements", lambda course: missing)
    rows = [rows_of(tree) for tree in fit_set(load_course(), SEED)]
    assert [row in of_tree for of_tree in rows] == [True, True]


def test_only_generated_trees_are_replaced_and_they_are_listed(quick, folder, capsys):
    own = {"own.yaml": OWN_TREE.encode(), "notes.txt": b"notes"}
    (folder / "notes.txt").write_bytes(own["notes.txt"])
    assert make_trees(folder, "--seed", str(SEED)) == 0
    generated = sorted(files_in(folder).keys() - own.keys())
    assert len(generated) == 6
    edited = generated.pop()
    own[edited] = (folder / edited).read_bytes() + b"# edited\n"
    (folder / edited).write_bytes(own[edited])
    before = files_in(folder)
    with pytest.raises(InputError, match=r"contains a set \(5 trees\); write FORCE=1"):
        make_trees(folder)
    assert files_in(folder) == before
    capsys.readouterr()
    assert make_trees(folder, "--seed", str(SEED + 1), "--force") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [f"replaced {name}" for name in generated]
    assert lines[5:8] == [f"{name} stays" for name in sorted(own)]
    assert lines[8] == f"wrote 6 trees to {folder}"
    assert "next: make check" not in lines  # which looks at another folder
    assert own.items() <= files_in(folder).items()
    assert len(files_in(folder)) == 9


GUESSABLE = r"SEED=-?\d+ can be found by trying seeds"
CONFLICT = "<<<<<<< HEAD\ntree: [1, 2]\n=======\ntree: [1, 3]\n>>>>>>> kit/main\n"
REFUSED = {  # options, files of the folder, the line
    "a negative seed": (["--seed=-2025"], {}, GUESSABLE),
    "a small seed": ([f"--seed={2**64 - 1}"], {}, GUESSABLE),
    "a file": ([], None, "hidden: File exists"),
    "a folder in it": ([], {"a/": ""}, "hidden/a: Is a directory"),
    "conflict": ([], {"a.yaml": CONFLICT}, "a.yaml has conflict marks of git; resolve"),
}


@pytest.mark.parametrize("options, files, line", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_done_is_refused_and_no_file_changes(
    tmp_path, capsys, options, files, line
):
    if files is None:
        write(tmp_path, {"hidden": "a file"})
    else:
        write(tmp_path / "hidden", files)
    before = files_in(tmp_path)
    arguments = ["--out", str(tmp_path / "hidden"), "--force", *options]
    assert status_of("trees", lambda: generate.main(arguments)) == 2
    assert re.search(line, capsys.readouterr().err)
    assert files_in(tmp_path) == before


def test_a_family_that_gives_no_new_tree_is_refused(quick, monkeypatch):
    """Its second tree is mirrored, and its third is the first."""
    family = Family("One", lambda rng: tree_of("[1, 2]"), trees=3)
    monkeypatch.setattr(generate, "families", lambda: [family])
    with pytest.raises(InputError, match="the family 'One' gives no new tree"):
        fit_set(load_course(), SEED)


def test_no_set_is_written_if_a_requirement_cannot_be_met(quick, folder, monkeypatch):
    missing = Counter({"alphabeta: a row": 1})
    monkeypatch.setattr(generate, "requirements", lambda course: missing)
    monkeypatch.setattr(generate, "DECISIONS", DECISIONS._replace(trees=2))
    message = "too few trees of this seed for alphabeta: a row; try another SEED"
    with pytest.raises(InputError, match=message):
        make_trees(folder)
    assert files_in(folder) == {"own.yaml": OWN_TREE.encode()}


@pytest.fixture(scope="module")
def fresh_set():
    """Return a fresh set as Trees, for every twelfth known mistake."""
    course = load_course()
    course.mistakes = course.mistakes[::12]
    return fit_set(course, SEED)


def test_a_written_set_loads_as_the_generated_trees(fresh_set, tmp_path):
    folder = write(tmp_path, files_of(fresh_set))
    hashes = [sorted(map(hash_of_tree, trees)) for trees in (load_trees(folder), fresh_set)]
    assert hashes[0] == hashes[1]
    assert sort_files(folder) == ([], sorted(files_of(fresh_set)))


def test_a_fresh_set_passes_the_checks_of_make_check(fresh_set):
    assert list(lint([*trees_in("public"), *fresh_set])) == []
    assert list(lacking(tasks_of(*fresh_set))) == []


@pytest.mark.parametrize("which", ["shipped", "fresh"])
def test_a_set_is_small_and_has_three_trees_in_each_row(fresh_set, which):
    trees = fresh_set if which == "fresh" else trees_in("hidden")
    assert len(trees) <= generate.MAX_TREES
    tasks = tasks_of(*trees)
    assert sum(len(task.expected.events) for task in tasks) <= MAX_QUERIES
    counts = Counter(row for tree in trees for row in rows_of(tree))
    rows = [name for name in requirements(load_course()) if ": " in name]
    assert [row for row in rows if counts[row] < 3] == []


def test_few_unseen_wrong_programs_escape_a_fresh_set(fresh_set):
    tasks = tasks_of(*trees_in("public"), *fresh_set)
    programs = [*changed_programs("programs.txt")[::12], *changed_programs("unnamed.txt")]
    escaped = escaping(programs, tasks)
    assert len(escaped) <= 0.05 * len(programs), [program.name for program in escaped]


# ---- published trees

FIRST = {"a.yaml": "tree: [1, 2]\n"}
SECOND = {"b.yaml": "tree: [1, 3]\n"}
NOTE = "the hidden trees are the published set in trees/example: run make trees"
COPIED = "1 of 2 hidden trees are also in trees/example: run make trees"


@pytest.mark.parametrize(
    "example, own, warning",
    [
        (SECOND, {".DS_Store": ""}, NOTE),
        (SECOND, FIRST, ""),
        (SECOND, {"mistyped.yml": ""}, ""),
        (SECOND, {**FIRST, "copy.yaml": "tree: [1, 3]\r\n", "notes.txt": ""}, COPIED),
        ({}, FIRST, ""),
    ],
    ids=["no trees", "own trees", "own files", "a copied tree", "no example set"],
)
def test_published_hidden_trees_get_a_warning(tmp_path, example, own, warning):
    write(tmp_path / "trees" / "example", example)
    write(tmp_path / "trees" / "hidden", own)
    assert published_warning(tmp_path) == warning


def test_no_file_of_the_kit_is_in_the_folder_of_the_courses_trees():
    if hidden_folder(ROOT) == OWN:
        pytest.skip("the hidden trees are the course's own")
    listed = run_command(["git", "ls-files", "trees/hidden"], ROOT).stdout
    ignored = run_command(["git", "check-ignore", "trees/hidden/a.yaml"], ROOT).stdout
    assert listed == ignored == ""
