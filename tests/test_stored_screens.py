"""Each line of a stored first screen has the words of texts.yaml or of a known mistake.

No program runs here, so a sentence that was reworded names all its stale screens in a
second. test_first_screens.py compares the screens themselves.
"""

import re
from functools import cache
from string import Formatter

import pytest
from helpers import ROOT, tables_beside, variants_in

from autograder.showing.summary import INDENT, LINES, WIDTH
from gametree.functions import FUNCTIONS
from gametree.support.marks import LEGEND
from gametree.support.texts import load_sentences

SCREENS = sorted((ROOT / "tests" / "golden" / "screens").glob("*.txt"))

# Drawings, lines of a program and trees to save have no sentences.
WORDLESS = re.compile(r"(MAX|MIN)? {4}.*|.*[─│].*| [> ] +\d+ .*| +\^[ ^]*|  {root: .*}|")
SENTENCE_END = re.compile(r"(?<=[.?;:]) | {3}")

# A placeholder stands for a sentence, for a pattern, or for a part of a sentence.
TABLES = tables_beside(__file__)
SENTENCES = TABLES["sentences of placeholders"]
PATTERNS = TABLES["patterns of placeholders"]
PATTERNS["function"] = "|".join(FUNCTIONS)
PART = r"(?:(?!\. ).)+"
MAX_NESTED = 4


def forms_of(names):
    """Return all forms of these sentences. A name that ends in a dot is a section."""
    forms = []
    for key, sentence in load_sentences().items():
        if key in names or f"{key.partition('.')[0]}." in names:
            forms += sentence.values() if isinstance(sentence, dict) else [sentence]
    return forms


@cache
def pattern_of(placeholder, nested):
    """Return the pattern of the texts that a placeholder stands for."""
    patterns = []
    if placeholder == "mistake":
        headlines = {mistake.headline.rstrip(".") for mistake in variants_in("mistakes")}
        patterns += [f"(?:for M(?:AX|IN) )?{re.escape(text)}" for text in headlines]
    if placeholder in PATTERNS:
        patterns.append(PATTERNS[placeholder])
    if placeholder in SENTENCES and nested < MAX_NESTED:
        forms = forms_of(SENTENCES[placeholder])
        patterns += [fill_in(form, nested + 1) for form in forms]
    return f"(?:{'|'.join(patterns or [PART])})"


def fill_in(form, nested=0):
    """Return the pattern of a sentence with its placeholders filled in."""
    pattern = ""
    for text, placeholder, _, _ in Formatter().parse(form):
        pattern += re.escape(text)
        if placeholder:
            pattern += pattern_of(placeholder, nested)
    return pattern


@cache
def sentences():
    """Return a pattern for each sentence of a screen, without its full stop."""
    inside = forms_of(TABLES["sentences inside others"])
    forms = [form for form in forms_of(TABLES["sentences"]) if form not in inside]
    found = [fill_in(form.rstrip(".")) for form in forms]
    steps = {mistake.next_step.rstrip(".") for mistake in variants_in("mistakes")}
    found += [re.escape(step) for step in steps]
    found += [f"{re.escape(mark.sign)} {mark.meaning}" for mark in LEGEND]
    found += FUNCTIONS
    return [re.compile(pattern) for pattern in found]


@cache
def is_sentence(text):
    """Tell whether a text is one sentence. A sentence may begin with a capital or not."""
    text = text.removeprefix("- ").rstrip(".;:")
    small = text[:1].lower() + text[1:]
    return any(one.fullmatch(text) or one.fullmatch(small) for one in sentences())


def has_only_sentences(text):
    """Tell whether a text is a series of sentences."""
    parts = SENTENCE_END.split(text)
    ends = {0}
    for end in range(1, len(parts) + 1):
        for start in sorted(ends):
            if is_sentence(" ".join(parts[start:end])):
                ends.add(end)
    return len(parts) in ends


def texts_of(lines):
    """Yield the texts of a screen, each as one line.

    The later lines of a text are indented, except in a pointer to a line of the program.
    """
    text = ""
    for line in lines:
        if WORDLESS.fullmatch(line):
            yield text
            text = ""
        elif text and (line.startswith(INDENT) or not has_only_sentences(text)):
            text += f" {line.strip()}"
        else:
            yield text
            text = line
    yield text


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: path.stem)
def test_a_stored_screen_has_current_sentences_and_fits(path):
    lines = path.read_text().splitlines()
    assert len(lines) < LINES  # without the line of the points
    assert max(map(len, lines)) <= WIDTH
    stale = [text for text in texts_of(lines) if text and not has_only_sentences(text)]
    assert stale == []
