"""Compare what a tree's source says of its searches with what the reference does."""

from __future__ import annotations

from autograder.judging.proof import proves_value


def slips(tasks):
    """Yield one line for each published figure that the reference does not reproduce."""
    for task in tasks:
        for what, said, found in figures(task):
            if said is not None and said != found:
                yield (
                    f"{task.tree.name}: published {what} is {shown(task, said)}, "
                    f"the reference's is {shown(task, found)}; mend the file"
                )


def figures(task):
    """Yield (what, the published figure or None, the reference's figure) of a task."""
    published, trace = task.search.published, task.expected
    if task.function == "best_move":
        yield "move", published.move, trace.answer.path
        return
    if published.value is not None:
        value, returned = published.value, trace.answer.number
        bounds_it = proves_value(task.search, value, value, returned)
        yield "value", value, value if bounds_it else returned
    if task.function == "alphabeta":
        yield "leaves", published.leaves, trace.visited
        yield "evaluations", published.evaluations, len(trace.evaluated)
        yield "nodes", published.nodes, trace.node_count
        pruned = published.pruned
        yield "pruned", pruned, pruned and frozenset(pruned - trace.visited)


def shown(task, figure):
    """Return a figure as people write it; paths become names."""
    root = task.tree.root
    if isinstance(figure, frozenset):
        return ", ".join(root.at(path).name for path in sorted(figure)) or "nothing"
    return root.at(figure).name if isinstance(figure, tuple) else str(figure)
