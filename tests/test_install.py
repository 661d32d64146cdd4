"""`pip install .` installs both packages, with their data files and dependencies."""

import re
import sys
import zipfile
from email.parser import Parser

import pytest
from helpers import ROOT, run_command
from kitcopy import copy_kit, files_in

PACKAGES = {"autograder": ROOT / "autograder", "gametree": ROOT / "starter" / "gametree"}
# The scripts of Gradescope, which does not install the kit.
SCRIPTS = {"autograder/setup.sh", "autograder/run_autograder"}
# The extra of the metadata -> the file that lists its dependencies.
LISTS = {None: "autograder/requirements.txt", "dev": "requirements-dev.txt"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel that pip makes of a copy of the kit, without a network."""
    folder = tmp_path_factory.mktemp("install")
    build = (
        f"import setuptools.build_meta; setuptools.build_meta.build_wheel({str(folder)!r})"
    )
    done = run_command([sys.executable, "-c", build], copy_kit(folder))
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.parametrize("name", PACKAGES)
def test_every_file_of_a_package_is_installed(wheel, name):
    expected = {f"{name}/{path}" for path in files_in(PACKAGES[name])}
    installed = {path for path in wheel.namelist() if path.startswith(f"{name}/")}
    assert installed == expected - SCRIPTS


@pytest.mark.parametrize("extra", LISTS)
def test_the_dependencies_are_those_of_the_list_that_make_installs(wheel, extra):
    (metadata,) = [name for name in wheel.namelist() if name.endswith("/METADATA")]
    required = []
    for line in Parser().parsestr(wheel.read(metadata).decode()).get_all("Requires-Dist"):
        requirement, _, condition = line.partition("; ")
        found = re.search('extra == "(.*)"', condition)
        if (found[1] if found else None) == extra:
            required.append(requirement)
    assert required == (ROOT / LISTS[extra]).read_text().split()
