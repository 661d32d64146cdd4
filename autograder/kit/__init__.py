"""Load the kit: its trees, rubric and reference, and the tasks that they define.

Call cached_kit() to grade, and load_kit() to prove the kit itself. The files of solution/
contain only what differs from another file. Commands that take the path of such a file
complete it with stage_program(). The upload of a student is never completed.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from autograder.ground.command import Progress
from autograder.ground.files import CACHE, load_or_make
from autograder.ground.submission import Staged, stage
from autograder.kit.contents import ROOT, content_hash, program_hash
from autograder.scoring.rubric import Rubric, load_rubric
from autograder.scoring.scores import Row, plan_rows
from autograder.scoring.tasks import EQUALITY, Reference, Task, tasks_for
from gametree.support.errors import InputError
from gametree.support.texts import load_sentences, use_sentences
from gametree.support.tree import Tree

# These are imported only for a wrong submission, or for a kit that is not yet cached.
if TYPE_CHECKING:
    from autograder.explaining.library import Library
    from autograder.explaining.variants import Variant
    from autograder.smalltrees.enumeration import Ladder

T = TypeVar("T")


class Keys(NamedTuple):
    """Hashes of what a cached result depends on.

    content: all files that a grading needs.
    programs: the programs, and the functions, limits and cutoff rule of the rubric.
    searches: the programs and the trees, without their titles.
    """

    content: str
    programs: str
    searches: str


@dataclass
class Kit:
    """All data that a grading needs. A kit is never changed after loading.

    root: the folder of the kit.
    rubric: the rubric of the course.
    public, hidden: the trees; students may see the details of public trees only.
    tasks: all searches of all trees in grading order, public trees first.
    keys: the keys under which cached_kit() caches results; None for any other kit,
        including a changed copy from dataclasses.replace().
    """

    root: Path
    rubric: Rubric
    public: tuple[Tree, ...]
    hidden: tuple[Tree, ...]
    tasks: tuple[Task, ...]
    keys: Keys | None = field(default=None, init=False)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows of a grading before any search is run."""
        return plan_rows(self.tasks, self.rubric)

    @cached_property
    def key(self) -> str:
        """A hash of all files on which a grade depends."""
        return self.keys.content if self.keys else content_hash(self.root)

    def cached(self, name: str, make: Callable[[], T], key: str = "content") -> T:
        """Return the cached result of this name, or else the result of make().

        key: the name of the key in Keys, which says what the result depends on.
        """
        if self.keys is None:
            return make()
        return load_or_make(self.root / CACHE / name, getattr(self.keys, key), make)

    @cached_property
    def reference(self) -> Reference:
        """The reference under the rubric."""
        return load_reference(self.rubric, self.root)

    @cached_property
    def library(self) -> Library:
        """The known mistakes and their behavior on the tasks."""
        from autograder.explaining.library import Library

        variants, behaviors = self.cached("library", self._run_known_mistakes, "searches")
        return Library(variants, self.tasks, behaviors)

    def _run_known_mistakes(self):
        """Run the known mistakes; return them and their behavior."""
        from autograder.explaining.library import Library

        with Progress(len(self.mistakes), word="known mistakes run") as progress:
            library = Library(self.mistakes, self.tasks, after_each=progress.count_one)
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

        return Ladder(self.reference, partial(self.cached, key="programs"))


def cached_kit(root: Path = ROOT) -> Kit:
    """Return the kit from the cache if it is current, or else from load_kit().

    Later results for this kit are cached too. Raises the same errors as load_kit().
    """
    key = content_hash(root)
    kit, sentences = load_or_make(root / CACHE / "kit", key, partial(_read, root, key))
    use_sentences(sentences)
    kit.root = root
    return kit


def _keys_of(kit, content):
    """Return the Keys of a kit, given its content hash."""
    from autograder.smalltrees.build import dump_tree

    rubric = kit.rubric
    rules = (program_hash(kit.root), rubric.cutoff, rubric.assigned, rubric.limits)
    digest = hashlib.sha256(repr(rules).encode())
    programs = digest.hexdigest()
    for tree in (*kit.public, *kit.hidden):
        untitled = replace(tree, title="", lesson="", source="")
        digest.update(f"\0{tree.name}\0{dump_tree(untitled)}".encode())
    return Keys(content, programs, digest.hexdigest())


def _read(root, key):
    """Return the kit and its sentences, with all that the cache stores of them."""
    kit = load_kit(root)
    _ = kit.rows
    for task in kit.tasks:
        _ = task.proven  # the intervals that its correct search proves
        _ = task.expected.node_count
    kit.keys = _keys_of(kit, key)
    return kit, load_sentences()


def prepare(root: Path = ROOT) -> Kit:
    """Fill the cache with all results that gradings need, and return the kit."""
    kit = cached_kit(root)
    _ = kit.library
    for function in kit.rubric.assigned:
        list(kit.ladder.tasks(function))
        kit.ladder.random_tasks(function)
    return kit


def load_kit(root: Path = ROOT) -> Kit:
    """Load trees, rubric and reference below `root`, and run the reference.

    Raises InputError with one line that names the place and the fix.
    """
    from gametree.support.treefile import load_trees

    rubric = load_rubric(root / "autograder" / "rubric.yaml")
    load_sentences()  # raises InputError before any program is run
    public = tuple(load_trees(root / "trees" / "public"))
    hidden = tuple(load_trees(root / "trees" / "hidden"))
    reference = load_reference(rubric, root)
    tasks = tasks_for(public, reference)
    for function in rubric.assigned:  # so that a slow function delays no other function
        tasks += tasks_for(hidden, reference, [function], hidden=True)
    return Kit(root, rubric, public, hidden, tuple(tasks))


# ---- programs of solution/


def load_reference(rubric: Rubric, root: Path = ROOT) -> Reference:
    """Return solution/search.py as the reference under a rubric.

    Raises InputError if the file cannot be read.
    """
    from autograder.explaining.variants import apply_convention, run_source

    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read: {error}; restore it") from None
    program = run_source(apply_convention(text, rubric.cutoff), str(path))
    return Reference(program, rubric.cutoff, rubric.assigned)


def stage_program(path: Path, convention: str = EQUALITY, root: Path = ROOT) -> Staged:
    """Return the program at `path`, which stage() finds.

    A file of the kit's own solution/ is completed and adapted to the course's cutoff
    convention, unless it has a syntax error. Raises NotGradable.
    """
    staged = stage(path)
    if not path.resolve().is_relative_to(root / "solution"):
        return staged
    from autograder.explaining.variants import apply_convention, complete_source

    with contextlib.suppress(SyntaxError, ValueError, InputError):
        text = complete_source(staged.source.decode("utf-8"), root / "solution")
        return Staged(apply_convention(text, convention).encode("utf-8"), staged.note)
    return staged
