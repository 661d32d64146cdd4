"""Tries to raise its limits, priority and privileges, and to choose its CPU.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os
import resource

# @HONEST@


def best_move(node, depth, maximizing):
    refused = PermissionError()
    for act in (
        lambda: resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6)),
        lambda: resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40)),
        lambda: resource.setrlimit(resource.RLIMIT_NPROC, (99, 99)),
        lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2**30, 2**30)),
        lambda: os.setuid(0),
        lambda: os.setgroups([0]),
        lambda: os.nice(-5),
        lambda: os.sched_setaffinity(0, {0}),
        lambda: os.chroot("/"),
    ):
        try:
            act()
        except (OSError, ValueError):
            continue
        raise RuntimeError("BREACH")
    raise refused
