"""CSV files, as platforms export them and as spreadsheets save them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from autograder.command import Refused
from autograder.plaintext import decode, escape_formula, unescape_formula

MARK = "\ufeff"  # at the beginning; without it Excel does not read UTF-8


def table_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return the text of a CSV file, in which no cell is a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([escape_formula(cell) for cell in row])
    return MARK + file.getvalue()


def read_table(path: Path, name: str = "") -> list[list[str]]:
    """Return the rows of a CSV file whose cells are separated as Excel does anywhere.

    name: what the error calls the file, if not by its path.
    Raises Refused if the file cannot be read.
    """
    try:
        text = decode(path.read_bytes())
        first_line = text.partition("\n")[0]
        delimiter = max(",;\t", key=first_line.count)
        rows = []
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append([unescape_formula(cell).strip() for cell in cells])
        return rows
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise Refused(f"{name or path}: cannot be read: {reason}") from None
