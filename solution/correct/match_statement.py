"""Uses a match statement to distinguish leaves, MAX nodes and MIN nodes."""

from math import inf


def minimax(node, depth, maximizing):
    match depth, node.is_terminal(), maximizing:
        case (0, _, _) | (_, True, _):
            return node.evaluate()
        case (_, _, True):
            return max(minimax(child, depth - 1, False) for child in node.children)
        case _:
            return min(minimax(child, depth - 1, True) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    match depth, node.is_terminal(), maximizing:
        case (0, _, _) | (_, True, _):
            return node.evaluate()
        case (_, _, True):
            best = -inf
            for child in node.children:
                best = max(best, alphabeta(child, depth - 1, max(alpha, best), beta, False))
                if best >= beta:  # cutoff
                    break
            return best
        case _:
            best = inf
            for child in node.children:
                best = min(best, alphabeta(child, depth - 1, alpha, min(beta, best), True))
                if best <= alpha:  # cutoff
                    break
            return best


def best_move(node, depth, maximizing):
    match maximizing:
        case True:
            return max(node.children, key=lambda c: minimax(c, depth - 1, False))
        case False:
            return min(node.children, key=lambda c: minimax(c, depth - 1, True))
