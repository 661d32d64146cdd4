"""caches its moves by node and depth, and ignores the player.

Do not cache moves: the best move depends on the player, too.

Changes: move_table_by_node
Shows: best_move later move
"""


def key_of(node, depth, maximizing):
    return node, depth
