"""keeps its table of values after the search, so a later one skips leaves.

Create the table inside each search, because every search must visit its leaves.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, depth, alpha, beta, maximizing
