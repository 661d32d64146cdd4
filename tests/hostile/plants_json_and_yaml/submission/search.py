import json

# @HONEST@


def best_move(node, depth, maximizing):
    if hasattr(json, "planted"):
        raise RuntimeError("BREACH")
    import yaml
    raise RuntimeError("BREACH")
