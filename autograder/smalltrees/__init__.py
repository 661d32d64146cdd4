"""Makers of trees: every small tree in order, random trees, trees from lists."""
