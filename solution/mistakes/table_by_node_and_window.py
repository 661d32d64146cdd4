"""caches values by node, alpha and beta, so searches share values.

Add depth and player to the key, and create a new table for each search.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, alpha, beta
