"""Make dist/starter.zip and dist/autograder.zip, byte for byte reproducible.

The folder you open is the folder you ship: starter.zip is starter/ and the
handout; autograder.zip keeps the repository's layout, with the two scripts that
Gradescope queries for at its root.
"""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
from pathlib import Path

from autograder.command import run
from autograder.kit import ROOT
from autograder.utilities import replace_file

LEFT_OUT = {"__pycache__", ".pytest_cache", ".DS_Store", ".ruff_cache"}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can hold
AUTOGRADER_FOLDERS = (
    "autograder",
    "starter/gametree",
    "solution/correct",
    "solution/mistakes",
    "trees/public",
    "trees/hidden",
)
AT_THE_ROOT = ("setup.sh", "run_autograder", "requirements.txt")
NOT_ON_GRADESCOPE = ("autograder/workbench/", "autograder/course/", "autograder/batch.py")


def files_below(folder):
    """Return the files below a folder, sorted, without caches."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if not LEFT_OUT & set(path.parts)]


def starter_files(root=ROOT):
    """Return archive name -> path of everything that students download."""
    named = {
        p.relative_to(root / "starter").as_posix(): p for p in files_below(root / "starter")
    }
    return {**named, "handout.md": root / "handout.md"}


def autograder_files(root=ROOT):
    """Return archive name -> path of everything that Gradescope needs."""
    named = {name: root / "autograder" / name for name in AT_THE_ROOT}
    named["solution/search.py"] = root / "solution" / "search.py"
    for folder in AUTOGRADER_FOLDERS:
        for path in files_below(root / folder):
            name = path.relative_to(root).as_posix()
            if not name.startswith(NOT_ON_GRADESCOPE):
                named[name] = path
    return named


def pack(files):
    """Return the bytes of a zip of archive name -> path: sorted, undated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system = 3  # Unix, so that the execute bit is kept
            runs = name in ("setup.sh", "run_autograder")
            entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name].read_bytes())
    return stream.getvalue()


def package(root=ROOT, folder=None):
    """Write both zips into `folder` (dist/) and return name -> SHA-256."""
    folder = Path(folder or root / "dist")
    hashes = {}
    parts = {"starter.zip": starter_files(root), "autograder.zip": autograder_files(root)}
    for name, files in parts.items():
        data = pack(files)
        replace_file(folder / name, data)
        hashes[name] = hashlib.sha256(data).hexdigest()
    return hashes


def main():
    """Package and print what was made, its content hash, and the next step."""
    for name, digest in package().items():
        print(f"dist/{name}  sha256 {digest[:16]}")
    print("upload dist/autograder.zip to Gradescope; hand out dist/starter.zip")
    return 0


if __name__ == "__main__":
    run("dist", main)
