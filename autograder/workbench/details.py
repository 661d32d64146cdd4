"""Tell in detail what a search exercises, so that a set of few trees exercises much.

A program may be wrong only at one ply, at one child, or at one value. Such a mistake shows
only where something happens there: a cutoff, a tie, or a child that changes the result.
"""

from __future__ import annotations

import math

from autograder.scoring.features import decimals_of
from autograder.scoring.tasks import Task
from autograder.smalltrees.values import FAMILIAR_NUMBERS
from gametree.functions import FUNCTIONS, NODE
from gametree.support.correct import ENTER, LEAF, UPDATE

FAR = 12  # plies; larger depths count as equal


def details_of(task: Task) -> set[str]:
    """Return the details of the correct search of a task, as texts without a fixed form."""
    correct = task.correct_search()
    found = set()
    for event, path, measures in _events(task, correct):
        event = f"{task.function}: {event} at {task.search.player_at(path)}"
        found.update(f"{event}, {name} {value}" for name, value in measures.items())
    return found


def _events(task, correct):
    """Yield (event, path of its node, measures) for everything that may go wrong."""
    search = task.search
    function = FUNCTIONS[task.function]
    yield "search", (), _of_window(search, correct.values[()])
    for step in correct.steps:
        if function.answer == NODE and step.path:
            continue  # best_move may search below the root as it likes
        if step.kind == ENTER:
            yield "node", step.path, _of_node(correct, step)
        if step.kind == LEAF:
            yield "leaf", step.path, _of_leaf(correct, step)
        if step.kind == UPDATE:
            measures = _of_child(correct, step)
            relation = _relation(correct, step)
            if _decides(correct, step):
                best = {"best": familiar(step.value)} if relation == "worse" else {}
                yield relation, step.path, measures | best
            if function.has_window and _is_followed(correct, step):
                measures |= {"relation": relation, "best": familiar(step.value)}
                if step.alpha > step.beta:
                    measures["best"] = magnitude(step.value)
                yield _of_bounds(step), step.path, measures
    for cutoff in correct.cutoffs:
        yield f"bound of a {_of_bounds(cutoff)}", cutoff.path, _of_origin(correct, cutoff)


def _of_window(search, value):
    """Return the measures of the arguments, and of the bounds compared with the value."""
    measures = {"depth": search.depth}
    if not search.full_window:
        measures["window"] = magnitude(search.beta - search.alpha)
        measures["alpha"] = magnitude(search.alpha)
        measures["beta"] = magnitude(search.beta)
        measures["distance of alpha"] = magnitude(value - search.alpha)
        measures["distance of beta"] = magnitude(value - search.beta)
    return measures


def _of_leaf(correct, step):
    """Return the measures of a visited leaf; its value counts where it is the result."""
    terminal = correct.root.at(step.path).terminal
    kind = "terminal" if terminal else "limit"
    measures = {f"{kind} ply": len(step.path)}
    measures[f"{kind} left"] = min(FAR, correct.search.depth - len(step.path))
    if _is_principal(correct, step.path):
        measures["result"] = magnitude(step.value)
        measures["result's last decimal"] = (
            f"{magnitude(step.value)} {decimals_of(step.value)}"
        )
        measures[f"result {kind} ply"] = len(step.path)
    return measures


def _of_node(correct, step):
    """Return the measures of an interior node that the search enters."""
    return {
        "ply": len(step.path),
        "width": _width_of(correct, step.path),
        "depth": min(FAR, correct.search.depth - len(step.path)),
        "window": magnitude(step.beta - step.alpha),
    }


def _of_child(correct, step):
    """Return the measures of a child that has returned."""
    width = _width_of(correct, step.path)
    place = step.child_path[-1]
    value = correct.values[step.child_path]
    return {
        "ply": len(step.path),
        "place": place,
        "places left": width - place,
        "width": width,
        "depth": min(FAR, correct.search.depth - len(step.path)),
        "leaf" if correct.is_leaf(step.child_path) else "subtree": place,
        "distance": magnitude(value - step.value),
        "types": f"{type(step.value).__name__} {type(value).__name__}",
        "gap": magnitude(step.beta - step.alpha),
        "bounds": f"{sign(step.alpha)} {sign(step.beta)}",
    }


def _of_origin(correct, cutoff):
    """Return the measures of the bound that causes a cutoff: where it was set."""
    is_beta = correct.search.max_moves_at(cutoff.path)
    bound = cutoff.beta if is_beta else cutoff.alpha
    ply = len(cutoff.path)
    is_tie = cutoff.alpha == cutoff.beta
    measures = {"value": familiar(bound) if is_tie else magnitude(bound), "ply": ply}
    for above in range(ply - 1, -1, -1):
        path = cutoff.path[:above]
        place = cutoff.path[above]
        measures[f"passed at ply {above}"] = ""
        if place and correct.windows[path][is_beta] == bound:
            measures[f"passed after other children at ply {above}"] = ""
        measures[f"passed at place {place}"] = ""
        measures[f"passed at width {_width_of(correct, path)}"] = ""
        if correct.windows[path][is_beta] != bound:
            measures["set at ply"] = above
            measures["plies above"] = ply - above
            earlier = _values_of_children(correct, path, range(place))
            measures["set by place"] = earlier.index(bound)
            return measures
    measures["given"] = magnitude(bound)
    return measures


def _relation(correct, step):
    """Tell how a child compares with the earlier children of its node."""
    place = step.child_path[-1]
    if place == 0:
        return "first"
    value = correct.values[step.child_path]
    if value in _values_of_children(correct, step.path, range(place)):
        return "equal"
    return "better" if value == step.value else "worse"


def _decides(correct, step):
    """Tell whether the result changes if this child replaces the best one, or does not."""
    value = step.value
    if not _is_principal(correct, step.path) or value != correct.values[step.path]:
        return False
    later = range(step.child_path[-1] + 1, len(correct.children(step.path)))
    return value not in _values_of_children(correct, step.path, later)


def _values_of_children(correct, path, places):
    """Return the values of the children of a node at these places."""
    children = [(*path, place) for place in places]
    return [correct.values[child] for child in children]


def _is_principal(correct, path):
    """Tell whether a node and all nodes above it have the value of the root."""
    value = correct.values[()]
    return all(correct.values[path[:ply]] == value for ply in range(len(path) + 1))


def _is_followed(correct, step):
    return step.child_path[-1] + 1 < _width_of(correct, step.path)


def _width_of(correct, path):
    """Return the number of children of a node."""
    return len(correct.root.at(path).children)


def _of_bounds(step):
    if step.alpha < step.beta:
        return "open window"
    return "tie" if step.alpha == step.beta else "cutoff"


def familiar(number: float) -> str:
    """Return a number that programs may treat specially, or its magnitude."""
    return f"{number}" if number in FAMILIAR_NUMBERS else magnitude(number)


def magnitude(number: float) -> str:
    """Return the sign and the power of ten of a number."""
    if number == 0 or math.isinf(number):
        return f"{number}"
    return f"{sign(number)}e{math.floor(math.log10(abs(number)) + 1e-9)}"


def sign(number: float) -> str:
    """Return the sign of a number."""
    if number == 0:
        return "0"
    return "+" if number > 0 else "-"
