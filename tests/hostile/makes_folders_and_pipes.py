"""Creates folders, named pipes, sockets and empty files, which need no disk space.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    refused = None
    for make in (
        lambda: os.mkdir("/tmp/hostile-folder"),
        lambda: os.mkfifo("/tmp/hostile-pipe"),
        lambda: os.mknod("/tmp/hostile-node"),
        lambda: os.close(os.open("/tmp/hostile-empty", os.O_CREAT | os.O_RDONLY)),
        lambda: os.close(os.open("/tmp", os.O_TMPFILE | os.O_RDWR)),
        lambda: os.mkdir("hostile-here"),
    ):
        try:
            make()
            raise RuntimeError("BREACH")
        except OSError as error:
            refused = error
    raise refused
