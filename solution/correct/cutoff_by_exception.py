"""Leaves the loop at a cutoff by raising an exception."""


class Cutoff(Exception):
    pass


def minimax(node, depth, maximizing):
    try:
        return [min, max][maximizing](
            minimax(child, depth - 1, not maximizing)
            for child in (node.children if depth > 0 else ())
        )
    except ValueError:
        return node.evaluate()


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or not node.children:
        return node.evaluate()
    scores = []
    try:
        for child in node.children:
            scores.append(alphabeta(child, depth - 1, alpha, beta, not maximizing))
            if maximizing:
                alpha = max(alpha, scores[-1])
            else:
                beta = min(beta, scores[-1])
            if alpha >= beta:  # cutoff
                raise Cutoff
    except Cutoff:
        pass
    return max(scores) if maximizing else min(scores)


def best_move(node, depth, maximizing):
    ranked = [
        (minimax(child, depth - 1, not maximizing), -place, child)
        for place, child in enumerate(node.children)
    ]
    if not maximizing:
        ranked = [(-score, place, child) for score, place, child in ranked]
    return max(ranked, key=lambda entry: entry[:2])[2]
