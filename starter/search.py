"""Your assignment: minimax, alpha-beta and the best move. See handout.md."""


def minimax(node, depth, maximizing):
    """Return the minimax value of `node`, a number.

    depth: how many plies are left to search, an int >= 0. At depth 0, or at a
        terminal node, the value is node.evaluate().
    maximizing: True if MAX moves at `node`, False if MIN does. Players alternate.

    Search the children left to right.
    """
    raise NotImplementedError


def alphabeta(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node`, without visiting what cannot matter.

    depth: how many plies are left to search, an int >= 0. At depth 0, or at a
        terminal node, the value is node.evaluate().
    maximizing: True if MAX moves at `node`, False if MIN does.
    alpha: the value that MAX is already sure of elsewhere, -infinity at first.
    beta: the value that MIN is already sure of elsewhere, +infinity at first.

    Search the children left to right, and stop as soon as alpha >= beta: prune on
    equality too. Where the true value lies outside (alpha, beta), return a bound
    that shows it: any number from the value up to alpha, or from beta up to the
    value (fail-hard and fail-soft are both right).
    """
    raise NotImplementedError


def best_move(node, depth, maximizing):
    """Return the child of `node` with the best minimax value: one of node.children.

    Best is highest if `maximizing`, else lowest; of equals, the leftmost.
    depth: how many plies are left at `node`, at least 1.
    """
    raise NotImplementedError
