"""Explain a wrong function: the smallest tree, the line, the known mistake."""
