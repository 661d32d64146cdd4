"""`make dist` writes the same bytes every time, all files or none, and no secrets."""

import io
import shutil
import zipfile

import pytest
from helpers import ROOT, RUBRIC, copy_with, kit_text, run_command, write
from kitcopy import add_cached, copy_kit, files_in

from autograder import VERSION
from autograder.kit import cached_kit
from autograder.kit.contents import APART, content_hash
from autograder.workbench import package
from gametree.support.errors import InputError

HANDOUT = "# Handout\n"  # its examples, which take seconds, are in test_handout.py


def copy_with_cache(folder):
    """Return a copy of the kit with its cache and a short handout."""
    copy = copy_kit(folder)
    (copy / "handout.md").write_text(HANDOUT)
    add_cached(copy)
    return copy


@pytest.fixture(scope="module")
def dist_files(tmp_path_factory):
    """Return the files of dist/ of a copy of the kit, name -> bytes."""
    return package.packages(cached_kit(copy_with_cache(tmp_path_factory.mktemp("dist"))))


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """Return the root of a proved kit with a copy of the starter and a short handout."""
    shutil.copytree(ROOT / "starter", tmp_path / "starter")
    (tmp_path / "trees").symlink_to(ROOT / "trees")
    (tmp_path / "handout.md").write_text(HANDOUT)
    monkeypatch.setattr(package, "ROOT", tmp_path)
    monkeypatch.setattr(package, "is_proved", lambda: True)
    return tmp_path


def open_zip(data):
    """Return the zip with these bytes."""
    return zipfile.ZipFile(io.BytesIO(data))


def test_a_checkout_with_the_line_ends_of_windows_gives_the_same_bytes(
    dist_files, tmp_path, monkeypatch, capsys
):
    copy = copy_with_cache(tmp_path)
    for path in copy.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if content and b"\0" not in content:
            path.write_bytes(content.replace(b"\n", b"\r\n"))
    monkeypatch.setattr(package, "ROOT", copy)
    monkeypatch.setattr(package, "is_proved", lambda: True)
    assert package.main(["--published"]) == 0
    assert files_in(copy / "dist") == dist_files
    out = capsys.readouterr().out
    assert "dist/autograder.zip  sha256 " in out
    points = RUBRIC.max_cents // 100
    line = f"on Gradescope: Autograder Points {points}, base image Ubuntu 22.04"
    assert out.count(line) == 1
    assert "not in starter.zip" not in out


def test_a_package_that_fails_changes_no_file(copy, monkeypatch):
    def refuse(_):
        raise InputError("handout.md, line 1: no heading matches")

    monkeypatch.setattr(package, "cached_kit", lambda *_: cached_kit())
    monkeypatch.setattr(package, "packages", refuse)
    write(copy / "dist", {"starter.zip": "from before"})
    with pytest.raises(InputError):
        package.main(["--published"])
    assert files_in(copy / "dist") == {"starter.zip": b"from before"}


def test_published_trees_are_refused_before_anything_is_proved(monkeypatch):
    monkeypatch.setattr(package, "is_proved", lambda: pytest.fail("a proof ran"))
    note = "^the hidden trees are the published set in trees/example: run make trees"
    with pytest.raises(InputError, match=f"{note}, or write PUBLISHED=1"):
        package.main([])


def test_a_kit_whose_proof_fails_is_not_packed(copy, monkeypatch):
    monkeypatch.setattr(package, "is_proved", lambda: False)
    assert package.main(["--published"]) == 1
    assert not (copy / "dist").exists()


@pytest.mark.parametrize("file", package.PASSAGES)
def test_a_reworded_passage_about_the_cutoff_rule_is_refused(file):
    texts = {name: kit_text(f"starter/{name}") for name in package.PASSAGES}
    texts[file] = "reworded"
    with pytest.raises(
        InputError, match=f"^starter/{file}: the passage for cutoff: strict was reworded"
    ):
        package.make_strict(texts)


def test_with_the_kits_rubric_starter_zip_equals_the_folder(dist_files):
    starter = open_zip(dist_files["starter.zip"])
    of_each_course = {"handout.html", "kit.txt", package.ASSIGNMENT, package.TEXTS}
    names = {*starter.namelist()} - of_each_course
    different = []
    for name in names:
        if starter.read(name) != (ROOT / "starter" / name).read_bytes():
            different.append(name)
    assert different == []
    assert len(names) > 30


@pytest.mark.parametrize("archive", ["starter.zip", "autograder.zip"])
def test_both_zips_identify_the_kit(dist_files, archive):
    line = open_zip(dist_files[archive]).read("kit.txt").decode()
    assert line == f"kit {VERSION}, {content_hash()[:16]}\n"


def test_the_zips_of_an_earlier_term_are_removed(tmp_path, capsys):
    current = {"starter-2027-fall.zip": b"", "autograder-2027-fall.zip": b""}
    old = ["autograder-2027-spring.zip", "starter.zip"]
    write(tmp_path, dict.fromkeys([*old, "other.zip", "handout.html"], ""))
    package.write_packages(tmp_path, current)
    assert {*files_in(tmp_path)} == {*current, "other.zip", "handout.html"}
    lines = capsys.readouterr().out.splitlines()
    assert lines[2:] == [f"removed dist/{name}, which was older" for name in old]


def test_the_starter_has_only_the_sentences_that_it_prints(dist_files):
    shipped = open_zip(dist_files["starter.zip"]).read("gametree/texts.yaml")
    assert b"home:" in shipped
    assert b"summary:" not in shipped


def test_the_list_of_the_starter_has_the_files_that_git_tracks():
    command = ["git", "ls-files", "."]
    done = run_command(command, ROOT / "starter")
    if done.returncode:
        pytest.skip("this kit is not in a git repository")
    assert {*package.starter_names(), "trees"} == {*done.stdout.split()}


def test_a_foreign_file_in_the_starter_is_not_packed(copy):
    (copy / "starter" / "search_solution.py").write_text("secret")
    (copy / "starter" / "gametree" / "my.yaml").write_text("secret")
    others = ["gametree/my.yaml", "search_solution.py"]
    listed = [f"starter/{name}" for name in others]
    assert package.left_out_of_starter(copy) == listed
    files = package.starter_files(copy_with(cached_kit(), root=copy))
    assert files.keys().isdisjoint(others)


def test_gradescope_gets_hidden_trees_and_two_scripts_that_are_executable(dist_files):
    entries = open_zip(dist_files["autograder.zip"]).infolist()
    executable = [e.filename for e in entries if e.external_attr >> 16 & 0o111]
    assert executable == ["run_autograder", "setup.sh"]
    names = [entry.filename for entry in entries]
    assert any(name.startswith("trees/example/") for name in names)
    assert [name for name in names if "__pycache__" in name] == []
    assert [name for name in names if name.startswith(APART)] == []  # for staff


def test_all_that_gradescope_does_not_get_exists():
    assert [place for place in APART if not (ROOT / place).exists()] == []
