def minimax(node, depth, maximizing):
        x = 1
	return x
