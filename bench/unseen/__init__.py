"""Count the unseen wrong programs that pass a set of trees."""
