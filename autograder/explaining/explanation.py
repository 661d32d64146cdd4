"""Define the Explanation: the record of what is wrong with a submission."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from autograder.scoring.tasks import Task
from gametree.support.judging import Verdict
from gametree.support.trace import Trace

if TYPE_CHECKING:  # only a wrong submission needs them
    from autograder.explaining.variants import Variant
    from autograder.sandbox import Budget, Session
    from autograder.smalltrees.enumeration import Ladder

# Kinds of diagnoses. The first two have a voice: what the sentence claims.
IS = "is"  # the proven line is fixed in the way that fixes the known mistake
BEHAVES_LIKE = "behaves like"  # the known mistake gives the same result on every search
KEEPS_STATE = "keeps state"
RESTS_ON = "right but for what it calls"
CALLS_A_STUB = "calls what is not written"
OTHER_ORDER = "parameters in another order"
BLAMES_OTHERS = (RESTS_ON, CALLS_A_STUB)


class Evidence(NamedTuple):
    """What an explanation is found with.

    session: runs the submission.
    ladder: the small trees.
    verdicts: the verdicts on the searches that were run so far.
    budget: the time and the stops that the explanation may use.
    """

    session: Session
    ladder: Ladder
    verdicts: Sequence[Verdict]
    budget: Budget


class SmallestTree(NamedTuple):
    """The first small or public tree on which a function fails, and how it fails.

    task: the search of this tree.
    tried: the position of the tree among those that were tried, from 1. The function is
        correct on all earlier trees.
    wrong_aspects: the aspects that are wrong.
    verdict: the verdict on the search, or None if hidden trees were run before it. Then
        only the wrong aspects are known of the submission.
    """

    task: Task
    tried: int
    wrong_aspects: tuple[str, ...]
    verdict: Verdict | None

    @property
    def function(self) -> str:
        """The function's name."""
        return self.task.function

    @property
    def shown_trace(self) -> Trace:
        """The search of the submission, or the correct search if it must not be shown."""
        return self.verdict.trace if self.verdict else self.task.expected


class Place(NamedTuple):
    """A place in the submission.

    line: the number of the line, from 1.
    after: whether a statement is missing after the line.
    block: whether it is missing after the block that begins in the line.
    columns: the first character of the part that changes, from 0, and the one after it.
    """

    line: int
    after: bool = False
    block: bool = False
    columns: tuple[int, int] | None = None


class Patch(NamedTuple):
    """A changed submission.

    code: the compiled definitions that replace those of the submission.
    places: the Place of the change, or both Places of a change that is made twice.
    kind: the name of the kind of the change; see changes.py.
    names_added: the variables that missing statements assign.
    """

    code: bytes
    places: tuple[Place, ...]
    kind: str
    names_added: tuple[str, ...] = ()


class Localisation(NamedTuple):
    """The places of a function where one small change helps, or of an exception.

    places: the places of the changes. Without a change, an exception is raised there.
    proofs: the changes that make the function correct on every tree tried, one for each
        place.
    repair: without proofs, a change that only makes most of the wrong trees correct.
    text: number -> text of the lines at the places and around them.
    """

    places: tuple[Place, ...]
    proofs: tuple[Patch, ...] = ()
    repair: Patch | None = None
    text: Mapping[int, str] = {}

    @property
    def changes(self) -> tuple[Patch, ...]:
        """The proofs, or the repair."""
        return self.proofs or tuple(filter(None, [self.repair]))

    @property
    def together(self) -> bool:
        """Whether one change must be made at all places at once."""
        return any(len(patch.places) > 1 for patch in self.changes)

    @property
    def kind(self) -> str:
        """The kind of all changes; "" if there are several kinds."""
        kinds = {patch.kind for patch in self.changes}
        return kinds.pop() if len(kinds) == 1 else ""


class Diagnosis(NamedTuple):
    """The reason why a function of a submission is wrong.

    function: the function's name.
    kind: one of the kinds above.
    mistake: for IS and BEHAVES_LIKE, the known mistake that gives the same results on all
        searches: public, hidden and small.
    names: for RESTS_ON and CALLS_A_STUB, the functions that are called; for OTHER_ORDER,
        the function's parameters; for KEEPS_STATE, the lines of its state, if known.
    state_leak: for KEEPS_STATE, the search that is correct alone and wrong after others.
    """

    function: str
    kind: str
    mistake: Variant | None = None
    names: tuple[str, ...] = ()
    state_leak: Task | None = None


class FunctionText(NamedTuple):
    """What the text of a function shows. Arguments have the names of the assignment.

    calls: the other functions that it calls, directly or indirectly.
    other_order: its parameters, if they are those of the assignment in another order.
    statements: the statements that it, or a helper that it calls, may contain; reading.py
        lists them.
    """

    calls: Collection[str] = ()
    other_order: Collection[str] = ()
    statements: Collection[str] = ()


class Reading(NamedTuple):
    """What the text of a program shows.

    functions: function -> its FunctionText. Functions that are not defined are absent.
    enclosing: function -> the class or function inside which alone it is defined.
    state_lines: the lines of state that may survive a search.
    is_empty: whether it has no statement.
    """

    functions: Mapping[str, FunctionText] = {}
    enclosing: Mapping[str, str] = {}
    state_lines: Collection[int] = ()
    is_empty: bool = False

    def text_of(self, function: str) -> FunctionText:
        """Return the FunctionText of a function, which is empty if it is not defined."""
        return self.functions.get(function, FunctionText())

    def calls_any(self, function: str, others: Collection[str]) -> bool:
        """Tell whether a function calls one of the others."""
        calls = self.text_of(function).calls
        return not set(calls).isdisjoint(others)


class Explanation(NamedTuple):
    """What is wrong with a submission. A correct submission has an empty Explanation.

    order: the functions that were wrong on the trees with which it began, largest loss of
        points first. A function that calls another of them comes later.
    smallest: the smallest failing tree of the first function that has one, or None.
    lines: this function and another wrong function -> the line to change; may be empty.
    state_leaks: function that keeps state -> a search that is correct alone and wrong after
        others.
    diagnoses: wrong function -> the reason why it is wrong, if it is known.
    symptoms: wrong function -> what all its wrong searches have in common.
    reading: the result of reading the program text; empty if it was not read.
    cut_short: whether the explanation ended early, because the program is slow.
    """

    order: tuple[str, ...] = ()
    smallest: SmallestTree | None = None
    lines: Mapping[str, Localisation] = {}
    state_leaks: Mapping[str, Task] = {}
    diagnoses: Mapping[str, Diagnosis] = {}
    symptoms: Mapping[str, str] = {}
    reading: Reading = Reading()
    cut_short: bool = False

    def smallest_of(self, function: str) -> SmallestTree | None:
        """Return the smallest failing tree if it is one of this function, or None."""
        is_own = self.smallest is not None and self.smallest.function == function
        return self.smallest if is_own else None
