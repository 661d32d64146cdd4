"""searches repeatedly with a narrow window until the value is proven.

MTD(f) is a valid algorithm, but the assignment asks for one search.

Changes: root_loop
Shows: alphabeta extra nodes
Line: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    guess, low, high = 0, -math.inf, math.inf
    while low < high:
        bound = math.nextafter(guess, math.inf) if guess == low else guess
        guess = search(node, depth, math.nextafter(bound, -math.inf), bound, maximizing)
        low, high = (low, guess) if guess < bound else (guess, high)
    return guess
