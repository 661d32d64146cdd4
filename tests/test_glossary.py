"""The glossary names every record of the half that explains, in at most 80 terms."""

import ast
import re

import pytest
from helpers import ROOT
from manuals import CONTRIBUTING

MAX_TERMS = 80
GLOSSARY = CONTRIBUTING.partition("\n## Glossary")[2].partition("\n## ")[0]
HEADS = re.findall(r"^\| (.*?) \|", GLOSSARY, re.MULTILINE)[1:]
TERMS = [term for head in HEADS for term in head.split(", ")]
FOLDERS = ("scoring", "explaining", "showing")
SOURCES = [ROOT / "autograder" / "grading.py"]
for folder in FOLDERS:
    SOURCES += sorted((ROOT / "autograder" / folder).glob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_each_record_is_in_the_glossary(path):
    body = ast.parse(path.read_text()).body
    names = [part.name for part in body if isinstance(part, ast.ClassDef)]
    public = [name for name in names if not name.startswith("_")]
    assert [name for name in public if name not in TERMS] == []


def test_a_reader_needs_few_terms():
    assert len(TERMS) <= MAX_TERMS
    assert len(set(TERMS)) == len(TERMS)
