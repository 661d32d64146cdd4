"""Has room for 9 children, 12 plies and 500 visits, and infinities of a billion."""

BILLION = 10**9
MAX_CHILDREN = 9
MAX_PLIES = 12
MAX_VISITS = 500
MAX_DEPTH = 30


def alphabeta(node, depth, alpha, beta, maximizing):
    assert depth <= MAX_DEPTH
    alphas = [-BILLION] * (MAX_PLIES + 1)
    betas = [BILLION] * (MAX_PLIES + 1)
    numbers = range(MAX_VISITS)
    visit = iter(numbers)

    def search(node, ply):
        next(visit)
        if ply == depth or node.is_terminal():
            return node.evaluate()
        max_moves = maximizing == (ply % 2 == 0)
        scores = [None] * MAX_CHILDREN
        best = -BILLION if max_moves else BILLION
        for index, child in enumerate(node.children):
            alphas[ply + 1] = alphas[ply]
            betas[ply + 1] = betas[ply]
            scores[index] = search(child, ply + 1)
            if max_moves:
                best = max(best, scores[index])
                alphas[ply] = max(alphas[ply], best)
            else:
                best = min(best, scores[index])
                betas[ply] = min(betas[ply], best)
            if alphas[ply] >= betas[ply]:  # cutoff
                break
        return best

    alphas[0] = max(alpha, -BILLION)
    betas[0] = min(beta, BILLION)
    return search(node, 0)
