"""removes only one of the remaining children from its stack at a cutoff.

At a cutoff, remove all remaining children of the node from the stack.

Changes: explicit_stack
Shows: alphabeta extra
"""


def take(frame, score):
    """Count a child's score; forget the waiting children at a cutoff."""
    if frame.maximizing:
        frame.best = max(frame.best, score)
        frame.alpha = max(frame.alpha, frame.best)
    else:
        frame.best = min(frame.best, score)
        frame.beta = min(frame.beta, frame.best)
    if frame.alpha >= frame.beta:  # cutoff
        del frame.waiting[-1:]
