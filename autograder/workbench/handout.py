"""Bring the handout's marked parts and examples up to date, and make handout.html.

handout.md is the instructor's. What the rubric and the kit decide stands between marks
(marks.py says which) and in its examples (examples.py); nothing else is read or changed.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import replace
from pathlib import Path

from autograder.command import Refused, run
from autograder.judging.concepts import ABOUT
from autograder.judging.scores import VISIBLE, points_text
from autograder.kit import ROOT, Kit, load_kit
from autograder.mistakes.variants import CONVENTIONS
from autograder.rubric import HINTS
from autograder.showing.page import page
from autograder.smalltrees.telling import (
    DIGITS,
    HAIR,
    MOST_CHILDREN,
    MOST_DEPTH,
    MOST_PLIES,
    MOST_VISITS,
)
from autograder.utilities import replace_file
from autograder.workbench.coursefile import FILE as COURSE
from autograder.workbench.coursefile import KEYS, load_course
from autograder.workbench.examples import KINDS, PICTURES, SLOW, example, picture
from autograder.workbench.markdown import anchor_of, to_html
from autograder.workbench.marks import KIT, OFF, ON, PLAIN, pieces_of, without_marks
from gametree.functions import FUNCTIONS, OPTIONAL

FILE, PAGE = "handout.md", "handout.html"
STYLE = Path(__file__).with_name("handout.css")
EXAMPLE = re.compile(r"^```text (\S+) (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
BLANK = re.compile(rf"\{{({'|'.join(KEYS)})\}}")
BY_HAND, EXTRA, LATER = "by hand", "extra credit", "rows shown later"
CONCEPTS, NODE_COUNT = "concepts", "node count"


def main():
    """Rewrite handout.md where it is not as the kit is, and make dist/handout.html."""
    kit, path = load_kit(), ROOT / FILE
    text, changes = rewritten(text_below(ROOT), kit)
    if changes:
        replace_file(path, text)
    print("\n  ".join([f"{FILE}: {len(changes)} changes", *changes]))
    for line in warnings(text, kit):
        print(line)
    write_page(ROOT / "dist" / PAGE)
    print(f"wrote dist/{PAGE}")
    return 0


def text_below(root: Path) -> str:
    """Return the text of the handout. Raises Refused where it is none, and OSError."""
    try:
        return (root / FILE).read_text(encoding="utf-8-sig")
    except UnicodeError:
        raise Refused(f"{FILE}: it is not UTF-8; save it as UTF-8") from None


def rewritten(text: str, kit: Kit, slow: bool = True) -> tuple[str, list[str]]:
    """Return the handout as the kit has it, and a line for each place that changed.

    Without `slow`, what takes running a program stays as it is. Raises Refused.
    """
    parts, holds = parts_of(kit), conditions(kit)
    changes, new = [], []
    for piece in pieces_of(text):
        where = f"{FILE}, line {piece.line}"
        if piece.kind == KIT:
            said = _known(parts, piece.name, where)(piece.text)
            if said != piece.text:
                changes.append(f"{where}: {piece.name}: {_difference(piece.text, said)}")
            piece = replace(piece, text=said)
        elif piece.kind in (ON, OFF):
            turned = piece.turned(all(_holds(c, holds, where) for c in _all_of(piece)))
            if turned != piece:
                now = "holds: hidden" if turned.kind == ON else "does not hold: shown"
                changes.append(f"{where}: '{piece.name}' {now} so far")
            piece = turned
        if piece.kind in (PLAIN, ON):
            piece = replace(piece, text=_with_examples(piece, kit, slow, changes))
        new.append(piece)
    return "".join(map(str, new)), changes


def warnings(text: str, kit: Kit) -> list[str]:
    """Return a line for what no mark asks for, and for links that lead nowhere."""
    marked = {(p.kind == KIT, name) for p in pieces_of(text) for name in _all_of(p)}
    asked = {name for is_part, name in marked if not is_part} | {*BLANK.findall(text)}
    parts = [name for name in parts_of(kit) if (True, name) not in marked]
    holds = conditions(kit)
    given = [n for n in (BY_HAND, EXTRA, LATER, *KEYS) if holds[n] and n not in asked]
    lines = []
    if parts:
        lines.append(f"{FILE} marks no {', '.join(parts)}: mind what it says of that")
    if given:
        lines.append(f"{FILE} says nothing of {', '.join(given)}: students will not know")
    anchors = {anchor_of(heading) for heading in re.findall("(?m)^#+ +(.*)", text)}
    for link in sorted({*re.findall(r"\]\(#(.*?)\)", text)} - anchors):
        lines.append(f"{FILE}: the link (#{link}) leads to no heading: mend it")
    return lines


def for_students(text: str, root: Path = ROOT) -> str:
    """Return the handout without its marks, and with what course.yaml says. May refuse."""
    course = load_course(root)

    def filled(match):
        if match[1] not in course:
            raise Refused(
                f"{FILE}: {match[0]} has no value; put it between <!-- if: {match[1]} --> "
                f"and <!-- /if -->, or write {match[1]} in {COURSE}, and run make handout"
            )
        return course[match[1]]

    return BLANK.sub(filled, without_marks(pieces_of(text)))


def write_page(path: Path, root: Path = ROOT) -> None:
    """Write the handout as a page. Raises CannotConvert, and OSError."""
    replace_file(path, handout_page(text_below(root), load_kit(root)))


def handout_page(text: str, kit: Kit) -> str:
    """Return the handout as a page that needs no other file. Raises CannotConvert."""
    drawn = []

    def block(info, body):
        kind, _, about = info.removeprefix("text ").partition(" ")
        if kind not in PICTURES:
            return None
        drawn.append(about)
        return picture(kind, about, kit, f"tree{len(drawn)}")

    title, body = to_html(for_students(text, kit.root), block)
    return page(title, body, css=STYLE.read_text(encoding="utf-8"))


def parts_of(kit: Kit) -> dict:
    """Return name -> what the kit writes in the place of a marked text."""
    rubric = kit.rubric
    figures = {
        "decimals": DIGITS,
        "difference": f"10^{round(math.log10(HAIR))}",
        "children": MOST_CHILDREN,
        "plies": MOST_PLIES,
        "depth": MOST_DEPTH,
        "visits": MOST_VISITS,
        "search seconds": f"{rubric.limits.search_cpu_seconds:g}",
        "total seconds": f"{rubric.limits.total_seconds:g}",
        "numbers": ", ".join(
            dict.fromkeys(f"{r.number.partition('.')[0]} `{r.function}`" for r in kit.rows)
        ),
    }
    parts = {name: lambda old, said=said: str(said) for name, said in figures.items()}
    for name, rows in (
        ("points", _points(rubric)),
        (CONCEPTS, _concepts(kit)),
        ("shares", _shares(rubric)),
    ):
        words = name == CONCEPTS
        parts[name] = lambda old, rows=rows, words=words: _table(rows, old, words)
    return parts


def conditions(kit: Kit) -> dict[str, bool]:
    """Return name -> whether it holds, of all that a text may be shown for."""
    rubric, course = kit.rubric, load_course(kit.root)
    return {
        **{function: function in rubric.cents for function in FUNCTIONS},
        **{name: name == rubric.cutoff for name in CONVENTIONS},
        **{hint: rubric.allows(hint) for hint in HINTS[1:]},
        NODE_COUNT: any(NODE_COUNT in shares for shares in rubric.shares.values()),
        BY_HAND: rubric.by_hand_cents > 0,
        EXTRA: any(rubric.extra_cents.values()),
        LATER: any(row.visibility != VISIBLE for row in kit.rows),
        **{key: key in course for key in KEYS},
    }


def _points(rubric):
    """Return the rows of the table of points, its head first."""
    rows = [("function", "points")]
    for name, cents in rubric.cents.items():
        rows.append((f"`{_call(FUNCTIONS[name])}`", points_text(cents)))
    if rubric.by_hand_cents:
        rows.append(("`byhand.yaml`", points_text(rubric.by_hand_cents)))
    for name, cents in rubric.extra_cents.items():
        if cents:
            rows.append((f"`{_call(OPTIONAL[name])}`", f"+{points_text(cents)}"))
    return rows


def _call(function):
    return f"{function.name}({', '.join(('node', *function.arguments))})"


def _concepts(kit):
    """Return the rows of the table of concepts: their points, and what they are about."""
    functions = tuple(kit.rubric.cents)
    cents = {(row.concept, row.function): row.most_cents for row in kit.rows}
    rows = [("concept", *(f"`{function}`" for function in functions), "its trees")]
    for concept, about in ABOUT.items():
        worth = [cents.get((concept, function)) for function in functions]
        if worth != [None] * len(worth):
            cells = ("" if each is None else points_text(each) for each in worth)
            rows.append((concept, *cells, about))
    return rows


def _shares(rubric):
    rows = [("function", "aspect", "share")]
    for function in rubric.cents:
        for aspect, share in rubric.shares[function].items():
            rows.append((f"`{function}`", aspect, f"{share:g} %"))
    return rows


def _table(rows, old, words):
    """Return a table of Markdown; words of its head stay, of its last column where asked.

    What stays is the instructor's, who may have translated it.
    """
    before = [_cells(line) for line in old.splitlines() if line.startswith("|")]
    head, *rows = (list(row) for row in rows)
    said = [cell for cell in before[0] if not cell.startswith("`")] if before else []
    own = [place for place, cell in enumerate(head) if not cell.startswith("`")]
    if len(said) == len(own):
        for place, word in zip(own, said):
            head[place] = word
    kept = {cells[0]: cells[-1] for cells in before[2:]}
    for row in rows:
        if words:
            row[-1] = kept.get(row[0]) or row[-1]
    first, *lines = (f"| {' | '.join(row)} |\n" for row in (head, *rows))
    return "".join(["\n", first, f"|{'---|' * len(head)}\n", *lines])


def _cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _difference(old, new):
    """Say where a marked text differs: its first line that does."""
    pairs = zip([*old.strip().splitlines(), ""], [*new.strip().splitlines(), ""])
    was, now = next((pair for pair in pairs if pair[0] != pair[1]), ("", "other blanks"))
    return f"for '{was}' the kit has '{now}'"


def _all_of(piece):
    """Return the names in a mark: a part's own, or the conditions that must all hold."""
    return [name.strip() for name in piece.name.split(",")] if piece.name else []


def _holds(condition, holds, where):
    name = condition.removeprefix("not ")
    return _known(holds, name, where) != (name != condition)


def _known(names, name, where):
    """Return what a mark's name stands for. Raises Refused where it stands for nothing."""
    if name not in names:
        close = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {close[0]}?" if close else f"one of {', '.join(names)}"
        raise Refused(f"{where}: a mark names {name!r}, which nothing has; {hint}")
    return names[name]


def _with_examples(piece, kit, slow, changes):
    """Return a piece's text with its examples as the kit has them now."""

    def up_to_date(match):
        kind, about, old = match.groups()
        line = piece.line + piece.text.count("\n", 0, match.start())
        if kind not in KINDS:
            hint = f"write one of {', '.join(KINDS)}, or nothing after text"
            raise Refused(f"{FILE}, line {line}: {kind!r} is no kind of example; {hint}")
        if kind in SLOW and not slow:
            return match[0]
        new = example(kind, about, kit) + "\n"
        if new != old:
            what = f"{kind} {about}: {_difference(old, new)}"
            changes.append(f"{FILE}, line {line}: {what}")
        return f"```text {kind} {about}\n{new}```"

    return EXAMPLE.sub(up_to_date, piece.text)


if __name__ == "__main__":
    run("handout", main)
