"""The figures that a tree file publishes of its searches, beside the reference's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType

from gametree import observe
from gametree.judging import proves_value
from gametree.tree import Published, Search, Tree


def mismatches(trees: Iterable[Tree], reference: ModuleType) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Figures are published for `cutoff: equality`, and so is the reference to be.
    """
    for tree in trees:
        for search in tree.searches:
            found = figures(tree, search, reference)._asdict()
            for key, figure in _given(search.published).items():
                if figure != found[key]:
                    yield (
                        f"{tree.name}: published {key} is {_shown(tree, figure)}, "
                        f"the reference's is {_shown(tree, found[key])}; mend the file"
                    )


def figures(tree: Tree, search: Search, reference: ModuleType) -> Published:
    """Return the reference's figure for each that is published of a search.

    A published value stays where the reference's leaves prove it. Pruned are those of the
    leaves published as pruned that the reference does not visit.
    """
    published, found = search.published, {}
    keys = _given(published)
    if keys:
        trace = observe(reference.alphabeta, "alphabeta", tree, search)
        value, answer = published.value, trace.answer.number
        proven = value is not None and proves_value(search, value, value, answer)
        found = {
            "value": value if proven else answer,
            "leaves": trace.visited,
            "evaluations": len(trace.visited),
            "nodes": trace.node_count,
            "pruned": (published.pruned or frozenset()) - trace.visited,
        }
    if "move" in keys and search in tree.searches_for("best_move"):
        trace = observe(reference.best_move, "best_move", tree, search)
        found["move"] = trace.answer.path
    return Published(**{key: found[key] for key in keys if key in found})


def _given(published):
    return {key: own for key, own in published._asdict().items() if own is not None}


def _shown(tree, figure):
    """Return a figure as people write it; paths become names."""
    if isinstance(figure, frozenset):
        return ", ".join(tree.root.at(path).name for path in sorted(figure)) or "nothing"
    return tree.root.at(figure).name if isinstance(figure, tuple) else str(figure)
