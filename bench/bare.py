"""A plain gradescope-utils autograder: `python bare.py FOLDER SEARCH.PY OUT`.

It isolates nothing and says nothing. FOLDER holds questions.json and one YAML file a
tree: a number is a leaf, a list an interior node, {value, children} an interior node
with a static value.
"""

import importlib.util
import json
import pathlib
import sys
import unittest

import yaml
from gradescope_utils.autograder_utils.decorators import number, weight
from gradescope_utils.autograder_utils.json_test_runner import JSONTestRunner

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Node:
    """A node that counts: `visited` holds leaves, `count` every look."""

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
        """Tell whether there are no children."""
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
    """Assert that one search returns and visits what is expected."""
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
    """Yield (tree's name, function, root, list of searches with what is expected)."""
    questions = json.loads((folder / "questions.json").read_text())
    for path in sorted(folder.glob("*.yaml")):
        root = Node(yaml.load(path.read_text(), Loader=Loader)["tree"])
        for function, searches in questions[path.stem].items():
            yield path.stem, function, root, searches


def main(folder, submission, out):
    """Grade and write results.json."""
    spec = importlib.util.spec_from_file_location("search", submission)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for index, question in enumerate(questions_in(pathlib.Path(folder))):
        setattr(TestSearches, f"test_{index:03d}", make_test(module, index, *question))
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(TestSearches)
    with open(out, "w") as stream:
        JSONTestRunner(visibility="visible", stream=stream).run(suite)


if __name__ == "__main__":
    main(*sys.argv[1:])
