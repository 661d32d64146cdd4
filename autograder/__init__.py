"""The autograder: run a submission, judge its traces, show what was found.

`gametree` ships inside `starter/`, so that students and graders use the very
same code; importing this package makes it importable. Garbage is looked for seldom: a
grading keeps most of what it makes, and looking took a twentieth of its time.
"""

import gc
import sys
from pathlib import Path

_STARTER = str(Path(__file__).resolve().parent.parent / "starter")
gc.set_threshold(100_000)
if _STARTER not in sys.path:
    sys.path.insert(0, _STARTER)
