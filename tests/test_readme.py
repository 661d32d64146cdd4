"""The commands, tables and links of README.md and CONTRIBUTING.md hold."""

import re
import shlex
import shutil
import subprocess
import zipfile

import pytest
from helpers import PYTHON, ROOT
from kitcopy import add_known, add_venv, copy_kit, make
from test_arrows import FLOORS
from test_makefile import MAKEFILE, TARGETS

from autograder.course.gradebook import GRADEBOOK
from autograder.rubric import load_rubric
from autograder.workbench.package import starter_files
from gametree import parse_tree

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = [
    line.strip()
    for text in (README, CONTRIBUTING)
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    for line in block.strip().splitlines()
]
INLINE = [
    " ".join(command.split())
    for text in (README, CONTRIBUTING)
    for command in re.findall(r"`(make [^`]+)`", text)
]
COMMANDS = sorted({line.split("  #")[0].rstrip() for line in BLOCKS + INLINE})
MAKES = [command for command in COMMANDS if command.startswith("make")]
STUDENTS = [c for c in COMMANDS if c.startswith("python") and "pip install" not in c]
DOOR = README.split("## The TA's door")[1].split("\n## ")[0]
CLASS = [c for c in re.findall(r"^make .*$", DOOR, re.MULTILINE) if "SUBMISSIONS" in c]
SLOW = {"grade-all", "regrade", "trees", "check", "dist", "rehearse", "test", "lint"}
SLOW |= {"bench"}


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    copy = copy_kit(tmp_path_factory.mktemp("readme"))
    add_venv(copy)
    add_known(copy)
    return copy


def test_there_are_commands_to_check():
    assert len(MAKES) > 12 and len(STUDENTS) >= 4


@pytest.mark.parametrize("command", MAKES)
def test_a_command_names_a_target_and_settings_that_exist(command):
    _, target, *settings = shlex.split(command)
    abouts = dict(TARGETS)
    assert target in abouts
    course = abouts["grade-all"] if target == "regrade" else ""
    for setting in settings:
        name, equals, value = setting.partition("=")
        known = abouts[target] + course
        assert equals and value, setting
        assert re.search(rf"\b{name}\b", known) or name == "PYTHON", setting


