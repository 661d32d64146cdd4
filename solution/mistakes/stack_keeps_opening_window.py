"""gives all children on its stack the window from before the first child.

Give each child the current window when its search starts.

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
