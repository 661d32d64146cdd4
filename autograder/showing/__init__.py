"""Render gradings for readers: text, SVG drawings and HTML pages."""
