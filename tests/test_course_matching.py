"""Check that submissions are matched to the correct students, and never to wrong ones."""

import re

import pytest
from helpers import tables, write

from autograder.course.download import read_download
from autograder.course.matching import match_class, read_people, write_people
from autograder.course.roster import Roster, read_roster

TABLE = tables("matching")
CLASSES = TABLE["classes"]
SUBMITTER = "  - :name: '{}'\n    :sid: '{}'\n    :email: '{}'\n"


def files_of(case):
    """Return name -> text of the files of a class in matching.yaml."""
    files = case.get("files", {})
    if isinstance(files, list):
        files = dict.fromkeys(files, "x = 1\n")
    files = dict(files)
    listed = ""
    for name, students in case.get("export", {}).items():
        submitters = "".join(SUBMITTER.format(*fields) for fields in students)
        listed += f"{name}:\n  :submitters:\n{submitters}"
        files[f"{name}/search.py"] = "x = 1\n"
    if listed:
        files["submission_metadata.yml"] = listed
    return files


def read_list(folder, name):
    """Return the class list of this name in matching.yaml, an empty one for no name."""
    if not name:
        return Roster()
    text = TABLE["rosters"][name]
    return read_roster(write(folder, {"list.csv": text}) / "list.csv")


def match_in_words(entry):
    """Return the match of an entry as matching.yaml writes it."""
    if entry.is_certain:
        return entry.student.sid
    if entry.candidates:
        sids = [student.sid for student in entry.candidates]
        return f"? {' '.join(sids)}"
    return "none"


def matches_of(entries):
    """Return the id of each submission -> the match of each of its authors."""
    found = {}
    for entry in entries:
        if entry.submission.id:
            found.setdefault(entry.submission.id, []).append(match_in_words(entry))
    return found


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_matched_as_matching_yaml_says(tmp_path, name):
    case = CLASSES[name]
    download, _ = read_download(write(tmp_path / "class.zip", files_of(case)))
    roster = read_list(tmp_path, case.get("roster"))
    matching = match_class(download, roster, [])
    assert matches_of(matching.entries) == case["matches"]
    absent = [entry.student.sid for entry in matching.entries if not entry.submission.id]
    assert absent == case.get("absent", absent)


# ---- people.csv


@pytest.mark.parametrize("name", TABLE["confirmations"])
def test_a_confirmation_holds_for_exactly_what_a_person_saw(tmp_path, name):
    """Otherwise a line asks. people.csv is edited between two downloads."""
    case = TABLE["confirmations"][name]
    roster = read_list(tmp_path, case["roster"])
    download, _ = read_download(write(tmp_path / "1", files_of(case)))
    write_people(tmp_path, match_class(download, roster, []).people)
    path = tmp_path / "people.csv"
    text = path.read_text()
    for pattern, new in case["edits"]:
        text, count = re.subn(pattern, new, text)
        assert count
    path.write_text(text)
    later = {**case, **case.get("then", {})}
    roster = read_list(tmp_path, later["roster"])
    download, _ = read_download(write(tmp_path / "2", files_of(later)))
    matching = match_class(download, roster, read_people(tmp_path))
    assert matches_of(matching.entries) == case["matches"]
    remarks = [re.sub(".*people.csv", "people.csv", line) for line in matching.remarks]
    assert remarks == case.get("remarks", [])


BY_HAND = [
    ("Gradescope", {"export": {"submission_1": [["Bo Kim", "0043", ""]]}}, "0043"),
    ("Canvas", {"files": ["kimbo_102_9001_search.py"]}, "0043"),
    ("Canvas", {"files": ["kimbo_109_9001_search.py"]}, "? 0044"),  # not in the list
]


@pytest.mark.parametrize("roster, case, match", BY_HAND)
def test_a_row_by_hand_does_not_move_a_submission_of_the_platform(
    tmp_path, roster, case, match
):
    download, _ = read_download(write(tmp_path / "class.zip", files_of(case)))
    id = download[0].id
    write(tmp_path, {"people.csv": f"submission,student\n{id},0044\n"})
    roster = read_list(tmp_path, roster)
    matching = match_class(download, roster, read_people(tmp_path))
    assert matches_of(matching.entries) == {id: [match]}
    [remark] = matching.remarks
    assert f"{id} is not by" in remark
    assert "0044 in the download; delete the row" in remark
    write_people(tmp_path, matching.people)
    assert read_people(tmp_path) == []  # so it is not applied to the next download either
