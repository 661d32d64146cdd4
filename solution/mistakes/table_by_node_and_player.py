"""caches values by node and player, so searches share values.

Use a new table in each search.

Changes: table_by_identity
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, maximizing
