"""Make the handout for students: handout.md filled in, and the same as a page.

handout.md is the instructor's, and is never written. What it leaves to the kit stands in
comments, which Markdown does not show:

    <!-- put points --> ... <!-- /put -->   has a figure or a table of the kit in its place
    <!-- if best_move --> ... <!-- /if -->  is gone where that does not hold
    <!-- if strict: ... -->                 is a comment that becomes text where that holds

A block that begins ```text tree ABOUT or ```text alphabeta ABOUT is drawn anew, the latter
with the marks of the right search. {name}, {due} and {contact} are what course.yaml says;
a line is gone where it says nothing of them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt

from autograder.command import Refused, run
from autograder.files import replace_file
from autograder.judging.concepts import ABOUT
from autograder.judging.rubric import VISIBLE
from autograder.judging.scores import points_text
from autograder.kit import ROOT, Kit, load_kit
from autograder.rubricfile import load_yaml
from autograder.showing.page import figure, page
from autograder.tasks import CONVENTIONS
from gametree import load_tree, observe, parse_tree
from gametree.functions import FUNCTIONS, LEAVES, MOVE, NODE_COUNT, VALUE
from gametree.support.drawing import draw
from gametree.support.marks import marks_of
from gametree.support.views import view_of

FILE, PAGE, COURSE = "handout.md", "handout.html", "course.yaml"
STYLE = Path(__file__).with_name("handout.css")
KEYS = ("name", "due", "contact")  # of course.yaml
INSIDE = r"((?:(?!<!-- /?(?:put|if)\b).)*?)"  # no mark stands in another one
MARK = re.compile(
    rf"<!-- (put|if) ([\w, ]+)(?: -->{INSIDE}<!-- /\1 -->|:{INSIDE}-->)", re.DOTALL
)
HALF = re.compile(r"<!-- /?(?:put|if)\b|<!--(?!(?:(?!<!--).)*?-->)", re.DOTALL)
FIELD = re.compile(r"^```.*?^```|`[^`\n]*`|(?<![\w^}])\{(\w+)\}", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
DRAWN = re.compile(r"^(```text (tree|alphabeta) (.*)\n)(?:.*\n)*?```$", re.MULTILINE)
WRAPPED = {
    "table_open": '<div class="table" tabindex="0"><table>\n',
    "table_close": "</table></div>\n",
}
RIGHT = {
    VALUE: "it is right, and your leaves prove it",
    MOVE: "it is right, and your leaves prove it",
    LEAVES: "you visited the right leaves, none too many, none too few",
    NODE_COUNT: "you visited no node more often than needed",
}


def main():
    """Write the page alone, to be looked at: `make dist` makes all that is handed out."""
    path = Path("build") / PAGE
    replace_file(ROOT / path, page_of(load_kit()))
    print(f"wrote {path}, to be looked at; make dist puts it into dist/")
    return 0


def for_students(kit: Kit) -> str:
    """Return the handout as students of the kit's course read it. Raises Refused."""
    try:
        text = (kit.root / FILE).read_text(encoding="utf-8-sig")
    except UnicodeError:
        raise Refused(f"{FILE}: it is not UTF-8; save it as UTF-8") from None
    parts, holds, course = parts_of(kit), conditions(kit), load_course(kit.root)

    def filled(match):
        kind, name, shown, hidden = match.groups()
        known = parts if kind == "put" else holds
        for each in name.split(", "):
            if each not in known:
                what = f"a mark names {each!r}, which is none of {', '.join(known)}"
                raise _slip(text, match, what)
        if kind == "put":
            return parts[name]
        if not all(holds[each] for each in name.split(", ")):
            return ""
        return shown if hidden is None else hidden.strip("\n")

    unmarked = MARK.sub(lambda mark: re.sub(r".", " ", mark[0]), text)  # in the same lines
    for half in HALF.finditer(unmarked):
        raise _slip(unmarked, half, "a mark lacks its other half")
    for field in FIELD.finditer(text):  # but in code
        if field[1] and field[1] not in KEYS:
            raise _slip(text, field, f"{field[0]} is none of {', '.join(KEYS)}")
    plain = COMMENT.sub("", MARK.sub(filled, text))
    for key in KEYS:
        if key not in course:
            plain = re.sub(rf"^.*{{{key}}}.*\n", "", plain, flags=re.MULTILINE)
        plain = plain.replace(f"{{{key}}}", course.get(key, ""))
    plain = DRAWN.sub(
        lambda match: f"{match[1]}{draw(*seen(match[2], match[3], kit))}\n```", plain
    )
    return re.sub(r"[ \t]+$", "", re.sub(r"\n{3,}", "\n\n", plain), flags=re.MULTILINE)


def _slip(text, match, what):
    line = text.count("\n", 0, match.start()) + 1
    return Refused(f"{FILE}, line {line}: {what}; mend it")


def load_course(root: Path) -> dict[str, str]:
    """Return key -> what course.yaml says, {} where there is none. May refuse."""
    if not (root / COURSE).exists():
        return {}
    data = load_yaml(root / COURSE, "BaseLoader")  # a date stays as it is written
    lines = data.items() if isinstance(data, dict) else [(data, "")]
    for key, value in lines:
        text = isinstance(value, str) and value.strip()
        if key not in KEYS or not text or "\n" in text:
            known = f"{', '.join(KEYS)} have one line of text each, or are left out"
            raise Refused(f"{COURSE}: {key}: {known}; write all else into {FILE}")
    return {key: value.strip() for key, value in lines}


