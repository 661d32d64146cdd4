"""Represent students and their submissions, and compare identifiers and names."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.ground.plaintext import sanitize

KINDS = ("sid", "email", "number", "login")  # of identifiers, the most reliable first


class Student(NamedTuple):
    """A student; unknown fields are "".

    name: the name, as written by the platform or the class list.
    sid: the student id at the university.
    email: the e-mail address.
    section: the section of the course.
    login: the login at the university.
    number: the platform and its number of the student, such as "Canvas 12".
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    login: str = ""
    number: str = ""

    @property
    def identifiers(self) -> dict[str, str]:
        """The kind -> the exact text of each known identifier."""
        known = {}
        for kind in KINDS:
            text = read_id(getattr(self, kind))
            if text:
                known[kind] = text
        return known

    @property
    def text(self) -> str:
        """The name and all identifiers: all that tells the student from others."""
        known = [first_name_first(self.name), *self.identifiers.values()]
        return " ".join(known).strip()

    @property
    def words(self) -> set[str]:
        """The folded words by which the name of a file may suggest this student."""
        address = fold(self.email)
        words = {fold(self.sid), fold(self.login), address, address.partition("@")[0]}
        words |= rotate_words(self.name)
        return words.union(words_of(self.name)) - {""}

    @property
    def label(self) -> str:
        """The name and sid in a line, or another identifier if both are unknown."""
        known = " ".join(filter(None, (self.name, self.sid)))
        return known or self.email or self.login or self.number


class Submission(NamedTuple):
    """A submission of one student or of a group.

    id: its unique name, which is safe as a folder's name.
    authors: what the download says about each author.
    source: the bytes of search.py, None if there is no program to run.
    note: a line for the student: a remark on the file, or why there is no program to run.
    remark: a line for the TA.
    report: the name, without .html, under which the platform accepts a report; "" if the
        download is not a platform's.
    origin: the name that no other submission has in any download of the class: the
        platform's name, or else the exact name of the file or the folder.
    """

    id: str
    authors: tuple[Student, ...] = (Student(),)
    source: bytes | None = None
    note: str = ""
    remark: str = ""
    report: str = ""
    origin: str = ""

    def key(self, kit: str) -> str:
        """Return a hash of the kit's key, and of search.py or the reason without one."""
        content = repr((kit, self.source or self.note))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()

    @property
    def label(self) -> str:
        """A line with the authors' labels and the id."""
        labels = [author.label for author in self.authors]
        labels.append(self.id)
        return " \u00b7 ".join(filter(None, labels))


def join_lines(*lines: str) -> str:
    """Join the lines that are not empty into one line, each line once."""
    return "; ".join(dict.fromkeys(filter(None, lines)))


# ---- identifiers


def read_id(text: str) -> str:
    """Return an identifier for comparing it exactly; only the case does not count."""
    return unicodedata.normalize("NFC", text.strip()).casefold()


def undamaged(text: str) -> str:
    """Return an identifier without the zeros at its ends that a spreadsheet removes.

    Two identifiers with the same result may be one, so a person has to decide.
    """
    return re.sub(r"(\.[0-9]*?)0+$", r"\1", read_id(text)).rstrip(".").lstrip("0")


# ---- names

JOINERS = str.maketrans("", "", "\u200c\u200d")  # invisible; used in Persian
SECOND_LETTER = re.compile("(?<=[aou])e|(?<=a)a")  # of two for one, as in Mueller


def clean_line(text: str) -> str:
    """Return an untrusted name as one printable line with single spaces."""
    return " ".join(sanitize(text.translate(JOINERS)).split())


@cache
def _plain_letters():
    """Return the code of each letter that accents do not explain -> plain letters."""
    return str.maketrans(load_data("letters.yaml", __file__))


@lru_cache(maxsize=2**16)
def fold(text: str) -> str:
    """Remove accents, case and outer blanks from a text, for comparing names."""
    decomposed = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = [c for c in decomposed if not unicodedata.combining(c)]
    return "".join(letters).translate(_plain_letters())


def words_of(name: str) -> list[str]:
    """Return the folded words of a name."""
    return re.findall(r"[^\W_]+", fold(name))


def first_name_first(name: str) -> str:
    """Return a name with its first name first: Doe, Jane is Jane Doe."""
    last, _, first = name.partition(",")
    return f"{first} {last}".strip()


def name_in_order(name: str) -> str:
    """Return a folded name of two words or more, the first name first, or "".

    A single word may be a login or a part of a name.
    """
    words = fold(first_name_first(name)).split()
    return " ".join(words) if len(words) > 1 else ""


def rotate_words(name: str) -> set[str]:
    """Return all rotations of a name's words, joined: Jane Doe gives janedoe, doejane."""
    words = words_of(name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def names_agree(name: str, other: str) -> bool:
    """Tell whether a name in the class list may belong to the author of a submission.

    A list may omit all names. Otherwise one name has all words of the other, or they are
    equal when their words are joined. Müller, Mueller and Muller are one word.
    """
    words = _spelled_words(name)
    others = _spelled_words(other)
    if not words or not others:
        return not words
    if words <= others or others <= words:
        return True
    return not rotate_words(name).isdisjoint(rotate_words(other))


def _spelled_words(name):
    """Return the words of a name, each with one letter where some write two."""
    spelled = SECOND_LETTER.sub("", fold(name))
    return set(words_of(spelled))
