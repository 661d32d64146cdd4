"""Read the CSV files of platforms and spreadsheets, and make their text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.ground.plaintext import decode, escape_formula, unescape_formula
from gametree.support.errors import InputError

MARK = "\ufeff"  # byte order mark; without it Excel does not read UTF-8
SPREADSHEET_MARKS = (b"PK\3\4", b"\xd0\xcf\x11\xe0")  # of .xlsx and .xls
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
DELIMITERS = ",;\t"
SAMPLED_LINES = 20  # the delimiter of most of them is the file's


class Line(NamedTuple):
    """A row of a CSV file: the number of its last line in the file, and its cells."""

    number: int
    cells: list[str]


# ---- reading


def read_table(path: Path) -> list[Line]:
    """Return the rows of a CSV file with exactly their cells, in any encoding of Excel.

    Raises InputError if the file is not a CSV file, and OSError if it cannot be read.
    """
    content = path.read_bytes()
    if content.startswith(SPREADSHEET_MARKS):
        raise InputError(f"{path} is a spreadsheet; save it as CSV, and give that file")
    if content.startswith(UTF_16_MARKS):
        text = content.decode("utf-16", "replace")
    else:
        text = decode(content)
    sample = text.splitlines()[:SAMPLED_LINES]

    def frequency(delimiter):
        lines = sum(delimiter in line for line in sample)
        return lines, "".join(sample).count(delimiter)

    delimiter = max(DELIMITERS, key=frequency)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [Line(reader.line_num, cells) for cells in reader]
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def plain_cells(cells: Iterable[str]) -> list[str]:
    """Return cells without the marks of escaped formulas and without outer blanks."""
    return [unescape_formula(cell).strip() for cell in cells]


def read_records(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the cells in these columns of each row of a CSV file.

    Empty rows are skipped, and missing cells are empty. A missing file has no rows. Raises
    InputError if the file cannot be read, or lacks the heading of one of the first two
    columns.
    """
    rows = read_table(path) if path.exists() else []
    headings = []
    for row in rows:
        cells = plain_cells(row.cells)
        if not any(cells):
            continue
        if headings:
            cell_of = dict(zip(headings, cells))
            cells = [cell_of.get(column, "") for column in columns]
            yield f"{path}, line {row.number}", cells
            continue
        headings = [cell.casefold() for cell in cells]
        if not set(columns[:2]) <= set(headings):
            raise InputError(
                f"{path}, line {row.number}: write the headings {', '.join(columns)}"
            )


# ---- writing


def table_text(rows: Sequence[Mapping[str, str]]) -> str:
    """Return the text of a CSV file, with formulas escaped.

    rows: column -> cell, with the same columns in each row.
    """
    lines = [list(rows[0])]
    for row in rows:
        lines.append([escape_formula(cell) for cell in row.values()])
    return exact_text(lines)


def exact_text(rows: Iterable[Sequence[str]]) -> str:
    """Return the text of a CSV file with exactly these cells, for a platform."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return MARK + file.getvalue()
