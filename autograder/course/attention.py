"""Find the submissions of a class that a person should read, in groups by the reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from autograder.course.entries import Entry
from autograder.course.outcome import WORDS, Outcome, Status
from autograder.course.similarity import Alike
from autograder.course.unneeded import find_unneeded
from autograder.judging.scores import NOT_WRITTEN
from gametree.support.trace import BROKE_PROTOCOL, DIED, OUT_OF_QUERIES, TIMED_OUT

# The worst first.
UNGRADED = (
    Status.COULD_NOT_TELL,
    Status.PROVISIONAL,
    Status.NOT_GRADABLE,
    Status.NOT_LOADED,
)
SUSPICIOUS = (DIED, BROKE_PROTOCOL)  # kinds of endings that no mistake explains
UNLISTED = "Name the file or folder by sid, or put them into the roster."
INNOCENT = "The sandbox refuses it; it may be innocent."
RESEMBLE = (
    "Right minimax programs resemble each other by nature. Read both before you judge. "
    'For MOSS and compare50 there is <a href="similarity/README.txt">similarity/</a>.'
)
ALIKE = "Programs of one group did the same in every search: one answer serves all."


class Group(NamedTuple):
    """Entries that a person should read for one reason.

    title: the reason.
    lines: pairs of an Entry and what there is to say of it.
    about: HTML that is said of all of them, or "".
    """

    title: str
    lines: list[tuple[Entry, str]]
    about: str = ""


def groups_for_a_person(entries: Sequence[Entry], alike: Sequence[Alike]) -> list[Group]:
    """Return the groups of what no machine decides, the most pressing first."""
    unlisted = [entry for entry in entries if entry.student.unlisted]
    not_counting = [entry for entry in entries if not entry.counts]
    groups = [
        Group("in nobody's row of the roster", _reasons(unlisted), UNLISTED),
        Group("another submission of the same student counts", _reasons(not_counting)),
    ]
    for status in UNGRADED:
        groups.append(Group(status.value, _reasons(_with_status(entries, status))))
    groups += _groups_in_trouble(_with_status(entries, Status.GRADED))
    title = "worth a look: not needed for the assignment"
    groups.append(Group(title, _unneeded_lines(entries), INNOCENT))
    groups.append(Group("files that are alike", _alike_lines(entries, alike), RESEMBLE))
    title = "wrong, and no known mistake explains it"
    groups.append(Group(title, _unexplained_lines(entries), ALIKE))
    return [group for group in groups if group.lines]


def _reasons(entries):
    return [(entry, entry.reason) for entry in entries]


def _with_status(entries, status):
    return [entry for entry in entries if entry.outcome.status == status]


# ---- programs that ran and did not end well


def _crashed(outcome):
    return any(stop.crashed for stop in outcome.stops)


def _ran_out(outcome):
    return any(stop.kind in (TIMED_OUT, OUT_OF_QUERIES) for stop in outcome.stops)


def _is_incomplete(outcome):
    return any(stop.error in NOT_WRITTEN for stop in outcome.stops)


def _earned_nothing(outcome):
    return outcome.cents == 0


TROUBLES = {
    "crashed": _crashed,
    "ran out of time, or never stopped": _ran_out,
    "functions missing or not written": _is_incomplete,
    "0 points, though it ran": _earned_nothing,
}


def _groups_in_trouble(entries):
    """Yield a group for each trouble; an entry is in the first that it fits."""
    remaining = entries
    for title, fits in TROUBLES.items():
        fitting = [entry for entry in remaining if fits(entry.outcome)]
        remaining = [entry for entry in remaining if not fits(entry.outcome)]
        yield Group(title, [(entry, _what_happened(entry)) for entry in fitting])


def _what_happened(entry):
    return entry.reason or _diagnoses_of(entry, "nothing is right")


def _diagnoses_of(entry, otherwise):
    return "; ".join(entry.outcome.diagnoses) or otherwise


# ---- programs that are worth a look


def _unneeded_lines(entries):
    lines = []
    for entry in entries:
        found = []
        if entry.submission and entry.submission.source:
            found += find_unneeded(entry.submission.source)
        found += suspicious_endings(entry.outcome)
        if found:
            lines.append((entry, ", ".join(found)))
    return lines


def suspicious_endings(outcome: Outcome) -> list[str]:
    """Return in words the endings of an outcome's searches that no mistake explains."""
    kinds = {stop.kind for stop in outcome.stops}
    return [WORDS[kind] for kind in SUSPICIOUS if kind in kinds]


def _alike_lines(entries, alike):
    entries_of = defaultdict(list)  # submission's id -> entries
    for entry in entries:
        entries_of[entry.outcome.id].append(entry)
    lines = []
    for number, group in enumerate(alike, start=1):
        for id in group.ids:
            for entry in entries_of[id]:
                lines.append((entry, f"group {number}: {group.kind}"))
    return lines


def _unexplained_lines(entries):
    """Return lines on programs whose mistakes are not known, by equal behaviour."""
    clusters = defaultdict(list)  # behaviour -> entries
    for entry in entries:
        if _is_unexplained(entry.outcome):
            clusters[entry.outcome.behaviour].append(entry)
    in_order = sorted(clusters.values(), key=_count_programs, reverse=True)
    lines = []
    for number, cluster in enumerate(in_order, start=1):
        programs = _count_programs(cluster)
        how_many = f"{programs} behave alike" if programs > 1 else "alone"
        for entry in cluster:
            diagnoses = _diagnoses_of(entry, "no known mistake is near")
            lines.append((entry, f"group {number} ({how_many}): {diagnoses}"))
    return lines


def _is_unexplained(outcome):
    return bool(outcome.behaviour) and not outcome.is_explained and not outcome.stops


def _count_programs(entries):
    """Return how many programs entries are of: partners have one."""
    return len({entry.outcome.id for entry in entries})
