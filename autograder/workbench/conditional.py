"""A model of where bugs hide: every change of a mutant, under a condition.

A program may be right on all that is small, and go wrong from the seventh child on,
below the fifth ply, or for values of a million. Such programs are generated here: each
edit that mutants.py knows, and more that put constants, digits and early exits in, is
made only where a Condition holds. What a condition looks at is the Scene: the node, its
child, and the variables of the function at that moment.
"""

from __future__ import annotations

import ast
import contextlib
import math
import random
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import combinations, groupby
from types import CodeType, ModuleType

from autograder.mistakes.variants import Variant, run_code
from autograder.tasks import Task
from autograder.utilities import in_parallel
from autograder.workbench.mutants import edits, essence, is_docstring
from gametree.functions import FUNCTIONS
from gametree.node import Node
from gametree.trace import observe
from gametree.tree import Search

HOOK = "_holds"  # what a changed program asks: _holds(locals(), node)
CONSTANTS = (-1000, -99, -1, 0, 1, 99, 999, 1000, 9999, 99_999, 10**5, 999_999, 10**6,
             9_999_999, 10**7, 99_999_999, 10**8)  # fmt: skip
UNSET_NUMBERS = (0, 1, -1, 10, -10, 99, -99, 100, -100, 999, -999, 1000, -1000,
                 9999, -9999, 10_000, -10_000)  # fmt: skip
POWERS = tuple(10**k for k in range(2, 9))
DIGITS = range(2, 9)
KNOWN_NUMBERS = ("best", "score", "value", "v", "alpha", "beta")

LARGE, CLOSE, WIDE, DEEP = "large values", "close values", "many children", "many plies"
DEPTH, UNSET, WINDOW = "a large depth", "odd constants", "given windows"
STATE, KINDS, SIDE = "earlier searches", "kinds of numbers and wins", "one player"
CLASSES = (LARGE, CLOSE, WIDE, DEEP, DEPTH, UNSET, WINDOW, STATE, KINDS, SIDE)


class Scene:
    """Where a search stands: a node, the child in its turn if any, and what is known.

    Its properties are what conditions look at; they can be hashed.
    """

    def __init__(self, scope: dict, node: Node):
        child = scope.get("child", scope.get("c"))
        self.scope = scope
        self._queries = node._queries
        self.position = node._key
        self.place = self.position if child is None else child._key

    @property
    def index(self) -> int:
        """The place's number among its parent's children; 0 at the root."""
        return self.place.path[-1] if self.place.path else 0

    @property
    def width(self) -> int:
        """How many children the node has."""
        return len(self.position.children)

    @property
    def ply(self) -> int:
        """How many plies below the root the place is."""
        return len(self.place.path)

    @property
    def depth(self) -> int:
        """The plies left at the node, if the function knows."""
        return self.scope.get("depth", 0)

    @property
    def queries(self) -> int:
        """How many queries this search has made."""
        return len(self._queries.events)

    @property
    def player(self) -> bool | None:
        """Whether MAX moves at the node, if the function knows."""
        return self.scope.get("maximizing")

    @property
    def at_root(self) -> bool:
        """Whether the node is the root."""
        return not self.position.path

    @property
    def terminal(self) -> bool:
        """Whether the game is over at the place."""
        return self.place.terminal

    @property
    def numbers(self) -> tuple[float, ...]:
        """The finite numbers that are known here, and the place's if it is a leaf."""
        known = [self._number(name) for name in KNOWN_NUMBERS]
        if self.place.terminal or self.place is self.position and self.depth == 0:
            known.append(self.place.static_value())
        return tuple(number for number in known if number is not None)

    @property
    def kinds(self) -> frozenset:
        """The numbers, each with its type."""
        return frozenset((type(number), number) for number in self.numbers)

    @property
    def alpha(self) -> float | None:
        """Alpha, where it is finite."""
        return self._number("alpha")

    @property
    def beta(self) -> float | None:
        """Beta, where it is finite."""
        return self._number("beta")

    @property
    def window(self) -> tuple[bool, bool, int]:
        """Whether the node is the root, and a leaf; how many bounds are finite."""
        leaf = self.position.terminal or self.depth == 0
        finite = (self.alpha is not None) + (self.beta is not None)
        return self.at_root, leaf, finite

    def _number(self, name):
        value = self.scope.get(name)
        return value if isinstance(value, (int, float)) and math.isfinite(value) else None


