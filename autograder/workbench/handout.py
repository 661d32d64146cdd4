"""Generate the handout for students, as Markdown and as a page.

handout.md belongs to the instructor, and no command writes to it. Its comments mark the
passages that the kit fills in:

    <!-- put points --> ... <!-- /put -->   is replaced by a figure or a table of the kit
    <!-- if best_move --> ... <!-- /if -->  is removed if the condition is false
    <!-- if strict: ... -->                 becomes text if the condition is true

On the page, a block that begins with ```text and one of these words is generated again:

    tree ABOUT           a tree
    alphabeta ABOUT      a tree with the marks of a correct search
    feedback MISTAKE     the first screen of a known mistake, below the score
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from autograder.explaining.variants import load_variant
from autograder.grading import grade
from autograder.kit import Kit
from autograder.scoring.concepts import ABOUT
from autograder.scoring.rubric import HIDDEN, VISIBLE
from autograder.scoring.scores import points_text
from autograder.scoring.tasks import CONVENTIONS
from autograder.showing.page import figure, page
from autograder.showing.summary import feedback_text
from gametree import load_tree, observe, parse_tree
from gametree.functions import FUNCTIONS, LEAVES, MOVE, NODE, NODE_COUNT, VALUE
from gametree.support.errors import InputError
from gametree.support.marks import marks_of
from gametree.support.texts import sentence
from gametree.support.views import view_of

FILE, PAGE = "handout.md", "handout.html"
STYLE = Path(__file__).with_name("handout.css")
TREE, ALPHABETA, FEEDBACK = "tree", "alphabeta", "feedback"  # blocks to generate
DRAWINGS = (TREE, ALPHABETA)
KINDS = (*DRAWINGS, FEEDBACK, "pytest")  # a pytest block is printed unchanged
INSIDE = r"(?:(?!<!-- /?(?:put|if)\b).)*?"  # a mark cannot contain another mark
MARK = re.compile(
    rf"<!-- (?P<kind>put|if) (?P<names>[\w, ]+)"
    rf"(?: -->(?P<shown>{INSIDE})<!-- /(?P=kind) -->|:(?P<hidden>{INSIDE})-->)",
    re.DOTALL,
)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
UNPAIRED = re.compile(r"<!-- /?(?:put|if)\b|<!--(?!(?:(?!<!--).)*?-->)", re.DOTALL)
COMPLETE = ("https://", "http://", "mailto:", "data:")  # beginnings of addresses
UNFILLED = "<!-- The instructor adds"  # the beginning of the comment to replace
CORRECT_IF = {
    VALUE: "it is correct, and your leaves prove it",
    MOVE: "it is correct, and your leaves prove it",
    LEAVES: "you visited exactly the correct leaves",
    NODE_COUNT: "you visited no node more often than necessary",
}


# ---- the text


def for_students(kit: Kit) -> str:
    """Return the handout of the kit's course as Markdown. Raises InputError."""
    source = read_source(kit.root)
    check_marks(source)
    return COMMENT.sub("", fill_marks(source, kit))


def read_source(root: Path) -> str:
    """Return the text of handout.md. Raises InputError."""
    try:
        return (root / FILE).read_text(encoding="utf-8-sig")
    except UnicodeError:
        raise InputError(f"{FILE}: the file is not UTF-8; save it as UTF-8") from None


def warnings(root: Path) -> list[str]:
    """Return one line for each part of handout.md that only the instructor can write."""
    source = read_source(root)
    if UNFILLED not in source:
        return []
    line = source.count("\n", 0, source.find(UNFILLED)) + 1
    advice = "write the course, the due date and an address for questions in its place"
    return [f"{FILE}, line {line}: {advice}"]


def check_marks(text):
    """Raise InputError if a mark lacks its other half, or a comment its end."""
    unpaired = UNPAIRED.search(MARK.sub(blank, text))
    if unpaired:
        raise refusal_at(text, unpaired.start(), "a mark lacks its other half; add it")


def blank(match):
    """Return filler text with the same length and line breaks as a match."""
    return re.sub(r".", ".", match[0])


