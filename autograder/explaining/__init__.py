"""Explain a wrong submission: the smallest tree, the line, the known mistake."""
