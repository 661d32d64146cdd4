"""Read the Makefile, README, CONTRIBUTING and docs, and the commands in them."""

from __future__ import annotations

import re

from helpers import ROOT, kit_text

MAKEFILE = kit_text("Makefile")
PATHS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PATHS += sorted((ROOT / "docs").glob("*.md"))
TEXTS = {path.name: path.read_text() for path in PATHS}
README = TEXTS["README.md"]
CONTRIBUTING = TEXTS["CONTRIBUTING.md"]
EVERYTHING = "\n".join(TEXTS.values())

TARGETS = re.findall(r"^([a-z-]+): .*?## (.*)$", MAKEFILE, re.MULTILINE)  # name, comment
TAKES = {target: set() for target, _ in TARGETS}  # target -> its settings
for target, names in re.findall(r"^TAKES_([a-z-]+) *:= (.*)$", MAKEFILE, re.MULTILINE):
    TAKES[target] = set(names.split())


def _commands():
    """Return all commands in these texts, without comments."""
    blocks = re.findall(r"```sh\n(.*?)```", EVERYTHING, re.DOTALL)
    lines = "\n".join(blocks).splitlines()
    lines += re.findall(r"`(make [^`]+)`", EVERYTHING)
    return {" ".join(line.split("  #")[0].split()) for line in lines}


MAKES = sorted(command for command in _commands() if command.startswith("make "))
STUDENTS = sorted(
    command
    for command in _commands()
    if command.startswith("python") and "pip install" not in command
)
