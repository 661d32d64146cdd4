"""Make starter.zip, autograder.zip and handout.html in dist/, reproducible to the byte.

starter.zip contains starter/ with the functions that the rubric assigns, and the handout
for students. In a course with strict cutoffs, its rule is strict too, and its trees have no
published figures.
autograder.zip has the repository's layout. The two scripts that Gradescope runs are at its
root.
"""

from __future__ import annotations

import ast
import hashlib
import io
import re
import stat
import zipfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from pprint import pformat

import yaml

from autograder.ground.command import make_parser, run
from autograder.ground.files import replace_file
from autograder.kit import ROOT, Kit, cached_kit
from autograder.kit.contents import (
    IDENTITY,
    SCRIPTS,
    autograder_files,
    describe_kit,
    files_in,
    read_file,
)
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import STRICT
from autograder.smalltrees.build import dump_file
from autograder.workbench import handout
from autograder.workbench.check import is_proved
from autograder.workbench.lint import published_warning
from gametree.support.errors import InputError

STARTER, AUTOGRADER = "starter", "autograder"  # the beginnings of the names of zips
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date that a zip can hold
SETTINGS = "base image Ubuntu 22.04, timeout 10 minutes"

# Lists the files of starter/ that students get, so that no other file reaches them.
STARTER_FILES = Path(__file__).with_name("starter.txt")
# Files of the starter that depend on the rubric.
STUBS = "search.py"
ASSIGNMENT = "gametree/assignment.py"
PRACTICE = "practice.html"
TEXTS = "gametree/texts.yaml"
END_OF_THEIR_TEXTS = "\n---\n"  # students get the part of texts.yaml above this line
ASSIGNMENT_TEXT = '''\
"""The functions and aspects of this assignment; `make dist` wrote it from rubric.yaml."""

STRICT_CUTOFFS = {is_strict}  # whether a cutoff needs alpha > beta instead of alpha >= beta
# function -> its judged aspects, in order.
ASSIGNED = {assigned}
'''


