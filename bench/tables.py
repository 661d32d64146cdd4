"""Print tables that read well in a terminal and are Markdown."""

from __future__ import annotations


def table(title, heads, rows):
    """Return a titled Markdown table; the first column is text, others are figures."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]

    def line(cells):
        padded = [cells[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join([f"### {title}", "", line(list(heads)), line(rule), *map(line, rows)])


def milliseconds(spread):
    """Return "123 (120 to 130)" for a Spread of seconds."""
    low, high = round(1000 * spread.low), round(1000 * spread.high)
    return f"{1000 * spread.median:.0f} ({low} to {high})"


def times(ratio):
    """Return a ratio as text: 4.2x."""
    return f"{ratio:.1f}x" if ratio < 100 else f"{ratio:.0f}x"
