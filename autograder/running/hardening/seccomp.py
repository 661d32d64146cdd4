"""seccomp: which system calls the worker may make at all; see policy.py for the list.

Stops: new processes and threads, programs, signals, sockets of every kind (Landlock
leaves UDP open), ptrace, changing files or this process's own protection, and most of
the kernel's surface for exploits. A call from another architecture or by x32's
numbers, which a list of numbers could misread, kills the process.
Where it is missing (macOS, other processors, a container that forbids it): the limit
on processes, Landlock and the uid drop still stop most of it; UDP and threads of
root's stay open.
The program is made once in the zygote; a worker only hands it to the kernel.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys

from . import bpf, devnull, libc
from .layer import Layer, Missing, refuses

SECCOMP = {"x86_64": 317, "aarch64": 277}  # the number of seccomp(2)
SET_MODE_FILTER = 1
# Without it, kernels before 5.16 slow the whole worker down against Spectre attacks of
# code on its own process, which holds nothing to steal.
SPEC_ALLOW = 4


class Seccomp(Layer):
    """The policy, as a filter of this process."""

    name = "seccomp"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        machine = os.uname().machine
        if machine not in bpf.MACHINES or sys.maxsize < 2**32:
            raise Missing(f"no policy for the processor {machine}")
        self._call = SECCOMP[machine]
        instructions = bpf.assembled(bpf.program(machine))
        self._program = libc.ctypes.create_string_buffer(instructions, len(instructions))
        address = libc.ctypes.addressof(self._program)
        head = struct.pack("@HP", len(instructions) // 8, address)
        self._head = libc.ctypes.create_string_buffer(head, len(head))
        self._null = os.open(os.devnull, os.O_RDWR)
        self.fds = (self._null,)
        self._flags = SPEC_ALLOW if self._knows(SPEC_ALLOW) else 0

    def _knows(self, flags):
        """Ask with no program: a kernel that knows the flags complains of the address."""
        try:
            libc.syscall(self._call, SET_MODE_FILTER, flags, 0)
        except OSError as error:
            if error.errno == errno.EINVAL:
                return False
            if error.errno == errno.EFAULT:
                return True
            reason = f"not in this kernel or container ({error.strerror})"
            raise Missing(reason) from None
        return False

    def apply(self, keep):
        """Install the filter, for good, and what makes up for it."""
        devnull.install(self._null)
        address = libc.ctypes.addressof(self._head)
        libc.syscall(self._call, SET_MODE_FILTER, self._flags, address)

    def check(self):
        """Try a socket and a write; see that ordinary calls still work."""
        if not refuses(socket.socket) or not refuses(os.open, os.devnull, os.O_WRONLY):
            raise Missing("the filter has no effect")
        if refuses(os.stat, "/") or refuses(os.dup, 0):
            raise Missing("the filter refuses what Python needs")
