"""Define the errors that people read: one line each, without a traceback."""


class InputError(Exception):
    """Input cannot be used. The text is one line: where, what is wrong, what to write."""


class TreeError(InputError, ValueError):
    """An error in a tree file or in rubric.yaml: where, and what to write instead.

    As text it is one line: `file, line 4, child 2 of B: what is wrong: what to
    write instead`. `line` counts from 1, and is None if no line is at fault.
    """

    def __init__(
        self, problem: str, line: int | None = None, node: str = "", file: str = ""
    ):
        super().__init__(problem)
        self.problem = problem
        self.line = line
        self.node = node
        self.file = file

    def __str__(self):
        line = f"line {self.line}" if self.line else ""
        where = ", ".join(filter(None, [self.file, line, self.node]))
        return f"{where}: {self.problem}" if where else self.problem