@dataclass(frozen=True)
class Condition:
    """When a change is made: where a test of one of the Scene's properties holds.

    `kind` is one of CLASSES. A stateful one has no property, and tests the searches that
    the module was called for so far, the newest last.
    """

    what: str
    kind: str
    looks_at: str
    test: Callable = field(compare=False, repr=False)

    @property
    def stateful(self) -> bool:
        """Whether it looks at earlier searches."""
        return not self.looks_at


@cache
def conditions() -> tuple[Condition, ...]:
    """Return all conditions, the same ones in the same order each time."""
    return (*_of_shape(), *_of_values(), *_of_windows(), *_of_calls())


def _at_least(most):
    return lambda size: size >= most


def _of_shape():
    for k in range(3, 10):
        yield Condition(f"from child {k} on", WIDE, "index", _at_least(k - 1))
        yield Condition(f"at {k} children", WIDE, "width", _at_least(k))
    for k in range(2, 12):
        yield Condition(f"from ply {k} on", DEEP, "ply", _at_least(k))
    for k in (5, 7, 9, 12, 15, 20, 25, 29):
        yield Condition(f"at depth {k} or more", DEPTH, "depth", _at_least(k))
    for k in (20, 50, 100, 150):
        yield Condition(f"after {k} queries", STATE, "queries", _at_least(k))
    yield Condition("at MAX", SIDE, "player", lambda player: player is True)
    yield Condition("at MIN", SIDE, "player", lambda player: player is False)
    yield Condition("at the root", SIDE, "at_root", bool)
    yield Condition("below the root", SIDE, "at_root", lambda root: not root)
    yield Condition("at a terminal child", KINDS, "terminal", bool)
    yield Condition("above the last ply", KINDS, "terminal", lambda terminal: not terminal)
    yield Condition("with one child", KINDS, "width", lambda width: width == 1)


def _of_values():
    for top in POWERS:
        yield Condition(f"above {top}", LARGE, "numbers", _beyond(top))
        yield Condition(f"below -{top}", LARGE, "numbers", _beyond(-top))
    for k in range(1, 6):
        close = _closer(1.0001 * 10**-k)
        yield Condition(f"differences below 1e-{k}", CLOSE, "numbers", close)
    between = "between -1 and 0"
    yield Condition(between, CLOSE, "numbers", lambda ns: any(-1 < n < 0 for n in ns))
    yield Condition("a zero is known", UNSET, "numbers", lambda numbers: 0 in numbers)
    yield Condition("an int beside a float", KINDS, "kinds", _two_types)
    yield Condition("equal, of two kinds", KINDS, "kinds", _equal_of_two_types)


def _beyond(top):
    sign = math.copysign(1, top)
    return lambda numbers: any(sign * number >= abs(top) for number in numbers)


def _closer(least):
    def test(numbers):
        row = sorted(set(numbers))
        return any(b - a < least for a, b in zip(row, row[1:]))

    return test


def _two_types(kinds):
    return len({kind for kind, _ in kinds}) > 1


def _equal_of_two_types(kinds):
    return len({number for _, number in kinds}) < len(kinds)


def _of_windows():
    for name in ("alpha", "beta"):
        for what, test in (
            ("is 0", lambda bound: bound == 0),
            ("is negative", lambda bound: bound is not None and bound < 0),
            ("is positive", lambda bound: bound is not None and bound > 0),
            ("is a fraction", lambda bound: bound is not None and bound != int(bound)),
        ):
            yield Condition(f"{name} {what}", WINDOW, name, test)
    for what, test in (
        ("both bounds are finite", lambda root, leaf, finite: finite == 2),
        ("one bound is finite", lambda root, leaf, finite: finite == 1),
        ("both bounds are finite at the root", lambda root, leaf, n: root and n == 2),
        ("the root is a leaf", lambda root, leaf, finite: root and leaf),
        ("the root is a leaf, with a window", lambda *window: all(window)),
    ):
        yield Condition(what, WINDOW, "window", lambda window, test=test: test(*window))


