"""How many wrong programs that nobody chose trees by get full marks on a set?

`python -m tests.unseen.programs [FOLDER ...]` prints those that escape each folder of
hidden trees, the kit's own if none is given. The programs stand in programs.txt, and in
blind.txt those that somebody wrote who had seen neither the kit nor its trees.
"""

from __future__ import annotations

import itertools
import re
import resource
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.kit import ROOT, load_kit, load_reference
from autograder.mistakes.variants import run_source
from autograder.processes import in_parallel
from autograder.tasks import tasks_for
from autograder.workbench.killmatrix import failures
from gametree import load_trees

RIGHT = {  # a function in the table -> its right text, and what each slot holds there
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
SLOTS = {
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


@dataclass(frozen=True)
class Wrong:
    """A wrong program: the function in which it goes wrong, and its line of the table."""

    function: str
    change: str

    @property
    def name(self):
        """The function and the change."""
        return f"{self.function}, {self.change}"

    @property
    def source(self):
        """The whole of search.py."""
        parts = dict(part.split(": ", 1) for part in self.change.split(" ; "))
        given = {**SLOTS, **parts}
        text = RIGHT[self.function].format_map(given)
        right = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
        return f"{right}\nimport struct\n{given['top']}\n{text}"

    def module(self):
        """Run the source in a fresh module."""
        return run_source(self.source)


class Blind(Wrong):
    """A wrong program that is written out; its `change` is the text of what differs."""

    @property
    def name(self):
        """The function and what is wrong: the first line of the text."""
        return f"{self.function}, {self.change.partition(chr(10))[0]}"

    @property
    def source(self):
        """The whole of search.py."""
        right = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
        return f"{right}\n{self.change}"


def blind_programs():
    """Return every program of blind.txt, in its order."""
    text = Path(__file__).with_name("blind.txt").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("### ")[1:])
    return [Blind(function, change) for function, _, change in parts]


def wrong_programs():
    """Return every program of the table, in its order."""
    programs, function = [], ""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    for line in filter(None, text.splitlines()):
        if line.startswith("["):
            function = line.strip("[]")
        elif not line.startswith("#"):
            programs += [Wrong(function, change) for change in written_out(line)]
    return programs


def written_out(line):
    """Yield the line once for each way to choose from its braces."""
    parts = re.split(r"\{([^{}]*\|[^{}]*)\}", line)
    choices = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
    return map("".join, itertools.product(*choices))


def escaping(programs, tasks):
    """Return the programs that are right in every task of their function."""
    found = in_parallel(lambda each: escapes(each, tasks), programs)
    return [program for program, right in zip(programs, found) if right]


MAX_MEMORY = 2**31  # bytes: some of them would take all there is


def escapes(program, tasks):
    """Tell whether the program is right in every task of its function."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, resource.RLIM_INFINITY))
    own = [task for task in tasks if task.function == program.function]
    return next(failures(program, own), None) is None


def main(folders):
    """Print what escapes each folder of hidden trees."""
    kit = load_kit()
    reference = load_reference(ROOT, kit.rubric.cutoff)
    for folder in folders or [ROOT / "trees" / "hidden"]:
        trees = [*kit.public, *load_trees(Path(folder))]
        tasks = tasks_for(trees, reference)
        for kind, programs in (("", wrong_programs()), ("blind ", blind_programs())):
            left = escaping(programs, tasks)
            print(f"{folder}: {len(left)} of {len(programs)} {kind}programs escape")
            for program in left:
                print(f"  {program.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
