AUTHOR = 'André Müller'
# @HONEST@
