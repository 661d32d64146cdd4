"""caches values by node, depth and window, and mixes up MAX and MIN.

Add the player to the key, and clear the table for each search.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, depth, alpha, beta
