"""Name the known mistake that a submission's traces are equal to, or the nearest ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from autograder.judging.effect import effect_of
from autograder.judging.signature import right_signature, signature
from autograder.judging.verdict import ASPECTS
from gametree.trace import NOT_RUN, RAISED

NEAR_ENOUGH = 0.35
QUICK_LOOKS = 24  # trees beyond this are left out of the search for a near mistake
IN_MINIMAX = "minimax_"  # begins the names of the mistakes of minimax
NOT_WRITTEN = ("NotImplementedError", "function missing")


@dataclass(frozen=True)
class Diagnosis:
    """What a wrong submission looks like.

    `functions` are the functions concerned. `variants` are the known mistakes: where
    `exact`, each of them behaves just like the submission on every search; else they
    are the nearest one or two, best first. `effect` says in sum what goes wrong in the
    first of the functions: a constant of effect.py.
    """

    functions: tuple
    exact: bool
    variants: tuple
    effect: str = ""


def diagnose(library, runs, verdicts):
    """Return the Diagnoses of a submission, in the order of the functions.

    `runs` and `verdicts` are in the order of the library's tasks. Right functions,
    and functions that are not written yet, have none. best_move rests on the other
    two: while one of them is wrong, only an exact match is told of it.
    """
    found = []
    wrong = [name for name in ASPECTS if wrong_and_written(name, verdicts)]
    for function in wrong:
        shown = _Shown(library, function, runs)
        if not shown.known():
            continue
        diagnosis = shown.exact()
        if diagnosis is None and (function != "best_move" or wrong == ["best_move"]):
            diagnosis = shown.near()
        if diagnosis is not None:
            found.append(replace(diagnosis, effect=effect_of(function, verdicts)))
    return tuple(_said_once(found))


def wrong_and_written(function, verdicts):
    """Tell whether a function lost points and is more than a stub or a missing name."""
    own = [v for v in verdicts if v.task.function == function]
    if all(verdict.right for verdict in own):
        return False
    endings = [verdict.trace.ending for verdict in own]
    return not all(
        ending.loading
        or ending.kind == NOT_RUN
        or ending.kind == RAISED
        and ending.error in NOT_WRITTEN
        for ending in endings
    )


class _Shown:
    """One function of a submission beside the known mistakes of that function."""

    def __init__(self, library, function, runs):
        self.library = library
        self.function = function
        self.right, self.seen, self.raised = {}, {}, set()
        for number in chain(*library.blocks(function)):
            task = library.tasks[number]
            self.right[number] = right_signature(task)
            self.seen[number] = signature(task, runs[number])
            if runs[number].first.ending.kind == RAISED:
                self.raised.add(number)

    def known(self):
        """Tell whether most of the function's searches were run."""
        return 2 * sum(seen is not None for seen in self.seen.values()) > len(self.seen)

    def exact(self):
        """Return the Diagnosis of the mistakes that behave just so, or None."""
        alike = self.library.candidates(self.function)
        for block in self.library.blocks(self.function):
            seen = [self.seen[number] for number in block]
            alike = [v for v in alike if _same(seen, self.library.kept(v, block))]
        return Diagnosis((self.function,), True, tuple(alike)) if alike else None

    def near(self):
        """Return the Diagnosis of the nearest mistake, or of two that may be mixed.

        The second is the one nearest on the searches that the first does not explain.
        """
        quick = [
            block
            for block in self.library.blocks(self.function)
            if self.library.looks(block) <= QUICK_LOOKS
        ]
        share, first = self._nearest(quick, {})
        if share < NEAR_ENOUGH:
            return None
        known = {n: kept for block in quick for n, kept in self._kept(first, block)}
        rest, second = self._nearest(quick, known)
        both = rest >= NEAR_ENOUGH
        return Diagnosis((self.function,), False, (first, second) if both else (first,))

    def _nearest(self, blocks, explained):
        """Return (share, variant) for the mistake that is alike on most searches.

        Left out are searches on which `explained` is alike already, and those on
        which both the submission and the mistake are right. A search that raised is
        alike to none: any slip can raise, and the error's own text says more.
        """
        best = 0.0, None
        for variant in self.library.candidates(self.function):
            alike = concerned = 0
            for block in blocks:
                for number, kept in self._kept(variant, block):
                    seen, right = self.seen[number], self.right[number]
                    if seen is None or seen == kept == right:
                        continue
                    if seen == explained.get(number, right) != right:
                        continue
                    concerned += 1
                    alike += seen == kept and number not in self.raised
            if concerned and alike / concerned > best[0]:
                best = alike / concerned, variant
        return best

    def _kept(self, variant, block):
        return zip(block, self.library.kept(variant, block))


def _same(seen, kept):
    return all(one is None or one == other for one, other in zip(seen, kept))


def _said_once(found):
    """Join the diagnoses of functions that go wrong by the same mistake."""
    said = []
    for diagnosis in found:
        for number, earlier in enumerate(said):
            shared = _shared(earlier, diagnosis)
            if shared:
                functions = earlier.functions + diagnosis.functions
                said[number] = replace(earlier, functions=functions, variants=shared)
                break
        else:
            said.append(diagnosis)
    return said


def _shared(earlier, later):
    """Return the variants that both name; `minimax_x` and `x` are the same mistake."""
    if not (earlier.exact and later.exact):
        return ()
    names = set(map(_base, earlier.variants)) & set(map(_base, later.variants))
    shared = {}
    for variant in earlier.variants + later.variants:
        name = _base(variant)
        if name in names and (name not in shared or variant.name == name):
            shared[name] = variant
    return tuple(shared.values())


def _base(variant):
    return variant.name.removeprefix(IN_MINIMAX)
