"""The kit as it lies on disk: trees, rubric, reference, and the tasks they make."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from autograder.judging.scores import Row, rows_to_come
from autograder.known import kept
from autograder.rubric import Rubric, load_rubric
from autograder.sandbox.submission import stage
from autograder.tasks import EQUALITY, ReferenceFailed, Task, tasks_for
from autograder.utilities import finish_replacing
from gametree.course import ASKED
from gametree.support.judging import proven_by
from gametree.support.saying import READ, sentences
from gametree.support.tree import Tree

# These are imported only for a wrong submission, or for a kit that is not known yet.
if TYPE_CHECKING:
    from autograder.mistakes.library import Library
    from autograder.mistakes.variants import Variant
    from autograder.smalltrees.enumeration import Ladder

ROOT = Path(__file__).resolve().parent.parent
KNOWN = "build/known"  # the folder below the root that holds what was computed once


@dataclass(frozen=True)
class Kit:
    """Everything that a grading needs, read once.

    `tasks` are all searches of all trees in grading order, public trees first;
    `public_names` are the names of the trees whose details students may see. A kit is
    `known` as known_kit() returns it: what is computed of it is kept for next time.
    """

    known: ClassVar[bool] = False
    root: Path
    rubric: Rubric
    public: tuple[Tree, ...]
    hidden: tuple[Tree, ...]
    tasks: tuple[Task, ...]

    @property
    def public_names(self) -> frozenset[str]:
        """The names of the public trees."""
        return frozenset(tree.name for tree in self.public)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a grading before anything was run."""
        return rows_to_come(self.tasks, self.rubric, self.public_names)

    @cached_property
    def key(self) -> str:
        """A hash of all that a grade depends on, under which what is known is kept."""
        return content_hash(self.root)

    def kept(self, name: str, make: Callable[[], object]) -> object:
        """Return what make() returns; of a known kit, what was kept of it."""
        return kept(self.root / KNOWN / name, self.key, make) if self.known else make()

    @property
    def rows_of_all(self) -> tuple:
        """The rows, and before them those of byhand.yaml where it is asked for."""
        if not self.rubric.by_hand_cents:
            return self.rows
        from autograder.byhand import rows_by_hand

        return (*rows_by_hand(self.rubric.by_hand_cents), *self.rows)

    @cached_property
    def reference(self) -> ModuleType:
        """The module that solution/search.py makes."""
        return load_reference(self.root, self.rubric.cutoff, self.rubric.asked)

    @cached_property
    def library(self) -> Library:
        """The known mistakes and what they do on the tasks."""
        from autograder.mistakes.library import Library

        variants, behaviours = self.kept("library", self._run_known_mistakes)
        return Library(variants, self.tasks, known=behaviours)

    def _run_known_mistakes(self):
        """Return the known mistakes and what they do."""
        from autograder.mistakes.derived import with_minimax
        from autograder.mistakes.library import Library
        from autograder.mistakes.variants import load_variant, load_variants

        plain = (self.root / "solution" / "search.py").read_text(encoding="utf-8")
        solution, cutoff = self.root / "solution", self.rubric.cutoff
        right = [load_variant(solution / "search.py", cutoff)]
        right += load_variants(solution / "correct", cutoff)
        mistakes = load_variants(solution / "mistakes", cutoff)
        every = with_minimax(mistakes, right, plain)
        asked = [each for each in every if each.concerns(self.rubric.asked)]
        library = Library(asked, self.tasks, plain)
        return library.variants, library.known

    @property
    def mistakes(self) -> tuple[Variant, ...]:
        """The files of solution/mistakes that go wrong in what is asked."""
        from autograder.mistakes.variants import load_variants

        mistakes = load_variants(self.root / "solution" / "mistakes", self.rubric.cutoff)
        return tuple(each for each in mistakes if each.concerns(self.rubric.asked))

    @cached_property
    def ladder(self) -> Ladder:
        """The small trees among which a wrong submission's counterexample is sought."""
        from autograder.smalltrees.enumeration import Ladder

        return Ladder(self.reference)


