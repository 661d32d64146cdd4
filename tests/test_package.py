"""dist/: the two zips, the same bytes every time, nothing in them that is secret."""

import io
import os
import zipfile

from helpers import ROOT
from kitcopy import copy_kit

from autograder.workbench.package import autograder_files, pack, package, starter_files


def names(files):
    with zipfile.ZipFile(io.BytesIO(pack(files))) as archive:
        return {entry.filename: entry for entry in archive.infolist()}


def test_the_same_content_gives_the_same_bytes(tmp_path):
    kit = copy_kit(tmp_path)
    first = package(kit, tmp_path / "a")
    os.utime(kit / "starter" / "search.py", (0, 0))
    assert package(kit, tmp_path / "b") == first
    assert sorted(os.listdir(tmp_path / "a")) == ["autograder.zip", "starter.zip"]


def test_students_get_no_hidden_tree_and_no_solution():
    found = names(starter_files())
    assert {"search.py", "test_search.py", "requirements.txt", "handout.md"} <= set(found)
    hidden = {path.name for path in (ROOT / "trees" / "hidden").glob("*.yaml")}
    assert not {name.split("/")[-1] for name in found} & hidden
    assert not [name for name in found if "solution" in name or "autograder" in name]


def test_gradescope_finds_its_two_scripts_at_the_root_and_executable():
    found = names(autograder_files())
    for script in ("setup.sh", "run_autograder"):
        assert found[script].external_attr >> 16 & 0o111
    assert {"requirements.txt", "solution/search.py", "autograder/grade.py"} <= set(found)
    assert any(name.startswith("trees/hidden/") for name in found)


def test_no_cache_is_packed():
    everything = {**names(starter_files()), **names(autograder_files())}
    assert not [
        name for name in everything if "__pycache__" in name or name.endswith(".pyc")
    ]
