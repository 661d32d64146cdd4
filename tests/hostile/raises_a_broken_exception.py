"""Raises an exception whose text and class cannot be shown.

Expect: score 80
Expect: says "it raised" or "its process ended"
"""
# @HONEST@


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit("BREACH")


class Broken(BaseException, metaclass=Meta):
    def __str__(self):
        raise self

    __repr__ = __str__


def best_move(node, depth, maximizing):
    raise Broken