def known_kit(root: Path = ROOT) -> Kit:
    """Return the kit as load_kit() does, but from what was kept, if that is current.

    What had to be computed is kept for next time.
    """
    finish_replacing(root / "trees" / "hidden")
    key = content_hash(root)
    *fields, rows, texts = kept(root / KNOWN / "tasks", key, partial(_read, root))
    READ.update(texts)
    kit = Kit(root, *fields)
    vars(kit).update(known=True, rows=rows, key=key)  # the last two take long to find
    return kit


def _read(root):
    kit = load_kit(root)
    for task in kit.tasks:
        proven_by(task, task.expected.visited)  # which the task remembers
    return kit.rubric, kit.public, kit.hidden, kit.tasks, kit.rows, sentences()


def prepare(root: Path = ROOT) -> Kit:
    """Return the known kit with its library, once all that can be known is kept."""
    kit = known_kit(root)
    _ = kit.library.known
    return kit


def load_kit(root: Path = ROOT, trees: Path | None = None) -> Kit:
    """Read trees, rubric and reference below `root` and run the reference.

    `trees` is the folder that holds public/ and hidden/, if not root/trees. Raises
    TreeError, RubricError, TextError or ReferenceFailed, each with one line that says
    where and what to mend.
    """
    from gametree.support.treefile import load_trees

    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    sentences()  # which may have a slip
    trees = Path(trees or root / "trees")
    finish_replacing(trees / "hidden")
    public = tuple(load_trees(trees / "public"))
    hidden = tuple(load_trees(trees / "hidden"))
    reference = load_reference(root, rubric.cutoff, rubric.asked)
    tasks = tasks_for(public, reference) + tasks_for(hidden, reference, hidden=True)
    return Kit(root, rubric, public, hidden, tuple(tasks))


def load_reference(
    root: Path = ROOT,
    convention: str = EQUALITY,
    asked: Mapping[str, Iterable[str]] = ASKED,
) -> ModuleType:
    """Return solution/search.py as a module that reads the cutoff `convention`.

    The module says so itself, by its attribute of that name; another one, `asked`, maps
    the functions that are asked to the aspects that are judged. Raises ReferenceFailed
    where the file cannot be read.
    """
    from autograder.mistakes.variants import apply, run_source

    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ReferenceFailed(f"{path} cannot be read: {error}; restore it") from None
    module = run_source(apply(text, convention), str(path))
    module.convention = convention
    module.asked = asked
    return module


def stage_as_taught(path: Path, convention: str = EQUALITY, root: Path = ROOT) -> bytes:
    """Return the bytes of the submission at `path`, as stage() does.

    A file of the kit's own solution/ is made whole and read in the course's cutoff
    convention; one that is not Python is left as it is.
    """
    return as_taught(stage(path).source, path, convention, root)


def as_taught(source: bytes, path: Path, convention: str, root: Path = ROOT) -> bytes:
    """Return the source of the file at `path` as stage_as_taught() does."""
    if Path(path).resolve().is_relative_to(root / "solution"):
        from autograder.mistakes.variants import apply, whole

        with contextlib.suppress(SyntaxError, ValueError):
            text = whole(source.decode("utf-8"), root / "solution")
            source = apply(text, convention).encode("utf-8")
    return source


# What no grade depends on: an edit there leaves a course graded as it is.
APART = ("autograder/workbench", "autograder/course", "autograder/batch.py")
# What each grade depends on.
PLACES = (
    *("autograder", "starter/gametree", "trees/public", "trees/hidden"),
    *("solution/search.py", "solution/correct", "solution/mistakes"),
)


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all that a grade depends on: code, trees, rubric, reference.

    The code is autograder/ without the instructors' commands and the course's books
    and pages, starter/gametree and all of solution/, whose mistakes make diagnoses.
    """
    digest = hashlib.sha256()
    for place in PLACES:
        for name in sorted(_files(root, place)):
            with open(f"{root}/{name}", "rb") as file:
                content = hashlib.sha256(file.read()).digest()
            digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


def _files(root, place):
    """Yield the names of the files at or below a place, as seen from the root."""
    try:
        entries = list(os.scandir(f"{root}/{place}"))
    except NotADirectoryError:
        yield place
        return
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{place}/{entry.name}"
        if name in APART:
            continue
        if entry.is_dir():
            yield from _files(root, name)
        elif name.endswith((".py", ".yaml", ".txt")):
            yield name
