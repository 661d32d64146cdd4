"""setup.sh builds the image or fails in one line; run_autograder needs a finished build."""

import json
import shutil

import pytest
from helpers import ROOT, run_command, write, write_program
from results_schema import problems_of_text

FILES = "autograder/setup.sh", "autograder/run_autograder", "autograder/requirements.txt"


@pytest.fixture
def source(tmp_path):
    """Return a folder like Gradescope's source/ before setup.sh has run."""
    folder = tmp_path / "source"
    folder.mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    return folder


def run_with_python(source, script, python, apt="exit 1"):
    """Run a script of the folder; shell scripts replace python3 and apt-get."""
    programs = source.parent / "bin"
    write_program(programs / "python3", python)
    write_program(programs / "apt-get", apt)
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "AUTOGRADER_HOME": str(source.parent),
    }
    return run_command(["bash", source / script], source, env=environment)


def leftovers(source):
    """Return the names of hidden files and folders, which setup.sh creates."""
    return sorted(path.name for path in source.iterdir() if path.name.startswith("."))


def test_an_old_python_is_reported_in_one_line_and_leaves_nothing_behind(source):
    (source / ".built").touch()
    old = '[ "$1" = --version ] && echo "Python 3.8.10" && exit; exit 1'
    done = run_with_python(source, "setup.sh", old)
    assert done.returncode == 1
    assert done.stderr == (
        "setup: the image has Python 3.8.10; choose one with Python 3.10 or newer, "
        "such as Ubuntu 22.04\n"
    )
    assert leftovers(source) == []


def test_a_build_that_fails_half_way_leaves_nothing_behind(source):
    create_venv = 'mkdir -p .venv/bin; cp "$0" .venv/bin/python'
    broken = f'[ "$2" = venv ] && {{ {create_venv}; }}; [ "$2" != pip ]'
    done = run_with_python(source, "setup.sh", broken)
    assert done.returncode != 0
    assert leftovers(source) == []


def test_an_image_without_venv_installs_the_package_of_debian_and_ubuntu(source):
    log = source.parent / "apt.log"
    create_venv = 'mkdir -p .venv/bin; cp "$0" .venv/bin/python'
    python = f'[ "$2" != venv ] || {{ [ -f {log} ] && {create_venv}; }}'
    done = run_with_python(source, "setup.sh", python, f'echo "$*" >> {log}')
    assert (done.returncode, done.stderr) == (0, "")
    assert log.read_text() == "update -qq\ninstall -y -qq python3-venv\n"
    assert ".built" in leftovers(source)


@pytest.mark.parametrize("present", [".built", ".venv/bin/python"])
def test_an_incomplete_image_tells_the_student_to_contact_the_course(source, present):
    write(source.parent, {"results/": "", "submission/": ""})
    write_program(source / present, "exit 1")
    done = run_with_python(source, "run_autograder", "exit 1")
    assert done.returncode == 0
    text = (source.parent / "results" / "results.json").read_text()
    assert problems_of_text(text) == []
    results = json.loads(text)
    assert (results["score"], "tests" in results) == (0, False)
    assert "contact the course staff" in results["output"]
    assert "\n" not in results["output"]
