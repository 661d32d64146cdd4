"""Define the error that people read: one line, without a traceback."""


class InputError(Exception):
    """Input cannot be used. The text is one line: where, what is wrong, what to write."""
