"""The handout's examples: drawings of searches, feedback, what a program prints.

A block that begins ```text KIND ABOUT shows what the kit draws, says or prints. KIND is
tree, alphabeta (the right search), wrong (a known mistake's), feedback (what a student
reads of one) or output (of a program of the starter, run with the reference).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.command import Refused
from autograder.grading import grade_path
from autograder.kit import Kit, prepare
from autograder.mistakes.variants import apply, load_variant
from autograder.showing.page import figure
from autograder.showing.summary import feedback_text
from gametree import load_tree, observe, parse_tree
from gametree.drawing import draw, marks_of
from gametree.trace import NOT_RUN
from gametree.view import view_of

TREE, RIGHT = PICTURES = "tree", "alphabeta"  # which a page shows as pictures
FEEDBACK, OUTPUT = SLOW = "feedback", "output"
WRONG = "wrong"
KINDS = (*PICTURES, WRONG, *SLOW)
PROGRAMS = "gametree"  # whatever else an output names is not run


def example(kind: str, about: str, kit: Kit) -> str:
    """Return what the kit says now, without a newline at its end. Raises Refused."""
    if kind == FEEDBACK:
        return _feedback(about, kit)
    return _printed(about, kit) if kind == OUTPUT else draw(*seen(kind, about, kit))


def picture(kind: str, about: str, kit: Kit, key: str) -> str:
    """Return a drawing as an HTML figure; `key` is a word that no other one has."""
    tree, search, marks = seen(kind, about, kit)
    description = draw(tree, search, marks)
    return figure(view_of(tree, search, marks), tree.title, description, key)


def seen(kind: str, about: str, kit: Kit) -> tuple:
    """Return (tree, search, marks) of "trees/x.yaml 2" or "max [1, [1, 1]]".

    Before a wrong search's tree stands the mistake's name.
    """
    mistake = ""
    if kind == WRONG:
        mistake, _, about = about.partition(" ")
    tree, index = tree_named(about, kit.root)
    if kind == TREE:
        return tree, None, None
    search = tree.searches[index]
    right = observe(kit.reference.alphabeta, RIGHT, tree, search)
    trace = right
    if mistake:
        module = load_variant(_mistake(mistake, kit), kit.rubric.cutoff).module()
        trace = observe(module.alphabeta, RIGHT, tree, search)
    return tree, search, marks_of(tree, search, trace, right.visited)


def tree_named(about: str, root: Path) -> tuple:
    """Return (tree, which search) of "trees/x.yaml 2" or "max [1, [1, 1]]"."""
    first, _, rest = about.partition(" ")
    if not first.startswith("trees/"):
        return parse_tree(f"root: {first}\ntree: {rest}\n", about), 0
    tree = load_tree(root / "starter" / first)
    if not (rest or "1").isdecimal() or not 1 <= int(rest or 1) <= len(tree.searches):
        raise Refused(f"handout.md: {about}: {first} has {len(tree.searches)} searches")
    return tree, int(rest or 1) - 1


def _mistake(name, kit):
    path = kit.root / "solution" / "mistakes" / f"{name}.py"
    if not path.is_file():
        raise Refused(f"handout.md: there is no solution/mistakes/{name}.py")
    return path


def _feedback(mistake, kit):
    """Return what a student reads of a known mistake."""
    known = prepare(kit.root)  # beforehand, as the seconds of a grading are counted
    grading = grade_path(known, _mistake(mistake, kit))
    if any(trace.ending.kind == NOT_RUN for trace in grading.traces):
        why = "the grading ran out of time; run it again when the machine is less busy"
        raise Refused(f"handout.md: feedback {mistake}: {why}")
    return feedback_text(grading)


def _printed(command, kit):
    """Return what a program of the starter prints where search.py is the reference."""
    if command.partition(".")[0] != PROGRAMS:
        raise Refused(f"handout.md: output {command}: only {PROGRAMS} is run")
    source = (kit.root / "solution" / "search.py").read_text(encoding="utf-8")
    search = apply(source, kit.rubric.cutoff)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(kit.root / "starter" / PROGRAMS, Path(folder) / PROGRAMS)
        (Path(folder) / "search.py").write_text(search, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-B", "-m", *command.split()],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
        )
    if done.returncode:
        problem = (done.stderr.strip().splitlines() or ["it fails"])[-1]
        raise Refused(f"handout.md: output {command}: {problem}")
    return done.stdout.rstrip()
