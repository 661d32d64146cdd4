"""The figures that a tree file publishes of its searches, beside the reference's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import ModuleType

from gametree import observe
from gametree.proof import proves_value
from gametree.tree import Published, Search, Tree

# What the public tests compare a search with.
TESTED = {"value", "leaves", "nodes", "move"}


def mismatches(trees: Iterable[Tree], reference: ModuleType) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Figures are published for `cutoff: equality`, and so is the reference to be.
    """
    for tree in trees:
        for search in tree.searches:
            published = _given(search.published)
            found = vars(figures(tree, search, reference, published))
            for key, figure in published.items():
                if figure != found[key]:
                    yield (
                        f"{tree.name}: published {key} is {_shown(tree, figure)}, "
                        f"the reference's is {_shown(tree, found[key])}; mend the file"
                    )


def with_figures(tree: Tree, reference: ModuleType) -> Tree:
    """Return the tree with this reference's figures, those that are TESTED among them."""
    searches = []
    for search in tree.searches:
        keys = TESTED | _given(search.published).keys()
        searches.append(replace(search, published=figures(tree, search, reference, keys)))
    return replace(tree, searches=tuple(searches))


def figures(
    tree: Tree, search: Search, reference: ModuleType, keys: Iterable[str]
) -> Published:
    """Return the figures of a search under these keys, as the reference finds them.

    A published value stays where the reference's leaves prove it. Pruned are those of the
    leaves published as pruned that the reference does not visit.
    """
    published = search.published
    trace = observe(reference.alphabeta, "alphabeta", tree, search)
    value, answer = published.value, trace.answer.number
    if value is None:
        value = observe(reference.minimax, "minimax", tree, search).answer.number
    found = {
        "value": value if proves_value(search, value, value, answer) else answer,
        "leaves": trace.visited,
        "evaluations": len(trace.visited),
        "nodes": trace.node_count,
        "pruned": (published.pruned or frozenset()) - trace.visited,
    }
    if "move" in keys and search in tree.searches_for("best_move"):
        trace = observe(reference.best_move, "best_move", tree, search)
        found["move"] = trace.answer.path
    return Published(**{key: found[key] for key in found if key in keys})


def _given(published):
    return {key: figure for key, figure in vars(published).items() if figure is not None}


def _shown(tree, figure):
    """Return a figure as people write it; paths become names."""
    if isinstance(figure, frozenset):
        return ", ".join(tree.root.at(path).name for path in sorted(figure)) or "nothing"
    return tree.root.at(figure).name if isinstance(figure, tuple) else str(figure)
