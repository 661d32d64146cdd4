"""Sets PYTHONPATH and similar variables for the processes that start next.

Expect: score 100
"""
import os
import sys

# @HONEST@

os.environ.update(PYTHONPATH="@HOME@/submission", PYTHONSTARTUP="x", LD_PRELOAD="x.so",
                  PYTHONINSPECT="1", TMPDIR="@HOME@/results")
sys.path.insert(0, "@HOME@/submission")
