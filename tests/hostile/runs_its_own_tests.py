"""Loads a tree and runs a search at module level, not in a `__main__` block.

Expect: score 0
Expect: says "gametree.load_tree is not available in the autograder"
"""
import gametree

# @HONEST@

print(minimax(gametree.load_tree("trees/01-largest-leaf.yaml").root, 3, True))
