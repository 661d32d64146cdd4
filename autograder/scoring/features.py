"""Name the features of a search: what happens in the correct search of its tree.

There is one vocabulary for rows and for the choice of hidden trees. The features of rows
have names that finish "this search shows ...". All others have one form, such as
"cutoff at MIN, ply 3": an event, its player, a measure and its value. A program may be
wrong only at one ply, at one child or at one value. Such a mistake shows only where
something happens there: a cutoff, a tie, or a child that changes the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS, NODE
from gametree.support.correct import ENTER, LEAF, UPDATE, CorrectSearch, Step

GIVEN_WINDOW = "a given window"
LIMITED_DEPTH = "a depth limit over static values"
MAX_FIRST = "MAX at the root"
MIN_FIRST = "MIN at the root"
FRACTION = "a fraction"
UNUSUALLY_LARGE = "a value of 1,000 or more"
NOTHING_ABOVE_ZERO = "nothing above zero"
RESULT_OF_ZERO = "a result of zero"
EQUAL_MOVES = "equal moves"
NO_CUTOFF = "no cutoff"
CUTOFF_AT = {"MAX": "a cutoff at MAX", "MIN": "a cutoff at MIN"}
DEEP_CUTOFF = "a deep cutoff"
TIE = "a tie that cuts off"
# Extreme sizes.
LARGE_VALUES = "large values"
CLOSE_VALUES = "close values"
MANY_CHILDREN = "many children"
MANY_VISITS = "many visits"
MANY_PLIES = "many plies"
LARGE_DEPTH = "a large depth"
ROOT_ALONE = "no expanded node"
# Numbers that programs treat specially, as "no value yet" or as infinity, and typical ones.
FAMILIAR = {0.5, 1.5, *range(18), 20, 25, 33, 42, 50, 64, 75, 500}
FAMILIAR.update(10**zeros for zeros in range(2, 7))
FAMILIAR.update(10**nines - 1 for nines in range(2, 7))
FAR = 12  # plies; larger depths count as equal


def features_of(task: Task) -> frozenset[str]:
    """Return the features of the correct search of a task."""
    correct = _correct_search(task)
    features = set(row_features(task))
    for event, path, measures in _events(task, correct):
        event = f"{event} at {task.search.player_at(path)}"
        features.update(f"{event}, {name} {value}" for name, value in measures.items())
    return frozenset(features)


@lru_cache(maxsize=1)  # the row, its part and the other features are found one by one
def row_features(task: Task) -> frozenset[str]:
    """Return the features of a task that determine its row."""
    correct = _correct_search(task)
    search = task.search
    leaves = [correct.root.at(path) for path in correct.leaves]
    values = {leaf.static_value() for leaf in leaves}
    numbers = values.union(filter(math.isfinite, (search.alpha, search.beta)))
    widths = [_width_of(correct, step) for step in correct.steps if step.kind == ENTER]
    shown = {
        MAX_FIRST: search.maximizing,
        MIN_FIRST: not search.maximizing,
        GIVEN_WINDOW: not search.full_window,
        LIMITED_DEPTH: not all(leaf.terminal for leaf in leaves),
        FRACTION: any(value != int(value) for value in values),
        UNUSUALLY_LARGE: max(map(abs, values)) >= 1000,  # a typical finite infinity
        NOTHING_ABOVE_ZERO: max(values) <= 0,
        LARGE_VALUES: max(map(abs, numbers)) >= 100_000,
        CLOSE_VALUES: _smallest_gap(numbers) <= 0.001,
        MANY_CHILDREN: max(widths, default=0) >= 6,
        MANY_VISITS: len(task.expected.events) >= 150,
        MANY_PLIES: max(map(len, correct.leaves)) >= 7,
        LARGE_DEPTH: search.depth >= 10,
        ROOT_ALONE: not widths,
    }
    if FUNCTIONS[task.function].answer == NODE:
        moves = [correct.values[path] for path in correct.children(())]
        shown[EQUAL_MOVES] = moves.count(correct.values[()]) > 1
    else:
        shown[RESULT_OF_ZERO] = correct.values[()] == 0
    if FUNCTIONS[task.function].has_window:
        players = {search.player_at(cutoff.path) for cutoff in correct.cutoffs}
        for player, feature in CUTOFF_AT.items():
            shown[feature] = player in players
        shown[NO_CUTOFF] = not players
        shown[DEEP_CUTOFF] = any(is_deep(correct, cutoff) for cutoff in correct.cutoffs)
        equality = _pruned_on_equality(task, correct)
        shown[TIE] = any(cutoff.alpha == cutoff.beta for cutoff in equality.cutoffs)
    return frozenset(feature for feature, is_shown in shown.items() if is_shown)


@lru_cache(maxsize=1)
def _correct_search(task):
    """Return the correct search of a task."""
    return task.correct_search()


def _smallest_gap(numbers):
    """Return the smallest difference between two numbers, or their last decimal place."""
    gaps = [after - before for before, after in pairwise(sorted(numbers))]
    gaps += [10 ** -decimals_of(number) for number in numbers]
    return min(gaps)


def decimals_of(number: float) -> int:
    """Return the number of decimals, at most 16."""
    exact = (digits for digits in range(16) if round(number, digits) == number)
    return next(exact, 16)


def is_deep(correct: CorrectSearch, cutoff: Step) -> bool:
    """Tell whether a cutoff is deep: its bound was set at least three plies above.

    The parent's children have not narrowed the window that its own parent had. A bound
    that was given with the window makes no cutoff deep.
    Source: Knuth and Moore, "An analysis of alpha-beta pruning", 1975.
    """
    alpha, beta = correct.windows[cutoff.path[:-2]]
    if correct.search.max_moves_at(cutoff.path):
        return beta == cutoff.beta < correct.search.beta
    return alpha == cutoff.alpha > correct.search.alpha


def _pruned_on_equality(task, correct):
    """Return the search of a task that prunes on equality."""
    if not task.strict:
        return correct
    return CorrectSearch(task.tree, task.function, task.search, strict=False)


# ---- events, each with its measures


def _events(task, correct) -> Iterator[tuple]:
    """Yield (event, path of its node, measures) for everything that may go wrong."""
    function = FUNCTIONS[task.function]
    event = "search of a leaf" if correct.is_leaf(()) else "search"
    yield event, (), _of_search(task, correct)
    for step in correct.steps:
        if function.answer == NODE and step.path:
            continue  # best_move may search below the root as it likes
        if step.kind == ENTER:
            yield "node", step.path, _of_node(correct, step)
        if step.kind == LEAF:
            yield "leaf", step.path, _of_leaf(correct, step)
        if step.kind == UPDATE:
            measures = _of_child(correct, step)
            if _decides(correct, step):
                yield f"{measures['relation']} child", step.path, measures
            if function.has_window and _is_followed(correct, step):
                yield _of_window(step), step.path, measures
    for cutoff in correct.cutoffs:
        yield f"bound of a {_of_window(cutoff)}", cutoff.path, _of_origin(correct, cutoff)


def _of_search(task, correct):
    """Return the measures of the arguments, and of the bounds compared with the value."""
    search = task.search
    values = [correct.values[path] for path in correct.leaves]
    result = correct.values[()]
    measures = {
        "depth": search.depth,
        "visits": task.expected.node_count // 50,
        "result": f"{describe(result)} with {decimals_of(result)} decimals",
        "lowest value": magnitude(min(values)),
        "highest value": magnitude(max(values)),
        "signs": f"{sign(min(values))} {sign(max(values))}",
        "uneven by": len(max(correct.leaves, key=len)) - len(min(correct.leaves, key=len)),
    }
    if search.earlier:
        measures["repeated with moves"] = len(correct.root.children)
        measures["repeated with depth"] = search.depth
    if not search.full_window:
        width = magnitude(search.beta - search.alpha)
        measures["alpha"] = describe(search.alpha)
        measures["beta"] = describe(search.beta)
        measures["width"] = f"{width} from {magnitude(search.alpha)}"
        measures["distance of alpha"] = magnitude(result - search.alpha)
        measures["distance of beta"] = magnitude(result - search.beta)
    return measures


def _of_node(correct, step):
    """Return the measures of an interior node that the search enters."""
    depth = min(FAR, correct.search.depth - len(step.path))
    return {
        "ply": len(step.path),
        "width": _width_of(correct, step),
        "depth": depth,
        f"width at depth {depth}": _width_of(correct, step),
        "window": magnitude(step.beta - step.alpha),
    }


def _of_leaf(correct, step):
    """Return the measures of a visited leaf, and more of a leaf that is the result."""
    ply = len(step.path)
    kind = _kind_of(correct, step.path)
    measures = {f"{kind} ply": ply, "left": min(FAR, correct.search.depth - ply)}
    if _is_principal(correct, step.path):
        measures[f"result {kind} ply"] = ply
        measures[f"result of {kind}"] = magnitude(step.value)
    return measures


def _of_child(correct, step):
    """Return the measures of a child that has returned."""
    width = _width_of(correct, step)
    place = step.child_path[-1]
    value = correct.values[step.child_path]
    kind = _kind_of(correct, step.child_path)
    bound = step.alpha if correct.search.max_moves_at(step.path) else step.beta
    measures = {
        "relation": _relation(correct, step),
        "ply": len(step.path),
        "place": place,
        "places left": width - place,
        "width": width,
        "depth": min(FAR, correct.search.depth - len(step.path)),
        kind: place,
        "best": describe(step.value),
        "distance": f"{magnitude(value - step.value)} from {magnitude(step.value)}",
        "kinds": f"{_kind_of(correct, _first_best(correct, step))} {kind}",
        "types": f"{type(step.value).__name__} {type(value).__name__}",
        "gap": magnitude(step.beta - step.alpha),
        "bounds": f"{sign(step.alpha)} {sign(step.beta)}",
    }
    if bound != step.value:
        measures["ply outside the window"] = len(step.path)
    return measures


def _of_origin(correct, cutoff):
    """Return the measures of the bound that causes a cutoff: where it was set."""
    is_beta = correct.search.max_moves_at(cutoff.path)
    bound = cutoff.beta if is_beta else cutoff.alpha
    ply = len(cutoff.path)
    measures = {"ply": ply, "value": describe(bound)}
    single = 0
    for above in range(ply - 1, -1, -1):
        path = cutoff.path[:above]
        place = cutoff.path[above]
        window = correct.windows[path]
        width = len(correct.root.at(path).children)
        single += width == 1
        is_late = place > 0 and window[is_beta] == bound
        measures[f"passed at ply {above} after others"] = is_late
        measures[f"passed at place {place}"] = True
        measures[f"passed at width {width}"] = True
        if window[is_beta] != bound:
            earlier = _values_of_children(correct, path, range(place))
            measures["set at ply"] = above
            measures["set by place"] = earlier.index(bound)
            measures[f"set {ply - above} plies above"] = describe(bound)
            return measures
    measures["given"] = magnitude(bound)
    measures[f"given through {single} single children"] = magnitude(bound)
    return measures


def _kind_of(correct, path):
    """Tell why a search stops at a node, or that it does not."""
    if correct.root.at(path).terminal:
        return "terminal"
    return "limit" if correct.is_leaf(path) else "subtree"


def _first_best(correct, step):
    """Return the path of the first child that has the best value so far."""
    children = correct.children(step.path)
    return next(child for child in children if correct.values[child] == step.value)


def _relation(correct, step):
    """Tell how a child compares with the earlier children of its node."""
    place = step.child_path[-1]
    if _width_of(correct, step) == 1:
        return "only"
    if place == 0:
        return "first"
    value = correct.values[step.child_path]
    if value in _values_of_children(correct, step.path, range(place)):
        return "equal"
    return "better" if value == step.value else "worse"


def _decides(correct, step):
    """Tell whether the result changes if a search is wrong about this child.

    It takes a worse child for the best one, or it does not take a better one. An equal
    child decides if it is the last that equals the result.
    """
    path = step.path
    place = step.child_path[-1]
    values = [correct.values[child] for child in correct.children(path)]
    relation = _relation(correct, step)
    if relation == "equal":
        return _is_principal(correct, step.child_path) and values.index(step.value) < place
    others = values[place:] if relation == "worse" else values[:place] + values[place + 1 :]
    while others:
        wrong = correct.search.mover_at(path).combine(others)
        if not path:
            return wrong != correct.values[()]
        others = [correct.values[child] for child in correct.children(path[:-1])]
        others[path[-1]] = wrong
        path = path[:-1]
    return _is_principal(correct, path)


def _values_of_children(correct, path, places):
    """Return the values of the children of a node at these places."""
    children = [(*path, place) for place in places]
    return [correct.values[child] for child in children]


def _is_principal(correct, path):
    """Tell whether a node and all nodes above it have the value of the root."""
    value = correct.values[()]
    return all(correct.values[path[:ply]] == value for ply in range(len(path) + 1))


def _is_followed(correct, step):
    return step.child_path[-1] + 1 < _width_of(correct, step)


def _width_of(correct, step):
    """Return the number of children of the node of a step."""
    return len(correct.root.at(step.path).children)


def _of_window(step):
    if step.alpha < step.beta:
        return "open window"
    return "tie" if step.alpha == step.beta else "cutoff"


def describe(number: float) -> str:
    """Return a number that programs may treat specially, or its magnitude."""
    return f"{number:g}" if abs(number) in FAMILIAR else magnitude(number)


def magnitude(number: float) -> str:
    """Return the sign and the power of ten of a number."""
    if number == 0 or math.isinf(number):
        return f"{number:g}"
    return f"{sign(number)}e{math.floor(math.log10(abs(number)) + 1e-9)}"


def sign(number: float) -> str:
    """Return the sign of a number."""
    if number == 0:
        return "0"
    return "+" if number > 0 else "-"