# The passages that are different in a strict course: file that contains it once -> pattern
# that matches it, and replacement.
PASSAGES = {
    STUBS: (
        r'    Search the children left to right, and stop (?s:.*?)(?=    """)',
        """\
    Search the children left to right, and stop only when alpha > beta: do not prune
    on equality. If the true value is outside (alpha, beta), return the best value so
    far (fail-soft), which shows on which side the true value is.
""",
    ),
    PRACTICE: (r'(?<=cutoff: )"equal"(?=, tree: null)', '"strict"'),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the kit and write the packages; print their hashes, and the next step.

    Returns 0, or 1 if a proof fails. Raises InputError if students can find a hidden tree
    in the kit, unless it is allowed.
    """
    parser = make_parser("make dist", __doc__)
    parser.add_argument("--published", action="store_true")
    options = parser.parse_args(arguments)
    published = published_warning(ROOT)
    if published and not options.published:
        raise InputError(f"{published}, or write PUBLISHED=1 to pack them")
    if not is_proved():
        return 1
    kit = cached_kit(ROOT)
    write_packages(ROOT / "dist", packages(kit))
    others = left_out_of_starter(ROOT)
    if others:
        print(f"not in starter.zip: {', '.join(others)}")
        print("list the files for students in autograder/workbench/starter.txt")
    advice = handout.advice_on(ROOT)
    if advice:
        print(f"warning {advice}")
    print(f"{describe_kit(kit.key)}; compare this with the log of the build on Gradescope")
    if published:
        print(f"warning {published}")
    total = points_text(kit.rubric.max_cents)
    print(f"on Gradescope: Autograder Points {total}, {SETTINGS}")
    starter, archive = map(kit.rubric.zip_name, (STARTER, AUTOGRADER))
    print(f"upload dist/{archive} to Gradescope; give students dist/{starter} and")
    print(f"dist/{handout.PAGE}, the handout as one page")
    return 0


def packages(kit: Kit) -> dict[str, bytes]:
    """Return name -> content of the files in dist/. Raises InputError."""
    starter = starter_files(kit)
    page = handout.page_of(kit, starter).encode()
    files = autograder_files(kit.root)
    starter |= {handout.PAGE: page, IDENTITY: files[IDENTITY]}
    return {
        kit.rubric.zip_name(STARTER): pack(starter),
        kit.rubric.zip_name(AUTOGRADER): pack(files),
        handout.PAGE: page,
    }


def write_packages(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a folder, remove the zips of other terms, and say so.

    files: name -> content.
    """
    for name, content in files.items():
        replace_file(folder / name, content)
        print(f"dist/{name}  sha256 {hashlib.sha256(content).hexdigest()[:16]}")
    for path in sorted(folder.glob("*.zip")):
        if path.name.startswith((STARTER, AUTOGRADER)) and path.name not in files:
            path.unlink()
            print(f"removed dist/{path.name}, which was older")


def starter_files(kit: Kit) -> dict[str, bytes]:
    """Return archive name -> content of the files that students download, but no handout.

    Raises InputError if a passage does not fit the rubric, and OSError if a file is
    missing.
    """
    rubric = kit.rubric
    texts = {}
    for name in starter_names():
        texts[name] = read_file(kit.root, f"starter/{name}").decode()
    for path in (kit.root / "trees" / "public").glob("*.yaml"):
        texts[f"trees/{path.name}"] = read_file(path.parent, path.name).decode()
    texts[STUBS] = stubs_of(texts[STUBS], rubric.assigned)
    is_strict = rubric.cutoff == STRICT
    texts[ASSIGNMENT] = ASSIGNMENT_TEXT.format(
        is_strict=is_strict, assigned=pformat(rubric.assigned, sort_dicts=False)
    )
    texts[TEXTS] = texts[TEXTS].partition(END_OF_THEIR_TEXTS)[0] + "\n"
    if is_strict:
        make_strict(texts)
    return {name: text.encode() for name, text in texts.items()}


def starter_names() -> list[str]:
    """Return the names of the files in starter/ that students get."""
    return STARTER_FILES.read_text(encoding="utf-8").split()


def left_out_of_starter(root: Path) -> list[str]:
    """Return the files in starter/ that students do not get."""
    shipped = [f"starter/{name}" for name in starter_names()]
    return list(files_in(root, ["starter"], ["starter/trees", *shipped]))


def make_strict(texts: dict[str, str]) -> None:
    """Adapt the files of a starter to a strict course. Raises InputError.

    PASSAGES are replaced, and trees lose their published figures.

    texts: file name -> text, changed in place.
    """
    for file, (pattern, strict) in PASSAGES.items():
        texts[file], count = re.subn(pattern, strict, texts[file])
        if count != 1:
            raise InputError(
                f"starter/{file}: the passage for cutoff: strict was reworded; "
                "change PASSAGES in autograder/workbench/package.py"
            )
    for file in texts:
        if file.startswith("trees/"):
            texts[file] = without_figures(texts[file])


def without_figures(text: str) -> str:
    """Return a tree file without its published figures, which assume other cutoffs."""
    file = yaml.safe_load(text)
    for entries in (file, *file.get("searches", ())):
        entries.pop("published", None)
    return dump_file(file)


def stubs_of(source: str, assigned: Collection[str]) -> str:
    """Return the text of starter/search.py with only the assigned functions."""
    text = source
    for part in ast.parse(source).body:
        if isinstance(part, ast.FunctionDef) and part.name not in assigned:
            stub = ast.get_source_segment(source, part)
            text = text.replace(f"\n\n\n{stub}", "")
    return text


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip with sorted entries and a fixed date.

    files: archive name -> content.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            mode = 0o755 if name in SCRIPTS else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return stream.getvalue()


if __name__ == "__main__":
    run("dist", main)
