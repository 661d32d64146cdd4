"""Mistakes of minimax, made from those of alphabeta: the same code without its window.

A student who starts alphabeta's best value at 0 does so in minimax too. So a mistake is
written once, in alphabeta, and is recognized in both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from autograder.mistakes.overlay import overlay
from autograder.mistakes.variants import Variant
from gametree.functions import FUNCTIONS

OTHERS = {*FUNCTIONS} - {"alphabeta"}
WINDOW = {"alpha", "beta"}
IN_MINIMAX = "minimax_"  # begins the names of the mistakes of minimax
OF_WINDOWS = {"extra", "missing"}  # what shows in a search that prunes, or in none
ABOUT_WINDOWS = ("alpha", "beta", "window", "cutoff", "prune", "bound")


def with_minimax(
    variants: Iterable[Variant], right: Iterable[Variant], plain: str
) -> list[Variant]:
    """Return the variants, and after them those that can be made of them for minimax.

    Left out are those of which no mistake remains without a window: they are like one
    of the `right` ones, or like another. All but minimax is as in the text `plain`.
    """
    variants = list(variants)
    names = {variant.name for variant in variants}
    known = {without_window(variant.source) for variant in right}
    derived = []
    for variant in variants:
        name, shows = IN_MINIMAX + variant.name, variant.shows.get("alphabeta", ())
        of_window = any(word in variant.headline.lower() for word in ABOUT_WINDOWS)
        if not set(shows) - OF_WINDOWS or name in names or of_window:
            continue
        source = without_window(variant.source)
        if source and source not in known:
            known.add(source)
            headline, step = (
                text.replace("alphabeta", "minimax")
                for text in (variant.headline, variant.next_step)
            )
            made = replace(variant, name=name, headline=headline, next_step=step)
            source = overlay(source, plain)
            derived.append(replace(made, shows={"minimax": shows}, source=source))
    return variants + derived


def without_window(source: str) -> str:
    """Return the source of alphabeta as a minimax that has no window, "" for none.

    Arguments and variables called alpha and beta go, and with them each test that looks
    at one: a cutoff. Whatever returns or compares them otherwise cannot be turned.
    """
    module = ast.parse(source)
    module.body = [
        item
        for item in module.body
        if getattr(item, "name", "") not in OTHERS
        and not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))
    ]
    places = {
        item.name: [n for n, part in enumerate(item.args.args) if part.arg in WINDOW]
        for item in ast.walk(module)
        if isinstance(item, ast.FunctionDef)
    }
    turned = _WithoutWindow(places).visit(module)
    if _names_in(turned) & WINDOW:
        return ""
    return ast.unparse(ast.fix_missing_locations(turned))


def _names_in(item):
    return {part.id for part in ast.walk(item) if isinstance(part, ast.Name)}


class _WithoutWindow(ast.NodeTransformer):
    """Drops windows; `places` maps function -> the places of its alpha and beta."""

    def __init__(self, places):
        self.places = places

    def visit_FunctionDef(self, item):  # noqa: N802
        self.generic_visit(item)
        item.args.args = [part for part in item.args.args if part.arg not in WINDOW]
        item.name = _renamed(item.name)
        item.body = item.body or [ast.Pass()]
        return item

    def visit_Call(self, item):  # noqa: N802
        places = self.places.get(getattr(item.func, "id", ""), ())
        if places:
            item.args = [part for n, part in enumerate(item.args) if n not in places]
            item.keywords = [part for part in item.keywords if part.arg not in WINDOW]
        return self.generic_visit(item)

    def visit_Name(self, item):  # noqa: N802
        item.id = _renamed(item.id)
        return item

    def visit_Assign(self, item):  # noqa: N802
        return None if _names_in(item.targets[0]) & WINDOW else self.generic_visit(item)

    def visit_If(self, item):  # noqa: N802
        looks = _names_in(item.test) & WINDOW
        self.generic_visit(item)
        if looks:
            return item.orelse
        item.body = item.body or [ast.Pass()]
        return item


def _renamed(name):
    return "minimax" if name == "alphabeta" else name
