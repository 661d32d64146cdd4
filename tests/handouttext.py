"""The handout as a course reads it, and its blocks, tables and trees."""

from functools import cache

from helpers import ROOT

from autograder.rubric import load_rubric
from autograder.workbench import handoutcheck
from autograder.workbench.convention import passages

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
    found = handoutcheck.blocks(handout(convention), kind)
    assert found, kind
    return found


def table(head, convention=RUBRIC.cutoff):
    """Return the rows of the table whose head begins so; there is at least one."""
    found = handoutcheck.table(handout(convention), head)
    assert found, head
    return found


def tree_named(about):
    """Return the tree that a block is about, and its search."""
    return handoutcheck.tree_named(about, ROOT)
