"""Name a generated tree's lesson after what it tells apart."""

from __future__ import annotations

from autograder.judging.steps import CUTOFF, replay, ties

MOST_LETTERS = 69
TIES = {"equality": "a tie cuts off", "strict": "a tie does not cut off"}
VALUES = (
    ("a fraction", "fractions"),
    ("a value above 10,000", "large values"),
    ("a value below -10,000", "large losses"),
    ("all values negative", "losses only"),
    ("a zero", "a zero among the values"),
    ("all values positive", "gains only"),
)
SHAPES = (
    ("a deep cutoff", "a bound from far above"),
    ("a single child", "a forced move"),
    ("uneven depth", "lines of different length"),
)
SEARCHES = (
    ("a narrow window", "a window that is given"),
    ("a depth limit over static values", "static values at the horizon"),
    ("a best move that is not the first", "a better move comes later"),
)


def lesson_of(tree, properties, taken, convention="equality"):
    """Return a lesson that no other tree has, and add it to `taken`.

    It begins with what cuts off, and goes on with what is special about the
    search, the values and the shape until it is unique.
    """
    parts = [cutoffs(tree, convention)]
    for group in (SEARCHES, SHAPES, VALUES):
        parts += [phrase for name, phrase in group if name in properties]
    parts.append("MAX to move" if tree.maximizing else "MIN to move")
    for size in range(2, len(parts) + 1):
        for extra in parts[size - 1 :]:
            lesson = ", ".join([*parts[: size - 1], extra])
            if lesson not in taken and len(lesson) <= MOST_LETTERS:
                taken.add(lesson)
                return lesson
    turn = 2
    while f"{parts[0]}, {parts[-1]}, case {turn}" in taken:
        turn += 1
    taken.add(f"{parts[0]}, {parts[-1]}, case {turn}")
    return f"{parts[0]}, {parts[-1]}, case {turn}"


def cutoffs(tree, convention="equality"):
    """Return in words what the first search cuts off, if anything."""
    search = tree.searches[0]
    everything = replay(tree, search, convention)
    tied = ties(tree, everything)
    steps = [step for step in everything if step.kind == CUTOFF] + tied
    if not steps:
        return "nothing can be cut off"
    players = {search.max_moves_at(step.path) for step in steps}
    where = "both players" if len(players) == 2 else ("MAX" if players == {True} else "MIN")
    what = TIES[convention] if tied else "a cutoff"
    return f"{what} for {where}" if len(players) == 2 else f"{what} at {where}"
