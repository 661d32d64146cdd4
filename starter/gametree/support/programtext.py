"""Read the text of a search.py without running it or parsing it."""

import re
import sys
from collections.abc import Collection, Iterator

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


def lacking_names(source: str, functions: Collection[str]) -> Iterator[str]:
    """Yield a line on each name in a search.py that works at home and not when graded.

    functions: the functions of the assignment. A line also names a function that is almost
        called like one that is missing, such as bestMove.
    """
    text = LONG_TEXT.sub(_without_words, source)
    defined = DEFINED.findall(text)
    available = AVAILABLE.union(defined)
    for match in USED.finditer(text):
        name = match[1]
        if name not in available:
            before = text[: match.start(1)]
            line = before.count("\n") + 1
            yield sentence("upload.lacking", line=line, name=name)
    plain_names = {_plain(name): name for name in defined}
    for name in functions:
        other = plain_names.get(_plain(name), name)
        mention = re.search(rf"(?m)^[^#\n]*\b{name}\b", text)
        if other != name and not mention:
            yield sentence("upload.renamed", name=other, function=name)


def _without_words(match):
    """Return only the line breaks of a match, so that all lines keep their numbers."""
    breaks = match[0].count("\n")
    return "\n" * breaks


def _plain(name):
    """Return a name in the spelling in which bestMove equals best_move."""
    lower = name.lower()
    return lower.replace("_", "")
