"""Courses on disk: folders, zips and Gradescope's list of who handed in what."""

import zipfile

import pytest

from autograder.course.export import opened
from autograder.sandbox import NotGradable

SEARCH = b"x = 1\n"
METADATA = """---
submission_12:
  :submitters:
  - :name: Åsa "Ö" O'Neil
    :sid: 00123
    :email: asa@example.edu
  - :name: Bo
    :sid: ''
    :email: bo@example.edu
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: &1 2026-01-01 00:00:00 Z
    time: *1
  :results:
    tests:
    - output: |-
        :submitters:
        - :name: nobody
submission_9:
  :submitters:
    - :name: Cy
      :sid:
      :email: cy@example.edu
  :history: [1, 2, {a: b}]
"""


def folder_of(tmp_path, files):
    """Write files (name -> bytes; a name that ends in / is a folder) and return where."""
    for name, content in files.items():
        target = tmp_path / "course" / name
        (target if name.endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            target.write_bytes(content)
    return tmp_path / "course"


def zip_of(path, files, kind=zipfile.ZIP_DEFLATED):
    """Write a zip of entry name (or ZipInfo) -> bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content, kind)
    return path


def link(name):
    """Return the entry of a symbolic link in a zip."""
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


def submissions(path):
    """Return id -> Submission of the course at a path."""
    with opened(path) as course:
        return {one.id: one for one in course.submissions}


def reason(submission):
    """Return why a submission cannot be graded."""
    with pytest.raises(NotGradable) as told:
        submission.stage()
    return str(told.value)
