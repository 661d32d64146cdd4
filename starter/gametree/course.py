"""What this course asks for: `make dist` writes this file as rubric.yaml has it."""

STRICT_CUTOFFS = False  # whether a cutoff needs alpha > beta, and not only alpha >= beta
# function -> the aspects that count, one after the other.
ASSIGNED = {
    "minimax": ["value", "leaves", "node count"],
    "alphabeta": ["value", "leaves", "node count"],
    "best_move": ["move", "leaves"],
}
