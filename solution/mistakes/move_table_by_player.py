"""best_move remembers the move of a node and a player, whatever the depth.

Do not remember moves: the depth decides too which one is best.

Changes: move_table_by_node
Shows: best_move later move
"""


def key_of(node, depth, maximizing):
    return node, maximizing