@pytest.mark.parametrize(
    "command", [c for c in MAKES if c.split()[1] not in SLOW and "PYTHON" not in c]
)
def test_a_fast_command_runs(kit, command):
    done = make(kit, *(["-n"] if "path" in command else []), *shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("command", [c for c in MAKES if c.split()[1] in SLOW])
def test_a_slow_command_is_understood(kit, command):
    done = make(kit, "-n", *shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr


def test_the_commands_for_a_class_run_one_after_another(tmp_path):
    """As the TA's door has them, on an export of three and a kit of a few trees."""
    copy = copy_kit(tmp_path)
    add_venv(copy)
    for folder, kept in (("hidden", "*q3"), ("public", "0[1-3]-*")):
        trees = copy / "trees" / folder
        for path in set(trees.iterdir()) - set(trees.glob(f"{kept}.yaml")):
            path.unlink()
    people = [("submission_123456", "Ada"), ("submission_2", "Bo"), ("submission_3", "Cy")]
    entries = [
        f"{id}:\n  :submitters:\n  - :name: {name}\n    :sid: '00{n}'\n"
        f"  :created_at: 2026-12-02 00:00:00 Z\n  :score: {score}\n"
        for n, ((id, name), score) in enumerate(zip(people, ("100.0", "50.0", "0.0")))
    ]
    right = (ROOT / "solution" / "search.py").read_text()
    wrong = right.replace("alpha = max(alpha, best)", "pass")
    with zipfile.ZipFile(copy / "export.zip", "w") as archive:
        archive.writestr("x/submission_metadata.yml", "---\n" + "".join(entries))
        archive.writestr("x/submission_123456/search.py", right)
        archive.writestr("x/submission_2/search.py", wrong)
        archive.writestr("x/submission_3/Search (1).py", right)
    (copy / "roster.csv").write_text("Name,SID,Email,Section\nZoe,9,z@example.edu,B\n")
    said = {}
    for command in CLASS:
        done = make(copy, *shlex.split(command)[1:])
        assert done.returncode == 0, done.stderr
        said[command] = done.stdout
    plain, listed, again, regraded = said.values()
    assert "1 of 2 scores equal Gradescope's own" in plain
    assert plain.splitlines()[-1] == "3 students: 2 graded, 1 not gradable"
    assert "4 students: 2 graded, 1 not gradable, 1 no submission" in listed
    assert "2 of 3" not in again and "0 of 1 submissions are graded already" not in again
    assert "0 of 3 scores changed" in regraded
    files = {path.name for path in (copy / "build" / "course").iterdir()}
    own = {"report.html", "gradebook.csv", "canvas.csv", "similarity", "submission_2"}
    assert own < files
    done = make(copy, "explain", "SUBMISSION=Bo", "ROW=2.01")
    assert "Bo 001 (submission_2)" in done.stdout and "needless" in done.stdout


@pytest.mark.parametrize("command", STUDENTS)
def test_a_students_command_runs_in_the_starter(kit, command):
    shutil.copy(ROOT / "solution" / "search.py", kit / "starter")
    program = shlex.split(command.replace("python", f"{PYTHON} -B", 1))
    if "pytest" in program:
        program += ["-k", "minimax-01", "-p", "no:cacheprovider"]
    done = subprocess.run(
        program, cwd=kit / "starter", input="quit\n", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_reference_scores_what_the_first_lines_promise(kit):
    done = make(kit, "grade")
    most = sum(load_rubric(kit / "autograder" / "rubric.yaml").cents.values()) // 100
    assert f"Score: {most}/{most}" in done.stdout
    assert f"grade the reference: {most}/{most}" in README


def test_the_table_of_commands_is_makes_own(kit):
    assert f"```text\n{make(kit).stdout.rstrip()}\n```" in README


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_links_and_paths_lead_somewhere(text):
    for path in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / path).exists(), path
    folders = "autograder|starter|solution|tests|trees"
    for path in re.findall(rf"`((?:{folders})/[a-z\d_/.-]+)`", text):
        assert (ROOT / path).exists(), path


WALKS = re.search(r"### Three walks\n(.*?)\n### ", CONTRIBUTING, re.DOTALL)[1]


@pytest.mark.parametrize("walk", WALKS.split("\n**")[1:], ids=lambda w: w.split("**")[0])
def test_a_walk_has_five_steps_through_functions_that_are_there(walk):
    steps = re.findall(r"^\d\. (.*)$", walk, re.MULTILINE)
    assert len(steps) == 5
    for step in steps:
        places = re.findall(r"`([a-z_/]+\.py)` `(\w+)`", step)
        assert places
        for path, function in places:
            assert re.search(
                rf"^ *def {function}\(", (ROOT / path).read_text(), re.MULTILINE
            )


def test_the_map_names_every_room_in_the_order_of_the_arrows():
    lines = re.search(r"```text\n(starter/gametree.*?)```", CONTRIBUTING, re.DOTALL)[1]
    named = [set(re.findall(r"\w+", line.split("  ")[0])) for line in lines.splitlines()]
    assert [names - {"starter"} for names in named] == FLOORS


def test_the_lines_that_troubleshooting_explains_are_said_somewhere():
    texts = ROOT / "starter" / "gametree" / "texts.yaml"
    sources = [MAKEFILE, texts.read_text(encoding="utf-8")] + [
        path.read_text(encoding="utf-8") for path in (ROOT / "autograder").rglob("*.py")
    ]
    everything = "\n".join(sources)
    table = README.split("## When")[1]
    rows = re.findall(r"^\| (`.*?`) .*\|.*\|.*\|$", table, re.MULTILINE)
    assert len(rows) >= 10
    for row in rows:
        text = row.strip("`")
        if "ModuleNotFoundError" in text:
            continue
        for part in re.split(r"\.\.\.|x\.yaml, line 4|'\.\.\.'|only 3", text):
            words = part.strip(" :;'").removeprefix("setup: ").strip()
            assert words in everything, words


def test_what_the_starter_is_said_to_hold_is_there():
    assert {"handout.md", "practice.html", "requirements.txt"} <= set(starter_files())
    assert GRADEBOOK in README


def test_two_lines_of_yaml_are_a_tree():
    assert "a tree is two lines of YAML" in README
    assert parse_tree("root: max\ntree: [1, [2, 3]]\n", "two")
