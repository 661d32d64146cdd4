"""Searches that are right, or wrong in one way, and their drawings."""

from helpers import reference

from gametree import observe, parse_tree
from gametree.drawing import draw, marks_of


def tree_of(text, root="max"):
    """Return the tree of a file's last lines."""
    return parse_tree(f"title: t\nlesson: l\nroot: {root}\n{text}\n", "t")


def right(tree, search):
    """Return the trace of the right alpha-beta."""
    return observe(reference().alphabeta, "alphabeta", tree, search)


def unpruned(node, depth, alpha, beta, maximizing):
    """Visit every leaf."""
    return reference().minimax(node, depth, maximizing)


def shallow(node, depth, alpha, beta, maximizing):
    """Swap alpha and beta, which misses leaves."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = []
    for child in node.children:
        values.append(shallow(child, depth - 1, beta, alpha, not maximizing))
        if alpha >= beta or depth == 1:
            break
    return max(values) if maximizing else min(values)


def too_deep(node, depth, alpha, beta, maximizing):
    """Go below the depth limit."""
    return reference().minimax(node, 99, maximizing)


def twice(node, depth, alpha, beta, maximizing):
    """Search everything a second time."""
    reference().alphabeta(node, depth, alpha, beta, maximizing)
    return reference().alphabeta(node, depth, alpha, beta, maximizing)


def evaluates_all(node, depth, alpha, beta, maximizing):
    """Evaluate inner nodes as well."""
    node.evaluate()
    return reference().alphabeta(node, depth, alpha, beta, maximizing)


def drawn(function, tree, search=None, **options):
    """Return the drawing of a search beside what a right one visits."""
    search = search or tree.searches[0]
    trace = observe(function, "alphabeta", tree, search, 10_000)
    marks = marks_of(tree, search, trace, right(tree, search).visited)
    return draw(tree, search, marks, **options)
