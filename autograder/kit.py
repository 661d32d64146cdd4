"""The kit as it lies on disk: trees, rubric, reference, and the tasks they make."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from autograder.cache import load_or_make
from autograder.files import finish_replacing
from autograder.judging.scores import Row, Rubric, plan_rows
from autograder.processes import on_all_cpus
from autograder.rubricfile import load_rubric
from autograder.sandbox.submission import stage
from autograder.tasks import EQUALITY, ReferenceFailed, Task, tasks_for
from gametree.course import ASSIGNED
from gametree.support.judging import proven_by
from gametree.support.saying import load_sentences, use_sentences
from gametree.support.tree import Tree

# These are imported only for a wrong submission, or for a kit that is not cached yet.
if TYPE_CHECKING:
    from autograder.mistakes.library import Library
    from autograder.mistakes.variants import Variant
    from autograder.smalltrees.enumeration import Ladder

ROOT = Path(__file__).resolve().parent.parent
CACHE = "build/cache"  # the folder below the root that stores what was computed once
RUNNING_MISTAKES = "running the known mistakes, which is done once for this kit"


@dataclass(frozen=True)
class KitCache:
    """What was computed of a kit, and where more of it is stored.

    key: the content hash of the kit; what is stored under another one is stale.
    rows: the rows of a grading before anything was run.
    announce: called with a line for people before a computation of several seconds; None
        where nobody waits for it.
    """

    key: str
    rows: tuple[Row, ...]
    announce: Callable[[str], None] | None = None


@dataclass
class Kit:
    """Everything that a grading needs, read once. Nothing changes a kit afterwards.

    root: the folder of the kit.
    rubric: the rubric.
    public, hidden: the trees; students may see the details of public ones.
    tasks: all searches of all trees in grading order, public trees first.
    cache: what cached_kit() found in the cache; None for any other kit, and so for a
        changed copy that dataclasses.replace() makes.
    """

    root: Path
    rubric: Rubric
    public: tuple[Tree, ...]
    hidden: tuple[Tree, ...]
    tasks: tuple[Task, ...]
    cache: KitCache | None = field(default=None, init=False)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a grading before anything was run."""
        if self.cache:
            return self.cache.rows
        return plan_rows(self.tasks, self.rubric, self.public_names)

    @property
    def public_names(self) -> frozenset[str]:
        """The names of the public trees."""
        return frozenset(tree.name for tree in self.public)

    @cached_property
    def key(self) -> str:
        """A hash of all that a grade depends on."""
        return self.cache.key if self.cache else content_hash(self.root)

    def cached(self, name: str, make: Callable[[], object]) -> object:
        """Return make(), or what the cache holds of it under this name."""
        if self.cache is None:
            return make()
        return load_or_make(self.root / CACHE / name, self.cache.key, make)

    @property
    def rows_of_all(self) -> tuple:
        """The rows, and before them those of byhand.yaml where the rubric asks for it."""
        if not self.rubric.by_hand_cents:
            return self.rows
        from autograder.byhand import rows_by_hand

        return (*rows_by_hand(self.rubric.by_hand_cents), *self.rows)

    @cached_property
    def reference(self) -> ModuleType:
        """The module that solution/search.py makes."""
        return load_reference(self.root, self.rubric.cutoff, self.rubric.assigned)

    @cached_property
    def library(self) -> Library:
        """The known mistakes and what they do on the tasks."""
        from autograder.mistakes.library import Library

        variants, signatures = self.cached("library", self._run_known_mistakes)
        return Library(variants, self.tasks, signatures)

    def _run_known_mistakes(self):
        """Return the known mistakes and what they do. Uses all cores, and says so once."""
        from autograder.mistakes.library import Library, by_difference

        if self.cache and self.cache.announce:
            self.cache.announce(RUNNING_MISTAKES)
        plain = (self.root / "solution" / "search.py").read_text(encoding="utf-8")
        library = Library(by_difference(self.mistakes, plain), self.tasks)
        with on_all_cpus():
            return library.variants, library.signatures

    @cached_property
    def probes(self) -> tuple[Task, ...]:
        """What choose_probes() chooses, once; a kit without a cache has no probes."""
        if self.cache is None:
            return ()
        return self.cached("probes", self._choose_probes)

    def _choose_probes(self):
        from autograder.probes import choose_probes

        with on_all_cpus():
            probes = choose_probes(self.library, self.ladder)
        _prove(probes)
        return probes

    @cached_property
    def mistakes(self) -> list[Variant]:
        """The known mistakes that go wrong in an assigned function."""
        from autograder.mistakes.derived import load_mistakes

        rubric = self.rubric
        return load_mistakes(self.root / "solution", rubric.cutoff, rubric.assigned)

    @cached_property
    def ladder(self) -> Ladder:
        """The small trees among which a wrong submission's counterexample is sought."""
        from autograder.smalltrees.enumeration import Ladder

        return Ladder(self.reference, self.cached)


