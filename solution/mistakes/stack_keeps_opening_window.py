"""All children on your stack get the window that was known before the first.

Give a child the window as it stands when its turn comes.

Changes: explicit_stack
Shows: alphabeta extra
"""


def take(frame, score):
    """Count a child's score; forget the waiting children at a cutoff."""
    alpha, beta = frame.alpha, frame.beta
    if frame.maximizing:
        frame.best = max(frame.best, score)
        alpha = max(alpha, frame.best)
    else:
        frame.best = min(frame.best, score)
        beta = min(beta, frame.best)
    if alpha >= beta:  # cutoff
        frame.waiting.clear()
