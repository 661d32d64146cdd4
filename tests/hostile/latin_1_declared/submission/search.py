# -*- coding: latin-1 -*-
AUTHOR = 'André Müller'
assert len(AUTHOR) == 12
# @HONEST@
