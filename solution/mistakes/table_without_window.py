"""caches values by node, depth and player, and mixes up windows.

A value from one window is only a bound in another: clear the table for each search.

Changes: table_by_identity
Derives: nothing
Shows: alphabeta later missing value
"""


def key_of(node, depth, alpha, beta, maximizing):
    return node, depth, maximizing
