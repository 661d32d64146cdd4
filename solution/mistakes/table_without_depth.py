"""caches values by node, player and window, and mixes up depths.

Add the depth to the key, and clear the table for each search.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, alpha, beta, maximizing
