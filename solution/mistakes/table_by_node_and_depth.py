"""caches values by node and depth, so searches share values.

Clear the table before each search.

Changes: table_by_identity
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, depth
