"""A file of solution/ defines only what differs; the kit makes it whole."""

import re

from helpers import REFERENCE_SOURCE, ROOT, definitions

from autograder.kit import stage_as_taught
from autograder.mistakes.overlay import overlay
from autograder.mistakes.variants import load_variant, whole
from gametree.functions import FUNCTIONS

SOLUTION = ROOT / "solution"
REFERENCE = REFERENCE_SOURCE.decode()
MINE = '"""Mine."""\n\n\ndef alphabeta():\n    pass\n'
HEAD = '"""Mine."""\n'
BASE = '"""Base."""\nimport math\nA = 1\ndef one(): ...\ndef two(): ...\n'


def test_no_file_repeats_a_definition_of_its_base():
    repeated = []
    for path in SOLUTION.glob("*/*.py"):
        text = path.read_text()
        changes = re.search(r"^Changes: (\w+)$", text, re.MULTILINE)
        base = SOLUTION / (f"correct/{changes[1]}.py" if changes else "search.py")
        own, base = definitions(text), definitions(load_variant(base).source)
        repeated += [(path.stem, name) for name in own if base.get(name) == own[name]]
    assert repeated == []


OVERLAID = {
    "": "A = 1\ndef one(): ...\ndef two(): ...\n",
    "def two(): my\n": "A = 1\ndef one(): ...\ndef two(): my\n",
    "A = 2\n": "A = 2\ndef one(): ...\ndef two(): ...\n",
    "def two(): my\ndef one(): my\n": "A = 1\ndef one(): my\ndef two(): my\n",
    "# b\n@c\ndef two(): d #\n": "A = 1\ndef one(): ...\n# b\n@c\ndef two(): d #\n",
    "B = 2\none = 3\nC = 4\n": "A = 1\nB = 2\none = 3\nC = 4\ndef two(): ...\n",
    "one = two = A\n": "A = 1\none = two = A\n",
    "B = 2\n": "A = 1\ndef one(): ...\ndef two(): ...\nB = 2\n",
}


def test_what_a_file_defines_takes_the_place_of_the_bases():
    for own, expected in OVERLAID.items():
        assert overlay(HEAD + own, BASE) == f"{HEAD}\nimport math\n{expected}"


def test_imports_are_those_of_both():
    own = "from __future__ import division\nimport cmath\nimport math\nfrom os import x\n"
    assert overlay(HEAD + own, BASE).startswith(f"{HEAD}\n{own}A = 1\n")


def test_without_a_header_the_reference_is_the_base_and_its_own():
    assert whole(REFERENCE, SOLUTION) == REFERENCE
    assert list(definitions(whole(MINE, SOLUTION))) == [*FUNCTIONS]


def test_a_file_may_change_a_right_style():
    text = '"""Mine.\n\nChanges: negamax\n"""\n\n\ndef negamax():\n    pass\n'
    assert "Changes:" not in whole(text, SOLUTION)
    style = definitions(load_variant(SOLUTION / "correct" / "negamax.py").source)
    assert definitions(whole(text, SOLUTION)) == style | {
        "negamax": "def negamax():\n    pass"
    }


def test_a_course_reads_all_cutoffs_in_its_own_convention():
    path = SOLUTION / "mistakes" / "minimax_averages.py"
    assert "# cutoff" not in path.read_text()
    assert load_variant(path).source.count("if alpha >= beta:  # cutoff\n") == 2
    assert load_variant(path, "strict").source.count("if alpha > beta:  # cutoff\n") == 2


def test_a_file_of_the_kit_is_taken_whole_and_a_students_as_it_is(tmp_path):
    path = SOLUTION / "mistakes" / "no_cutoff.py"
    assert stage_as_taught(path, "equality").decode() == load_variant(path).source
    path = tmp_path / "search.py"
    path.write_text(MINE)
    assert stage_as_taught(path, "strict") == MINE.encode()


def test_a_file_of_the_kit_that_is_not_python_is_left_for_the_grader_to_refuse(tmp_path):
    path = tmp_path / "solution" / "search.py"
    path.parent.mkdir()
    path.write_text("def alphabeta(:\n")
    assert stage_as_taught(path, "strict", tmp_path) == path.read_bytes()
