"""Connects by TCP, by a local socket and by an abstract name.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import socket

# @HONEST@


def best_move(node, depth, maximizing):
    for family, place in ((socket.AF_INET, ("127.0.0.1", 9)), (socket.AF_UNIX, "\0hostile"),
                          (socket.AF_UNIX, "/tmp/hostile-socket")):
        try:
            end = socket.socket(family)
            try:
                end.connect(place)
            except (ConnectionRefusedError, FileNotFoundError):
                pass
            raise RuntimeError("BREACH")
        except PermissionError as error:
            refused = error
    raise refused
