"""NegaScout, fail-soft: the smallest null window, searched again above the scout's answer.

Convention: equality
"""


def negascout(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        if best is None:
            score = negascout(child, depth - 1, alpha, beta, not maximizing)
        elif maximizing:
            null = math.nextafter(alpha, math.inf)
            score = negascout(child, depth - 1, alpha, null, False)
            if alpha < score < beta:
                score = max(score, negascout(child, depth - 1, score, beta, False))
        else:
            null = math.nextafter(beta, -math.inf)
            score = negascout(child, depth - 1, null, beta, True)
            if alpha < score < beta:
                score = min(score, negascout(child, depth - 1, alpha, score, True))
        if maximizing:
            best = score if best is None else max(best, score)
            alpha = max(alpha, best)
        else:
            best = score if best is None else min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
