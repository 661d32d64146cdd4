planted = True
