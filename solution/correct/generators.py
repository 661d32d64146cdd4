"""Uses generators: a search yields each recursive call and receives its result."""


def run(search):
    """Drive a generator that yields generators; return what the first returns."""
    stack, answer = [search], None
    while stack:
        try:
            stack.append(stack[-1].send(answer))
            answer = None
        except StopIteration as end:
            stack.pop()
            answer = end.value
    return answer


def full(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    scores = []
    for child in node.children:
        scores.append((yield full(child, depth - 1, not maximizing)))
    return max(scores) if maximizing else min(scores)


def pruned(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = yield pruned(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best


def minimax(node, depth, maximizing):
    return run(full(node, depth, maximizing))


def alphabeta(node, depth, alpha, beta, maximizing):
    return run(pruned(node, depth, alpha, beta, maximizing))


def best_move(node, depth, maximizing):
    scored = ((minimax(c, depth - 1, not maximizing), c) for c in node.children)
    choose = max if maximizing else min
    return choose(scored, key=lambda pair: pair[0])[1]
