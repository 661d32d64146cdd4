"""`pip install .` installs both packages, with their data files and dependencies."""

import re
import sys
import zipfile

import pytest
from helpers import ROOT, run_command
from kitcopy import copy_kit, files_in

PACKAGES = {"autograder": ROOT / "autograder", "gametree": ROOT / "starter" / "gametree"}
# The scripts of Gradescope, which does not install the kit.
SCRIPTS = {"autograder/setup.sh", "autograder/run_autograder"}
# The extra of the metadata -> the file that lists its dependencies.
LISTS = {"": "autograder/requirements.txt", "dev": "requirements-dev.txt"}
REQUIRED = re.compile('^Requires-Dist: ([^;\n]+)(?:; extra == "(.*)")?$', re.MULTILINE)


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
    required = REQUIRED.findall(wheel.read(metadata).decode())
    found = [requirement for requirement, of in required if of == extra]
    assert found == (ROOT / LISTS[extra]).read_text().split()
