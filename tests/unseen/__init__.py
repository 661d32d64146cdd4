"""Wrong programs that were not used to choose trees, and tests of which pass a set."""
