"""The functions and aspects of this course; `make dist` writes it from rubric.yaml."""

STRICT_CUTOFFS = False  # whether a cutoff needs alpha > beta instead of alpha >= beta
# function -> its judged aspects, in order.
ASSIGNED = {
    "minimax": ["value", "leaves", "node count"],
    "alphabeta": ["value", "leaves", "node count"],
    "best_move": ["move", "leaves"],
}
