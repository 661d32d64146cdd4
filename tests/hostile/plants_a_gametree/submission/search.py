import gametree

# @HONEST@

if getattr(gametree, "planted", None) is True:
    raise RuntimeError("BREACH")
