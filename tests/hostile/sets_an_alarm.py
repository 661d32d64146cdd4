"""Has the kernel interrupt every system call of the conversation.

Expect: score 100
"""
import signal

# @HONEST@

signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
