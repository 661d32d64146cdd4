"""Sets a timer whose signals interrupt every system call of the worker.

Expect: score 100
"""
import signal

# @HONEST@

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
