"""Load the kit: its trees, rubric and reference, and the tasks that they define."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from autograder.ground.files import finish_replacing, load_or_make
from autograder.sandbox.submission import stage
from autograder.scoring.rubric import Rubric, load_rubric
from autograder.scoring.scores import Row, plan_rows
from autograder.scoring.tasks import EQUALITY, ReferenceFailed, Task, tasks_for
from gametree.course import ASSIGNED
from gametree.support.texts import load_sentences, use_sentences
from gametree.support.tree import Tree

# These are imported only for a wrong submission, or for a kit that is not yet cached.
if TYPE_CHECKING:
    from autograder.explaining.library import Library
    from autograder.explaining.variants import Variant
    from autograder.smalltrees.enumeration import Ladder

ROOT = Path(__file__).resolve().parent.parent
CACHE = "build/cache"  # the folder of cached results, below the root
# Printed before a computation of several seconds.
RUNNING_MISTAKES = "running the known mistakes, which happens only once for this kit"


@dataclass
class Kit:
    """All data that a grading needs. A kit is never changed after loading.

    root: the folder of the kit.
    rubric: the rubric of the course.
    public, hidden: the trees; students may see the details of public trees only.
    tasks: all searches of all trees in grading order, public trees first.
    cache_key: the content hash under which cached_kit() caches results; None for any other
        kit, including a changed copy from dataclasses.replace().
    """

    root: Path
    rubric: Rubric
    public: tuple[Tree, ...]
    hidden: tuple[Tree, ...]
    tasks: tuple[Task, ...]
    cache_key: str | None = field(default=None, init=False)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a grading before any search is run."""
        return plan_rows(self.tasks, self.rubric, self.public_names)

    @property
    def public_names(self) -> frozenset[str]:
        """The names of the public trees."""
        return frozenset(tree.name for tree in self.public)

    @cached_property
    def key(self) -> str:
        """A hash of all files on which a grade depends."""
        return self.cache_key or content_hash(self.root)

    def cached(self, name: str, make: Callable[[], object]) -> object:
        """Return the cached result of this name, or else the result of make()."""
        if self.cache_key is None:
            return make()
        return load_or_make(self.root / CACHE / name, self.cache_key, make)

    @cached_property
    def reference(self) -> ModuleType:
        """The module that is loaded from solution/search.py."""
        return load_reference(self.root, self.rubric.cutoff, self.rubric.assigned)

    @cached_property
    def library(self) -> Library:
        """The known mistakes and their behavior on the tasks."""
        from autograder.explaining.library import Library

        variants, signatures = self.cached("library", self._run_known_mistakes)
        return Library(variants, self.tasks, signatures)

    def _run_known_mistakes(self):
        """Run the known mistakes; return them and their behavior."""
        from autograder.explaining.library import Library, by_difference

        if self.cache_key:
            print(RUNNING_MISTAKES, file=sys.stderr, flush=True)
        plain = (self.root / "solution" / "search.py").read_text(encoding="utf-8")
        library = Library(by_difference(self.mistakes, plain), self.tasks)
        return library.variants, library.signatures

    @cached_property
    def probes(self) -> tuple[Task, ...]:
        """The tasks from choose_probes(); a kit without a cache has no probes."""
        if self.cache_key is None:
            return ()
        return self.cached("probes", self._choose_probes)

    def _choose_probes(self):
        from autograder.explaining.probes import choose_probes

        probes = choose_probes(self.library, self.ladder)
        _prove(probes)
        return probes

    @cached_property
    def mistakes(self) -> list[Variant]:
        """The known mistakes that make an assigned function fail."""
        from autograder.explaining.derived import load_mistakes

        rubric = self.rubric
        return load_mistakes(self.root / "solution", rubric.cutoff, rubric.assigned)

    @cached_property
    def ladder(self) -> Ladder:
        """The small trees that are searched for a counterexample."""
        from autograder.smalltrees.enumeration import Ladder

        return Ladder(self.reference, self.cached)


def cached_kit(root: Path = ROOT) -> Kit:
    """Return the kit from the cache if it is current, or else from load_kit().

    Later results for this kit are cached too. Raises the same errors as load_kit().
    """
    finish_replacing(root / "trees" / "hidden")
    key = content_hash(root)
    kit, sentences = load_or_make(root / CACHE / "kit", key, partial(_read, root))
    use_sentences(sentences)
    kit.root = root
    kit.cache_key = key
    return kit


def _read(root):
    """Return the kit and its sentences, with all that the cache stores of them."""
    kit = load_kit(root)
    _ = kit.rows
    _prove(kit.tasks)
    return kit, load_sentences()


