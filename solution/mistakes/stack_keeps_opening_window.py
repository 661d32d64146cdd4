"""All children on your stack get the window that was known before the first.

Give a child the window as it stands when its turn comes.

Changes: explicit_stack
Shows: alphabeta extra
"""


def take(frame, score):
    if frame.maximizing:
        frame.best = max(frame.best, score)
        alpha, beta = max(frame.alpha, frame.best), frame.beta
    else:
        frame.best = min(frame.best, score)
        alpha, beta = frame.alpha, min(frame.beta, frame.best)
    if alpha >= beta:  # cutoff
        frame.waiting.clear()
