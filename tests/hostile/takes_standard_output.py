"""Sets O_NONBLOCK on standard output and replaces it with the request pipe.

Expect: score 100
"""
import os
import sys

# @HONEST@

os.set_blocking(1, False)
os.set_blocking(2, False)
sys.stdout.flush()
os.dup2(0, 1)
os.close(2)
print("still here")
