"""Passes descriptors and credentials through a pair of sockets.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import socket

# @HONEST@


def best_move(node, depth, maximizing):
    one, other = socket.socketpair()
    socket.send_fds(one, [b"x"], [node._queries._pipes._replies])
    raise RuntimeError("BREACH")