def _of_calls():
    def earlier(test):
        return lambda calls: any(test(calls[-1], call) for call in calls[:-1])

    for what, test in (
        ("in the second call", lambda calls: len(calls) > 1),
        ("in the fourth call", lambda calls: len(calls) > 3),
        ("after a narrow window", earlier(_narrower)),
        ("after a shallower search", earlier(lambda now, old: old.depth < now.depth)),
        ("after a deeper search", earlier(lambda now, old: old.depth > now.depth)),
        ("after the other player", earlier(_other_player)),
    ):
        yield Condition(what, STATE, "", test)


def _narrower(now, old):
    return now.full_window and not old.full_window


def _other_player(now, old):
    return now.maximizing != old.maximizing


@dataclass(frozen=True, eq=False)
class Site:
    """One edit of a program, under the hook: the code asks it whether to be changed.

    `place` is (function, line); `plain` is the edit made always.
    """

    name: str
    place: tuple[str, int]
    kind: str
    plain: CodeType
    code: CodeType


def sites_of(variant: Variant, known: Iterable[str] = ()) -> list[Site]:
    """Return the sites of a program, each with other code than the others.

    Top-level statements in `known`, a set of their dumps, have none.
    """
    tree = ast.parse(variant.source)
    function_at = {
        line: top.name
        for top in tree.body
        if isinstance(top, ast.FunctionDef)
        for line in range(top.lineno, top.end_lineno + 1)
    }
    sites, seen = [], {essence(variant.code)}
    for edit, kind in _every_edit(tree, known):
        hooked = _under_hook(edit)
        codes = [_compiled(tree, each, variant) for each in (edit, hooked) if each]
        if len(codes) < 2 or None in codes or essence(codes[0]) in seen:
            continue
        seen.add(essence(codes[0]))
        name = f"{variant.name}:{edit.line} {edit.what} #{len(sites)}"
        sites.append(Site(name, (function_at[edit.line], edit.line), kind, *codes))
    return sites


def _every_edit(tree, known):
    for edit in edits(tree, known):
        yield edit, ""
    for edit in edits(tree, known, special_changes):
        kind, what = edit.what
        yield replace(edit, what=what), kind


def _compiled(tree, edit, variant):
    with edit.made(), contextlib.suppress(SyntaxError, ValueError):
        return compile(tree, str(variant.path), "exec", dont_inherit=True)


def _under_hook(edit):
    """Return the edit that makes another one where the hook says so; None if it cannot."""
    asked = ast.parse(f"{HOOK}(locals(), node)", mode="eval").body
    old, new = edit.old, edit.new
    if isinstance(old, ast.expr):
        return replace(edit, new=_either(asked, new, old))
    begin, end = 0, 0
    while begin < min(len(old), len(new)) and old[begin] is new[begin]:
        begin += 1
    while end < min(len(old), len(new)) - begin and old[-1 - end] is new[-1 - end]:
        end += 1
    before, after = old[:begin], old[len(old) - end :]
    ours, theirs = new[begin : len(new) - end], old[begin : len(old) - end]
    if all(isinstance(part, ast.stmt) for part in old):
        middle = [ast.If(asked, ours or [ast.Pass()], theirs)]
        return replace(edit, new=[*before, *middle, *after])
    if len(ours) == len(theirs) == 1 and not _is_target(theirs[0]):
        return replace(edit, new=[*before, _either(asked, ours[0], theirs[0]), *after])
    return None  # a target, or arguments that are fewer


def _either(asked, new, old):
    return ast.IfExp(asked, new, old)


def _is_target(node):
    return isinstance(getattr(node, "ctx", None), ast.Store)


def special_changes(parent, field, old, names, in_loop):
    """Yield (line, (class, what), new content): constants, digits, early exits, caps.

    It stands where field_changes() of mutants.py does.
    """
    if isinstance(old, ast.expr):
        for kind, what, text in _special_texts(old):
            yield old.lineno, (kind, what), ast.parse(text, mode="eval").body
    elif field == "body" and isinstance(parent, ast.For):
        for kind, what, text in _early_exits(names):
            new = [*old, *ast.parse(f"for _ in (): \n {text}").body[0].body]
            yield old[-1].lineno, (kind, what), new
    elif field == "body" and isinstance(parent, ast.FunctionDef):
        start = int(is_docstring(old[0]))
        for kind, what, text in _openings(names):
            new = [*old[:start], *ast.parse(text).body, *old[start:]]
            yield old[start].lineno, (kind, what), new


