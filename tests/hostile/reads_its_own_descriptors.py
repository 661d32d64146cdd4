"""Reads every descriptor that it inherited.

Expect: score 100
"""
import ctypes
import os
import socket

# @HONEST@

_honest = best_move
_libc = ctypes.CDLL(None)


def names_in(folder):
    return " ".join(os.listdir(folder))


def first_byte(file):
    return os.pread(file, 1, 0)


def is_socket(number):
    return _libc.send(number, b"F", 1, socket.MSG_DONTWAIT) == 1


def best_move(node, depth, maximizing):
    for number in range(1024):
        for read in (names_in, first_byte, is_socket):
            try:
                found = read(number)
            except OSError:
                continue
            if found:
                raise RuntimeError(f"BREACH descriptor {number}: {found}")
    return _honest(node, depth, maximizing)
