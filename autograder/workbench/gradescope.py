"""What a rehearsal uploads: Gradescope's folders and metadata, and six submissions."""

from __future__ import annotations

import json
import tempfile
import zipfile
from pathlib import Path

SECRET = "rehearsed-secret"
METADATA = {
    "id": 1,
    "created_at": "2024-09-01T12:00:00.000000-07:00",
    "submission_method": "upload",
    "assignment": {"id": 2, "title": SECRET, "total_points": "100.0"},
    "users": [{"id": 3, "name": SECRET, "email": f"{SECRET}@example.edu"}],
    "previous_submissions": [
        {"score": 0.0, "autograder_error": False, "results": {"output": SECRET}}
    ],
}
LOOP = """

def alphabeta(node, depth, alpha, beta, maximizing):
    while True:
        pass
"""
FORGERY = """\
import atexit, os, signal
def forge(*_):
    for base in (os.environ.get("AUTOGRADER_HOME"), "/autograder", "@HOME@"):
        try:
            with open(f"{base}/results/results.json", "w") as file:
                file.write('{"score": 100, "output": "forged"}')
            print(open(f"{base}/submission_metadata.json").read())
        except OSError:
            pass
atexit.register(forge)
for act in (forge, lambda: os.kill(os.getppid(), 9), os.fork):
    try:
        act()
    except OSError:
        pass
"""


def submissions(root, home):
    """Return name -> (file name -> text of the submission, points it must get)."""
    right = (root / "solution" / "search.py").read_text()
    wrong = (root / "solution" / "mistakes" / "no_cutoff.py").read_text()
    return {
        "right": ({"search.py": right}, lambda score: score == 100),
        "wrong": ({"search.py": wrong}, lambda score: 0 < score < 100),
        "hanging": ({"search.py": right + LOOP}, lambda score: 0 < score < 100),
        "forging": (
            {"search.py": FORGERY.replace("@HOME@", str(home))},
            lambda score: score == 0,
        ),
        "empty": ({}, lambda score: score == 0),
        "misnamed": ({"Search.py": right}, lambda score: score == 0),
    }


def lay_out(archive):
    """Unpack the zip as Gradescope does, below a new folder; return the folder.

    The execute bits are lost on the way, as uploads can lose them.
    """
    home = Path(tempfile.mkdtemp(prefix="rehearse-"))
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(home / "source")
    for folder in ("submission", "results"):
        (home / folder).mkdir()
    (home / "submission_metadata.json").write_text(json.dumps(METADATA))
    home.chmod(0o755)
    return home
