import math
# @HONEST@
