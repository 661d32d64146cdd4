"""docs/each-term.md is walked for two terms, with two updates of a kit between them.

The course has points, trees and sentences of its own. Each update of the kit has another
set of example trees, and changes other lines and files than the course. Every command of
the page is run, except `make rehearse`, which needs a network (test_rehearse.py).
"""

import os
import random
import re
import shutil
from types import SimpleNamespace

import pytest
from helpers import change_file, kit_text, run_command, tables_beside, write
from kitcopy import add_venv, copy_kit, files_in, keep_programs

from autograder.smalltrees.families import families
from autograder.workbench import generate

PAGE = kit_text("docs/each-term.md")
SECTIONS = dict(re.findall(r"^## (\w+).*\n((?:(?!## ).*\n)*)", PAGE, re.MULTILINE))
MAX_WORDS = 2500
MISTAKES = {"strict_cutoff", "no_cutoff_at_min"}  # fewer take less time
CORRECT = {"explicit_stack"}
TABLES = tables_beside(__file__)
COURSE = TABLES["changes of the course"]  # file -> what is replaced, and by what
UPDATES = TABLES["changes of two updates"]


def commands(section):
    """Return the commands of a section of the page, in order."""
    blocks = re.findall(r"^ *```sh\n(.*?)```", SECTIONS[section], re.DOTALL | re.MULTILINE)
    lines = [line.strip() for line in "".join(blocks).splitlines()]
    return [line for line in lines if line != "make rehearse"]


def run(folder, *lines):
    """Run the lines of a shell in a folder. Return what they print."""
    environment = os.environ | TABLES["git"]
    done = run_command(["bash", "-ec", "\n".join(lines)], folder, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def change(folder, changes):
    """Replace texts in files of a folder, once in each."""
    for name, pairs in changes.items():
        change_file(folder / name, *pairs)


def replace_example(kit, seed):
    """Draw another set of example trees, as a new version of the kit has."""
    rng = random.Random(seed)
    trees = generate.name_trees([family.draw(rng, 0) for family in families()])
    shutil.rmtree(kit / "trees" / "example")
    write(kit / "trees" / "example", generate.files_of(trees))


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """Walk the page for two terms. Return what was seen."""
    folder = tmp_path_factory.mktemp("terms")
    kit = copy_kit(folder)
    keep_programs(kit / "solution" / "mistakes", MISTAKES)
    keep_programs(kit / "solution" / "correct", CORRECT)
    shutil.rmtree(kit / "trees" / "hidden", ignore_errors=True)
    run(kit, "git init -q -b main", "git add -A", "git commit -qm Kit")
    run(folder, "git init -q --bare -b main private")
    once = "\n".join(commands("Once"))
    once = once.replace("ADDRESS-OF-THE-KIT", "kit")
    run(folder, once.replace("ADDRESS-OF-YOUR-PRIVATE-REPOSITORY", "../private"))
    course = folder / "course"
    (add_venv(course) / ".ready-pages").touch()
    change(course, COURSE)
    (course / "handout.md").write_text("# Search\n\nDue on 1 May. Ask ada@example.edu.\n")
    hidden = write(course / "trees" / "hidden", {"own.yaml": TABLES["a tree"]})
    own_files = {
        name: (course / name).read_bytes()
        for name in ("handout.md", "trees/hidden/own.yaml")
    }
    first_output = run(course, *commands("Every"))
    first_set = files_in(hidden)

    lines = commands("Between")
    merge = lines.index("git merge kit/main") + 1
    merges = []
    for number, update in enumerate(UPDATES, start=1):
        change(kit, update)
        replace_example(kit, number)
        run(kit, "git add -A", f"git commit -qm 'Version {number}'")
        run(course, *lines[:merge])
        status = run(course, "git status --porcelain")
        merges.append((status, files_in(hidden)))
    second_output = run(course, *lines[merge:])
    return SimpleNamespace(
        course=course,
        own_files=own_files,
        outputs=[first_output, second_output],
        merges=merges,
        sets=[first_set, files_in(hidden)],
    )


def test_the_page_is_short():
    assert len(PAGE.split()) <= MAX_WORDS


def test_a_term_ends_with_a_zip_that_was_proved(walk):
    for output in walk.outputs:
        assert "all proved in " in output
        assert "dist/autograder-2027-spring.zip  sha256 " in output
        assert "on Gradescope: Autograder Points 95" in output


def test_an_update_has_no_conflict_and_changes_no_tree_of_the_course(walk):
    before, _ = walk.sets
    assert walk.merges == [("", before)] * len(UPDATES)


def test_the_next_term_has_fresh_trees(walk):
    before, later = walk.sets
    fresh = {*later} - {*before}  # a family of few trees may draw one again
    assert len(fresh) > 0.8 * len(later)


def test_the_course_keeps_its_files_and_lines_and_takes_those_of_the_kit(walk):
    for name, content in walk.own_files.items():
        assert (walk.course / name).read_bytes() == content
    for changes in (COURSE, *UPDATES):
        for name, pairs in changes.items():
            text = (walk.course / name).read_text()
            assert [new for _, new in pairs if new not in text] == []
