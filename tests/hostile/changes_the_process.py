"""Changes directory, umask, locale, recursion limit, hooks and decimal context.

Expect: score 100
"""
import decimal
import gc
import locale
import os
import random
import sys

# @HONEST@

os.chdir("/")
os.umask(0)
locale.setlocale(locale.LC_ALL, "C")
sys.setrecursionlimit(100_000)
sys.setswitchinterval(1)
sys.excepthook = sys.unraisablehook = sys.displayhook = None
sys.settrace(None)
gc.disable()
random.seed(0)
decimal.getcontext().prec = 1
