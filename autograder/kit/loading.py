"""Load trees, rubric, reference and the programs of solution/ from the files of the kit.

The files of solution/ contain only what differs from another file. Commands that take the
path of such a file complete it with stage_program(). The upload of a student is never
completed.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from autograder.explaining.variants import apply_convention, complete_source, run_source
from autograder.ground.submission import Staged, stage
from autograder.kit import Kit
from autograder.kit.contents import ROOT, RUBRIC, hidden_folder
from autograder.scoring.rubric import Rubric, load_rubric
from autograder.scoring.tasks import EQUALITY, Reference, tasks_for
from gametree.support.errors import InputError
from gametree.support.texts import load_sentences
from gametree.support.treefile import load_trees


def load_kit(root: Path = ROOT) -> Kit:
    """Load trees, rubric and reference below `root`, and run the reference.

    Raises InputError with one line that names the place and the fix.
    """
    rubric = load_rubric(root / RUBRIC)
    load_sentences()  # raises InputError before any program is run
    public = tuple(load_trees(root / "trees" / "public"))
    hidden = tuple(load_trees(root / hidden_folder(root)))
    reference = load_reference(rubric, root)
    tasks = tasks_for(public, reference)
    for function in rubric.assigned:  # so that a slow function delays no other function
        tasks += tasks_for(hidden, reference, [function], hidden=True)
    return Kit(root, rubric, public, hidden, tuple(tasks))


def load_reference(rubric: Rubric, root: Path = ROOT) -> Reference:
    """Return solution/search.py as the reference under a rubric.

    Raises InputError if the file cannot be loaded or lacks a function.
    """
    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
        program = run_source(apply_convention(text, rubric.cutoff))
    except (OSError, UnicodeError, SyntaxError) as error:
        raise InputError(f"{path} cannot be loaded: {error}; restore it") from None
    for function in rubric.assigned:
        if not hasattr(program, function):
            raise InputError(f"{path}: the function {function} is missing; write it")
    return Reference(program, rubric.cutoff, rubric.assigned)


def stage_program(path: Path, convention: str = EQUALITY, root: Path = ROOT) -> Staged:
    """Return the program at `path`, which stage() finds.

    A file of the kit's own solution/ is completed and adapted to the course's cutoff
    convention, unless it has a syntax error. Raises NotGradable.
    """
    staged = stage(path)
    if not path.resolve().is_relative_to(root / "solution"):
        return staged
    with contextlib.suppress(SyntaxError, ValueError, InputError):
        text = complete_source(staged.source.decode("utf-8"), root / "solution")
        return Staged(apply_convention(text, convention).encode("utf-8"), staged.note)
    return staged
