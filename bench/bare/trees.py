"""Nodes, trees and questions of a grader without isolation.

`folder` holds questions.json and one YAML file a tree: a number is a leaf, a
list an interior node, {value, children} an interior node with a static value.
"""

import importlib.util
import json
import pathlib

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Node:
    """A node that counts: `visited` holds leaves, `count` every look."""

    visited = set()
    count = 0

    def __init__(self, spec, name="A"):
        self.name = name
        self.value = spec if isinstance(spec, (int, float)) else 0
        if isinstance(spec, dict):
            self.value, spec = spec["value"], spec["children"]
        branches = spec if isinstance(spec, list) else ()
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


def load_submission(path):
    """Import a search.py by its path."""
    spec = importlib.util.spec_from_file_location("search", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_questions(folder):
    """Yield (tree's name, function, root, list of searches with what is expected)."""
    folder = pathlib.Path(folder)
    questions = json.loads((folder / "questions.json").read_text())
    for path in sorted(folder.glob("*.yaml")):
        root = Node(yaml.load(path.read_text(), Loader=Loader)["tree"])
        for function, searches in questions[path.stem].items():
            yield path.stem, function, root, searches


def check(module, function, root, search):
    """Assert that one search returns and visits what is expected."""
    Node.visited, Node.count = set(), 0
    arguments = [float(a) if isinstance(a, str) else a for a in search["arguments"]]
    returned = getattr(module, function)(root, *arguments)
    if function == "best_move":
        assert returned.name == search["move"]
        return
    assert returned == search["value"]
    assert sorted(Node.visited) == search["leaves"]
    assert Node.count == search["nodes"]
