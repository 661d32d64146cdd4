"""Defines its functions as methods of a class and binds them at the end.

Expect: score 100
"""


class Agent:
    # the reference, one level deeper
    @staticmethod
    def load():
        space = {}
        exec(SOURCE, space)
        return space


SOURCE = '''
# @HONEST@
'''.replace('"""The reference: its values, leaves and node counts are the expected ones."""', "")
_space = Agent.load()
minimax, alphabeta, best_move = (_space[n] for n in ("minimax", "alphabeta", "best_move"))
