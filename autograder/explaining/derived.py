"""Derive mistakes of minimax from those of alphabeta, by removing the window.

A student who starts alphabeta's best value at 0 makes the same mistake in minimax. So a
mistake is written once, in alphabeta, and recognized in both functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from autograder.explaining.syntax import id_of, names_in, parameters_of, parts_of
from autograder.explaining.variants import IN_MINIMAX, Variant, load_variants, overlay
from gametree.functions import FUNCTIONS

OTHER_FUNCTIONS = {*FUNCTIONS} - {"alphabeta"}
WINDOW_NAMES = {"alpha", "beta"}
OF_WINDOWS = {"extra", "missing"}  # aspects that only a search that prunes can fail


def load_mistakes(
    solution: Path, convention: str, assigned: Mapping[str, Collection[str]]
) -> list[Variant]:
    """Return the known mistakes that fail in an assigned function.

    They come from the files of `solution`/mistakes, including mistakes of minimax that are
    derived from those files.
    """
    plain = (solution / "search.py").read_text(encoding="utf-8")
    right = load_variants(solution, convention)
    right += load_variants(solution / "correct", convention)
    mistakes = load_variants(solution / "mistakes", convention)
    variants = _with_minimax(mistakes, right, plain)
    return [variant for variant in variants if variant.concerns(assigned)]


def _with_minimax(variants, right, plain):
    """Return the variants, followed by the mistakes of minimax that derive from them.

    A variant is skipped if its mistake disappears without a window: then its text is like
    that of a `right` variant or of another variant. All functions except minimax come from
    the text `plain`.
    """
    names = {variant.name for variant in variants}
    known = {without_window(variant.source) for variant in right}
    derived = []
    for variant in variants:
        name = IN_MINIMAX + variant.name
        if name in names or not _may_show_in_minimax(variant):
            continue
        source = without_window(variant.source)
        if source and source not in known:
            known.add(source)
            complete = overlay(source, plain)
            derived.append(_in_minimax(variant, name, complete))
    return [*variants, *derived]


def _may_show_in_minimax(variant):
    shows = set(variant.shows.get("alphabeta", ()))
    return variant.derives_minimax and not shows <= OF_WINDOWS


def _in_minimax(variant, name, source):
    """Return a mistake of alphabeta as a mistake of minimax, with this name and source.

    No leaf is unnecessary for minimax, so the mistake does not show "extra" leaves.
    """
    next_step = variant.next_step.replace("alphabeta", "minimax")
    aspects = [aspect for aspect in variant.shows["alphabeta"] if aspect != "extra"]
    return replace(
        variant,
        name=name,
        next_step=next_step,
        shows={"minimax": tuple(aspects)},
        source=source,
    )


def without_window(source: str) -> str:
    """Return the source of alphabeta as a minimax without a window, or "".

    Arguments and variables named alpha and beta are removed, together with each test that
    reads them, such as a cutoff. The result is "" if the program returns them or compares
    them elsewhere.
    """
    module = ast.parse(source)
    module.body = [part for part in module.body if not _is_dropped(part)]
    places = {}
    for function in parts_of(module, ast.FunctionDef):
        parameters = enumerate(parameters_of(function))
        places[function.name] = [n for n, name in parameters if name in WINDOW_NAMES]
    changed = _WithoutWindow(places).visit(module)
    if _reads_window(changed):
        return ""
    text = ast.unparse(ast.fix_missing_locations(changed))
    return re.sub(r"\balphabeta\b", "minimax", text)


def _is_dropped(statement):
    """Tell whether a statement is a docstring or another assigned function."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    return getattr(statement, "name", "") in OTHER_FUNCTIONS


def _reads_window(part):
    """Tell whether a part of a program names alpha or beta."""
    return not WINDOW_NAMES.isdisjoint(names_in(part))


class _WithoutWindow(ast.NodeTransformer):
    """Removes windows; `places` maps function -> positions of its alpha and beta."""

    def __init__(self, places):
        self.places = places

    def visit_FunctionDef(self, node):  # noqa: N802
        self.generic_visit(node)
        arguments = node.args.args
        node.args.args = [item for item in arguments if item.arg not in WINDOW_NAMES]
        node.body = node.body or [ast.Pass()]
        return node

    def visit_Call(self, node):  # noqa: N802
        places = self.places.get(id_of(node.func), ())
        node.args = [item for n, item in enumerate(node.args) if n not in places]
        node.keywords = [item for item in node.keywords if item.arg not in WINDOW_NAMES]
        return self.generic_visit(node)

    def visit_Assign(self, node):  # noqa: N802
        if _reads_window(node.targets[0]):
            return None
        return self.generic_visit(node)

    def visit_If(self, node):  # noqa: N802
        is_cutoff = _reads_window(node.test)
        self.generic_visit(node)
        if is_cutoff:
            return node.orelse
        node.body = node.body or [ast.Pass()]
        return node
