"""The examples of trees/README.md run, and schema.json knows the same format."""

import json
import re

import jsonschema
import pytest
import yaml
from helpers import ROOT
from test_published import found

from gametree import TreeError, parse_tree

README = (ROOT / "trees/README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
SCHEMA = json.loads((ROOT / "trees/schema.json").read_text(encoding="utf-8"))
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


def complaints(text):
    """Return what the schema finds wrong with the text of a tree file."""
    held = yaml.safe_load(text)
    return [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(held)]


def test_the_schema_is_well_formed():
    jsonschema.Draft7Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_schema_accepts_every_tree(path):
    assert path.suffix == ".yaml"
    assert complaints(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", SEEN_BY_SCHEMA.split())
def test_the_schema_refuses_a_malformed_file(name):
    path = ROOT / "trees/invalid" / f"{name}.yaml"
    assert complaints(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("number, text", list(enumerate(EXAMPLES)))
def test_an_example_of_the_readme_loads_and_its_figures_hold(number, text):
    assert complaints(text) == []
    tree = parse_tree(text, f"example {number}")
    for search in tree.searches:
        said = {
            key: said for key, said in vars(search.published).items() if said is not None
        }
        figures = found(tree, search) if said else {}
        assert {key: figures[key] for key in said} == said


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
