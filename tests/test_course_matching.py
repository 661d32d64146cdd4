"""Check that submissions are matched to the correct students, and never to wrong ones."""

import random

import pytest
from helpers import tables, write

from autograder.course.download import read_course
from autograder.course.matching import match_course, read_people
from autograder.course.roster import read_roster
from gametree.support.errors import InputError

TABLE = tables("matching")
CLASSES = TABLE["classes"]
SUBMITTER = "  - :name: '{}'\n    :sid: '{}'\n    :email: '{}'\n"


def files_of(case):
    """Return name -> text of the files of a class in matching.yaml."""
    files = dict.fromkeys(case.get("files", ()), "x = 1\n")
    listed = ""
    for name, students in case.get("export", {}).items():
        submitters = "".join(SUBMITTER.format(*fields) for fields in students)
        listed += f"{name}:\n  :submitters:\n{submitters}"
        files[f"{name}/search.py"] = "x = 1\n"
    if listed:
        files["submission_metadata.yml"] = listed
    return files


def read_list(folder, name):
    """Return the class list of this name in matching.yaml, None for no name."""
    if not name:
        return None
    text = TABLE["rosters"][name]
    return read_roster(write(folder, {"list.csv": text}) / "list.csv")


def match_in_words(match):
    """Return a match as matching.yaml writes it."""
    if match.is_certain:
        return match.student.sid
    if match.candidates:
        sids = [student.sid for student in match.candidates]
        return f"? {' '.join(sids)}"
    return "none"


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_is_matched_as_matching_yaml_says(tmp_path, name):
    case = CLASSES[name]
    course = read_course(write(tmp_path / "class.zip", files_of(case)))
    course = match_course(course, read_list(tmp_path, case.get("roster")), {})
    found = {}
    for submission in course.submissions:
        found[submission.id] = list(map(match_in_words, submission.matches))
    assert found == case["matches"]
    absent = [student.sid for student in course.absent]
    assert absent == case.get("absent", absent)


# ---- people.csv


@pytest.fixture
def folder_of_two(tmp_path):
    """Return a course of two files, and a class list that has their students."""
    files = {"007.py": "x = 1\n", "Kim.py": "y = 1\n"}
    course = read_course(write(tmp_path / "class", files))
    text = "Name,SID\nAda King,007\nAl Kim,1\nBo Kim,2\n"
    return course, read_roster(write(tmp_path, {"list.csv": text}) / "list.csv")


@pytest.mark.parametrize(
    "rows, line",
    [
        ("007,1\n007,2\n", "line 3: 007 has the student 1 above; write one"),
        ("007,9\n", "people.csv: 9 is not the sid of one student of the class list"),
        ("007,kim\n", "people.csv: kim is not the sid of one student"),
        ("007,2\nKim,2\n", "Bo Kim 2 has two submissions, 007 and Kim; write . before one"),
    ],
)
def test_a_row_that_cannot_be_applied_is_refused_in_one_line(
    tmp_path, folder_of_two, rows, line
):
    course, roster = folder_of_two
    write(tmp_path, {"people.csv": f"submission,student\n{rows}"})
    with pytest.raises(InputError, match=line):
        match_course(course, roster, read_people(tmp_path, course))


def test_without_a_class_list_too_a_student_has_one_submission(tmp_path, folder_of_two):
    course, _ = folder_of_two
    write(tmp_path, {"people.csv": "submission,student\n007,2\nKim,02\n"})
    with pytest.raises(InputError, match="02 has two submissions, 007 and Kim"):
        match_course(course, None, read_people(tmp_path, course))


# ---- a fuzz over names of files

STYLES = TABLE["styles of file names"]
LISTS = TABLE["formats of class lists"]
COURSES = 3  # of each style
CLASS_SIZE = 100


def class_of(chance):
    """Return students with similar names and small numbers, as fields of names."""
    students = []
    for number in range(CLASS_SIZE):
        first = chance.choice(TABLE["first names"])
        last = chance.choice(TABLE["last names"])
        squeezed = "".join(c for c in (last + first).casefold() if c.isalnum())
        student = {"first": first, "last": last, "squeezed": squeezed}
        student["sid"] = str(chance.choice((7, 50_000)) + number)
        student["canvas"] = 100 + number
        student["moodle"] = 100 + CLASS_SIZE - number
        students.append(student)
    return students


def list_text(platform, students):
    """Return the text of a platform's own class list."""
    headings, line = LISTS[platform]
    lines = [line.format(**student) for student in students]
    return "\n".join([headings, *lines])


def own_part(chance, students):
    """Return a student's own part of a name, which may name other students."""
    other = chance.choice(students)
    parts = ["search", "hw", "1", other["sid"], str(other["canvas"]), other["squeezed"]]
    parts += [other["first"], f"{other['canvas']}_{other['moodle']}", "-2", ""]
    return "_".join(chance.sample(parts, 2))


def certain_matches(folder, chance, style):
    """Match a class whose files have names of a style. Check each certain match.

    Return the number of certain matches.
    """
    students = class_of(chance)
    authors = {}  # program -> student
    files = {}
    for n, student in enumerate(students):
        own = own_part(chance, students)
        small = 100 + chance.randrange(CLASS_SIZE)
        name = STYLES[style].format(n=9000 + n, own=own, small=small, **student)
        files[name] = f"x = {n}\n"
        authors[files[name].encode()] = student
    course = read_course(write(folder / "class.zip", files))
    platform = style if style in LISTS else chance.choice(list(LISTS))
    write(folder, {"list.csv": list_text(platform, students)})
    roster = read_roster(folder / "list.csv")
    certain = 0
    for submission in match_course(course, roster, {}).submissions:
        [match] = submission.matches
        if match.is_certain and submission.source is not None:
            certain += 1
            assert match.student.sid == authors[submission.source]["sid"], submission.id
    return certain


@pytest.mark.parametrize("style", STYLES)
def test_no_name_of_a_file_gives_points_to_a_wrong_student(style, tmp_path):
    chance = random.Random(style)
    certain = sum(certain_matches(tmp_path, chance, style) for _ in range(COURSES))
    assert certain == (COURSES * CLASS_SIZE if style in LISTS else 0)
