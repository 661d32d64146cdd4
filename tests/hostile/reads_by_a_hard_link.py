"""Makes a hard link to the metadata in a readable folder.

Expect: score 80
Expect: says "it raised PermissionError" or "it raised OSError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.link("@HOME@/submission_metadata.json", "hostile-hard-link")
    raise RuntimeError("BREACH " + open("hostile-hard-link").read())
