"""Read the text of a search.py without running it or parsing it."""

import re
import sys
from collections.abc import Iterator

from gametree.support.texts import sentence

LONG_TEXT = re.compile(r'("{3}|\'{3}).*?\1', re.DOTALL)
DEFINED = re.compile(r"^def +(\w+)", re.MULTILINE)
AVAILABLE = {*sys.stdlib_module_names, "gametree"}  # modules
# An import or a call of the starter outside functions, or a call anywhere.
USED = re.compile(
    r"^(?:(?:from|import) +|[^#\"'\s][^#\"'\n]*\b(?=load_trees?\(|parse_tree\()"
    r"|[^#\"'\n]*\b(?=breakpoint\(|get_ipython\())(\w+)",
    re.MULTILINE,
)


def lacking_names(source: str) -> Iterator[str]:
    """Yield a line on each name in a search.py that works at home and not when graded."""
    text = LONG_TEXT.sub(_without_words, source)
    available = AVAILABLE.union(DEFINED.findall(text))
    for match in USED.finditer(text):
        name = match[1]
        if name not in available:
            before = text[: match.start(1)]
            line = before.count("\n") + 1
            yield sentence("upload.lacking", line=line, name=name)


def _without_words(match):
    """Return only the line breaks of a match, so that all lines keep their numbers."""
    breaks = match[0].count("\n")
    return "\n" * breaks
