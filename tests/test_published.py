"""Published figures of trees are correct, and README and schema describe the format."""

import json
import re

import jsonschema
import pytest
import yaml
from helpers import ROOT, kit_text, reference, refusal_of, tree_of, trees_in

from autograder.workbench.lint import mismatches
from gametree import load_trees, parse_tree

WORKED_TREES = load_trees(ROOT / "tests" / "worked")  # of textbooks and lectures
TREES = [*trees_in("public"), *trees_in("hidden"), *WORKED_TREES]
README = kit_text("trees/README.md")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
SCHEMA = json.loads(kit_text("trees/schema.json"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
FILES = sorted([*(ROOT / "trees").glob("public/*"), *(ROOT / "trees").glob("hidden/*")])
# Malformed files that the schema refuses; only the loader finds the errors in the others.
REFUSED_BY_SCHEMA = """
    key-unknown key-case title-too-long root-unknown root-missing
    tree-missing tree-and-game list-empty mapping-empty value-word value-in-quotes
    value-boolean value-null value-too-large name-boolean-no name-too-long name-of-a-key
    static-without-children static-with-more static-children-number depth-below-zero
    depth-fraction player-unknown searches-mapping searches-empty search-number
    search-key-unknown published-leaf random-without-seed random-order
    random-depth game-unknown game-coins game-key game-board
"""


def test_the_reference_finds_every_published_figure():
    assert list(mismatches(TREES, reference())) == []


def test_a_published_value_outside_the_window_may_be_the_exact_value():
    tree = tree_of([7, 9], searches="[{beta: 5, published: {value: 9}}]")
    assert list(mismatches([tree], reference())) == []


def complaints(text):
    """Return the schema's error messages about the text of a tree file."""
    data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return [error.message for error in VALIDATOR.iter_errors(data)]


def test_the_schema_is_well_formed():
    jsonschema.Draft7Validator.check_schema(SCHEMA)


def test_the_schema_accepts_every_tree():
    assert [path.name for path in FILES if complaints(path.read_text())] == []


def test_the_schema_refuses_malformed_trees():
    for name in REFUSED_BY_SCHEMA.split():
        path = ROOT / f"trees/invalid/{name}.yaml"
        assert complaints(path.read_text()), name


@pytest.mark.parametrize("text", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_in_the_readme_loads_and_its_figures_are_correct(text):
    assert complaints(text) == []
    tree = parse_tree(text, "example")
    assert list(mismatches([tree], reference())) == []


def test_the_wrong_example_in_the_readme_has_the_error_in_the_readme():
    text = re.search(r"```yaml slip\n(.*?)```", README, re.DOTALL)[1]
    line = re.search(r"```text\n(.*?)\n```", README, re.DOTALL)[1]
    assert refusal_of(parse_tree, text, "slip.yaml") == line


def test_the_readme_mentions_every_key_of_the_format():
    assert len(EXAMPLES) >= 8
    properties = SCHEMA["properties"]
    keys = {
        *properties,
        *properties["random"]["properties"],
        *properties["searches"]["items"]["properties"],
        *SCHEMA["definitions"]["published"]["properties"],
    }
    assert keys <= set(re.findall(r"\w+", README))
