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
    text = LONG_TEXT.sub(lambda match: "\n" * match[0].count("\n"), source)
    defined = DEFINED.findall(text)
    for match in USED.finditer(text):
        if match[1] not in AVAILABLE.union(defined):
            line = text.count("\n", 0, match.start(1)) + 1
            yield sentence("upload.lacking", line=line, name=match[1])
    plain_names = {name.replace("_", "").lower(): name for name in defined}
    for name in functions:
        other = plain_names.get(name.replace("_", ""), name)
        if other != name and not re.search(rf"(?m)^[^#\n]*\b{name}\b", text):
            yield sentence("upload.renamed", name=other, function=name)
