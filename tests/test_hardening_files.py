"""What closes the files: the uid drop where the grader is root, and Landlock."""

import errno
import os
import socket
from pathlib import Path

import pytest
from hardened import ROOT, WORKER_UID, all_but, hardened, missing, only, only_root

from autograder.sandbox.hardening import Settings, prepare
from autograder.sandbox.hardening.layer import Missing, in_fork
from autograder.sandbox.hardening.uid import Uid


def reading(path):
    return lambda: Path(path).read_text()


@only_root
class TestTheUidDrop:
    def test_closes_roots_files(self, tmp_path):
        secret = tmp_path / "secret"
        secret.write_text("canary")
        secret.chmod(0o600)
        assert only("uid", reading(secret)) == ("PermissionError", "canary")

    def test_keeps_the_grader_from_signals(self):
        grader = os.getpid()
        assert only("uid", lambda: os.kill(grader, 0)) == ("PermissionError", None)

    def test_keeps_the_graders_environment_closed(self):
        path = f"/proc/{os.getpid()}/environ"
        alone, without = only("uid", lambda: len(Path(path).read_bytes()) > 0)
        assert (alone, without) == ("PermissionError", True)

    @pytest.mark.parametrize("back", [os.setuid, os.setgid, os.seteuid, os.setegid])
    def test_cannot_be_undone(self, back):
        assert only("uid", lambda: back(0)) == ("PermissionError", None)

    def test_leaves_no_group(self):
        def zygote(tell, pipe):
            os.setgroups([0, 61234])
            plan = prepare(Settings(uid=WORKER_UID, off=frozenset(all_but("uid"))))
            tell(in_fork(lambda tell, _: (plan.apply([pipe]), tell(os.getgroups()))))

        assert in_fork(zygote) == [[[]]]

    def test_is_not_made_to_root_itself(self):
        with pytest.raises(Missing, match="root's own"):
            Uid(Settings(uid=0))


class TestLandlock:
    # Landlock needs no new privileges, or root; so both are on.
    @staticmethod
    def alone(act, root=False):
        if "landlock" in missing(root):
            pytest.skip(missing(root)["landlock"])
        return hardened(act, root=root, off=all_but("landlock", "no new privileges"))

    @pytest.mark.parametrize("path", ["/etc/passwd", "/proc/self/status", "/proc/1/stat"])
    def test_closes_what_everybody_may_read(self, path):
        assert self.alone(reading(path)) == "PermissionError"

    @pytest.mark.parametrize("folder", ["/", "/tmp", "/etc", "/proc", os.getcwd()])
    def test_lists_no_folder(self, folder):
        assert self.alone(lambda: os.listdir(folder), ROOT) == "PermissionError"

    @pytest.mark.parametrize(
        "change",
        [
            lambda path: (path / "new").touch(),
            lambda path: os.mkdir(path / "new"),
            lambda path: os.symlink("/etc/passwd", path / "new"),
            lambda path: os.mkfifo(path / "new"),
            lambda path: os.link(path / "old", path / "new"),
            lambda path: os.rename(path / "old", path / "new"),
            lambda path: os.remove(path / "old"),
            lambda path: os.truncate(path / "old", 0),
            lambda path: socket.socket(socket.AF_UNIX).bind(str(path / "new")),
        ],
    )
    def test_changes_no_file_even_as_root(self, change, tmp_path):
        (tmp_path / "old").write_text("kept")
        outcome = self.alone(lambda: change(tmp_path), ROOT)
        assert outcome in ("PermissionError", "OSError")
        assert (tmp_path / "old").read_text() == "kept"
        assert os.listdir(tmp_path) == ["old"]

    def test_connects_to_nobody_by_tcp(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = server.getsockname()
            outcome = self.alone(lambda: socket.socket().connect(address), ROOT)
        assert outcome == "PermissionError"

    def test_signals_nobody_outside(self):
        assert self.alone(lambda: os.kill(os.getppid(), 0)) == "PermissionError"

    def test_keeps_dev_null_open_for_writing(self):
        assert self.alone(lambda: Path(os.devnull).write_text("gone")) == 4


def test_what_cannot_be_written_is_refused_as_permission(tmp_path):
    def write():
        try:
            (tmp_path / "log.txt").write_text("")
        except OSError as error:
            return error.errno

    assert hardened(write) == errno.EACCES
