"""Tell each step of the right search in words: alpha, beta, and why it cuts off.

The words are those of the practice page (starter/practice.html, part 3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from autograder.judging.divergence import CUTOFF, ENTER, LEAF, LEAVE, UPDATE, prunes
from autograder.showing import sentences


@dataclass(frozen=True)
class Told:
    """One step, told: the step, its sentences, and what holds at its node after it.

    `rule` is the condition of a cutoff there ("prune if >= 6", "" for none yet),
    `known` what is proven of the node's value ("= 3", "<= 2", ""). `better` tells
    whether the child that has returned is the best so far.
    """

    step: object
    says: tuple
    rule: str = ""
    known: str = ""
    better: bool = False


def shown(value):
    """Return a number as people write it: 3, −0.5, +∞."""
    if math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    return sentences.number(value).replace("-", "−")


def rule(maximizing, alpha, beta, convention):
    """Return when a node with this window is cut off, "" while nothing can do it."""
    limit = beta if maximizing else alpha
    if math.isinf(limit):
        return ""
    sign = (">" if maximizing else "<") + ("" if convention == "strict" else "=")
    return f"prune if {sign} {shown(limit)}"


def narrate(tree, search, steps, convention="equality"):
    """Return a Told for each step of replay(tree, search, convention)."""
    teller = _Teller(tree.root, search, convention)
    return [teller.tell(step) for step in steps]


class _Teller:
    def __init__(self, root, search, convention):
        self.root = root
        self.search = search
        self.convention = convention
        self.windows = {}  # path -> (alpha, beta) there
        self.best = {}  # path -> the best value so far
        self.returned = {}  # path -> (value, least and greatest that are proven, leaf)
        self.setters = {}  # (path, "alpha" or "beta") for bounds that were set there

    def tell(self, step):
        """Return the Told of a step; they come in order."""
        if step.kind == LEAF:
            self.returned[step.path] = (step.value, step.value, step.value, True)
            name = self.root.at(step.path).name
            return Told(step, (f"Visit {name}: its value is {shown(step.value)}.",))
        before = self.best.get(step.path)
        tell = {
            ENTER: self.enter,
            UPDATE: self.update,
            CUTOFF: self.cutoff,
            LEAVE: self.leave,
        }
        says = tuple(tell[step.kind](step))
        self.windows[step.path] = (step.alpha, step.beta)
        self.best[step.path] = step.value
        better = step.kind == UPDATE and step.value != before
        known = known_text(*self.proven(step.path))
        return Told(step, says, self.rule(step), known, better)

    def name(self, path):
        return sentences.player(self.root, self.search, path)

    def rule(self, step):
        player = self.search.max_moves_at(step.path)
        return rule(player, step.alpha, step.beta, self.convention)

    def proven(self, path):
        """Return the least and the greatest value that an inner node can have."""
        choose = max if self.search.max_moves_at(path) else min
        unknown = (None, -math.inf, math.inf)
        children = self.root.at(path).children
        ends = [self.returned.get(child.path, unknown)[1:3] for child in children]
        return tuple(choose(end) for end in zip(*ends))

    def gave(self, path):
        """Say what a child has given its parent."""
        value, *_, leaf = self.returned[path]
        return f"{self.root.at(path).name} {'=' if leaf else 'returns'} {shown(value)}"

    def enter(self, step):
        yield f"Enter {self.name(step.path)} with {window(step)}."
        condition = self.rule(step)
        yield (
            f"The condition: {condition}."
            if condition
            else "No condition yet: nothing can be pruned here."
        )

    def update(self, step):
        bound = "alpha" if self.search.max_moves_at(step.path) else "beta"
        now = (step.alpha, step.beta)
        changed = self.windows[step.path] != now
        if changed:
            self.setters[step.path, bound] = self.gave(step.child_path)
        to = shown(step.alpha if bound == "alpha" else step.beta)
        yield (
            f"Back at {self.name(step.path)}: {self.gave(step.child_path)}, "
            f"so {bound} {'becomes' if changed else 'stays'} {to}."
        )
        sign = "<" if step.alpha < step.beta else "="
        if prunes(*now, self.convention):
            sign = ">" if self.convention == "strict" else ">="
        yield f"{window(step)}: alpha {sign} beta."

    def cutoff(self, step):
        left_out = sentences.names(self.root, list(step.pruned_paths))
        sign = ">" if self.convention == "strict" else ">="
        yield (
            f"At {self.name(step.path)}, after {self.gave(step.child_path)}: "
            f"{window(step)}, alpha {sign} beta, so {left_out} cannot matter."
        )
        maximizing = self.search.max_moves_at(step.path)
        bound = "beta" if maximizing else "alpha"
        name = self.root.at(step.path).name
        above = [step.path[:length] for length in range(len(step.path) - 1, -1, -1)]
        setter = next((path for path in above if (path, bound) in self.setters), None)
        ours, theirs = ("MAX", "MIN") if maximizing else ("MIN", "MAX")
        limit, best = (step.beta, step.alpha) if maximizing else (step.alpha, step.beta)
        better, worse = ("more", "less") if maximizing else ("less", "more")
        if setter is None:
            yield f"{bound} = {shown(limit)} came with the call: past it, no value matters."
        else:
            yield (
                f"{theirs} is already sure of {shown(limit)} or {worse} at "
                f"{self.root.at(setter).name}, and {ours} can get {shown(best)} or "
                f"{better} at {name}: {theirs} gains nothing by coming here."
            )
        if step.alpha == step.beta:
            yield "Equal is enough: the cutoff is at alpha >= beta."

    def leave(self, step):
        low, high = self.proven(step.path)
        self.returned[step.path] = (step.value, low, high, False)
        if step.path:
            yield f"{self.name(step.path)} returns {shown(step.value)}."
        else:
            yield f"The search is done and returns {shown(step.value)}."
            yield f"The value of the tree is {known_text(low, high).removeprefix('= ')}."


def window(step):
    """Return the window of a step in words."""
    return f"alpha = {shown(step.alpha)}, beta = {shown(step.beta)}"


def known_text(low, high):
    """Return what is known of a value between two ends: "= 3", ">= 3", "", "2 to 5"."""
    if low == high:
        return f"= {shown(low)}"
    if math.isinf(low) and math.isinf(high):
        return ""
    if math.isinf(low):
        return f"<= {shown(high)}"
    return f">= {shown(low)}" if math.isinf(high) else f"{shown(low)} to {shown(high)}"
