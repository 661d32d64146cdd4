"""Take the pictures of the README from real gradings: `python -m tests.pages.pictures`.

Each picture is a screenshot of a page that the kit generated.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.explaining.variants import load_variant
from autograder.kit import ROOT

PICTURES = ROOT / "docs" / "pictures"
CLASS = {  # a student's file -> its program in solution/
    "Kim, Bo.py": "correct/fail_hard",
    "Diaz, Cy.py": "mistakes/no_cutoff_at_min",
    "Fox, Eve.py": "mistakes/move_is_last_of_equals",
}
PAGES = {  # picture -> its page in the folder of the graded class, and its height
    "report.png": ("Diaz, Cy/report.html", 1040),
    "class.png": ("class.html", 1150),
    "practice.png": ("practice.html", 620),
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
WIDTH = 900  # pixels


def find_browser() -> str | None:
    """Return $CHROMIUM or the path of an installed Chromium; None without a browser."""
    found = filter(None, map(shutil.which, BROWSERS))
    return os.environ.get("CHROMIUM") or next(found, None)


def write_pages(folder: Path) -> Path:
    """Grade the class. Return the folder of its pages."""
    submissions = folder / "class"
    submissions.mkdir()
    for name, program in CLASS.items():
        source = load_variant(ROOT / "solution" / f"{program}.py").source
        (submissions / name).write_text(source)
    out = folder / "out"
    command = [sys.executable, "-m", "autograder.batch", submissions, "--out", out]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    shutil.copy(ROOT / "starter" / "practice.html", out)
    return out


def take_pictures(folder: Path) -> None:
    """Write a screenshot of each page to docs/pictures."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = browser.new_page()
        for picture, (path, height) in PAGES.items():
            page.set_viewport_size({"width": WIDTH, "height": height})
            page.goto((folder / path).as_uri())
            page.screenshot(path=PICTURES / picture)
        browser.close()


def main():
    """Grade the class and take the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        take_pictures(write_pages(Path(folder)))
    print(f"wrote {len(PAGES)} pictures into {PICTURES}")


if __name__ == "__main__":
    main()
