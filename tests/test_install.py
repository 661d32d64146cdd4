"""`pip install .` installs both packages, with their data files and dependencies."""

import re
import sys
from email.parser import Parser

import pytest
from helpers import ROOT, run_command
from kitcopy import copy_kit, files_of

PACKAGES = {"autograder": ROOT / "autograder", "gametree": ROOT / "starter" / "gametree"}
SCRIPTS = {"setup.sh", "run_autograder"}  # of Gradescope, which does not install the kit
# The extra of the metadata -> the file that lists its dependencies.
LISTS = {None: "autograder/requirements.txt", "dev": "requirements-dev.txt"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the folder into which a copy of the kit was installed, without a network."""
    folder = tmp_path_factory.mktemp("install")
    copy = copy_kit(folder)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target"]
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile"]
    command += [str(folder / "site"), *offline, str(copy)]
    done = run_command(command, folder)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.mark.parametrize("name", PACKAGES)
def test_every_file_of_a_package_is_installed(installed, name):
    expected = files_of(PACKAGES[name])
    for script in SCRIPTS:
        expected.pop(script, None)
    assert files_of(installed / name).keys() == expected.keys()


@pytest.mark.parametrize("extra", LISTS)
def test_the_dependencies_are_those_of_the_list_that_make_installs(installed, extra):
    (metadata,) = installed.glob("*.dist-info/METADATA")
    required = []
    for line in Parser().parsestr(metadata.read_text()).get_all("Requires-Dist"):
        requirement, _, condition = line.partition("; ")
        found = re.search('extra == "(.*)"', condition)
        if (found[1] if found else None) == extra:
            required.append(requirement)
    assert required == (ROOT / LISTS[extra]).read_text().split()
