"""Mutants: right submissions with one small change each, made without a person.

Why not a library: cosmic-ray 8.7 can be called as one (`mutate_code`) but parses a
file again for every mutant (146 s for 5,084 here), brings 13 packages with it, has
no argument, name or bound swaps, no dropped or moved statements and no min for max,
and a third of its mutants are bit operators on `depth - 1`. mutmut 3 writes all
mutants into one file behind a trampoline and offers no call for it; mutatest has
been unmaintained since 2022; libcst brings no operators. The operators below are
a walk over `ast`: a mutant costs a compilation, about a millisecond.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograder.running.variants import run_code
from autograder.workbench.mutation_expressions import of_expression, rows
from autograder.workbench.mutation_statements import LOOPS, is_docstring, of_block

FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Mutant:
    """One changed submission. `module()` executes it, `source` writes it out.

    `name` is unique: the file's name, the line, what changed, and a number.
    """

    name: str
    origin: object
    change: int
    code: object
    known: frozenset

    def module(self):
        """Execute the mutant in a fresh module and return the module."""
        return run_code(self.code)

    @property
    def source(self):
        """The mutant's text, as ast writes it."""
        tree = ast.parse(self.origin.source)
        for number, _ in enumerate(changes(tree, self.known)):
            if number == self.change:
                return ast.unparse(tree)
        raise LookupError(self.name)


def mutants_of(variant, known=()):
    """Return the variant's mutants, each with other compiled code than the others.

    Top-level statements in `known`, a set of their dumps, are left as they are.
    """
    tree = ast.parse(variant.source)
    seen = {essence(variant.code)}
    found = []
    for number, (line, what) in enumerate(changes(tree, known)):
        code = compiled(tree, str(variant.path))
        if code is not None and essence(code) not in seen:
            seen.add(essence(code))
            name = f"{variant.name}:{line} {what} #{number}"
            found.append(Mutant(name, variant, number, code, frozenset(known)))
    return found


def mutants_of_all(variants):
    """Return the mutants of all the variants; a function they share is changed once."""
    found, known = [], set()
    for variant in variants:
        found += mutants_of(variant, known)
        known |= set(map(ast.dump, ast.parse(variant.source).body))
    return found


def compiled(tree, filename):
    """Return the tree's code, or None where Python refuses it."""
    try:
        return compile(tree, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None


def essence(code):
    """Return what a code object does, without line numbers."""
    constants = tuple(
        essence(part) if hasattr(part, "co_code") else (type(part), repr(part))
        for part in code.co_consts
    )
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        getattr(code, "co_exceptiontable", b""),
    )


def changes(tree, known=()):
    """Change the tree in one place after the other; yield (line, what) while it is.

    The tree is as it was before each next change, and at the end.
    """
    for top in tree.body:
        if not is_docstring(top) and ast.dump(top) not in known:
            yield from changes_below(top)


def changes_below(top):
    """Change a top-level statement in one place after the other, as `changes` does."""
    for parent, names, in_loop in list(places(top)):
        for field, old in list(ast.iter_fields(parent)):
            if is_block(old):
                for what, line, new in of_block(old, names, in_loop):
                    yield from put(parent, field, new, line, what)
            elif isinstance(old, ast.expr):
                for what, new in replacements(parent, field, old, names):
                    yield from put(parent, field, new, old.lineno, what)
            elif isinstance(old, list):
                for index, part in enumerate(old):
                    if isinstance(part, ast.expr):
                        for what, new in of_expression(part, names):
                            row = [*old[:index], new, *old[index + 1 :]]
                            yield from put(parent, field, row, part.lineno, what)


def put(parent, field, new, line, what):
    """Set the field, yield once, and set it back."""
    old = getattr(parent, field)
    setattr(parent, field, new)
    ast.fix_missing_locations(parent)
    try:
        yield line, what
    finally:
        setattr(parent, field, old)


def replacements(parent, field, old, names):
    """Yield what may stand in the place of one expression."""
    yield from of_expression(old, names)
    if field == "iter" and isinstance(parent, (ast.For, ast.comprehension)):
        yield from rows(old)


def is_block(field):
    """Tell whether a field holds statements."""
    return isinstance(field, list) and bool(field) and isinstance(field[0], ast.stmt)


def places(node, names=frozenset(), in_loop=False):
    """Yield (node, its function's variables, whether in a loop) for all below."""
    if isinstance(node, FUNCTIONS):
        inside = [part for part in ast.walk(node) if isinstance(part, (ast.arg, ast.Name))]
        names = frozenset(getattr(part, "arg", None) or part.id for part in inside)
        in_loop = False
    yield node, names, in_loop or isinstance(node, LOOPS)
    for child in ast.iter_child_nodes(node):
        yield from places(child, names, in_loop or isinstance(node, LOOPS))
