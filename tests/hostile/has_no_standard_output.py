"""Sets sys.stdout to None, as pythonw does, and deletes sys.stderr.

Expect: score 100
"""
import sys

# @HONEST@

sys.stdout = None
del sys.stderr
