"""Ids of submissions: each the name of one folder, on every system."""

from __future__ import annotations

import os
import re
import unicodedata

RESERVED = {"gradebook.csv", "canvas.csv", "changes.csv", "report.html", "ledger.jsonl"}


def natural(text):
    """Sort submission_9 before submission_10."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p], text


def safe_id(name):
    """Return a name that is one folder's name everywhere and prints on one line."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
    name = os.fsencode(name)[:200].decode("utf-8", "ignore").strip()
    return "_" + name if not name or name.startswith(".") else name


def unique(names):
    """Return a safe id for each name, no two equal whatever the case of their letters."""
    taken, ids = set(RESERVED), []
    for given in names:
        wanted = name = safe_id(given)
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted}-{count}"
        taken.add(name.casefold())
        ids.append(name)
    return ids
