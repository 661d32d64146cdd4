"""The functions and aspects of this assignment; `make dist` writes it from rubric.yaml."""

from gametree.functions import ALL

STRICT_CUTOFFS = False  # whether a cutoff needs alpha > beta instead of alpha >= beta
# function -> its judged aspects, in order.
ASSIGNED = {function.name: function.aspects for function in ALL}