@dataclass(frozen=True)
class _StoredKit:
    """What the file of a kit in the cache holds.

    kit: the kit as load_kit() returns it; its root is where it was when it was stored.
    rows: its rows.
    sentences: key -> sentence, as texts.yaml has them.
    """

    kit: Kit
    rows: tuple[Row, ...]
    sentences: dict[str, str | dict]


def cached_kit(root: Path = ROOT, announce: Callable[[str], None] | None = None) -> Kit:
    """Return the kit as load_kit() does, from the cache if that is current.

    What is computed of this kit is cached as well; `announce` is called with a line for
    people before that takes seconds. Raises what load_kit() raises.
    """
    finish_replacing(root / "trees" / "hidden")
    key = content_hash(root)
    stored = load_or_make(root / CACHE / "kit", key, partial(_read, root))
    use_sentences(stored.sentences)
    kit = replace(stored.kit, root=root)
    kit.cache = KitCache(key, stored.rows, announce)
    return kit


def _read(root):
    kit = load_kit(root)
    _prove(kit.tasks)
    return _StoredKit(kit, kit.rows, load_sentences())


def _prove(tasks):
    """Have each task store what its right search proves."""
    for task in tasks:
        proven_by(task, task.expected.visited)


def prepare(root: Path = ROOT, announce: Callable[[str], None] | None = None) -> Kit:
    """Return the cached kit, once all that gradings need of it is in the cache."""
    kit = cached_kit(root, announce)
    _ = kit.library, kit.probes
    for function in kit.rubric.assigned:
        kit.ladder.tasks(function)
    return kit


def load_kit(root: Path = ROOT, trees: Path | None = None) -> Kit:
    """Read trees, rubric and reference below `root` and run the reference.

    `trees` is the folder that holds public/ and hidden/, if not root/trees. Raises
    TreeError, RubricError, TextError or ReferenceFailed, each with one line that says
    where and what to mend.
    """
    from gametree.support.treefile import load_trees

    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    load_sentences()  # which may have a slip
    trees = Path(trees or root / "trees")
    finish_replacing(trees / "hidden")
    public = tuple(load_trees(trees / "public"))
    hidden = tuple(load_trees(trees / "hidden"))
    reference = load_reference(root, rubric.cutoff, rubric.assigned)
    tasks = tasks_for(public, reference)
    for function in rubric.assigned:  # one by one, so that a slow one costs only itself
        tasks += tasks_for(hidden, reference, [function], hidden=True)
    return Kit(root, rubric, public, hidden, tuple(tasks))


def load_reference(
    root: Path = ROOT,
    convention: str = EQUALITY,
    assigned: Mapping[str, Iterable[str]] = ASSIGNED,
) -> ModuleType:
    """Return solution/search.py as a module that reads the cutoff `convention`.

    The module says so itself, by its attribute of that name; another one, `assigned`, maps
    the assigned functions to the aspects that are judged. Raises ReferenceFailed
    where the file cannot be read.
    """
    from autograder.mistakes.variants import apply_convention, run_source

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
    """Return the bytes of the submission at `path`, as stage() does.

    A file of the kit's own solution/ is made whole and read in the course's cutoff
    convention; one that is not Python is left as it is.
    """
    return complete_source(stage(path).source, path, convention, root)


def complete_source(source: bytes, path: Path, convention: str, root: Path = ROOT) -> bytes:
    """Return the source of the file at `path` as stage_submission() does."""
    if Path(path).resolve().is_relative_to(root / "solution"):
        from autograder.mistakes.variants import apply_convention, complete_source

        with contextlib.suppress(SyntaxError, ValueError):
            text = complete_source(source.decode("utf-8"), root / "solution")
            source = apply_convention(text, convention).encode("utf-8")
    return source


# What each grade depends on.
PLACES = (
    "autograder",
    "starter/gametree",
    "trees/public",
    "trees/hidden",
    "solution/search.py",
    "solution/correct",
    "solution/mistakes",
)
# What no grade depends on: an edit there leaves a course graded as it is.
APART = ("autograder/workbench", "autograder/course", "autograder/batch.py")


def content_hash(root: Path = ROOT) -> str:
    """Return a hash of all that a grade depends on: code, trees, rubric, reference.

    The code is starter/gametree, and autograder/ without the instructors' commands and
    the course's books and pages. The mistakes in solution/ make diagnoses.
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
