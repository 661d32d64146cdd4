"""Run something in a fork that has hardened itself as a worker does.

Two forks, as in the grader: the first plays the zygote (as root, or as an ordinary
user), prepares the layers and forks the second, which applies them and acts.
"""

import functools
import os

import pytest

from autograder.sandbox.hardening import NAMES, Plan, Settings
from autograder.sandbox.hardening.layer import in_fork

ROOT = os.geteuid() == 0
WORKER_UID, USER_UID = 61800, 61900  # which no account has

# Layers that hold only with another: root is exempt from the limit on processes, and
# may not have kept what it needs to do without the promise of no new privileges.
NEEDS = {
    "processes": "uid",
    "landlock": "no new privileges",
    "seccomp": "no new privileges",
}

only_root = pytest.mark.skipif(not ROOT, reason="not root")
as_root = pytest.param(True, id="root", marks=only_root)
as_user = pytest.param(False, id="user")
as_either = pytest.mark.parametrize("root", [as_root, as_user])


def become_user():
    """Be an ordinary user's program: give up root, where there is root to give up."""
    if ROOT:
        os.setgroups([])
        os.setresgid(USER_UID, USER_UID, USER_UID)
        os.setresuid(USER_UID, USER_UID, USER_UID)


def hardened(act, *, root=ROOT, off=(), keep=(), **settings):
    """Return what `act()` returned, or the name of the exception it raised.

    None says that the process died. What it returns must fit JSON.
    """
    settings.setdefault("memory_bytes", Settings.memory_bytes + size_of_this_process())
    expected = {*off, *missing(root)}
    expected.update(name for name, needed in NEEDS.items() if needed in off)

    def zygote(report, pipe):
        if not root:
            become_user()
        uid = WORKER_UID if root else None
        plan = Plan(Settings(uid=uid, off=frozenset(off), **settings))
        if {name for name, _ in plan.missing} - expected:
            report(f"missing: {plan.missing}")
            return
        for content in in_fork(functools.partial(worker, plan, pipe)):
            report(content)

    def worker(plan, outer, report, pipe):
        plan.apply([pipe, outer, *keep])
        try:
            report(act())
        except BaseException as error:
            report(type(error).__name__)

    return (*in_fork(zygote), None)[0]


def size_of_this_process():
    """Return the bytes that a fork has from the start; a real zygote has few."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@functools.cache
def missing(root):
    """Return {layer: reason} for the layers that this machine cannot give."""

    def zygote(report, pipe):
        if not root:
            become_user()
        report(Plan(Settings(uid=WORKER_UID if root else None)).missing)

    return dict(in_fork(zygote)[0])


def all_but(*names):
    """Return every other layer's name: what to switch off to see these alone."""
    return tuple(name for name in NAMES if name not in names)


def alone(layer, act, *, root=ROOT, **settings):
    """Return what `act` gives under this layer alone, and what it needs to hold."""
    if layer in missing(root):
        pytest.skip(f"{layer}: {missing(root)[layer]}")
    return hardened(act, root=root, off=all_but(layer, NEEDS.get(layer)), **settings)


def done(acts):
    """Return the names of those acts that raise no exception."""
    names = []
    for name, act in acts.items():
        try:
            act()
            names.append(name)
        except (OSError, RuntimeError, MemoryError):
            pass
    return names
