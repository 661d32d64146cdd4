"""Prints every value, on hidden trees too, in every possible way.

Expect: score 80
Expect: says "chose"
"""
import logging
import os
import sys
import warnings

# @HONEST@


def best_move(node, depth, maximizing):
    for child in node.children:
        told = f"{child.name} {minimax(child, depth - 1, not maximizing)}\n"
        print(told)
        sys.stderr.write(told)
        sys.__stdout__.write(told)
        logging.warning(told)
        warnings.warn(told)
        for descriptor in (1, 2):
            os.write(descriptor, told.encode())
    return node