def _special_texts(node):
    """Yield (class, what, text) of the expressions that stand in the place of this one."""
    text = ast.unparse(node)
    if text in ("math.inf", "-math.inf"):
        sign = text.removesuffix("math.inf")
        for number in CONSTANTS:
            kind = LARGE if number > 9999 else UNSET
            yield kind, f"infinity becomes {number}", f"{sign}{number}"
    elif isinstance(node, ast.Call) and text.endswith(".evaluate()"):
        for digits in DIGITS:
            yield CLOSE, f"value rounded to {digits} digits", f"round({text}, {digits})"
        for function in ("math.ceil", "math.floor", "round"):
            yield CLOSE, f"value put through {function}()", f"{function}({text})"
        yield LARGE, "value cut to 6 digits", f"float('%.6g' % {text})"
        for number in (n for n in CONSTANTS if n > 9999):
            capped = f"max(-{number}, min({number}, {text}))"
            yield LARGE, f"value kept within {number}", capped
    elif isinstance(node, ast.Call) and text.startswith(("max(", "min(")):
        known, *rest = map(ast.unparse, node.args)
        for number in UNSET_NUMBERS if len(rest) == 1 else ():
            taken = f"{rest[0]} if {known} == {number} else {text}"
            yield UNSET, f"{number} taken for unset", taken
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in (
        ast.GtE,
        ast.Gt,
        ast.LtE,
        ast.Lt,
    ):
        left, right = ast.unparse(node.left), ast.unparse(node.comparators[0])
        for number in UNSET_NUMBERS:
            what = f"{right} is {number}"
            yield UNSET, f"true where {what}", f"{text} or {right} == {number}"
            yield UNSET, f"false where {what}", f"{text} and {right} != {number}"
        for epsilon in ("1e-1", "1e-2", "1e-3", "1e-4", "1e-5"):
            yield (
                CLOSE,
                f"true within {epsilon}",
                f"{text} or abs({left} - {right}) < {epsilon}",
            )
            yield (
                CLOSE,
                f"false within {epsilon}",
                f"{text} and not abs({left} - {right}) < {epsilon}",
            )


def _early_exits(names):
    for best in {"best", "v"} & names:
        for number in (n for n in CONSTANTS if n > 0):
            kind = LARGE if number > 9999 else UNSET
            for test in (
                f"{best} >= {number}",
                f"{best} <= -{number}",
                f"abs({best}) >= {number}",
            ):
                yield kind, f"leaves the loop where {test}", f"if {test}: break"


def _openings(names):
    """Yield (class, what, statement) of what may stand first in a function."""
    if "depth" in names:
        for most in (3, 5, 7, 10, 15, 20, 25):
            yield (
                DEPTH if most > 10 else DEEP,
                f"depth at most {most}",
                f"depth = min(depth, {most})",
            )
    for name, worst in (("alpha", "-math.inf"), ("beta", "math.inf")):
        if name in names:
            finite = f"if math.isfinite({name}): {name} ="
            yield WINDOW, f"{name} or {worst}", f"{name} = {name} or {worst}"
            yield WINDOW, f"int({name})", f"{finite} int({name})"
            yield WINDOW, f"{name} forgotten", f"{name} = {worst}"
            for digits in DIGITS:
                yield (
                    CLOSE,
                    f"{name} rounded to {digits} digits",
                    f"{finite} round({name}, {digits})",
                )
            for number in (n for n in CONSTANTS if n > 9999):
                yield (
                    LARGE,
                    f"{name} kept within {number}",
                    f"{name} = max(-{number}, min({number}, {name}))",
                )


