"""Returns correct values as Fractions, after visiting the correct leaves.

Expect: score 40
Expect: says "returned an object of another type instead of a number"
"""
import fractions

# @HONEST@

_honest = alphabeta


def alphabeta(node, depth, alpha, beta, maximizing):
    return fractions.Fraction(_honest(node, depth, alpha, beta, maximizing))
