"""dist/: the same bytes every time, all of it or nothing, nothing in it that is secret."""

import io
import os
import zipfile

import pytest
from helpers import ROOT
from kitcopy import copy_kit

from autograder.command import Refused
from autograder.workbench import package


@pytest.fixture(scope="module")
def made():
    """The files of dist/, by name."""
    return package.packages(ROOT)


def entries(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {entry.filename: entry for entry in archive.infolist()}


def test_the_same_content_gives_the_same_bytes_and_what_cannot_be_made_changes_none(
    made, tmp_path, monkeypatch, capsys
):
    kit = copy_kit(tmp_path)
    os.utime(kit / "starter" / "search.py", (0, 0))
    monkeypatch.setattr(package, "ROOT", kit)
    assert package.main() == 0
    assert {path.name: path.read_bytes() for path in (kit / "dist").iterdir()} == made
    assert sorted(made) == ["autograder.zip", "handout.html", "starter.zip"]
    assert "dist/autograder.zip  sha256 " in capsys.readouterr().out
    (kit / "trees" / "hidden" / "fresh-01.yaml").unlink()
    with open(kit / "handout.md", "a", encoding="utf-8") as file:
        file.write("\n[nowhere](#nowhere)\n")
    with pytest.raises(Refused, match="leads to no heading; mend it"):
        package.main()
    assert {path.name: path.read_bytes() for path in (kit / "dist").iterdir()} == made


def test_students_get_no_hidden_tree_no_solution_and_no_cache(made):
    found = entries(made["starter.zip"])
    assert {"search.py", "test_search.py", "requirements.txt", "handout.md"} <= set(found)
    hidden = {path.name for path in (ROOT / "trees" / "hidden").glob("*.yaml")}
    assert not {name.split("/")[-1] for name in found} & hidden
    for word in ("solution", "autograder", "__pycache__", ".pyc"):
        assert not [name for name in found if word in name], word


def test_gradescope_finds_its_two_scripts_at_the_root_and_executable(made):
    found = entries(made["autograder.zip"])
    for script in ("setup.sh", "run_autograder"):
        assert found[script].external_attr >> 16 & 0o111
    assert {"requirements.txt", "solution/search.py", "autograder/grade.py"} <= set(found)
    assert any(name.startswith("trees/hidden/") for name in found)
    assert not [name for name in found if "__pycache__" in name or name.endswith(".pyc")]