def _prove(tasks):
    """Cache in each task the intervals that its correct search proves."""
    for task in tasks:
        _ = task.proven


def prepare(root: Path = ROOT) -> Kit:
    """Fill the cache with all results that gradings need, and return the kit."""
    kit = cached_kit(root)
    _ = kit.library, kit.probes
    for function in kit.rubric.assigned:
        kit.ladder.tasks(function)
    return kit


def load_kit(root: Path = ROOT, trees: Path | None = None) -> Kit:
    """Load trees, rubric and reference below `root`, and run the reference.

    `trees` is the folder with public/ and hidden/, by default root/trees. Raises
    TreeError, RubricError, TextError or ReferenceFailed, each with one line that names the
    place and the fix.
    """
    from gametree.support.treefile import load_trees

    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    load_sentences()  # reports errors in texts.yaml
    trees = Path(trees or root / "trees")
    finish_replacing(trees / "hidden")
    public = tuple(load_trees(trees / "public"))
    hidden = tuple(load_trees(trees / "hidden"))
    reference = load_reference(root, rubric.cutoff, rubric.assigned)
    tasks = tasks_for(public, reference)
    for function in rubric.assigned:  # so that a slow function delays no other function
        tasks += tasks_for(hidden, reference, [function], hidden=True)
    return Kit(root, rubric, public, hidden, tuple(tasks))


def load_reference(
    root: Path = ROOT,
    convention: str = EQUALITY,
    assigned: Mapping[str, Iterable[str]] = ASSIGNED,
) -> ModuleType:
    """Return solution/search.py as a module that follows the cutoff `convention`.

    The module gets the attributes `convention` and `assigned`. The attribute `assigned`
    maps each assigned function to the aspects that are judged. Raises ReferenceFailed if
    the file cannot be read.
    """
    from autograder.explaining.variants import apply_convention, run_source

    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise ReferenceFailed(f"{path} cannot be read: {error}; restore it") from None
    module = run_source(apply_convention(text, convention), str(path))
    module.convention = convention
    module.assigned = assigned
    return module


def stage_submission(path: Path, convention: str = EQUALITY, root: Path = ROOT) -> bytes:
    """Return the bytes of the submission at `path`, which stage() finds.

    A file of the kit's own solution/ is completed and adapted to the course's cutoff
    convention, unless it has a syntax error.
    """
    return complete_source(stage(path).source, path, convention, root)


def complete_source(source: bytes, path: Path, convention: str, root: Path = ROOT) -> bytes:
    """Complete and adapt the source of a file of solution/; see stage_submission()."""
    if Path(path).resolve().is_relative_to(root / "solution"):
        from autograder.explaining import variants

        with contextlib.suppress(SyntaxError, ValueError):
            text = variants.complete_source(source.decode("utf-8"), root / "solution")
            source = variants.apply_convention(text, convention).encode("utf-8")
    return source


# The files and folders on which each grade depends.
PLACES = (
    "autograder",
    "starter/gametree",
    "trees/public",
    "trees/hidden",
    "solution/search.py",
    "solution/correct",
    "solution/mistakes",
)
# No grade depends on these, so an edit here does not require grading again.
APART = ("autograder/workbench", "autograder/course", "autograder/batch.py")
SKIPPED = {"__pycache__", ".pytest_cache", ".DS_Store", ".ruff_cache"}
HASHED = (".py", ".yaml", ".txt")  # the other files are scripts and styles of pages


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all programs, trees and texts on which a grade depends."""
    digest = hashlib.sha256()
    for name in grading_files(root):
        if name.endswith(HASHED):
            with open(f"{root}/{name}", "rb") as file:
                content = hashlib.sha256(file.read()).digest()
            digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()


def grading_files(root: Path = ROOT) -> Iterator[str]:
    """Yield the paths of the files that a grading needs, relative to the root.

    These are the trees, the reference, the known mistakes, starter/gametree, and
    autograder/ without the instructors' commands and the course's pages.
    """
    for place in PLACES:
        yield from sorted(_files(root, place))


def _files(root, place):
    """Yield the paths of the files at or below a place, relative to the root."""
    try:
        entries = list(os.scandir(f"{root}/{place}"))
    except NotADirectoryError:
        yield place
        return
    except FileNotFoundError:
        return
    for entry in entries:
        name = f"{place}/{entry.name}"
        if name in APART or entry.name in SKIPPED:
            continue
        if entry.is_dir():
            yield from _files(root, name)
        else:
            yield name
