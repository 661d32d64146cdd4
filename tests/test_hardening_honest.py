"""What a right submission may do, with every layer, and with each left out in turn."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import time
from pathlib import Path

import pytest
from hardened import ROOT, USER_UID, WORKER_UID, all_but, as_either, hardened, only_root
from hostile_ground import python_of

from autograder.sandbox import hardening
from autograder.sandbox.hardening import NAMES, Settings, landlock, prepare
from autograder.sandbox.hardening.landlock import library_folders

RUNNING = Path(hardening.__file__).parent.parent


def honest():
    """Do a bit of everything; return what went wrong."""
    wrong = []

    def attempt(name, act):
        try:
            if not act():
                wrong.append(name)
        except BaseException as error:
            wrong.append(f"{name}: {error!r}")

    def recurse(depth):
        return 1 if depth == 0 else 1 + recurse(depth - 1)

    def go_deep():
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(30_000)
        try:
            return recurse(20_000) == 20_001
        finally:
            sys.setrecursionlimit(before)

    def silence():
        with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
            print("searching")
            return null.write("more") == 4

    def sleep():
        time.sleep(0.001)
        return time.time() > 0 and time.perf_counter() > 0

    async def soon():
        await asyncio.sleep(0)
        return True

    attempt("deep recursion", go_deep)
    attempt("silence", silence)
    attempt("sleep", sleep)
    attempt("asyncio", lambda: asyncio.run(soon()))
    attempt("random", lambda: len(os.urandom(4)) == 4)
    attempt("memory", lambda: len(bytes(100 * 2**20)))
    attempt("folder", lambda: os.chdir("/") is None and os.getcwd() == "/")
    attempt("umask", lambda: os.umask(0o22) >= 0)
    attempt("pipe", lambda: len(os.pipe()) == 2)
    attempt("cpus", os.cpu_count)
    attempt("exists", lambda: not os.path.exists("/no such file"))
    return wrong


@as_either
def test_everything_on(root):
    assert hardened(honest, root=root) == []


@as_either
@pytest.mark.parametrize("layer", NAMES)
def test_each_layer_off_in_turn(layer, root):
    assert hardened(honest, root=root, off=[layer]) == []


IMPORT_ALL = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    import hardening
    del sys.path[0]
    from hardening.layer import in_fork
    uid = int(sys.argv[2]) or None
    plan = hardening.prepare(hardening.Settings(uid=uid))
    skipped = {"antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter"}
    names = [*sorted(set(sys.stdlib_module_names) - skipped), "json.tool",
             "encodings.latin_1", "encodings.cp1252", "concurrent.futures.thread",
             "logging.handlers", "multiprocessing.pool", "xml.etree.ElementTree"]

    def fails(name):
        try:
            __import__(name)
        except (ImportError, OSError):
            return True

    def load(tell, pipe, harden=lambda keep: None):
        harden([pipe])
        tell([name for name in names if fails(name)])

    plain, = in_fork(load)
    worker, = in_fork(lambda tell, pipe: load(tell, pipe, plan.apply))
    assert len(names) - len(plain) > 150, plain
    print(sorted(set(worker) - set(plain)))
"""


@pytest.fixture
def open_to_all():
    """A copy of the hardening that every user may read, wherever the kit lies."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(RUNNING / "hardening", Path(folder) / "hardening")
        yield folder


@pytest.mark.parametrize("user", ["root", "user"])
def test_every_standard_module_can_be_imported(user, open_to_all):
    command = [sys.executable, "-s", "-S", "-B", "-W", "ignore", "-c"]
    command += [
        textwrap.dedent(IMPORT_ALL),
        open_to_all,
        str(WORKER_UID * (user == "root")),
    ]
    identity = {}
    if user == "root" and not ROOT:
        pytest.skip("not root")
    if user == "user" and ROOT:
        identity = {"user": USER_UID, "group": USER_UID, "extra_groups": []}
        command[0] = python_of(USER_UID)
        if command[0] is None:
            pytest.skip("no Python of this machine can be run by an ordinary user")
    done = subprocess.run(
        command, cwd="/", env={}, capture_output=True, text=True, timeout=60, **identity
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_the_library_alone_is_opened_to_the_worker():
    home = sysconfig.get_paths()["stdlib"]
    assert library_folders()
    assert all(folder.startswith(home) for folder in library_folders())


def test_a_library_folder_without_files_does_not_cost_the_uid_drop(tmp_path, monkeypatch):
    # A Python that has its modules built in leaves lib-dynload empty.
    monkeypatch.setattr(landlock, "library_folders", lambda: [str(tmp_path)])
    assert landlock.reach_library(lambda: None) == ()


@only_root
def test_the_library_is_no_way_into_the_folders_around_it():
    def climb():
        opened = []
        for folder in library_folders():
            for _ in range(12):
                folder += "/.."
                with contextlib.suppress(OSError):
                    opened += [f"{folder}/{name}" for name in os.listdir(folder)]
        return [path for path in opened if readable(path) and closed(path)]

    def readable(path):
        with contextlib.suppress(OSError):
            return os.path.isfile(path) and open(path, "rb").close() is None

    def closed(path):
        status = os.stat(path)
        return status.st_uid == 0 and not status.st_mode & 0o004

    assert hardened(climb, off=all_but("uid")) == []
    assert hardened(lambda: os.listdir("/root"), off=all_but("uid")) == "PermissionError"


def test_an_unknown_layer_cannot_be_switched_off():
    with pytest.raises(ValueError, match="no such layer: moat"):
        prepare(Settings(off=frozenset({"moat"})))
