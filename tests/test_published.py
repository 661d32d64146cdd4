"""The figures that trees publish hold; README and schema describe their format."""

import json
import re

import jsonschema
import pytest
import yaml
from helpers import ROOT, reference

from autograder.workbench.properties import mismatches
from gametree import TreeError, load_trees, observe, parse_tree

PUBLIC = load_trees(ROOT / "trees/public")
HIDDEN = load_trees(ROOT / "trees/hidden")
BY_NAME = {tree.name: tree for tree in (*PUBLIC, *HIDDEN)}
# The worked examples of textbooks and courses: tree file, which of its searches,
# and what the source says. Leaves are given by their values, left to right.
WORKED = {
    "aima-5.5": ("03-aima-figure-5-2", 0, {
        "value": 3, "leaves": [3, 12, 8, 2, 14, 5, 2], "pruned": [4, 6],
        "evaluations": 7, "move": 0}),
    "mdx-max": ("middlesex-max", 0, {"value": 3, "pruned": [101, 102, 103, 104]}),
    "mdx-min": ("05-min-root", 0, {"value": 12, "pruned": [4, 31, 1, 50]}),
    "javatpoint": ("06-binary-fifteen", 0, {
        "value": 3, "leaves": [2, 3, 5, 0, 1], "pruned": [9, 7, 5]}),
    "gfg": ("geeksforgeeks", 0, {
        "value": 5, "leaves": [3, 5, 6, 1, 2], "pruned": [9, 0, -1]}),
    "cosc367-q3": ("canterbury-q3", 0, {
        "value": 4, "leaves": [2, -1, 1, 4], "pruned": [5, 3]}),
    "cosc367-q4": ("canterbury-q4", 0, {
        "value": 0, "leaves": [0, -2, 1, 5], "pruned": []}),
    "cosc367-q5": ("canterbury-q5", 0, {
        "value": 3, "leaves": [3, 2, 1, 0], "pruned": [4, 7, -2]}),
    "mit-game1-max": ("mit-four-by-four", 0, {"value": 4, "evaluations": 13, "move": 1}),
    "mit-game1-min": ("mit-four-by-four", 1, {"value": 11, "evaluations": 11, "move": 0}),
    "mit-pruning": ("07-deep-cutoff", 0, {
        "value": 10, "pruned": [2], "evaluations": 4, "move": 0}),
    "mit-2013final-d1": ("mit-static-values", 0, {"value": 11, "evaluations": 4}),
    "mit-2013final-d2": ("mit-static-values", 1, {"value": 10, "evaluations": 5}),
    "mit-2013final-d3": ("mit-static-values", 2, {"value": 10, "evaluations": 6}),
    "millington-funge-688-max": ("millington-funge", 0, {"value": -4, "nodes": 12}),
    "millington-funge-688-min": ("millington-funge", 1, {"value": -5, "nodes": 14}),
    "wpi-basic-max": ("wpi-basic", 0, {"value": 5, "nodes": 10}),
}  # fmt: skip
README = (ROOT / "trees/README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
SCHEMA = json.loads((ROOT / "trees/schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
FILES = sorted([*(ROOT / "trees").glob("public/*"), *(ROOT / "trees").glob("hidden/*")])
# Malformed files whose slip the schema sees too; the others need the loader.
SEEN_BY_SCHEMA = """
    key-unknown key-case title-too-long title-number root-unknown root-missing
    tree-missing tree-and-game list-empty mapping-empty value-word value-in-quotes
    value-boolean value-null value-too-large name-boolean-no name-too-long name-of-a-key
    static-without-children static-with-more static-children-number depth-below-zero
    depth-fraction player-unknown searches-mapping searches-empty search-number
    search-key-unknown published-nodes published-leaf random-without-seed random-order
    random-depth game-unknown game-coins game-key game-board
"""


def test_every_published_figure_is_what_the_reference_finds():
    assert list(mismatches((*PUBLIC, *HIDDEN), reference())) == []
    searches = [(tree, search) for tree in (*PUBLIC, *HIDDEN) for search in tree.searches]
    for tree, search in searches:
        pruned = search.published.pruned
        if pruned is not None:  # which are all that are left out
            visited = observe(reference().alphabeta, "alphabeta", tree, search).visited
            leaves = {position.path for position in tree.root.frontier(search.depth)}
            assert pruned == leaves - visited, tree.name


def test_the_seventeen_worked_examples_give_what_their_sources_say():
    assert len(WORKED) == 17
    for example, (name, number, published) in WORKED.items():
        tree, search = BY_NAME[name], BY_NAME[name].searches[number]
        assert tree.source
        for key, figure in published.items():
            got = getattr(search.published, key)
            if key in ("leaves", "pruned"):
                got = [tree.root.at(path).value for path in sorted(got)]
            elif key == "move":
                trace = observe(reference().best_move, "best_move", tree, search)
                got = trace.answer.path[0]
            assert got == figure, (example, key)


def complaints(text):
    """Return what the schema finds wrong with the text of a tree file."""
    held = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return [error.message for error in VALIDATOR.iter_errors(held)]


def test_the_schema_is_well_formed_accepts_every_tree_and_refuses_malformed_ones():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert {path.suffix for path in FILES} == {".yaml"}
    texts = {path.name: path.read_text(encoding="utf-8") for path in FILES}
    assert [name for name, text in texts.items() if complaints(text)] == []
    accepted = [
        name
        for name in SEEN_BY_SCHEMA.split()
        if not complaints((ROOT / f"trees/invalid/{name}.yaml").read_text(encoding="utf-8"))
    ]
    assert accepted == []


def test_every_example_of_the_readme_loads_and_its_figures_hold():
    for number, text in enumerate(EXAMPLES):
        assert complaints(text) == [], text
        tree = parse_tree(text, f"example {number}")
        assert list(mismatches([tree], reference())) == []


def test_the_readmes_slip_gives_the_readmes_line():
    text = re.search(r"```yaml slip\n(.*?)```", README, re.DOTALL)[1]
    line = re.search(r"```text\n(.*?)\n```", README, re.DOTALL)[1]
    with pytest.raises(TreeError) as caught:
        parse_tree(text, "slip.yaml")
    assert str(caught.value) == line


def test_the_readme_shows_every_key_of_the_format():
    assert len(EXAMPLES) >= 8
    words = set(re.findall(r"\w+", README))
    known = {*SCHEMA["properties"], *SCHEMA["definitions"]["published"]["properties"]}
    known |= set(SCHEMA["properties"]["searches"]["items"]["properties"])
    known |= set(SCHEMA["properties"]["random"]["properties"])
    assert known <= words
