"""The kit on disk: its trees, rubric and reference, and the tasks that they define.

Call cached_kit() to grade, and load_kit() to prove the kit itself.
"""

from autograder.kit.contents import ROOT, content_hash
from autograder.kit.loading import Kit, cached_kit, load_kit, prepare
from autograder.kit.solution import load_reference, stage_program

__all__ = [
    "ROOT",
    "Kit",
    "cached_kit",
    "content_hash",
    "load_kit",
    "load_reference",
    "prepare",
    "stage_program",
]
