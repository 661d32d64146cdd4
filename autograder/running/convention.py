"""Turn searches that prune on equality into strict ones, and back.

A file of `solution/` marks each comparison that decides a cutoff by the comment
`# cutoff` at the end of its line. A course with `cutoff: strict` reads those
lines with `>` for `>=`, `<` for `<=`, and the other way round.
"""

from __future__ import annotations

import io
import tokenize

EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)
MARK = "# cutoff"
OTHER = {">=": ">", ">": ">=", "<=": "<", "<": "<="}


def apply(source, convention):
    """Return `source` as the convention reads it, line for line.

    "equality" returns it unchanged; "strict" exchanges the comparisons on the
    lines marked `# cutoff`. Raises ValueError for any other convention.
    """
    if convention not in CONVENTIONS:
        raise ValueError(
            f"cutoff: {convention!r} is no convention; write 'equality' or 'strict'"
        )
    return source if convention == EQUALITY else exchange(source)


def exchange(source):
    """Return `source` with the comparisons on its marked lines exchanged."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    marked = {
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and token.string == MARK
    }
    lines = source.splitlines(keepends=True)
    for token in reversed(tokens):
        row, column = token.start
        if token.type == tokenize.OP and token.string in OTHER and row in marked:
            line = lines[row - 1]
            lines[row - 1] = line[:column] + OTHER[token.string] + line[token.end[1] :]
    return "".join(lines)
