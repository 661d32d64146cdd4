"""Serve every part: plain text, files and the cache, processes, the command line."""
