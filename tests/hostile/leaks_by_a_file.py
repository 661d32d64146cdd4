"""Writes values to files, for the process of the next tree to print.

Expect: score 80
Expect: says "it raised RuntimeError: nothing was left"
"""
import os

# @HONEST@

NOTE = "hostile-note-" + os.path.basename("@HOME@")
PLACES = (f"/tmp/{NOTE}", f"/dev/shm/{NOTE}", NOTE, f"@HOME@/tmp/{NOTE}")


def best_move(node, depth, maximizing):
    for place in PLACES:
        if os.path.exists(place):
            raise RuntimeError("BREACH a note from an earlier tree")
        try:
            note = os.open(place, os.O_WRONLY | os.O_CREAT)
            os.write(note, str(minimax(node, depth, maximizing)).encode())
        except OSError:
            pass
    raise RuntimeError("nothing was left")
