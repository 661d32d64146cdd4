"""caches its moves by node, and ignores the depth and the player.

Do not cache moves: the best move depends on the depth and the player, too.

Shows: best_move later move
"""

known = {}


def key_of(node, depth, maximizing):
    return node


def best_move(node, depth, maximizing):
    key = key_of(node, depth, maximizing)
    if key not in known:
        choose = max if maximizing else min
        known[key] = choose(
            node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
        )
    return known[key]
