"""Numbers, names and text as a tree file may write them, and what to write instead."""

from __future__ import annotations

import re

import yaml

from gametree.markup import Scalar
from gametree.treeerror import TreeError, did_you_mean

LIMIT = 10**9
PLAYERS = {"max": True, "min": False}
LONGEST_NAME = 16
LONGEST_TEXT = 70
NUMBER = re.compile(r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)")
NAME = re.compile(r"[^\W\d_][\w.'-]*")
RESOLVER = yaml.resolver.Resolver()
# What YAML takes a plain word for, in words.
MEANING = {
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "timestamp": "a date",
}
# How YAML misreads what is written, and what helps.
ODD_NUMBERS = (
    (r"[-+]?\.(inf|Inf|INF)", "is not finite: write a number within 10^9"),
    (r"\.(nan|NaN|NAN)", "is not a number: write a finite one"),
    (r"[-+]?0[0-7_]+", "reads as octal in YAML: write it without the leading 0"),
    (r"[-+]?0\d+(\.\d*)?", "begins with a 0: write it without"),
    (r"[-+]?0[xb]\w+", "is not decimal: write it in decimal digits"),
    (r"[-+]?\d[\d.]*_[\d_.]*", "holds an underscore: write the digits alone"),
    (r"[-+]?\d+(:\d+)+(\.\d*)?", "reads as a time in YAML: write one number"),
    (r"[-+]?[\d.]+[eE][-+]?\d+", "has an exponent: write the number out"),
    (r"[\u2010-\u2015\u2212][\d.]+", "begins with a dash: write the minus sign -"),
    (r"[-+.\d]+(, +[-+.\d]+)+", "is several numbers: put them in [ ]"),
    (r"[-+]?\d+ *[,/] *\d+", "is not one number: write it with a decimal point"),
    (r"[-+.\d]+( +[-+.\d]+)+", "is several numbers: put commas between them"),
    (r"[^\W\d]\w*:.+", "lacks a space: write a name, a colon, a space, a value"),
)


def yaml_type(scalar):
    """Return what YAML takes a scalar for: str, int, float, bool, null, ..."""
    if not scalar.plain:
        return "str"
    if re.fullmatch("[yYnN]", scalar.text):
        return "bool"
    tag = RESOLVER.resolve(yaml.ScalarNode, scalar.text, (True, False))
    return tag.rpartition(":")[2]


def number(markup, node="", what="a value"):
    """Return the finite int or float that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError(f"{what} must be one number", markup.line, node)
    if not (markup.plain and NUMBER.fullmatch(markup.text)):
        raise TreeError(_misread(markup, what), markup.line, node)
    read = int if re.fullmatch("[-+]?[0-9]+", markup.text) else float
    found = float(markup.text) if len(markup.text) > 400 else read(markup.text)
    if not -LIMIT < found < LIMIT:
        problem = f"{what} of {markup.text[:20]} is out of range: stay below 10^9 in size"
        raise TreeError(problem, markup.line, node)
    return found


def _misread(scalar, what):
    shown = scalar.text if len(scalar.text) <= 20 else f"{scalar.text[:17]}..."
    if not scalar.plain and NUMBER.fullmatch(scalar.text):
        return f"{shown!r} in quotes is text: remove the quotes"
    for pattern, trouble in ODD_NUMBERS if scalar.plain else ():
        if re.fullmatch(pattern, scalar.text):
            return f"{shown} {trouble}"
    kind = MEANING.get(yaml_type(scalar))
    problem = f"{shown} means {kind}" if kind else f"{shown!r} is text"
    return f"{problem if scalar.text else 'nothing is written here'}: {what} is one number"


def whole(markup, what, least=0, most=LIMIT):
    """Return the int from `least` to `most` that is written, or raise TreeError."""
    found = number(markup, what=what)
    if not isinstance(found, int) or not least <= found <= most:
        cure = f"write a whole number from {least} to {most}"
        raise TreeError(f"{what} of {markup.text} is not possible: {cure}", markup.line)
    return found


def text(markup, what, longest=LONGEST_TEXT):
    """Return the one line of text that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError(f"{what} must be one line of text", markup.line)
    if yaml_type(markup) != "str":
        problem = f"{what} {markup.text!r} is not text in YAML: put it in quotes"
        raise TreeError(problem, markup.line)
    found = markup.text.strip()
    if not found or "\n" in found:
        raise TreeError(f"{what} must be one line of text", markup.line)
    if len(found) > longest:
        problem = f"{what} has {len(found)} characters: {longest} at most"
        raise TreeError(problem, markup.line)
    return found


def word(markup, what, known):
    """Return the word that is written, one of `known`, or raise TreeError."""
    found = getattr(markup, "text", "")
    if found not in known:
        problem = f"{what} is one of {', '.join(known)}"
        meant = did_you_mean(found, known)
        problem += f": did you mean {meant}?" if meant else f", not {found[:20]!r}"
        raise TreeError(problem, markup.line)
    return found


def name(markup):
    """Return the node name that is written, or raise TreeError."""
    if not isinstance(markup, Scalar):
        raise TreeError("a name must be one word", markup.line)
    if markup.plain and yaml_type(markup) != "str":
        kind = MEANING.get(yaml_type(markup), "something else")
        problem = f"the name {markup.text} means {kind} in YAML: put it in quotes"
        raise TreeError(problem, markup.line)
    return markup.text


def new_name(markup):
    """Return a name for a node of this file: a letter, then letters and digits."""
    found = markup.text
    if re.fullmatch(r"[^\W\d_][\w.'-]*:\S+", found):
        problem = f"{found[:40]!r} lacks a space: write a space after the colon"
    elif not NAME.fullmatch(found):
        problem = f"{found[:40]!r} is no name: write a letter, then letters and digits"
    elif len(found) > LONGEST_NAME:
        problem = f"the name {found[:40]!r} is too long: {LONGEST_NAME} letters at most"
    else:
        return name(markup)
    raise TreeError(problem, markup.line)