def fill_marks(text, kit):
    """Return the text with the kit's content in place of the marks. Raises InputError."""
    parts = parts_of(kit)
    holds = conditions(kit)

    def look_up(name, contents, mark):
        if name not in contents:
            listed = ", ".join(contents)
            reason = f"a mark names {name!r}, which is unknown; write one of {listed}"
            raise refusal_at(text, mark.start(), reason)
        return contents[name]

    def filled(mark):
        if mark["kind"] == "put":
            return look_up(mark["names"], parts, mark)
        needed = [look_up(name, holds, mark) for name in mark["names"].split(", ")]
        if not all(needed):
            return ""
        if mark["hidden"] is not None:
            return mark["hidden"].strip("\n")
        return mark["shown"]

    return MARK.sub(filled, text)


def refusal_at(text, place, reason):
    """Return an error that names the line of this place in the text."""
    line = text.count("\n", 0, place) + 1
    return InputError(f"{FILE}, line {line}: {reason}")


# ---- the content of marks


def conditions(kit: Kit) -> dict[str, bool]:
    """Return name of a condition -> whether the condition is true."""
    rubric = kit.rubric
    holds = {function: function in rubric.cents for function in FUNCTIONS}
    for convention in CONVENTIONS:
        holds[convention] = convention == rubric.cutoff
    holds["rows never"] = rubric.visibility == HIDDEN
    holds["rows later"] = rubric.visibility not in (VISIBLE, HIDDEN)
    holds[NODE_COUNT] = any(NODE_COUNT in shares for shares in rubric.shares.values())
    return holds


def parts_of(kit: Kit) -> dict[str, str]:
    """Return name of a mark -> its content: a figure, or a table on separate lines."""
    limits = kit.rubric.limits
    return {
        "title": kit.rubric.title,
        "points": points_table(kit.rubric),
        "rows": rows_table(kit),
        "aspects": aspects_table(kit.rubric),
        "search seconds": f"{limits.search_cpu_seconds:g}",
        "total seconds": f"{limits.total_seconds:g}",
    }


def points_table(rubric):
    """Return the table of functions with their arguments and points."""
    rows = []
    for name, cents in rubric.cents.items():
        arguments = ", ".join(("node", *FUNCTIONS[name].arguments))
        rows.append((f"`{name}({arguments})`", points_text(cents)))
    return table(("function", "points"), rows)


def rows_table(kit):
    """Return the table of concepts, with the points of each function."""
    points = {(row.concept, row.function): points_text(row.max_cents) for row in kit.rows}
    about = {row.concept: sentence(ABOUT[row.concept]) for row in kit.rows}
    return table_by_function("concept", points, kit.rubric.cents, "its trees", about)


def aspects_table(rubric):
    """Return the table of aspects, with the share of a tree's points that each earns."""
    shares = {
        (aspect, function): f"{share:g} %"
        for function, of_function in rubric.shares.items()
        for aspect, share in of_function.items()
    }
    meanings = dict(CORRECT_IF)
    for function in rubric.cents:
        if FUNCTIONS[function].answer == NODE:
            meanings[LEAVES] += f"; `{function}`: no leaf that minimax does not visit"
    return table_by_function("part", shares, rubric.cents, "correct if", meanings)


def table_by_function(first_head, cells, functions, last_head, meanings):
    """Return a table with one column per function and a row for each name with a cell.

    cells: (name, function) -> the text of a cell.
    meanings: name -> the text of the last column.
    """
    rows = []
    for name, meaning in meanings.items():
        row = [cells.get((name, function), "") for function in functions]
        if any(row):
            rows.append((name, *row, meaning))
    heads = [f"`{function}`" for function in functions]
    return table((first_head, *heads, last_head), rows)


def table(heads, rows):
    """Return a Markdown table with these heads and rows."""
    rule = "---|" * len(heads)
    lines = [f"| {' | '.join(row)} |\n" for row in (heads, *rows)]
    return "".join(["\n", lines[0], f"|{rule}\n", *lines[1:]])


# ---- drawings


def sample_feedback(mistake: str, kit: Kit) -> str:
    """Return the feedback below the score of a known mistake. Raises InputError."""
    path = kit.root / "solution" / "mistakes" / f"{mistake}.py"
    if not path.is_file():
        raise InputError(f"solution/mistakes/{path.name} does not exist; name a file there")
    variant = load_variant(path, kit.rubric.cutoff)
    grading = grade(kit, variant.source.encode())
    if grading.cents == grading.max_cents:
        raise InputError("it loses no points under this rubric; choose another mistake")
    if grading.explanation.cut_short:
        raise InputError("grading it took too long; try again while this machine is idle")
    _, _, below = feedback_text(grading.student_view).partition("\n\n")
    return below


