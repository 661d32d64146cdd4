"""Options of the kit's own tests, and the small course that several of them grade."""

import pytest
from smallcourse import write_course, write_kit

from autograder import batch
from autograder.kit import load_kit


def pytest_addoption(parser):
    """Add --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="rewrite results.json")


@pytest.fixture
def small_kit(tmp_path, monkeypatch):
    """Have the command grade by a kit of two small trees; return the kit's root."""
    root = write_kit(tmp_path / "kit")
    monkeypatch.setattr(batch, "load_kit", lambda: load_kit(root))
    return root


@pytest.fixture
def course(tmp_path):
    """A folder with six submissions, each in a folder of its own."""
    return write_course(tmp_path / "course")
