"""Load the submissions in `solution/`: their headers and their sources.

A variant is a submission that the kit trusts: a correct program in another style, a known
mistake, or a program that takes little effort. Its file contains only the differences from
its base; see complete_source(). The first two lines of its docstring are for people. Lines
of the form `Word: text` below them are for the kit. solution/README.md explains each word.

A file marks each comparison that decides a cutoff with the comment `# cutoff` at the end of
its line. In a course with `cutoff: strict`, these lines are read with `>` for `>=`, `<` for
`<=`, and vice versa.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import types
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.syntax import names_bound
from autograder.scoring.tasks import CONVENTIONS, EQUALITY, STRICT
from gametree.functions import FUNCTIONS, MAX, MIN, NODE_COUNT
from gametree.support.errors import InputError

MARK = "# cutoff"
COUNT_SHOWS = "nodes"  # in a header: the search visits nodes twice
IN_MINIMAX = "minimax_"  # prefix of the names of mistakes that are derived for minimax
OF_WINDOWS = {"extra", "missing"}  # aspects that only a search that prunes can fail
SEARCH_IN_WINDOW = "search_in_window"  # the alphabeta of a derived mistake
# A comparison with a bound that is not a number is false, so the search makes no cutoff.
MINIMAX_WITHOUT_CUTOFFS = """
def minimax(node, depth, maximizing):
    return search_in_window(node, depth, float("nan"), float("nan"), maximizing)
"""
ABOUT_WINDOWS = re.compile(r"\b(alpha|beta|bounds?|cutoffs?|prunes?|windows?)\b")
FIELDS = [
    "Also",
    "Changes",
    "Convention",
    "Denies",
    "Line",
    "Points",
    "Shows",
    "Strict course",
]
PROSE = "prose"  # the lines of a docstring that are for people
TESTS = {MAX.name: "maximizing", MIN.name: "not maximizing"}  # of whose move it is
ABOUT_A_PLAYER = re.compile(r"\b(MAX|MIN)\b")
NO_LINE = "nothing"  # in a header: in a usual spelling, no change of one line fixes it
BASES = ("correct", "mistakes")  # folders of solution/ with possible bases
MARKED = re.compile(rf"([<>])(=?)(?=.*{MARK}$)", re.MULTILINE)


def apply_convention(source: str, convention: str) -> str:
    """Return `source` under the cutoff convention, line for line.

    "equality" returns it unchanged. "strict" exchanges the comparisons on the lines marked
    `# cutoff`.
    """
    if convention == STRICT:
        return MARKED.sub(_other_comparison, source)
    return source


def _other_comparison(match):
    sign, equal = match.groups()
    return sign if equal else f"{sign}="


def complete_source(text: str, solution: Path) -> str:
    """Return a variant's complete text, including the parts from its base.

    The base is the complete text of the file that the header names, or search.py. The
    header of the result names no base. `solution` is the path of solution/. Raises
    SyntaxError if a text is not Python, and OSError if the base cannot be read.
    """
    own = re.sub(r"Changes: .*\n", "", text, count=1)
    return overlay(own, _base_source(text, solution))


def _base_source(text, solution):
    """Return the complete text of the base that a variant's header names."""
    names = read_header(text)["Changes"]
    if not names:
        return _reference_text(solution)
    base = base_path(names[0], solution).read_text(encoding="utf-8")
    return complete_source(base, solution)


def base_path(name: str, solution: Path) -> Path:
    """Return the path of the file that `Changes: name` names."""
    paths = [solution / folder / f"{name}.py" for folder in BASES]
    return next(filter(Path.exists, paths), paths[0])


def _reference_text(solution):
    return (solution / "search.py").read_text(encoding="utf-8")


class Variant(NamedTuple):
    """A file of `solution/` under a cutoff convention.

    name: the file's name without .py. A copy for a number or a player ends in it.
    path: the file.
    headline: the style of a correct program. For a mistake, what the function does wrong,
        after "Your alphabeta" or "one that".
    next_step: how to fix it, or "" for a correct style.
    shows: the wrong functions -> the aspects that fail.
    source: its complete text.
    plain: the complete text of the reference.
    fixes: the changes of a line that fix it, such as "number in if"; see changes_at().
    denies: the statements that its headline denies; see reading.py.
    """

    name: str
    path: Path
    headline: str
    next_step: str
    shows: dict[str, tuple[str, ...]]
    source: str
    plain: str = ""
    fixes: frozenset[str] = frozenset()
    denies: frozenset[str] = frozenset()

    def concerns(self, assigned: Mapping[str, Collection[str]]) -> bool:
        """Tell whether it fails in an assigned function and a judged aspect.

        assigned: function -> the aspects that are judged.
        """
        for function, aspects in self.shows.items():
            judged = assigned.get(function, ())
            shows_count_only = set(aspects) == {COUNT_SHOWS}
            if judged and (NODE_COUNT in judged or not shows_count_only):
                return True
        return not self.shows


