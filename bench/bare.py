"""A plain gradescope-utils autograder: `python bare.py FOLDER SEARCH.PY OUT`.

It has no isolation and no feedback. FOLDER contains questions.json and one YAML file for
each tree. In these files a number is a leaf, a list is an interior node, and {value,
children} is an interior node with a static value.
"""

import json
import pathlib
import sys
import types
import unittest

import yaml
from gradescope_utils.autograder_utils.decorators import number, weight
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Node:
    """A node that records its use: `visited` holds leaves, `count` counts queries."""

    visited = set()
    count = 0

    def __init__(self, spec, name="A"):
        self.name = name
        self.value = 0
        branches = []
        if isinstance(spec, dict):
            self.value = spec["value"]
            branches = spec["children"]
        elif isinstance(spec, list):
            branches = spec
        else:
            self.value = spec
        self._children = tuple(
            Node(branch, f"{name}.{index}") for index, branch in enumerate(branches)
        )

    @property
    def children(self):
        """Expand the node."""
        Node.count += 1
        return self._children

    def evaluate(self):
        """Visit the leaf."""
        Node.count += 1
        Node.visited.add(self.name)
        return self.value

    def is_terminal(self):
        """Return whether the node has no children."""
        return not self._children


class TestSearches(unittest.TestCase):
    """One test for each tree and function."""


def make_test(module, index, name, function, root, searches):
    """Return a test method that checks a function's searches on one tree."""

    @weight(1)
    @number(str(index))
    def test(self):
        for search in searches:
            check(module, function, root, search)

    test.__doc__ = f"{function} on {name}"
    return test


def check(module, function, root, search):
    """Assert that one search returns the expected result and visits the right leaves."""
    Node.visited = set()
    Node.count = 0
    arguments = [float(a) if isinstance(a, str) else a for a in search["arguments"]]
    returned = getattr(module, function)(root, *arguments)
    if "move" in search:
        assert returned.name == search["move"]
        return
    assert returned == search["value"]
    assert sorted(Node.visited) == search["leaves"]
    assert Node.count == search["nodes"]


def questions_in(folder):
    """Yield (tree's name, function, root, searches with their expected results)."""
    questions = json.loads((folder / "questions.json").read_text())
    for path in sorted(folder.glob("*.yaml")):
        root = Node(yaml.load(path.read_text(), Loader=Loader)["tree"])
        for function, searches in questions[path.stem].items():
            yield path.stem, function, root, searches


def main(folder, submission, out):
    """Grade and write results.json."""
    module = types.ModuleType("search")
    exec(compile(pathlib.Path(submission).read_text(), submission, "exec"), vars(module))
    for index, question in enumerate(questions_in(pathlib.Path(folder))):
        setattr(TestSearches, f"test_{index:03d}", make_test(module, index, *question))
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestSearches)
    with open(out, "w") as stream:
        JSONTestRunner(visibility="visible", stream=stream).run(suite)


if __name__ == "__main__":
    main(*sys.argv[1:])
