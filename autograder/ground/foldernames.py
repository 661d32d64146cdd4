"""Make folder names that are valid and different on every system."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable

from autograder.ground.plaintext import sanitize

OUR_SUFFIXES = (".csv", ".html", ".json", ".lock", ".txt", ".zip")  # of files beside them
FORBIDDEN = re.compile(r'[/\\:*?"<>|]')  # characters that Windows forbids in names
DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")  # not on Windows
UNNAMED = "unnamed"
MAX_BYTES = 200  # of a folder's name
DIGITS = re.compile("0*([0-9]+)")


def natural_sort_key(text: str) -> tuple[str, str]:
    """Return a key that sorts submission_9 before submission_10."""

    def put_length_first(digits):
        return f"{len(digits[1]):05}{digits[1]}"

    return DIGITS.sub(put_length_first, text), text


def make_folder_name(name: str) -> str:
    """Return a printable name that is a valid folder name on every system.

    No shell takes it for an option, and Windows does not take it for a device.
    """
    printable = sanitize(unicodedata.normalize("NFC", name), MAX_BYTES)
    safe = FORBIDDEN.sub("_", printable)
    safe = os.fsencode(safe)[:MAX_BYTES].decode("utf-8", "ignore").strip(" .")
    if not any(character.isalnum() for character in safe):
        return UNNAMED
    if safe.startswith("-") or DEVICES.match(safe):
        return "_" + safe
    if _as_file_systems_compare(safe).endswith(OUR_SUFFIXES):
        return safe + "_"
    return safe


def make_folder_names(names: Iterable[str]) -> list[str]:
    """Return a folder name for each name, different on every file system."""
    taken = set()
    folders = []
    for name in names:
        first_choice = make_folder_name(name)
        folder = first_choice
        count = 1
        while _as_file_systems_compare(folder) in taken:
            count += 1
            folder = f"{first_choice}-{count}"
        taken.add(_as_file_systems_compare(folder))
        folders.append(folder)
    return folders


def _as_file_systems_compare(name):
    return unicodedata.normalize("NFKD", name.casefold()).casefold()