def parse_drawing(kind: str, about: str, kit: Kit) -> tuple:
    """Return the arguments of view_of() for "trees/x.yaml 2" or "max [1, [1, 1]]".

    kind: TREE to draw only the tree, ALPHABETA to mark its correct search.

    Raises InputError.
    """
    first, _, rest = about.partition(" ")
    number = "1"
    if first.startswith("trees/"):
        tree = load_tree(kit.root / "trees" / "public" / Path(first).name)
        number = rest or number
    else:
        tree = parse_tree(f"root: {first}\ntree: {rest}\n", "this tree")
    searches = {str(n): search for n, search in enumerate(tree.searches, start=1)}
    if number not in searches:
        raise InputError(
            f"the file has {len(searches)} searches; write one of their numbers"
        )
    if kind == TREE:
        return (tree,)
    search = searches[number]
    trace = observe(kit.reference.alphabeta, ALPHABETA, tree, search)
    return tree, search, marks_of(tree, trace, trace.visited)


# ---- the page


def page_of(kit: Kit) -> str:
    """Return the handout as a page that needs no other file. Raises InputError."""
    text = for_students(kit)
    source = read_source(kit.root)
    parser = MarkdownIt().enable("table")
    tokens = parser.parse(text)
    titles = add_anchors(tokens)
    check_links(tokens, titles, source)
    replace_blocks(tokens, kit, source)
    html = parser.renderer.render(tokens, parser.options, {})
    before, section, rest = html.partition("<h2")
    body = f"{before}{contents(html)}{section}{rest}"
    title = next(iter(titles.values()), FILE)
    return page(title, body, STYLE.read_text(encoding="utf-8"))


def add_anchors(tokens):
    """Give each heading an anchor; return anchor -> the title of the heading."""
    titles = {}
    for token, following in zip(tokens, tokens[1:]):
        if token.type == "heading_open":
            title = re.sub("[`*]", "", following.content)
            anchor = anchor_of(title)
            token.attrSet("id", anchor)
            titles[anchor] = title
    return titles


def anchor_of(title: str) -> str:
    """Return the part of a link to a heading after the #, as on GitHub."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def check_links(tokens, anchors, source):
    """Raise InputError for a link to a missing heading, or to a file of the kit."""
    headings = {f"#{anchor}" for anchor in anchors}
    for token in tokens:
        for child in token.children or ():
            target = str(child.attrGet("href") or child.attrGet("src") or "")
            if not target or target.startswith(COMPLETE) or target in headings:
                continue
            reason = "students do not have this file; write an address with https://"
            if target.startswith("#"):
                reason = "no heading matches; write its words in lower case, with hyphens"
            raise refusal_at(source, source.find(target), f"{target}: {reason}")


def contents(html):
    """Return the list of sections, with a link to each."""
    sections = re.findall('<h2 id="(.*?)">(.*?)</h2>', html)
    items = [f'<li><a href="#{anchor}">{title}</a></li>' for anchor, title in sections]
    return f"<nav><ul>{''.join(items)}</ul></nav>\n"


def replace_blocks(tokens, kit, source):
    """Replace code blocks by the kit's HTML, and let each table scroll separately."""
    for number, token in enumerate(tokens):
        if token.type == "table_open":
            token.attrs = {"class": "table", "tabindex": "0"}
        elif token.type == "fence":
            try:
                token.content = block_html(token, kit, f"tree{number}")
            except InputError as error:
                reason = f"{token.info}: {error}"
                raise refusal_at(source, source.find(token.info), reason) from None
            token.type = "html_block"


def block_html(token, kit, name):
    """Return a code block as HTML: a picture, a sample of feedback or its own text.

    name: the name of the picture within the page.

    Raises InputError for a block that looks like one of the kit's, but is not.
    """
    _, _, words = token.info.partition(" ")
    kind, _, about = words.partition(" ")
    if words and not (kind in KINDS and about):
        kinds = ", ".join(KINDS)
        raise InputError(f"write ```text, then one of {kinds}, then its subject")
    if kind in DRAWINGS:
        tree, *marked = parse_drawing(kind, about, kit)
        return figure(view_of(tree, *marked), tree.title, name)
    content = token.content
    if kind == FEEDBACK:
        content = kit.cached(f"sample-{about}", lambda: sample_feedback(about, kit))
    return f'<pre class="scroll" tabindex="0"><code>{escape(content)}</code></pre>\n'
