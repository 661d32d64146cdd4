"""You remember values by node, alpha and beta, so searches share values.

Depth and player belong in the key, and the table into one search.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, alpha, beta
