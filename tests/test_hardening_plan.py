"""Which layers a machine has, and that the standard library is there under all of them.

What else a right submission may do is in tests/hostile.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from pathlib import Path

import pytest
from hardened import (
    ROOT,
    USER_UID,
    WORKER_UID,
    all_but,
    become_user,
    hardened,
    only_root,
)
from hostile_ground import python_of

from autograder.sandbox import hardening
from autograder.sandbox.hardening import NAMES, Plan, Settings
from autograder.sandbox.hardening.files import Landlock, library_folders
from autograder.sandbox.hardening.layer import in_fork
from autograder.sandbox.hardening.seccomp import Seccomp

HARDENING = Path(hardening.__file__).parent


IMPORT_ALL = """
    import os, sys
    sys.path.insert(0, sys.argv[1])
    from hardening import Plan, Settings
    from hardening.layer import in_fork
    del sys.path[0]
    uid = int(sys.argv[2]) or None
    plan = Plan(Settings(uid=uid))
    skipped = {"antigravity", "this", "idlelib", "turtledemo", "turtle", "tkinter"}
    names = [*sorted(set(sys.stdlib_module_names) - skipped), "json.tool",
             "encodings.latin_1", "encodings.cp1252", "concurrent.futures.thread",
             "logging.handlers", "multiprocessing.pool", "xml.etree.ElementTree"]

    def fails(name):
        try:
            __import__(name)
        except (ImportError, OSError):
            return True

    def load(report, pipe, harden=lambda keep: None):
        harden([pipe])
        report([name for name in names if fails(name)])

    plain, = in_fork(load)
    worker, = in_fork(lambda report, pipe: load(report, pipe, plan.apply))
    assert len(names) - len(plain) > 150, plain
    print(sorted(set(worker) - set(plain)))
"""


def output_of(program, *arguments, python=sys.executable, **user):
    """Run a program beside a copy of the hardening that every user may read."""
    command = [python, "-s", "-S", "-B", "-W", "ignore", "-c", textwrap.dedent(program)]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        shutil.copytree(HARDENING, Path(folder) / "hardening")
        done = subprocess.run(
            [*command, folder, *arguments],
            **{"cwd": "/", "env": {}, "capture_output": True, "text": True, "timeout": 60},
            **user,
        )
    assert done.stderr == ""
    return done.stdout.strip()


@only_root
def test_roots_worker_can_import_every_standard_module():
    assert output_of(IMPORT_ALL, str(WORKER_UID)) == "[]"


def test_an_ordinary_users_worker_can_import_every_standard_module():
    python, user = sys.executable, {}
    if ROOT:
        python = python_of(USER_UID)
        user = {"user": USER_UID, "group": USER_UID, "extra_groups": []}
    if python is None:
        pytest.skip("no Python of this machine can be run by an ordinary user")
    assert output_of(IMPORT_ALL, "0", python=python, **user) == "[]"


def test_the_library_alone_is_opened_to_the_worker():
    home = sysconfig.get_paths()["stdlib"]
    assert library_folders()
    assert all(folder.startswith(home) for folder in library_folders())


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
        Plan(Settings(off=frozenset({"moat"})))


class TestTheReport:
    def test_names_what_holds_and_why_the_rest_does_not(self):
        def zygote(report, pipe):
            become_user()
            plan = Plan(Settings(off=frozenset({"landlock"})))
            report([plan.held, plan.missing])

        ((held, missing),) = in_fork(zygote)
        assert ["landlock", "switched off"] in missing
        assert ["uid", "only root can give the worker a user of its own"] in missing
        assert sorted([*held, *(name for name, _ in missing)]) == sorted(NAMES)

    @only_root
    def test_does_not_call_held_what_root_is_exempt_from(self):
        def zygote(report, pipe):
            report(Plan(Settings(uid=None)).missing)

        assert ["processes", "root is exempt"] in in_fork(zygote)[0]

    def test_believes_no_layer_that_it_did_not_see_at_work(self, monkeypatch):
        monkeypatch.setattr(Seccomp, "apply", lambda self, keep: None)
        monkeypatch.setattr(Landlock, "apply", lambda self, keep: os._exit(1))

        def zygote(report, pipe):
            plan = Plan(Settings())
            report([plan.held, dict(plan.missing)])

        ((held, missing),) = in_fork(zygote)
        assert missing["seccomp"] == "the filter has no effect"
        assert missing["landlock"] == "its trial died"
        assert "limits" in held and "memory" in held


def test_a_layer_that_fails_later_stops_the_worker():
    def zygote(report, pipe):
        plan = Plan(Settings())
        os.dup2 = lambda *_: os.close(-1)
        in_fork(lambda *_: (plan.apply([pipe]), report("ran on")))

    assert in_fork(zygote) == []


ELSEWHERE = """
    import builtins, os, sys
    real = builtins.__import__

    def without(name, *rest):
        if name in GONE:
            raise ImportError(name)
        return real(name, *rest)

    GONE, sys.platform = sys.argv[2].split(), sys.argv[3]
    for name in sys.argv[4].split():
        delattr(os, name)
    builtins.__import__ = without
    sys.path.insert(0, sys.argv[1])
    from hardening import Plan, Settings
    plan = Plan(Settings(uid=61802))
    print(", ".join(plan.held))
"""


@pytest.mark.parametrize(("platform", "gone"), [("darwin", "setresuid"), ("linux", "")])
def test_other_systems_get_what_they_have(platform, gone):
    output = output_of(ELSEWHERE, "ctypes", platform, gone)
    assert output.startswith("descriptors, limits")
    for layer in ("landlock", "seccomp", "no new privileges"):
        assert layer not in output
