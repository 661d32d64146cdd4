"""Read CSV files of platforms and spreadsheets, and write the books."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from autograder.ground.files import replace_file
from autograder.ground.plaintext import decode, escape_formula, unescape_formula
from autograder.sandbox.submission import UTF_16_MARKS
from gametree.support.errors import InputError

MARK = "\ufeff"  # byte order mark; without it Excel does not read UTF-8
WRITTEN = "written.txt"  # the hash of each version of each book
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
PEOPLE = "people.csv"  # written by hand: file or login, sid
ROSTER = "roster.csv"  # the class list


def table_text(columns: Sequence[str], rows: Iterable[Mapping]) -> str:
    """Return the text of a CSV file, with formulas escaped.

    rows: column -> cell. A missing cell is empty, and other columns are omitted.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([escape_formula(row.get(column, "")) for column in columns])
    return MARK + file.getvalue()


def read_table(path: Path) -> list[list[str]]:
    """Return the rows of a CSV file with any delimiter that Excel uses.

    Raises InputError if the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return parse_table(content, str(path))


def read_records(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns of a CSV file, and each further row as column -> cell.

    A missing file has no columns. Raises InputError if the file cannot be read.
    """
    rows = read_table(path) if path.exists() else []
    columns, *others = rows or [[]]
    return columns, [dict(zip(columns, cells)) for cells in others if cells]


def read_handwritten(path: Path, columns: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the place and the cells of each row of a CSV file that a TA writes.

    Empty rows and a row of headings are skipped. Missing cells are empty. A missing file
    has no rows. Raises InputError if the file cannot be read.

    columns: the headings. One of them in the first two cells identifies a row of headings.
    """
    rows = read_table(path) if path.exists() else []
    for number, cells in enumerate(rows, start=1):
        padded = (cells + [""] * len(columns))[: len(columns)]
        first_two = [cell.casefold() for cell in padded[:2]]
        is_heading = number == 1 and not set(columns).isdisjoint(first_two)
        if any(padded) and not is_heading:
            yield f"{path}, line {number}", padded


def parse_table(content: bytes, name: str) -> list[list[str]]:
    """Return the rows in the bytes of a CSV file. Raises InputError.

    name: the name of the file in an error.
    """
    is_unicode_text = content.startswith(UTF_16_MARKS)  # Excel's name for UTF-16
    rows = []
    try:
        text = content.decode("utf-16") if is_unicode_text else decode(content)
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append([unescape_formula(cell).strip() for cell in cells])
    except (csv.Error, UnicodeError) as error:
        raise InputError(f"{name}: cannot be read: {error}") from None
    return rows


def write_book(path: Path, columns: Sequence[str], rows: Iterable[Mapping]) -> list[str]:
    """Write a CSV file that a TA may edit; return lines about a copy of the old file.

    An old file that was edited by hand since the kit wrote it is copied first.
    """
    content = table_text(columns, rows).encode("utf-8", "backslashreplace")
    record = path.with_name(WRITTEN)
    written = record.read_text().split() if record.exists() else []
    lines = []
    if path.exists():
        old = path.read_bytes()
        if _hash(old) not in written:
            copy = _unused_path(path)
            replace_file(copy, old)
            lines.append(
                f"{path} was edited by hand and is saved as {copy.name}; every run applies "
                f"{OVERRIDES} (id, points, note) and {PEOPLE} (file or login, sid)"
            )
    # Write the record first: a run that is killed in between has recorded both versions.
    replace_file(record, "\n".join(dict.fromkeys([*written, _hash(content)])))
    replace_file(path, content)
    return lines


def _unused_path(path):
    """Return an unused path for a copy of a book that was edited by hand."""
    number = 1
    while (copy := path.with_name(f"{path.stem}-edited-{number}.csv")).exists():
        number += 1
    return copy


def _hash(content):
    return hashlib.sha256(content).hexdigest()
