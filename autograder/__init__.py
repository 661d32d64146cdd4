"""The autograder: run a submission, judge its traces, show what was found.

`gametree` ships inside `starter/`, so that students and graders use the very same code.
Importing this package makes it importable, from any folder and without an installation.
"""

import os
import sys

VERSION = "1.0.0"  # of the kit, which pyproject.toml reads
# The folder of the kit, without pathlib, which takes 10 ms before the zygote starts.
ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_STARTER = os.path.join(ROOT, "starter")
if _STARTER not in sys.path:
    sys.path.insert(0, _STARTER)
