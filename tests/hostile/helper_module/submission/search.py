from helper import minimax, alphabeta, best_move
