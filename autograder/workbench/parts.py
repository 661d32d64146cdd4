"""What the starter holds of the assignment's parts: those that the rubric asks for."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path

ASKED_FILE, TABLE = "gametree/asked.py", "ASKED = {\n"
AS_IN_MINIMAX = "    depth, maximizing: as in minimax.\n"
HEAD = '"""Your assignment: {}. See handout.md."""'


def asked_for(root: Path, asked: Mapping[str, tuple[str, ...]]) -> dict[str, bytes]:
    """Return name -> content of the starter's files that depend on what is asked.

    `asked` maps the functions to the aspects that are judged. Where they are the kit's
    own, the files are those that lie in starter/.
    """
    starter, solution = root / "starter", root / "solution" / "search.py"
    stubs, table, right = (
        path.read_text(encoding="utf-8")
        for path in (starter / "search.py", starter / ASKED_FILE, solution)
    )
    texts = {"search.py": stubs_of(stubs, asked, right), ASKED_FILE: table_of(table, asked)}
    return {name: text.encode("utf-8") for name, text in texts.items()}


def table_of(text: str, asked: Mapping[str, tuple[str, ...]]) -> str:
    """Return the text of gametree/asked.py with these functions and aspects."""
    head, _, _ = text.partition(TABLE)
    rows = (
        f"    {json.dumps(function)}: {json.dumps(list(aspects))},\n"
        for function, aspects in asked.items()
    )
    return f"{head}{TABLE}{''.join(rows)}}}\n"


def stubs_of(text: str, asked: Mapping[str, tuple[str, ...]], right: str) -> str:
    """Return the text of starter/search.py with the functions that are asked alone.

    The stub of one that is not in it is made of the head and the docstring that the
    function has in `right`, the reference.
    """
    stubs = {name: ast.get_source_segment(text, part) for name, part in _functions(text)}
    if [*stubs] == [*asked]:
        return text
    for name, part in _functions(right):
        docstring = part.body[0]
        if name not in stubs:
            lines = right.splitlines()[part.lineno - 1 : docstring.end_lineno]
            stubs[name] = "\n".join([*lines, "    raise NotImplementedError"])
    chosen = [HEAD.format(", ".join(asked)), *(stubs[name] for name in asked)]
    new = "\n\n\n".join(chosen) + "\n"
    if "minimax" in asked:
        return new
    arguments = stubs["minimax"].partition("    depth:")[2].partition("\n\n")[0]
    return new.replace(AS_IN_MINIMAX, f"    depth:{arguments}\n")


def _functions(text):
    """Return (name, definition) of each function of a text, in order."""
    parts = ast.parse(text).body
    return [(part.name, part) for part in parts if isinstance(part, ast.FunctionDef)]
