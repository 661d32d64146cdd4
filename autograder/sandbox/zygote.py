"""Fork every worker from a clean process, which never held a tree nor runs a submission.

The grader starts it as `python -s -S -Wignore zygote.py NODE_FILE`, with -B if it has that
itself, in an empty folder with an environment of the grader's, and talks to it over
descriptor 0, a socket. First the zygote reports which layers hold. Then there are two
commands, each answered with the worker's pid: FORK (with three descriptors: replies,
requests, text) when the worker has started, END when it and all that it started is dead.

`python -I` would be the obvious choice. We leave it out for one reason: it would ignore
PYTHONHASHSEED. Then a set of strings would have another order each time, so that an odd
submission could score differently twice. What -I excludes is excluded here too: the
environment is the grader's, and the script's folder leaves the path before anything is
imported.
"""

# isort: off
import sys

HERE = sys.path.pop(0)

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import types

sys.path.append(HERE)  # after the standard library, and for these lines only
import worker
from hardening import Missing, Plan, Settings, create_rules, unused_uid
from protocol import END, FORK, LENGTH, PID

sys.path.pop()
sys.dont_write_bytecode = True  # as no worker may
# isort: on

# What students' programs commonly import, loaded once instead of once a submission.
PRELOADED = ("collections", "functools", "itertools", "math", "typing")

GRADER_MODULES = ("__main__", "hardening", "protocol", "worker")  # hidden from submissions
WORKER_NOT_STARTED = 70  # exit status


def preload():
    """Import what students' programs commonly import; `random` gets a fixed seed.

    By itself `random` would draw a new seed in each worker. That would cost a fifth of
    a fork, and the same submission could score differently from one grading to the next.
    """
    register_at_fork = os.register_at_fork
    os.register_at_fork = ignore
    random = importlib.import_module("random")
    os.register_at_fork = register_at_fork
    random.seed(0)
    for name in PRELOADED:
        importlib.import_module(name)


def ignore(**_):
    """Stand in for os.register_at_fork() and register nothing."""


def hide_grader_modules():
    """Remove the autograder's modules from sys.modules, where a submission could look."""
    for name in list(sys.modules):
        if name.partition(".")[0] in GRADER_MODULES:
            del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")


def start_worker(plan, descriptors, node_class):
    """Fork; the child hardens itself and serves, the parent returns its pid."""
    pid = os.fork()
    if pid:
        return pid
    try:
        plan.apply(descriptors)
        worker.serve(*descriptors, node_class)
    finally:
        os._exit(WORKER_NOT_STARTED)


def end_worker(pid):
    """Kill and reap the worker; nothing that it could start outlives it."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def serve(control, plan, node_class):
    """Obey the grader's commands until it closes the socket; leave no worker."""
    pid = None
    try:
        while True:
            command, descriptors, _, _ = socket.recv_fds(control, 1, 3)
            if command == FORK:
                pid = start_worker(plan, descriptors, node_class)
                for descriptor in descriptors:
                    os.close(descriptor)
                control.sendall(PID.pack(pid))
            elif command == END:
                ended = pid
                pid = None
                end_worker(ended)
                control.sendall(PID.pack(ended))
            else:
                return
    finally:
        if pid is not None:
            end_worker(pid)


def main(node_file):
    """Get ready, wait for the settings, report the layers that hold, and serve."""
    control = socket.socket(fileno=os.dup(0))
    preload()
    node_class = worker.load_node(node_file)
    with contextlib.suppress(Missing, OSError):
        create_rules()  # while the grader reads the kit
    size = LENGTH.unpack(control.recv(LENGTH.size, socket.MSG_WAITALL))[0]
    settings = json.loads(control.recv(size, socket.MSG_WAITALL))
    plan = Plan(Settings(uid=unused_uid(), **settings))
    report = json.dumps([plan.held, plan.missing]).encode()
    control.sendall(LENGTH.pack(len(report)) + report)
    worker.discard_written_files()
    hide_grader_modules()
    gc.freeze()
    try:
        serve(control, plan, node_class)
    finally:
        os._exit(0)  # Python's own exit would take 5 ms


if __name__ == "__main__":
    main(*sys.argv[1:])
