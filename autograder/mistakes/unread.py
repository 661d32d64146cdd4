"""What the text of a search.py shows by itself: arguments that a function never uses.

It is a tool: it runs in a worker that runs nothing of the text, since there are texts on
which Python's own tokenizer takes hours. Where a text leaves room for doubt, nothing is
said. The standard library only.
"""

from __future__ import annotations

import io
import json
import keyword
import token
import tokenize
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

LARGEST = 100_000  # bytes of a text that is looked at
MOST_CALLS = 20  # of a function by itself that are looked at
FULL = {"float", "math", "inf", "np", "numpy", "sys", "maxsize"}  # words of a full window
BOUNDS = "alpha", "beta"


@dataclass(frozen=True)
class Unread:
    """Arguments, as the assignment calls them, that a function `ignores` or `keeps`.

    The text never reads the first; the others, alpha or beta, it never passes on: each
    call of the function by itself has a full window's there.
    """

    ignores: tuple[str, ...]
    keeps: tuple[str, ...]


Arguments = Mapping[str, tuple[str, ...]]  # of a function after the node


def made(source: bytes, arguments: Arguments) -> bytes:
    """Return unread() as JSON: function -> its two lists."""
    found = unread(source, arguments)
    return json.dumps(
        {name: [one.ignores, one.keeps] for name, one in found.items()}
    ).encode()


def unread_from(data: bytes, arguments: Arguments) -> dict[str, Unread]:
    """Return what made() packed; whatever else a worker says, only names that are known."""
    found = {}
    for name, lists in json.loads(data or b"{}").items():
        known = "node", *arguments[name]
        found[name] = Unread(*(tuple(n for n in known if n in own) for own in lists))
    return found


def unread(source: bytes, arguments: Arguments) -> dict[str, Unread]:
    """Return function -> what it ignores and keeps, of those of which there is any.

    `arguments` maps each function to its arguments, as the assignment calls them.
    """
    words = _words(source)
    pairs = enumerate(zip(words, words[1:]), start=2)
    begins = {word: at for at, (before, word) in pairs if before == "def"}
    found = {
        name: _unread(name, ("node", *own), words[begins[name] :])
        for name, own in arguments.items()
        if name in begins
    }
    return {name: one for name, one in found.items() if one.ignores or one.keeps}


def _words(source):
    """Return the names, signs, numbers and ends of blocks of a text, [] of a bad one."""
    if len(source) > LARGEST:
        return []
    words = []
    try:
        for each in tokenize.tokenize(io.BytesIO(source).readline):
            if each.type in (token.INDENT, token.DEDENT):
                words.append(each.type)
            elif each.type in (token.NAME, token.OP, token.NUMBER, token.STRING):
                words.append(each.string)
    except (tokenize.TokenError, SyntaxError, ValueError, LookupError):
        return []
    return words


def _unread(function, names, words):
    """Return what is unread, from the words after a function's name."""
    given = [part[0] for part in _arguments(words)]
    body = _block(words)
    if not body or len(given) != len(names) or not all(map(str.isidentifier, given)):
        return Unread((), ())
    used = {
        word
        for word, after, depth in zip(body, [*body[1:], ""], _depths(body))
        if after != "=" or not depth
    }
    pairs = enumerate(zip(body, body[1:]), start=1)
    begins = (at for at, (word, after) in pairs if word == function and after == "(")
    calls = [_arguments(body[at:]) for at in islice(begins, MOST_CALLS)]
    ignores = tuple(name for name, own in zip(names, given) if own not in used)
    keeps = (
        name
        for place, name in enumerate(names)
        if name in BOUNDS and _is_never_passed(place, calls, len(names))
    )
    return Unread(ignores, tuple(name for name in keeps if name not in ignores))


def _is_never_passed(place, calls, count):
    """Tell whether all calls have a full window's bound there."""
    if not calls or any(len(call) != count or "=" in sum(call, []) for call in calls):
        return False
    words = {word for call in calls for word in call[place]}
    return not any(w.isidentifier() and not keyword.iskeyword(w) for w in words - FULL)


def _arguments(words):
    """Return the words of each argument, of the words from an opening parenthesis on."""
    parts, depth = [[]], 0
    for word in words:
        if word in ("(", "[", "{"):
            depth += 1
            if depth == 1:
                continue
        elif word in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                break
        if word == "," and depth == 1:
            parts.append([])
        elif isinstance(word, str):
            parts[-1].append(word)
    return [part for part in parts if part]


def _block(words):
    """Return the words of the indented block after a signature, [] if there is none."""
    pairs = enumerate(zip(words, _depths(words)), start=1)
    begin = next((at for at, (word, depth) in pairs if word == ":" and not depth), None)
    if begin is None or words[begin : begin + 1] != [token.INDENT]:
        return []
    block, depth = [], 0
    for word in words[begin:]:
        depth += {token.INDENT: 1, token.DEDENT: -1}.get(word, 0)
        if not depth:
            break
        if isinstance(word, str):
            block.append(word)
    return block


def _depths(words):
    """Yield how many brackets are open at each word."""
    depth = 0
    for word in words:
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        yield depth
