"""dist/: the two zips, the same bytes every time, nothing in them that is secret."""

import io
import os
import re
import zipfile

from helpers import ROOT
from kitcopy import copy_kit

from autograder.workbench.handout import write_page
from autograder.workbench.package import (
    autograder_files,
    main,
    pack,
    package,
    starter_files,
)


def names(files):
    with zipfile.ZipFile(io.BytesIO(pack(files))) as archive:
        return {entry.filename: entry for entry in archive.infolist()}


def test_the_same_content_gives_the_same_bytes(tmp_path):
    kit = copy_kit(tmp_path)
    first = package(kit, tmp_path / "a")
    os.utime(kit / "starter" / "search.py", (0, 0))
    assert package(kit, tmp_path / "b") == first
    assert sorted(os.listdir(tmp_path / "a")) == ["autograder.zip", "starter.zip"]


def test_the_handouts_page_is_the_same_each_time_and_needs_no_other_file(tmp_path):
    for name in "ab":
        write_page(tmp_path / name)
    page = (tmp_path / "a").read_text(encoding="utf-8")
    assert page == (tmp_path / "b").read_text(encoding="utf-8")
    assert not re.findall(r"""(?:src|href)=["'](?!#|https://|data:)|@import|url\(""", page)


def test_a_handout_that_is_no_page_is_packed_all_the_same(tmp_path, monkeypatch, capsys):
    kit = copy_kit(tmp_path)
    (kit / "dist").mkdir()
    (kit / "dist" / "handout.html").write_text("the last one")
    with open(kit / "handout.md", "a", encoding="utf-8") as file:
        file.write("\n<b>bold</b>\n")
    monkeypatch.setattr("autograder.workbench.package.ROOT", kit)
    assert main() == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == (
        "no dist/handout.html: handout.md: '<b>': HTML cannot stand in handout.html"
    )
    assert sorted(os.listdir(kit / "dist")) == ["autograder.zip", "starter.zip"]


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
