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
    makers = {"search.py": stubs_of, ASKED_FILE: table_of}
    texts = {
        name: made((root / "starter" / name).read_text(encoding="utf-8"), asked)
        for name, made in makers.items()
    }
    return {name: text.encode("utf-8") for name, text in texts.items()}


def table_of(text: str, asked: Mapping[str, tuple[str, ...]]) -> str:
    """Return the text of gametree/asked.py with these functions and aspects."""
    head, _, _ = text.partition(TABLE)
    rows = (
        f"    {json.dumps(function)}: {json.dumps(list(aspects))},\n"
        for function, aspects in asked.items()
    )
    return f"{head}{TABLE}{''.join(rows)}}}\n"


def stubs_of(text: str, asked: Mapping[str, tuple[str, ...]]) -> str:
    """Return the text of starter/search.py with the functions that are asked alone."""
    stubs = {
        part.name: ast.get_source_segment(text, part)
        for part in ast.parse(text).body
        if isinstance(part, ast.FunctionDef)
    }
    if [*stubs] == [*asked]:
        return text
    chosen = [HEAD.format(", ".join(asked)), *(stubs[name] for name in asked)]
    new = "\n\n\n".join(chosen) + "\n"
    if "minimax" in asked:
        return new
    arguments = stubs["minimax"].partition("    depth:")[2].partition("\n\n")[0]
    return new.replace(AS_IN_MINIMAX, f"    depth:{arguments}\n")
