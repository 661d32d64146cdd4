"""Searches the children in threads.

Expect: score 80
Expect: says "it raised RuntimeError: can't start new thread"
"""
import threading

# @HONEST@


def best_move(node, depth, maximizing):
    for child in node.children:
        threading.Thread(target=minimax, args=(child, depth - 1, not maximizing)).start()
    return node.children[0]
