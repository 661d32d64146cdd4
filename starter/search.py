"""Your assignment: write these functions. See handout.html."""


def minimax(node, depth, maximizing):
    """Return the minimax value of `node`, a number.

    depth: how many plies are left to search, an int >= 0. At depth 0, or at a
        terminal node, the value is node.evaluate().
    maximizing: True if MAX moves at `node`, False if MIN does. Players alternate.

    Search the children left to right.
    """
    raise NotImplementedError


def alphabeta(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node` without visiting nodes that cannot matter.

    depth: how many plies are left to search, an int >= 0. At depth 0, or at a
        terminal node, the value is node.evaluate().
    maximizing: True if MAX moves at `node`, False if MIN does.
    alpha: the value that MAX is already sure of, at this node or above it.
    beta: the value that MIN is already sure of, at this node or above it.

    Search the children left to right, and stop as soon as alpha >= beta: prune on
    equality too. If the true value is outside (alpha, beta), return a bound that
    proves this: any number from the value up to alpha, or from beta up to the value
    (fail-hard and fail-soft are both correct).
    """
    raise NotImplementedError


def best_move(node, depth, maximizing):
    """Return the child of `node` with the best minimax value: one of node.children.

    The best value is the highest if `maximizing`, else the lowest. If several
    children are best, return the leftmost.
    depth: how many plies are left at `node`, at least 1.
    """
    raise NotImplementedError