def conditions(kit: Kit) -> dict[str, bool]:
    """Return name -> whether it holds, of all that a passage may stand for."""
    rubric = kit.rubric
    return {
        **{function: function in rubric.cents for function in FUNCTIONS},
        **{convention: convention == rubric.cutoff for convention in CONVENTIONS},
        "by hand": rubric.by_hand_cents > 0,
        "rows later": any(row.visibility != VISIBLE for row in kit.rows),
    }


def parts_of(kit: Kit) -> dict[str, str]:
    """Return name -> what is put in its place: a figure, or a table in lines of its own."""
    rubric, functions = kit.rubric, tuple(kit.rubric.cents)
    points = [
        (f"`{name}({', '.join(('node', *FUNCTIONS[name].arguments))})`", points_text(cents))
        for name, cents in rubric.cents.items()
    ]
    if rubric.by_hand_cents:
        points.append(("`byhand.yaml`", points_text(rubric.by_hand_cents)))
    cents = {(row.concept, row.function): points_text(row.max_cents) for row in kit.rows}
    shares = {
        (aspect, name): f"{share:g} %"
        for name, of_function in rubric.shares.items()
        for aspect, share in of_function.items()
    }
    return {
        "points": table(("function", "points"), points),
        "rows": _by_function("concept", cents, functions, "its trees", ABOUT),
        "aspects": _by_function("part", shares, functions, "right where", RIGHT),
        "search seconds": f"{rubric.limits.search_cpu_seconds:g}",
        "total seconds": f"{rubric.limits.total_seconds:g}",
    }


def _by_function(first, cells, functions, last, about):
    """Return a table: name, its cell of each function, what it is about."""
    rows = [
        (name, *(cells.get((name, function), "") for function in functions), what)
        for name, what in about.items()
        if any((name, function) in cells for function in functions)
    ]
    return table((first, *(f"`{name}`" for name in functions), last), rows)


def table(head, rows):
    """Return a table of Markdown."""
    first, *lines = (f"| {' | '.join(row)} |\n" for row in (head, *rows))
    return "\n" + "".join([first, f"|{'---|' * len(head)}\n", *lines])


def seen(kind: str, about: str, kit: Kit) -> tuple:
    """Return (tree, search, marks) of "trees/x.yaml 2" or "max [1, [1, 1]]"."""
    (first, _, rest), number = about.partition(" "), "1"
    if first.startswith("trees/"):
        tree = load_tree(kit.root / "trees" / "public" / Path(first).name)
        number = rest or number
    else:
        tree = parse_tree(f"root: {first}\ntree: {rest}\n", f"{FILE}: {about}")
    if number not in map(str, range(1, len(tree.searches) + 1)):
        raise Refused(f"{FILE}: {about}: {first} has {len(tree.searches)} searches")
    if kind == "tree":
        return tree, None, None
    search = tree.searches[int(number) - 1]
    trace = observe(kit.reference.alphabeta, "alphabeta", tree, search)
    return tree, search, marks_of(tree, search, trace, trace.visited)


def page_of(kit: Kit) -> str:
    """Return the handout for students as a page that needs no other file. May refuse."""
    text, parser, headings = for_students(kit), MarkdownIt().enable("table"), []
    tokens = parser.parse(text)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            inside = re.sub("[`*]", "", tokens[number + 1].content)
            token.attrSet("id", anchor_of(inside))
            headings.append((token.tag, anchor_of(inside), inside))
        elif token.type == "fence":
            token.type, token.content = "html_block", _block(token, kit, number)
        elif token.type in WRAPPED:
            token.type, token.content = "html_block", WRAPPED[token.type]
        for part in token.children or ():
            if part.type == "image" and ":" not in part.attrs["src"]:
                part.attrs["src"] = embedded(part.attrs["src"], kit.root)
    for link in re.findall(r"\]\(#(.*?)\)", text):
        if link not in (anchor for _, anchor, _ in headings):
            raise Refused(f"{FILE}: the link (#{link}) leads to no heading; mend it")
    html = parser.renderer.render(tokens, parser.options, {})
    first, second, rest = html.partition("<h2")
    contents = "".join(
        f'<li><a href="#{anchor}">{escape(inside)}</a></li>'
        for tag, anchor, inside in headings
        if tag == "h2"
    )
    title = next((inside for tag, _, inside in headings if tag == "h1"), FILE)
    body = f"{first}<nav><ul>{contents}</ul></nav>\n{second}{rest}"
    return page(title, body, css=STYLE.read_text(encoding="utf-8"))


def embedded(name: str, root: Path) -> str:
    """Return what stands for a picture's file in a page that needs no other. May refuse."""
    kind, _ = guess_type(name)
    try:
        data = (root / unquote(name)).read_bytes()
    except OSError:
        raise Refused(f"{FILE}: there is no picture {name}; put it beside {FILE}") from None
    return f"data:{kind};base64,{b64encode(data).decode()}"


def anchor_of(heading: str) -> str:
    """Return what a link to a heading names after its #, as on GitHub."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _block(token, kit, number):
    """Return a block of code as HTML: a drawing as a picture, all else as it stands."""
    kind, _, about = token.info.removeprefix("text ").partition(" ")
    if token.info.startswith("text ") and kind in ("tree", "alphabeta"):
        tree, search, marks = seen(kind, about, kit)
        view, description = view_of(tree, search, marks), draw(tree, search, marks)
        return figure(view, tree.title, description, f"tree{number}")
    return f'<pre class="scroll" tabindex="0"><code>{escape(token.content)}</code></pre>\n'


if __name__ == "__main__":
    run("handout", main)
