"""Build trees: all small trees in order, random trees, and trees from lists."""
