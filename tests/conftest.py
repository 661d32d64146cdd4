"""Options of the kit's own tests."""

import os

os.environ.pop("PYTEST_ADDOPTS", None)  # ARGS of `make test`: not for pytest in a test


def pytest_addoption(parser):
    """Add --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="rewrite results.json")