def run_source(source: str) -> types.ModuleType:
    """Execute trusted source text in a new module and return the module."""
    module = types.ModuleType("search")
    exec(_compiled(source), module.__dict__)
    return module


@lru_cache(maxsize=512)
def _compiled(source):
    return compile(source, "search.py", "exec", dont_inherit=True)


def quietly() -> contextlib.AbstractContextManager:
    """Return a context that discards the output of trusted code."""
    return contextlib.redirect_stdout(io.StringIO())


def load_variant(path: Path | str, convention: str = EQUALITY) -> Variant:
    """Return the Variant in the file at `path` under the convention."""
    return next(_variants_of(Path(path), convention))


def load_variants(folder: Path | str, convention: str = EQUALITY) -> tuple[Variant, ...]:
    """Return the folder's variants under the convention, sorted by name.

    Raises InputError if a file is not Python.
    """
    variants = []
    for path in sorted(Path(folder).glob("*.py")):
        try:
            conventions = read_header(path.read_text(encoding="utf-8"))["Convention"]
        except SyntaxError as error:
            reason = f"{error.msg}; fix the file"
            raise InputError(f"{path}, line {error.lineno}: {reason}") from None
        if convention in (conventions or CONVENTIONS):
            variants += _variants_of(path, convention)
    return tuple(variants)


def load_mistakes(
    solution: Path, convention: str, assigned: Mapping[str, Collection[str]]
) -> list[Variant]:
    """Return the known mistakes that fail in an assigned function.

    They come from the files of `solution`/mistakes. A student who starts alphabeta's best
    value at 0 makes the same mistake in minimax, so mistakes of alphabeta yield the same
    mistakes of minimax, unless their text is about windows or there is a file for it.

    assigned: function -> the aspects that are judged.
    """
    mistakes = load_variants(solution / "mistakes", convention)
    names = {mistake.name for mistake in mistakes}
    derived = []
    for mistake in mistakes:
        name = IN_MINIMAX + mistake.name
        if name not in names and _is_possible_in_minimax(mistake):
            derived.append(_in_minimax(mistake, name))
    return [mistake for mistake in [*mistakes, *derived] if mistake.concerns(assigned)]


def _is_possible_in_minimax(mistake):
    """Tell whether a mistake of alphabeta, as its text describes it, needs no window."""
    aspects = set(mistake.shows.get("alphabeta", ())) - OF_WINDOWS
    text = f"{mistake.headline} {mistake.next_step}"
    return bool(aspects) and not ABOUT_WINDOWS.search(text)


def _in_minimax(mistake, name):
    """Return a mistake of alphabeta as a mistake of minimax.

    No leaf is unnecessary for minimax, so the mistake does not show "extra" leaves.
    """
    renamed = _with_other_name(mistake.source)
    aspects = [aspect for aspect in mistake.shows["alphabeta"] if aspect != "extra"]
    next_step = mistake.next_step.replace("alphabeta", "minimax")
    return mistake._replace(
        name=name,
        next_step=next_step,
        shows={"minimax": tuple(aspects)},
        source="\n\n".join([renamed, mistake.plain, MINIMAX_WITHOUT_CUTOFFS]),
    )


def _with_other_name(text):
    return re.sub(r"\balphabeta\b", SEARCH_IN_WINDOW, text)


def _variants_of(path: Path, convention: str) -> Iterator[Variant]:
    """Yield the file's Variant, and its copies for numbers."""
    text = path.read_text(encoding="utf-8")
    yield _variant(path, path.stem, text, convention)
    stem, _, number = path.stem.rpartition("_")
    header = read_header(text)
    for other in " ".join(header["Also"]).split():
        renamed = re.sub(rf"\b{number}\b", other, text)
        yield _variant(path, f"{stem}_{other}", renamed, convention)


def _variant(path, name, text, convention):
    header = read_header(text)
    prose = header[PROSE]
    if convention == STRICT:
        prose = header["Strict course"] or prose
    headline, next_step = [*prose, "", ""][:2]
    shows = {}
    for line in header["Shows"]:
        function, *aspects = line.split()
        shows[function] = tuple(aspects)
    solution = _solution_of(path)
    complete = complete_source(text, solution)
    fixes = ", ".join(header["Line"]).split(", ")
    return Variant(
        name=name,
        path=path,
        headline=headline,
        next_step=next_step,
        shows=shows,
        source=apply_convention(complete, convention),
        plain=_plain_text(solution, convention),
        fixes=frozenset(fixes) - {""},
        denies=frozenset(header["Denies"]),
    )


