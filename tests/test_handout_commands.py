"""Every command of the handout runs in what a student downloads."""

import re
import subprocess
import zipfile

import pytest
import yaml
from handouttext import RUBRIC, blocks, handout
from helpers import PYTHON, ROOT

from autograder.mistakes.variants import apply
from autograder.workbench.package import pack, starter_files


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    """An unpacked starter.zip with the reference in it, and the handout's my.yaml."""
    folder = tmp_path_factory.mktemp("starter")
    (folder / "starter.zip").write_bytes(pack(starter_files()))
    with zipfile.ZipFile(folder / "starter.zip") as archive:
        archive.extractall(folder)
    source = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
    (folder / "search.py").write_text(apply(source, RUBRIC.cutoff), encoding="utf-8")
    own = re.search(r"```yaml\n(.*?)```", handout(), re.DOTALL)[1]
    assert yaml.safe_load(own)
    (folder / "my.yaml").write_text(own, encoding="utf-8")
    return folder


COMMANDS = sorted(
    {
        line
        for text in [
            *re.findall(r"```sh\n(.*?)```", handout(), re.DOTALL),
            *re.findall(r"`(python [^`]+\.yaml)`", handout()),
        ]
        for line in text.strip().splitlines()
    }
)


def test_there_are_commands_for_everything_a_student_does():
    for said in ("pip install", "pytest", "gametree ", "play.py", "experiment", "my.yaml"):
        assert any(said in command for command in COMMANDS), said


@pytest.mark.parametrize("command", [c for c in COMMANDS if "pip install" not in c])
def test_a_command_runs_in_an_unpacked_starter(starter, command):
    program = command.replace("python", f"{PYTHON} -B", 1).split()
    done = subprocess.run(
        program, cwd=starter, input="quit\n", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for about, text in blocks("output"):
        assert about == ""
        if "experiment" in command:
            assert text in done.stdout


def test_what_is_to_be_installed_is_there(starter):
    for command in COMMANDS:
        for name in re.findall(r"-r (\S+)", command):
            assert (starter / name).is_file()


def test_every_file_that_is_named_lies_in_the_starter(starter):
    named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html|txt))`", handout())
    for name in {*named} - {"requirements.txt"}:
        assert (starter / name).is_file(), name
