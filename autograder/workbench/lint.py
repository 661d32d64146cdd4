"""Lint the trees as a set: what no single file can get wrong by itself."""

from __future__ import annotations

from autograder.workbench.properties import REQUIRED, properties_of, written_root

MOST_LETTERS = 70


def lint(public, hidden, reference):
    """Yield one line for each thing to mend in the sets, with what to do."""
    trees = [*public, *hidden]
    yield from _repeated("title", [(tree.title, tree.name) for tree in trees])
    yield from _repeated("lesson", [(tree.lesson, tree.name) for tree in trees])
    yield from _same_trees(public, hidden)
    for tree in trees:
        for what, text in (("title", tree.title), ("lesson", tree.lesson)):
            if len(text) >= MOST_LETTERS:
                yield f"{tree.name}: the {what} has {len(text)} letters; shorten it"
            if "should" in text.lower():
                yield f"{tree.name}: the {what} says 'should'; say what is so"
    shown = set().union(*(properties_of(tree, reference) for tree in hidden))
    for name, advice in REQUIRED.items():
        if name not in shown:
            yield f"no hidden tree shows {name}: add {advice}"


def _repeated(what, named):
    first = {}
    for text, name in named:
        if text in first:
            yield f"{name}: the {what} of {first[text]} too; reword one: {text!r}"
        first.setdefault(text, name)


def _same_trees(public, hidden):
    """Find trees that are the same but for names, with the same searches."""
    first = {}
    for tree in [*public, *hidden]:
        key = (written_root(tree), tree.maximizing, tree.searches)
        if key in first:
            yield f"{tree.name}: the same tree as {first[key]}; change or remove one"
        first.setdefault(key, tree.name)