def _solution_of(path):
    """Return the path of solution/, given the path of a file in it."""
    return next(above for above in path.parents if (above / "search.py").exists())


@lru_cache
def _plain_text(solution, convention):
    """Return the text of the reference under the convention."""
    return apply_convention(_reference_text(solution), convention)


def copies_for_players(mistake: Variant) -> list[Variant]:
    """Return a copy for each player, which makes a mistake only where this player moves.

    There are none if the mistake is in several functions, or speaks of a player itself.
    """
    if len(mistake.shows) != 1 or ABOUT_A_PLAYER.search(mistake.headline):
        return []
    (function,) = mistake.shows
    plain = mistake.plain
    if SEARCH_IN_WINDOW in mistake.source:
        function = SEARCH_IN_WINDOW
        plain = _with_other_name(plain)
    copies = []
    for player, test in TESTS.items():
        copy = mistake._replace(
            name=f"{mistake.name}_for_{player.lower()}",
            headline=f"for {player} {mistake.headline}",
            source=restrict(mistake.source, function, test, plain),
        )
        copies.append(copy)
    return copies


def read_header(text: str) -> dict[str, list[str]]:
    """Return the content of a variant's docstring: word -> the texts of its lines.

    The word of the lines for people is PROSE. Raises SyntaxError if the text is not Python.
    """
    header: defaultdict[str, list[str]] = defaultdict(list)
    docstring = ast.get_docstring(ast.parse(text)) or ""
    for line in filter(str.strip, docstring.splitlines()):
        word, _, value = line.partition(": ")
        if word not in FIELDS:
            word = PROSE
            value = line
        header[word].append(value)
    return header


# Lay a file over another file: both are source texts, and so is the result.


class Statement(NamedTuple):
    """A top-level statement, an import, or the docstring of a module.

    names: the names that it binds; an import has its text instead.
    text: its text, including the lines above it.
    rank: its place in a module: docstring, imports, other statements.
    """

    names: frozenset[str]
    text: str
    rank: int


def overlay(text: str, base: str) -> str:
    """Return the base's text with its definitions replaced by those of `text`.

    The imports are those of both. A docstring or a top-level statement of `text` replaces
    those of the base that bind its names, and stands at the end if there are none. Raises
    SyntaxError if a text is not Python.
    """
    own = _statements_of(text)
    found = []
    for statement in _statements_of(base):
        replacing = [new for new in own if new.names & statement.names]
        found += replacing or [statement]
    in_order = sorted(dict.fromkeys([*found, *own]), key=lambda part: part.rank)
    return "".join(part.text for part in in_order)


def restrict(text: str, function: str, test: str, plain: str) -> str:
    """Return the text with its function called only if a test is true.

    Otherwise the function of `plain` is called. If the function calls itself, the test
    decides at each node, otherwise at the root. `test` is an expression of the function's
    arguments.
    """
    head = f"def {function}("
    wrong = text.replace(head, f"def wrong_{function}(", 1)
    calls_itself = text.count(f"{function}(") > 1
    renamed = head if calls_itself else f"{function}("
    right = plain.replace(renamed, renamed.replace(function, f"right_{function}"))
    record = FUNCTIONS.get(function, FUNCTIONS["alphabeta"])
    arguments = ", ".join(["node", *record.arguments])
    choice = (
        f"{head}{arguments}):\n"
        f"    if {test}:\n"
        f"        return wrong_{function}({arguments})\n"
        f"    return right_{function}({arguments})\n"
    )
    return "\n\n".join([right, wrong, choice])


@lru_cache
def _statements_of(text):
    """Return the Statements of a module's text."""
    lines = text.splitlines(keepends=True)
    begin = 0
    statements = []
    for item in ast.parse(text).body:
        part = "".join(lines[begin : item.end_lineno])
        begin = item.end_lineno
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            line = part.lstrip()
            is_first = line.startswith("from __future__")
            rank = 1 if is_first else 2
            statements.append(Statement(frozenset([line]), line, rank))
        elif isinstance(item, ast.Expr) and not statements:
            statements.append(Statement(frozenset([PROSE]), f"{part}\n", 0))
        else:
            statements.append(Statement(frozenset(names_bound(item)), part, 3))
    return statements
