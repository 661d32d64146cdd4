def minimax(node, depth, maximizing)
    return 0
