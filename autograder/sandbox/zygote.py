"""Fork every worker from a clean process that never has a tree or a submission.

The grader runs `python -s -S -Wignore zygote.py NODE_FILE`, with -B if it has that option
itself. It chooses the environment, and communicates over descriptor 0, a socket. The zygote
first reports the missing layers. Then it obeys commands. Each ends the worker of one kind
and all its children. If two descriptors (replies, requests) come with it, another starts.
The answer is its pid, or 0.

`python -I` would be the obvious choice, but it ignores PYTHONHASHSEED. The order of a set
of strings would then vary, and a submission could score differently in two gradings. The
zygote is as isolated as with -I: the grader sets the environment, and the script's folder
is removed from the path before any import.
"""

# isort: off
import sys

HERE = sys.path.pop(0)

import ast  # noqa: F401  every tool imports it, so it is loaded once
import gc
import json  # noqa: F401  as ast
import marshal
import os
import random
import signal
import socket
import types
import typing  # noqa: F401  many submissions import it, so it is loaded once

sys.path.append(HERE)  # after the standard library, and for these lines only
import worker
from hardening import Plan, Settings, fork, unused_uid
from modules import StandardModules, read_mapped_files
from protocol import PID, SUBMISSION, TOOLS

sys.path.pop()
sys.dont_write_bytecode = True  # no worker may write files
# isort: on

# Hidden from a submission, which can read sys.modules.
GRADER_MODULES = ["modules", "protocol", "worker"]
GRADER_MODULES += ["hardening", "hardening.seccomp"]
WORKER_NOT_STARTED = 70  # exit status
MAX_INHERITED = 2**16  # a higher number of a descriptor is not closed
MAX_UNCOLLECTED = 100_000  # new objects of a worker; its nodes are never garbage


def start_worker(plan, kind, descriptors, node_class):
    """Fork a worker of a kind, which hardens itself and serves, and return its pid."""
    pid = fork()
    if pid:
        for descriptor in descriptors:
            os.close(descriptor)
        return pid
    try:
        random.seed(0)  # otherwise the same submission could score differently next time
        plan.apply(descriptors)
        if kind == TOOLS:
            worker.serve_tools(*descriptors)
        worker.serve(*descriptors, node_class)
    finally:
        os._exit(WORKER_NOT_STARTED)


def end_worker(pid):
    """Kill and reap the worker. No process that it could start survives it."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def serve(control, plan, node_class):
    """Obey the grader's commands until it closes the socket, then end all workers."""
    pids = {}  # kind -> pid
    try:
        while True:
            kind, descriptors, _, _ = socket.recv_fds(control, len(SUBMISSION), 2)
            if not kind:
                return
            if kind in pids:
                end_worker(pids.pop(kind))
            if descriptors:
                pids[kind] = start_worker(plan, kind, descriptors, node_class)
            control.sendall(PID.pack(pids.get(kind, 0)))
    finally:
        for pid in pids.values():
            end_worker(pid)


def main(node_file):
    """Prepare the zygote, report missing layers, and serve."""
    os.setsid()  # no Ctrl-C reaches it
    os.chdir("/")
    os.closerange(3, MAX_INHERITED)
    control = socket.socket(fileno=os.dup(0))
    node_class = worker.load_node(node_file)
    sys.meta_path.insert(-1, StandardModules())  # while the grader reads the kit
    read_mapped_files()
    plan = Plan(Settings(uid=unused_uid()))
    control.sendall(marshal.dumps(plan.missing))
    worker.replace_functions()
    for name in GRADER_MODULES:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")
    gc.set_threshold(MAX_UNCOLLECTED)
    gc.freeze()
    try:
        serve(control, plan, node_class)
    finally:
        os._exit(0)  # Python's own exit would take 5 ms


if __name__ == "__main__":
    main(*sys.argv[1:])