@dataclass(frozen=True, eq=False)
class Conditional:
    """A submission that is changed at a site where its conditions hold, or always."""

    site: Site
    conditions: tuple[Condition, ...] = ()

    @property
    def name(self) -> str:
        """The change, and when it is made."""
        return ", ".join([self.site.name, *(each.what for each in self.conditions)])

    @property
    def kind(self) -> str:
        """The class of holes that it belongs to, one of CLASSES or ""."""
        kinds = [each.kind for each in self.conditions if each.kind != SIDE]
        return next(filter(None, [*kinds, self.site.kind]), "")

    @property
    def stateful(self) -> bool:
        """Whether it looks at earlier calls."""
        return any(each.stateful for each in self.conditions)

    def module(self) -> ModuleType:
        """Execute the program in a fresh module, which knows its conditions."""
        if not self.conditions:
            return run_code(self.site.plain)
        module, calls = run_code(self.site.code), []
        of_scene = [each for each in self.conditions if not each.stateful]
        of_calls = [each for each in self.conditions if each.stateful]

        def holds(scope, node):
            scene = Scene(scope, node)
            return all(each.test(getattr(scene, each.looks_at)) for each in of_scene) and (
                all(each.test(calls) for each in of_calls)
            )

        setattr(module, HOOK, holds)
        if of_calls:
            for name in FUNCTIONS:
                setattr(module, name, _noting(getattr(module, name), name, calls))
        return module


def _noting(function, name, calls):
    """Return the function; a call of it at a root is noted in `calls` before it runs."""
    arguments = FUNCTIONS[name].arguments

    def noted(node, *given):
        if not node._key.path:
            calls.append(Search(**dict(zip(arguments, given))))
        return function(node, *given)

    return noted


class Reach:
    """Which conditions hold at each place of right programs, task by task.

    A change that is never made goes unseen, so only the tasks on which its conditions
    hold at its place need to be run.
    """

    def __init__(self, sites: Iterable[Site], tasks: Iterable[Task]):
        groups = groupby(tasks, lambda task: task.tree.name)
        self._trees = [list(group) for _, group in groups]
        by_place = {}
        for site in sites:
            by_place.setdefault(_place_of(site), []).append(site.code)
        keys = list(by_place)
        found = in_parallel(lambda key: self._masks(by_place[key]), keys)
        self._masks_at = dict(zip(keys, found))

    def _masks(self, codes):
        """Return, for each tree's tasks, the sets of conditions met at a place, as bits."""
        few = [codes[0], *codes[1:][-1:]]
        return [[self._masks_of(few, task) for task in tasks] for tasks in self._trees]

    def _masks_of(self, codes, task):
        masks = set()
        for code in codes:
            module = run_code(code)
            setattr(module, HOOK, lambda scope, node: masks.add(_mask(Scene(scope, node))))
            observe(getattr(module, task.function), task.function, task.tree, task.search)
        return masks

    def of(self, mutant: Conditional) -> Iterator[list[Task]]:
        """Yield the tasks that may tell the mutant from right: a list for each tree."""
        needed = sum(BIT[each] for each in mutant.conditions if not each.stateful)
        for tasks, masks in zip(self._trees, self._masks_at[_place_of(mutant.site)]):
            met = [
                task
                for task, some in zip(tasks, masks)
                if any(mask & needed == needed for mask in some)
            ]
            if met:
                yield tasks if mutant.stateful else met


BIT = {condition: 1 << index for index, condition in enumerate(conditions())}


def _mask(scene):
    """Return the conditions that hold in a scene, as bits."""
    return sum(_mask_of(name, getattr(scene, name)) for name in LOOKED_AT)


LOOKED_AT = sorted({condition.looks_at for condition in conditions()} - {""})


@lru_cache(maxsize=2**16)
def _mask_of(name, value):
    """Return, as bits, the conditions that hold where a property has this value."""
    return sum(
        bit
        for condition, bit in BIT.items()
        if condition.looks_at == name and condition.test(value)
    )


def _place_of(site):
    return site.code.co_filename, site.place


def conditionals(sites: Iterable[Site], share: int = 1) -> list[Conditional]:
    """Return the changes of the sites under each condition, and under pairs of them.

    One in `share` of them is returned, always the same ones. An edit that is made always
    is there only where it is none of mutants.py.
    """
    alone = conditions()
    pairs = [
        pair
        for pair in combinations(alone, 2)
        if pair[0].kind != pair[1].kind and not any(each.stateful for each in pair)
    ]
    mutants = []
    for site in sites:
        rows = [()] if site.kind else []
        rows += [(each,) for each in alone]
        rows += random.Random(site.name).sample(pairs, PAIRS)
        for row in rows:
            mutant = Conditional(site, row)
            if not row or _drawn(mutant.name, share):
                mutants.append(mutant)
    return mutants


PAIRS = 15  # of conditions that are tried at each site


def _drawn(name, share):
    return zlib.crc32(name.encode()) % share == 0
