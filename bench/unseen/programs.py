"""How many wrong programs get full marks on trees that were not chosen to reveal them?

`python -m bench.unseen.programs [FOLDER ...]` prints the wrong programs that pass each
folder of hidden trees, and the correct programs that lose points. The default is the kit's
own folder. programs.txt and unnamed.txt are tables of changes. The changes of unnamed.txt
were once known mistakes, so earlier trees were chosen to reveal them. The author of
styles.txt knew the kit, but ran none of its programs before all were written. The author of
the other files had seen neither the kit nor its trees. likely.txt has likely mistakes,
against.txt has mistakes that trees are unlikely to reveal, rare.txt has a hundred more by
each of six such authors, and correct.txt has correct programs in unusual styles.
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.library import failures
from autograder.ground.processes import in_parallel
from autograder.kit.contents import ROOT, hidden_folder
from autograder.kit.loading import load_kit
from autograder.scoring.tasks import Task, tasks_for
from bench.proofs import limit_memory
from gametree import load_trees

FILES = ("likely.txt", "styles.txt", "against.txt", "rare.txt")
TABLES = ("programs.txt", "unnamed.txt")
REFERENCE = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
CORRECT = {  # a function in the table -> its text, with slots for mistakes
    "alphabeta": """
def alphabeta(node, depth, alpha, beta, maximizing, ply=0):
    children = node.children if depth else ()
    {start}
    if depth == 0 or node.is_terminal() {leafy}:
        return {value}
    best = {best}
    for index, child in enumerate({children}):
        score = alphabeta(child, {deeper}, {low}, {high}, {mover}, ply + 1)
        if {better}:
            best = score
        if maximizing:
            {raise}
        else:
            {lower}
        {end}
        if {cut}:
            break
    {back}
    return best
""",
    "minimax": """
def minimax(node, depth, maximizing, ply=0):
    children = node.children if depth else ()
    {start}
    if depth == 0 or node.is_terminal() {leafy}:
        return {value}
    best = {best}
    for index, child in enumerate({children}):
        score = minimax(child, {deeper}, {mover}, ply + 1)
        if {better}:
            best = score
        {end}
    {back}
    return best
""",
    "best_move": """
def best_move(node, depth, maximizing):
    children = node.children
    {start}
    best = move = None
    for index, child in enumerate({children}):
        score = {score}
        if move is None or ({better}):
            best, move = score, child
        {end}
    return move
""",
}
SLOTS = {  # a slot -> its correct text
    "start": "pass",
    "leafy": "",
    "value": "node.evaluate()",
    "best": "-math.inf if maximizing else math.inf",
    "children": "node.children",
    "deeper": "depth - 1",
    "low": "alpha",
    "high": "beta",
    "mover": "not maximizing",
    "score": "minimax(child, depth - 1, not maximizing)",
    "better": "score > best if maximizing else score < best",
    "raise": "alpha = max(alpha, best)",
    "lower": "beta = min(beta, best)",
    "end": "pass",
    "cut": "alpha >= beta",
    "back": "pass",
    "top": "",
}


class UnseenProgram(NamedTuple):
    """A program that is correct except for one function.

    function: the name of this function, or ALL.
    name: the function and its mistake.
    definitions: the text of the function and of its helpers.
    """

    function: str
    name: str
    definitions: str

    @property
    def source(self) -> str:
        """The whole text of search.py."""
        return f"{REFERENCE}\n{self.definitions}"


def whole_programs(file: str) -> list[UnseenProgram]:
    """Return every program of a file of whole functions, in order.

    The first line of a program is a comment that names its mistake.
    """
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    programs = []
    for section in text.split("### ")[1:]:
        function, _, definitions = section.partition("\n")
        mistake = definitions.partition("\n")[0].lstrip("# ")
        programs.append(UnseenProgram(function, f"{function}, {mistake}", definitions))
    return programs


def changed_programs(file: str) -> list[UnseenProgram]:
    """Return every program of a table of changes, in order."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    programs = []
    function = ""
    for line in text.splitlines():
        if line.startswith("["):
            function = line.strip("[]")
        elif line and not line.startswith("#"):
            programs += [with_change(function, change) for change in written_out(line)]
    return programs


def with_change(function: str, change: str) -> UnseenProgram:
    """Return the program with a change: slots and their wrong texts."""
    slots = dict(SLOTS)
    for part in change.split(" ; "):
        slot, text = part.split(": ", 1)
        slots[slot] = text
    definitions = f"import struct\n{slots['top']}\n{CORRECT[function].format_map(slots)}"
    return UnseenProgram(function, f"{function}, {change}", definitions)


def written_out(line: str) -> Iterator[str]:
    """Return an iterator of copies of the line, one for each choice from its braces."""
    parts = re.split(r"\{([^{}]*\|[^{}]*)\}", line)
    choices = []
    for index, part in enumerate(parts):
        in_braces = index % 2 == 1
        choices.append(part.split("|") if in_braces else [part])
    return map("".join, itertools.product(*choices))


ALL = "all"  # the function name of a program that defines all functions


def escaping(
    programs: Iterable[UnseenProgram], tasks: Sequence[Task]
) -> list[UnseenProgram]:
    """Return the programs that are correct on every task of their function."""
    verdicts = in_parallel(partial(escapes, tasks), programs)
    return [program for program, escaped in zip(programs, verdicts) if escaped]


def escapes(tasks: Iterable[Task], program: UnseenProgram) -> bool:
    """Tell whether the program is correct on every task of its function or functions."""
    limit_memory()  # because some programs would use all memory
    concerned = [task for task in tasks if program.function in (task.function, ALL)]
    return not any(failures(program.source, concerned))


def main(folders: Sequence[str]) -> None:
    """Print the programs that each folder of hidden trees misjudges."""
    kit = load_kit()
    wrong = {file: whole_programs(file) for file in FILES}
    wrong |= {file: changed_programs(file) for file in TABLES}
    correct = whole_programs("correct.txt")
    for folder in folders or [str(ROOT / hidden_folder(ROOT))]:
        trees = [*kit.public, *load_trees(Path(folder))]
        tasks = tasks_for(trees, kit.reference)
        print(folder)
        for file, programs in wrong.items():
            escaped = escaping(programs, tasks)
            print_programs(f"of {len(programs)} wrong programs of {file} escape", escaped)
        losing = set(correct) - set(escaping(correct, tasks))
        print_programs(f"of {len(correct)} correct programs lose points", losing)


def print_programs(what: str, programs: Collection[UnseenProgram]) -> None:
    """Print the number of programs, and their names."""
    print(f"  {len(programs)} {what}")
    for program in programs:
        print(f"    {program.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
