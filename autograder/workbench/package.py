"""Make dist/: starter.zip, autograder.zip and handout.html, byte for byte reproducible.

The folder you open is the folder you ship. starter.zip is starter/ with the functions
that the rubric asks for and the handout as students read it; a course with strict cutoffs
finds its rule and its figures in there. autograder.zip keeps the repository's layout,
with the two scripts that Gradescope looks for at its root.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from autograder.command import Refused, run
from autograder.kit import PLACES, ROOT, Kit, content_hash, load_kit
from autograder.smalltrees.build import dump_tree
from autograder.tasks import STRICT
from autograder.workbench import handout
from autograder.workbench.properties import figures

LEFT_OUT = {"__pycache__", ".pytest_cache", ".DS_Store", ".ruff_cache"}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can hold
AT_THE_ROOT = ("setup.sh", "run_autograder", "requirements.txt")
NOT_ON_GRADESCOPE = ("autograder/workbench/", "autograder/course/", "autograder/batch.py")

CHANGED = STUBS, COURSE, PRACTICE = "search.py", "gametree/course.py", "practice.html"
TEXTS, PART = "gametree/texts.yaml", "\n---\n"  # what ends the part that students have
TABLE = "ASSIGNED = {\n"
HEAD = '"""Your assignment: {}. See handout.md."""'
IN_A_STRICT_COURSE = (  # file of the starter, pattern of a passage, its replacement
    (
        STUBS,
        r'    Search the children left to right, and stop (?s:.*?)(?=    """)',
        """\
    Search the children left to right, and stop only when alpha > beta: go on where
    they are equal. Where the true value lies outside (alpha, beta), return the best
    value that you have seen (fail-soft), which shows on which side it lies.
""",
    ),
    (PRACTICE, r'(?<=cutoff: )"equal"(?=, tree: null)', '"strict"'),
    (COURSE, "STRICT_CUTOFFS = False", "STRICT_CUTOFFS = True"),
)


def main():
    """Package; print what was made, its hash, the kit's, and the next step."""
    made, folder = packages(ROOT), ROOT / "dist"
    folder.mkdir(exist_ok=True)
    for name, content in made.items():
        (folder / f".{name}").write_bytes(content)
    for name, content in made.items():  # all are there by now: none stays from before
        (folder / f".{name}").replace(folder / name)
        print(f"dist/{name}  sha256 {hashlib.sha256(content).hexdigest()[:16]}")
    print(f"kit: {content_hash()[:16]}, which the build's log on Gradescope says again")
    print("upload dist/autograder.zip to Gradescope; hand out dist/starter.zip, and put")
    print(f"dist/{handout.PAGE}, the handout as one page, where students find it")
    return 0


def packages(root: Path = ROOT) -> dict[str, bytes]:
    """Return name -> content of the files of dist/. Raises Refused."""
    kit = load_kit(root)
    return {
        "starter.zip": pack(starter_files(kit)),
        "autograder.zip": pack(autograder_files(root)),
        handout.PAGE: handout.page_of(kit).encode("utf-8"),
    }


def starter_files(kit: Kit) -> dict[str, bytes]:
    """Return archive name -> content of everything that students download.

    Raises Refused where the handout or a passage does not fit the rubric.
    """
    asked, starter = kit.rubric.assigned, kit.root / "starter"
    files, texts = {}, {handout.FILE: handout.for_students(kit)}
    for name, path in files_below(starter, starter).items():
        if name == TEXTS:
            texts[name] = path.read_text(encoding="utf-8").partition(PART)[0] + "\n"
        elif name in CHANGED:
            texts[name] = path.read_text(encoding="utf-8")
        elif not name.startswith("trees/"):
            files[name] = path.read_bytes()
    texts[STUBS] = stubs_of(texts[STUBS], asked)
    texts[COURSE] = table_of(texts[COURSE], asked)
    if kit.rubric.cutoff == STRICT:
        make_strict(texts, asked)
    for path in sorted((kit.root / "trees" / "public").glob("*.yaml")):
        files[f"trees/{path.name}"] = path.read_bytes()
    for tree in kit.public if kit.rubric.cutoff == STRICT else ():
        searches = tuple(
            replace(search, published=figures(tree, search, kit.reference))
            for search in tree.searches
        )
        texts[f"trees/{tree.name}.yaml"] = dump_tree(replace(tree, searches=searches))
    return files | {name: content.encode() for name, content in texts.items()}


def make_strict(texts: dict[str, str], asked: Mapping[str, tuple[str, ...]]) -> None:
    """Put the rule of a strict course into the starter's texts, by name. May refuse."""
    for name, pattern, strict in IN_A_STRICT_COURSE:
        if name == STUBS and "alphabeta" not in asked:
            continue
        texts[name], count = re.subn(pattern, lambda _, strict=strict: strict, texts[name])
        if count != 1:
            raise Refused(
                f"starter/{name}: it was reworded where cutoff: strict changes it; "
                "mend IN_A_STRICT_COURSE in autograder/workbench/package.py"
            )


def table_of(text: str, asked: Mapping[str, tuple[str, ...]]) -> str:
    """Return the text of gametree/course.py with these functions and aspects."""
    head, _, _ = text.partition(TABLE)
    rows = (f'    "{name}": {json.dumps(aspects)},\n' for name, aspects in asked.items())
    return f"{head}{TABLE}{''.join(rows)}}}\n"


def stubs_of(text: str, asked: Mapping[str, tuple[str, ...]]) -> str:
    """Return the text of starter/search.py with the functions that are asked alone."""
    stubs = {
        part.name: ast.get_source_segment(text, part)
        for part in ast.parse(text).body
        if isinstance(part, ast.FunctionDef)
    }
    if [*stubs] == [*asked]:
        return text
    chosen = [HEAD.format(", ".join(asked)), *(stubs[name] for name in asked)]
    return "\n\n\n".join(chosen) + "\n"


def autograder_files(root: Path = ROOT) -> dict[str, Path]:
    """Return archive name -> path of everything that Gradescope needs."""
    files = {name: root / "autograder" / name for name in AT_THE_ROOT}
    for place in PLACES:
        for name, path in files_below(root / place, root).items():
            if not name.startswith(NOT_ON_GRADESCOPE):
                files[name] = path
    return files


def files_below(folder, base):
    """Return name, as seen from `base`, -> path of a file or those below, no caches."""
    return {
        path.relative_to(base).as_posix(): path
        for path in (folder, *folder.rglob("*"))
        if path.is_file() and not LEFT_OUT & set(path.parts)
    }


def pack(files: Mapping[str, bytes | Path]) -> bytes:
    """Return the bytes of a zip of archive name -> content, or path: sorted, undated."""
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
