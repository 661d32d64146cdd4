"""Counts nodes in globals that are never reset, prints, and queries nodes twice."""

nodes_visited = 0
leaves_visited = 0
times_pruned = 0


def minimax(node, depth, maximizing):
    global nodes_visited
    nodes_visited += 1
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for i in range(len(node.children)):
        score = minimax(node.children[i], depth - 1, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    global nodes_visited, leaves_visited, times_pruned
    nodes_visited += 1
    if depth == 0 or node.is_terminal():
        leaves_visited += 1
        if node.evaluate() > 10**6:
            print("large value", node.name, node.evaluate())
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if beta <= alpha:  # cutoff
            times_pruned += 1
            print("prune", node.name, "after", len(node.children), "children at most")
            break
    return best


def best_move(node, depth, maximizing):
    print("moves:", [child.name for child in node.children])
    best = move = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is None or (score > best if maximizing else score < best):
            best = score
            move = child
    print("nodes", nodes_visited, "leaves", leaves_visited, "pruned", times_pruned)
    return move
