"""The kit as it lies on disk: trees, rubric, reference, and the tasks they make."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

from autograder.judging.scores import Row, rows_to_come
from autograder.mistakes.library import Library
from autograder.mistakes.variants import (
    EQUALITY,
    apply,
    load_variants,
    run_source,
    whole,
)
from autograder.rubric import Rubric, load_rubric
from autograder.sandbox import stage
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import ReferenceFailed, Task, tasks_for
from autograder.utilities import finish_replacing
from gametree import Tree, load_trees

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Kit:
    """Everything that a grading needs, read once.

    `tasks` are all searches of all trees in grading order, public trees first;
    `public_names` are the names of the trees whose details students may see.
    """

    root: Path
    rubric: Rubric
    public: tuple[Tree, ...]
    hidden: tuple[Tree, ...]
    tasks: tuple[Task, ...]
    reference: ModuleType

    @property
    def public_names(self) -> frozenset[str]:
        """The names of the public trees."""
        return frozenset(tree.name for tree in self.public)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a grading before anything was run."""
        return tuple(rows_to_come(self.tasks, self.rubric, self.public_names))

    @cached_property
    def library(self) -> Library:
        """The known mistakes, which are run when a wrong submission asks for them."""
        solution = self.root / "solution"
        return Library(
            load_variants(solution / "mistakes", self.rubric.cutoff),
            self.tasks,
            plain=(solution / "search.py").read_text(encoding="utf-8"),
        )

    @cached_property
    def ladder(self) -> Ladder:
        """The small trees among which a wrong submission's counterexample is sought."""
        return Ladder(self.reference)


def load_kit(root: Path = ROOT, trees: Path | None = None) -> Kit:
    """Read trees, rubric and reference below `root` and run the reference.

    `trees` is the folder that holds public/ and hidden/, if not root/trees. Raises
    TreeError, RubricError or ReferenceFailed, each with one line that says where and
    what to mend.
    """
    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    trees = Path(trees or root / "trees")
    finish_replacing(trees / "hidden")
    public = tuple(load_trees(trees / "public"))
    hidden = tuple(load_trees(trees / "hidden"))
    reference = load_reference(root, rubric.cutoff)
    tasks = tuple(tasks_for(public + hidden, reference))
    return Kit(root, rubric, public, hidden, tasks, reference)


def load_reference(root: Path = ROOT, convention: str = EQUALITY) -> ModuleType:
    """Return solution/search.py as a module that reads the cutoff `convention`.

    The module says so itself, by its attribute of that name. Raises ReferenceFailed
    where the file cannot be read.
    """
    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ReferenceFailed(f"{path} cannot be read: {error}; restore it") from None
    module = run_source(apply(text, convention), str(path))
    module.convention = convention
    return module


def stage_as_taught(path: Path, convention: str = EQUALITY, root: Path = ROOT) -> bytes:
    """Return the bytes of the submission at `path`, as stage() does.

    A file of the kit's own solution/ is made whole and read in the course's cutoff
    convention; one that is not Python is left as it is.
    """
    source = stage(path)
    if Path(path).resolve().is_relative_to(root / "solution"):
        with contextlib.suppress(SyntaxError, ValueError):
            text = whole(source.decode("utf-8"), root / "solution")
            source = apply(text, convention).encode("utf-8")
    return source


# What no grade depends on: an edit there leaves a course graded as it is.
APART = ("autograder/workbench", "autograder/course", "autograder/batch.py")


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all that a grade depends on: code, trees, rubric, reference.

    The code is autograder/ without the instructors' commands and the course's books
    and pages, starter/gametree and all of solution/, whose mistakes make diagnoses.
    """
    digest = hashlib.sha256()
    folders = ("autograder", "starter/gametree", "solution", "trees/public", "trees/hidden")
    apart = [root / name for name in APART]
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".py", ".yaml", ".txt") or not path.is_file():
                continue
            if not any(path.is_relative_to(other) for other in apart):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
