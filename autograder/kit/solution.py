"""Read solution/: the reference, and files that are completed before they are graded.

Most files of solution/ contain only what differs from another file. Commands that take the
path of such a file complete it with stage_program(). The upload of a student is never
completed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType

from autograder.kit.contents import ROOT
from autograder.sandbox.submission import Staged, stage
from autograder.scoring.tasks import EQUALITY
from gametree.assignment import ASSIGNED
from gametree.support.errors import InputError


def load_reference(
    root: Path = ROOT,
    convention: str = EQUALITY,
    assigned: Mapping[str, Iterable[str]] = ASSIGNED,
) -> ModuleType:
    """Return solution/search.py as a module that follows the cutoff `convention`.

    The module gets the attributes `convention` and `assigned`. The attribute `assigned`
    maps each assigned function to the aspects that are judged. Raises InputError if
    the file cannot be read.
    """
    from autograder.explaining.variants import run_source

    text = reference_text(root, convention)
    module = run_source(text, str(root / "solution" / "search.py"))
    vars(module).update(convention=convention, assigned=assigned)
    return module


def reference_text(root: Path = ROOT, convention: str = EQUALITY) -> str:
    """Return solution/search.py, adapted to the cutoff `convention`.

    Raises InputError if the file cannot be read.
    """
    from autograder.explaining.variants import apply_convention

    path = root / "solution" / "search.py"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read: {error}; restore it") from None
    return apply_convention(text, convention)


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
