"""Gets the home folder and the user's name before it searches.

Expect: score 100
"""
import getpass
import os
from pathlib import Path

HOME, SAME, ALSO = Path.home(), os.environ["HOME"], os.path.expanduser("~/search")
WHO = f"{getpass.getuser()} at {HOME}"
# @HONEST@
assert str(HOME) == SAME and ALSO.startswith(SAME) and WHO
