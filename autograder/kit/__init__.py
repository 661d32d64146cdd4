"""The kit on disk: its trees, rubric and reference, and the tasks that they define.

Call cached_kit() to grade, and load_kit() of kit/loading.py to prove the kit itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from autograder.ground.command import Progress
from autograder.ground.files import CACHE, load_or_make
from autograder.kit.contents import ROOT, content_hash, grades_hash
from autograder.scoring.rubric import Rubric
from autograder.scoring.scores import PlannedRow, Row, plan_rows
from autograder.scoring.tasks import Reference, Task
from gametree.support.texts import load_sentences, use_sentences
from gametree.support.tree import Tree

# These are imported only for a wrong submission, or for a kit that is not yet cached.
if TYPE_CHECKING:
    from autograder.explaining.library import Library
    from autograder.explaining.variants import Variant
    from autograder.smalltrees.enumeration import Ladder

T = TypeVar("T")


class Kit:
    """All data that a grading needs. Only cached_kit() changes a kit after loading.

    root: the folder of the kit.
    rubric: the rubric of the course.
    public, hidden: the trees; students may see the details of public trees only.
    tasks: all searches of all trees in grading order, public trees first.
    cache_key: a hash of all files of the kit, under which cached_kit() caches results; ""
        for any other kit.
    """

    cache_key = ""

    def __init__(
        self,
        root: Path,
        rubric: Rubric,
        public: tuple[Tree, ...],
        hidden: tuple[Tree, ...],
        tasks: tuple[Task, ...],
    ):
        self.root = root
        self.rubric = rubric
        self.public = public
        self.hidden = hidden
        self.tasks = tasks

    @cached_property
    def public_tasks(self) -> list[Task]:
        """The searches of public trees."""
        return [task for task in self.tasks if not task.is_hidden]

    @cached_property
    def hidden_tasks(self) -> list[Task]:
        """The searches of hidden trees."""
        return [task for task in self.tasks if task.is_hidden]

    @cached_property
    def plan(self) -> tuple[PlannedRow, ...]:
        """The rows of a grading before any search is run, with their searches."""
        return plan_rows(self.tasks, self.rubric)

    @property
    def rows(self) -> list[Row]:
        """The rows of a grading, without results."""
        return [planned.row for planned in self.plan]

    @cached_property
    def key(self) -> str:
        """A hash of all files on which a grade depends."""
        return self.cache_key or content_hash(self.root)

    @cached_property
    def grades_key(self) -> str:
        """A hash like `key`, which the title of the assignment does not change."""
        return grades_hash(self.root)

    def cached(self, name: str, make: Callable[[], T]) -> T:
        """Return the cached result of this name, or else the result of make()."""
        if not self.cache_key:
            return make()
        return load_or_make(self.root / CACHE / name, self.cache_key, make)

    @cached_property
    def reference(self) -> Reference:
        """The reference under the rubric."""
        from autograder.kit.loading import load_reference

        return load_reference(self.rubric, self.root)

    @cached_property
    def library(self) -> Library:
        """The known mistakes and their behavior on the tasks."""
        from autograder.explaining.library import Library

        variants, behaviors = self.cached("library", self._run_known_mistakes)
        return Library(variants, self.tasks, behaviors)

    def _run_known_mistakes(self):
        """Run the known mistakes; return them and their behavior."""
        from autograder.explaining.library import run_variants

        with Progress(len(self.mistakes), word="known mistakes run") as progress:
            library = run_variants(self.mistakes, self.tasks, progress.count_one)
        return library.variants, library.behaviors

    @cached_property
    def mistakes(self) -> list[Variant]:
        """The known mistakes that make an assigned function fail."""
        from autograder.explaining.variants import load_mistakes

        rubric = self.rubric
        return load_mistakes(self.root / "solution", rubric.cutoff, rubric.assigned)

    @cached_property
    def ladder(self) -> Ladder:
        """The small trees that are searched for the smallest failing tree."""
        from autograder.smalltrees.enumeration import Ladder

        return Ladder(self.reference, self.cached)


def cached_kit(root: Path = ROOT) -> Kit:
    """Return the kit from the cache if it is current, or else from load_kit().

    Its sentences become those of this process. Later results for this kit are cached too.
    Raises the same errors as load_kit().
    """
    key = content_hash(root)
    kit, sentences = load_or_make(root / CACHE / "kit", key, partial(_read, root))
    use_sentences(sentences)
    kit.root = root
    kit.cache_key = key
    return kit


def _read(root):
    """Return the kit and its sentences, with all that the cache stores of them."""
    from autograder.kit.loading import load_kit

    kit = load_kit(root)
    _ = kit.plan
    return kit, load_sentences()


def prepare(root: Path = ROOT) -> Kit:
    """Fill the cache with all results that gradings need, and return the kit."""
    kit = cached_kit(root)
    _ = kit.library
    for function in kit.rubric.assigned:
        list(kit.ladder.tasks(function))
        kit.ladder.random_tasks(function)
    return kit
