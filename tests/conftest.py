"""Options of the kit's own tests."""


def pytest_addoption(parser):
    """Add --update-golden."""
    parser.addoption("--update-golden", action="store_true", help="rewrite results.json")
