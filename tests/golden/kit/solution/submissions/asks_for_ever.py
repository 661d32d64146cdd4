"""best_move asks for children without end."""


def best_move(node, depth, maximizing):
    """Return the leftmost child of `node` with the best minimax value."""
    while True:
        node.children
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )
