"""Make dist/starter.zip and dist/autograder.zip, byte for byte reproducible.

The folder you open is the folder you ship: starter.zip is starter/ and the handout as
students read it; autograder.zip keeps the repository's layout, with the two scripts
that Gradescope looks for at its root. handout.html is the handout as one page.
"""

from __future__ import annotations

import hashlib
import io
import stat
import zipfile
from pathlib import Path

from autograder.command import run
from autograder.kit import ROOT, content_hash
from autograder.rubric import load_rubric
from autograder.utilities import replace_file
from autograder.workbench import handout, parts
from autograder.workbench.markdown import CannotConvert

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
TEXTS, PART = "gametree/texts.yaml", "\n---\n"  # what ends the part that students have
AT_THE_ROOT = ("setup.sh", "run_autograder", "requirements.txt")
NOT_ON_GRADESCOPE = ("autograder/workbench/", "autograder/course/", "autograder/batch.py")


def main():
    """Package; print what was made, its hash, the kit's, and the next step."""
    for name, digest in package(ROOT).items():
        print(f"dist/{name}  sha256 {digest[:16]}")
    print(f"kit: {content_hash()[:16]}, which the build's log on Gradescope says again")
    print("upload dist/autograder.zip to Gradescope; hand out dist/starter.zip")
    page = ROOT / "dist" / handout.PAGE
    try:
        handout.write_page(page, ROOT)
        print(f"put dist/{page.name}, the handout as one page, where students find it")
    except CannotConvert as problem:
        page.unlink(missing_ok=True)
        print(f"no dist/{page.name}: {problem}")
    return 0


def package(root: Path = ROOT, folder: Path | None = None) -> dict[str, str]:
    """Write both zips into `folder` (dist/) and return name -> SHA-256."""
    hashes = {}
    for name, files in (
        ("starter.zip", starter_files(root)),
        ("autograder.zip", autograder_files(root)),
    ):
        data = pack(files)
        replace_file(Path(folder or root / "dist") / name, data)
        hashes[name] = hashlib.sha256(data).hexdigest()
    return hashes


def starter_files(root: Path = ROOT) -> dict[str, Path | bytes]:
    """Return archive name -> path, or content, of everything that students download."""
    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    text = handout.text_below(root)
    files = files_below(root / "starter", root / "starter")
    return {
        **files,
        TEXTS: said_at_home(root),
        **parts.asked_for(root, rubric.asked),
        handout.FILE: handout.for_students(text, root).encode("utf-8"),
    }


def said_at_home(root: Path) -> bytes:
    """Return the part of texts.yaml that the starter says itself."""
    text = (root / "starter" / TEXTS).read_text(encoding="utf-8")
    return f"{text.partition(PART)[0]}\n".encode()


def autograder_files(root: Path = ROOT) -> dict[str, Path]:
    """Return archive name -> path of everything that Gradescope needs."""
    files = {name: root / "autograder" / name for name in AT_THE_ROOT}
    files["solution/search.py"] = root / "solution" / "search.py"
    for folder in AUTOGRADER_FOLDERS:
        for name, path in files_below(root / folder, root).items():
            if not name.startswith(NOT_ON_GRADESCOPE):
                files[name] = path
    return files


def files_below(folder, base):
    """Return name, as seen from `base`, -> path of the files in a folder, no caches."""
    return {
        path.relative_to(base).as_posix(): path
        for path in folder.rglob("*")
        if path.is_file() and not LEFT_OUT & set(path.parts)
    }


def pack(files: dict[str, Path | bytes]) -> bytes:
    """Return the bytes of a zip of archive name -> path, or content: sorted, undated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.create_system = 3  # Unix, so that the execute bit is kept
            runs = name in ("setup.sh", "run_autograder")
            entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file = files[name]
            archive.writestr(entry, file if isinstance(file, bytes) else file.read_bytes())
    return stream.getvalue()


if __name__ == "__main__":
    run("dist", main)
