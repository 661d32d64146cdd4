"""caches its moves by node and player, and ignores the depth.

Do not cache moves: the best move depends on the depth, too.

Changes: move_table_by_node
Shows: best_move later move
"""


def key_of(node, depth, maximizing):
    return node, maximizing
