"""What is wrong with a search: a sentence for each finding, and the one that decides.

The right search is not run here. It is known by the leaves that it visits: a node of which
it visits some children and not the last was cut off. The words stand in texts.yaml.
"""

from collections.abc import Collection

from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support import judging as j
from gametree.support.saying import in_words, names, number, player, say
from gametree.support.trace import Answer, Trace
from gametree.support.tree import Search, Tree, search_leaf


def deciding(verdict: j.Verdict) -> str:
    """Return the sentence that decides about a search that returned and is wrong."""
    task, trace = verdict.task, verdict.trace
    tree, right = task.tree, task.expected
    kinds = {finding.kind for finding in verdict.findings}
    if j.WRONG_MOVE in kinds:
        return wrong_move(tree, task.search, right.answer.path, trace.answer.path)
    sentence = ""
    if FUNCTIONS[task.function].answer == NUMBER and j.WRONG_TYPE not in kinds:
        sentence = parting(tree, trace, right.visited)
        if not sentence and kinds & {j.WRONG_VALUE, j.UNPROVEN}:  # these leaves prove one
            sentence = wrong_value(tree, trace, right.visited)
    text = "; ".join(findings(verdict))
    return sentence or f"{text[0].upper()}{text[1:]}."


def findings(verdict: j.Verdict) -> list[str]:
    """Return the sentences for all that is wrong with a search that returned."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_finding(verdict.task, kind, alike) for kind, alike in by_kind.items()]


def _finding(task, kind, alike):
    """Return the sentence for the findings of one kind, which it has as its name."""
    root, first, key = task.tree.root, alike[0], f"finding.{kind}"
    got, expected, low, high = first.got, first.expected, None, None
    if kind == j.WRONG_TYPE:
        key, got = f"finding.no {expected}", kind_of(got)
    elif kind == j.WRONG_MOVE:
        got, expected = root.at(got).name, root.at(expected).name
    elif kind == j.WRONG_VALUE:
        low, high = map(number, j.acceptable(task.search, expected))
        got, expected = number(got), low
        key = key if low == high else "finding.wrong bound"
    elif kind == j.WRONG_COUNT and got is None:
        key = "finding.unseen count"
    paths = [finding.path for finding in alike if finding.path is not None]
    given = {"listed": names(root, paths), "count": len(alike), "low": low, "high": high}
    return say(key, got=got, expected=expected, **given)


def answer(tree: Tree, returned: Answer) -> str:
    """Return an Answer as people write it: 3, C, None, tuple."""
    if returned.kind == NUMBER:
        return number(returned.number)
    if returned.kind == NODE:
        return tree.root.at(returned.path).name
    return kind_of(returned.kind)


def kind_of(name: str) -> str:
    """Return what a function returned that is wrong: a number, None, tuple."""
    return {NUMBER: say("kind.number"), "NoneType": "None"}.get(name, name)


def parting(tree: Tree, trace: Trace, leaves: Collection[tuple]) -> str:
    """Say where a minimax or alphabeta trace parts from the right search.

    leaves: the paths that the right search visits. Where the leaves differ, it is at the
    first one that does, in order. Where they do not, nodes may be looked at in vain, or
    searched again; otherwise only the answers differ, and "" is returned.
    """
    root, search, right = tree.root, trace.search, sorted(leaves)
    values = j.returned_values(tree, search, leaves)
    has_window = FUNCTIONS[trace.function].has_window

    def said(kind, got=(), others=()):
        """`got` is the node that was gone to; `others` are children of one node."""
        window = values if has_window and kind != "other order" else None
        place = others and _place(tree, search, others[0], window)
        others, count = names(root, others), len(others)
        given = {"got": root.at(got).name, "others": others, "count": count}
        return say(f"parting.{kind}", place=place, depth=search.depth, **given)

    def beyond_a_cutoff(kind, got):
        lengths = range(len(got) + 1)
        beyond = next(got[:length] for length in lengths if got[:length] not in values)
        if beyond[:-1] in leaves:  # it went below the search's depth
            return said("read below the depth", got)
        children = [child.path for child in root.at(beyond[:-1]).children]
        left_out = [child for child in children if child not in values]
        return said(kind, got if kind == "read beyond" else beyond, left_out)

    if trace.visited == frozenset(leaves):
        beyond, again = j.looked_beyond(trace, leaves), _first_again(trace.visits())
        if beyond is not None:
            return beyond_a_cutoff("read beyond", beyond)
        return "" if again is None else said("again", again)
    own = trace.in_order if has_window else sorted(trace.visited)  # free for minimax
    at = _first_difference(right, own)
    expected = right[at] if at < len(right) else None
    if at < len(own):
        got = own[at]
        if not search_leaf(root.at(got), search.depth):
            return said("below the depth" if len(got) > search.depth else "no end", got)
        if got in own[:at]:
            return said("again", got)
        if got not in leaves and sum(leaf < got for leaf in right) <= at:
            return beyond_a_cutoff("went on", got)
        if expected in own:
            length = _first_difference(expected, got) + 1
            return said("other order", got[:length], [expected[:length]])
    if not own:
        return said("no leaf")
    # The topmost node around the leaf that was left out, below which no leaf was visited.
    above = max(_first_difference(expected, path) for path in own)
    return said(
        "left out" if has_window else "left out by minimax", others=[expected[: above + 1]]
    )


def _place(tree, search, child, values):
    """Say at which node it is the turn of a child; with values, in which window."""
    node = player(tree.root, search, child[:-1])
    place = say("parting.at", node=node)
    if values is None:
        return place
    before, value, alpha, beta = j.window_before(child, search, values)
    if before is not None:
        position = tree.root.at(before)
        kind = "after leaf" if search_leaf(position, search.depth) else "after"
        place = say(f"parting.{kind}", node=node, child=position.name, value=number(value))
    return say("parting.window", place=place, alpha=number(alpha), beta=number(beta))


def _first_again(paths):
    """Return the first path that was there before, None where none was."""
    seen = set()
    return next((path for path in paths if path in seen or seen.add(path)), None)


def _first_difference(one, other):
    pairs = enumerate(zip(one, other))
    shorter = min(len(one), len(other))
    return next((at for at, (left, right) in pairs if left != right), shorter)


def wrong_value(tree: Tree, trace: Trace, leaves: Collection[tuple]) -> str:
    """Explain a wrong value after the right visits, by what the root chooses from."""
    root, search = tree.root, trace.search
    values = j.returned_values(tree, search, leaves)
    returned, value = number(trace.answer.number), number(values[()])
    if search_leaf(root, search.depth):
        return say("answer.of a leaf", node=root.name, value=value, returned=returned)
    low, high = map(number, j.acceptable(search, values[()]))
    if low != high:
        value = say("answer.bound", value=value, low=low, high=high)
    takes = _takes(tree, search, values, (), value)
    below = [path for path in values if len(path) == 1]
    if len(below) == 1 and not search_leaf(root.at(below[0]), search.depth):
        chosen = _takes(tree, search, values, below[0], number(values[()]))
        takes = say("answer.below", below=chosen, above=takes)
    return say("answer.wrong", takes=takes, returned=returned)


def _takes(tree, search, values, path, value):
    """Say what the node at a path takes, and of what."""
    key = "answer.largest" if search.max_moves_at(path) else "answer.smallest"
    if sum(child[:-1] == path for child in values if child) == 1:
        key = "answer.of one child"
    worth = _worth(tree, values, path)
    return say(key, mover=player(tree.root, search, path), worth=worth, value=value)


def wrong_move(tree: Tree, search: Search, best: tuple, chosen: tuple) -> str:
    """Explain a wrong move by what the moves are worth; `best` and `chosen` are paths."""
    leaves = [leaf.path for leaf in tree.root.frontier(search.depth)]
    return say(
        "move.largest" if search.maximizing else "move.smallest",
        worth=_worth(tree, j.returned_values(tree, search, leaves), ()),
        mover=player(tree.root, search, ()),
        best=tree.root.at(best).name,
        chosen=tree.root.at(chosen).name,
    )


def _worth(tree, values, path):
    """List what the children of a node returned, those that were searched."""
    children = sorted(child for child in values if child and child[:-1] == path)
    return in_words([f"{tree.root.at(c).name} = {number(values[c])}" for c in children])
