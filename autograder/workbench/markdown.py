"""Turn Markdown into HTML, as GitHub does, and refuse what is not known here.

Known are headings, paragraphs, lists, quotations, rules, tables, blocks between ```,
comments (left out), and inside a line code, bold, italics, links, escapes and breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape

from autograder.command import Refused

FENCE = re.compile(r"(`{3,}|~{3,})\s*(.*)")
HEADING = re.compile(r"(#{1,6})\s+(.*?)(?:\s+#+)?\s*$")
RULE = re.compile(r"([-*_])(?:\s*\1){2,}\s*$")
ITEM = re.compile(r"([-*+]|(\d{1,9})[.)])\s+")
DASHES = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
CELL = re.compile(r"(?<!\\)\|")
UNKNOWN = (  # at the beginning of a block: what it is
    (re.compile(r"    |\t"), "code by indentation: put it between lines of ```"),
    (re.compile(r"\[[^\]]+\]:"), "a link apart from its text: write [text](address)"),
)
SHORT = 16  # characters of a cell that stay on one line
UNDERLINED = re.compile(r"(=+|-+)\s*$")
INLINE = re.compile(
    r"(?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<picture>!\[)"
    r"|(?P<apart>\[[^\]\n]+\]\[|\[\^)"
    r"|\[(?P<label>(?:`[^`]*`|[^\[\]`])+)\]\((?P<target>[^()\s]+)\)"
    r"|<(?P<address>(?:https?://|mailto:)[^<>\s]+)>"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<tag></?[A-Za-z][^<>]*>)"
    r"|(?P<entity>&(?:\w+|\#\d+);)"
    r"|(?P<struck>~~)|(?P<both>\*{3}|(?<!\w)_{3})"
    r"|(?P<formula>\$[^\s$`](?:[^$`\n]*[^\s$`])?\$(?!\d))"
    r"|\*\*(?=\S)(?P<bold>(?:`[^`]*`|[^`*]|\*(?!\*)|\*(?=\*\*(?!\*)))+?)(?<=\S)\*\*(?!\*)"
    r"|(?<!\w)__(?=\S)(?P<strong>(?:`[^`]*`|[^`])+?)(?<=\S)__(?!\w)"
    r"|\*(?=\S)(?P<italic>(?:`[^`]*`|[^`*])+?)(?<=\S)\*"
    r"|(?<!\w)_(?=\S)(?P<stressed>(?:`[^`]*`|[^`])+?)(?<=\S)_(?!\w)"
    r"|(?P<url>https?://[^\s<>()`*]*[^\s<>()`*.,;:!?'\"])"
    r"|(?P<end>(?: {2,}|\\)\n)",
    re.DOTALL,
)
REFUSED = {
    "picture": "a picture",
    "apart": "a link apart from its text, or a footnote",
    "tag": "HTML",
    "struck": "struck-out text",
    "both": "bold and italic at once",
    "formula": "a formula",
}


class CannotConvert(Refused):
    """A text holds what this module does not know; str says what, and where."""


def to_html(text: str, block: Callable[[str, str], str | None]) -> tuple[str, str]:
    """Return (the first heading as plain text, the HTML). Raises CannotConvert.

    block: gets what follows ``` and the lines in between; its HTML, or None for code.
    """
    writer = _Writer(block)
    html = writer.blocks(text.replace("\r\n", "\n").split("\n"))
    links = "".join(
        f'<li><a href="#{anchor}">{inside}</a></li>'
        for level, anchor, inside in writer.headings
        if level == 2
    )
    first, heading, rest = html.partition("\n<h2 ")
    contents = f"\n<nav><ul>{links}</ul></nav>" if links else ""
    return writer.title, f"{first}{contents}{heading}{rest}"


class _Writer:
    def __init__(self, block):
        self.block = block
        self.headings = []  # (level, anchor, HTML)
        self.title = ""

    def blocks(self, lines):
        """Return the HTML of lines, block after block."""
        html, rest = [], list(lines)
        while rest:
            if not rest[0].strip():
                rest.pop(0)
                continue
            for known, what in UNKNOWN:
                if known.match(rest[0]):
                    raise _unknown(what, rest[0])
            first = rest[0].strip()
            kind = next((k for k, begins in BEGINNINGS if begins(first)), "paragraph")
            html.append(getattr(self, kind)(rest))
        return "\n".join(filter(None, html))

    def comment(self, lines):
        text = ""
        while lines and "-->" not in text:
            text += lines.pop(0)
        if text.partition("-->")[2].strip():
            raise _unknown("text after a comment", text)
        return ""

    def fence(self, lines):
        mark, info = FENCE.match(lines.pop(0).strip()).groups()
        body = []
        while lines and lines[0].strip() != mark:
            body.append(lines.pop(0))
        if not lines:
            raise _unknown("a block that has no end", f"{mark}{info}")
        lines.pop(0)
        drawn = self.block(info, "\n".join(body))
        code = escape("\n".join(body), quote=False)
        return drawn or f'<pre class="scroll" tabindex="0"><code>{code}</code></pre>'

    def heading(self, lines):
        marks, text = HEADING.match(lines.pop(0).strip()).groups()
        level, inside = len(marks), self.inline(text)
        plain = unescape(re.sub("<.*?>", "", inside))
        anchor = base = anchor_of(plain)
        taken = [known for _, known, _ in self.headings]
        while anchor in taken:
            anchor = f"{base}-{sum(t.startswith(base) for t in taken)}"
        self.headings.append((level, anchor, re.sub("</?a.*?>", "", inside)))
        self.title = self.title or plain
        return f'<h{level} id="{escape(anchor)}">{inside}</h{level}>'

    def rule(self, lines):
        lines.pop(0)
        return "<hr>"

    def quotation(self, lines):
        inside = []
        while lines and lines[0].lstrip().startswith(">"):
            inside.append(re.sub(r"^\s*> ?", "", lines.pop(0)))
        return f"<blockquote>\n{self.blocks(inside)}\n</blockquote>"

    def table(self, lines):
        rows = []
        while lines and lines[0].strip().startswith("|"):
            rows.append(lines.pop(0).strip())
        if len(rows) < 2 or not DASHES.match(rows[1]):
            raise _unknown("a table without a line of dashes below its head", rows[0])
        head, dashes, *body = ([c.strip() for c in _cells(row)] for row in rows)
        aligned = [_alignment(cell) for cell in dashes]
        html = []
        for tag, cells in (("th", head), *(("td", cells) for cells in body)):
            if len(cells) > len(head) or len(head) != len(dashes):
                raise _unknown("a table whose lines have more cells than its head", rows[0])
            cells += [""] * (len(head) - len(cells))
            line = ""
            for cell, align in zip(cells, aligned):
                whole = ' class="whole"' if len(cell) <= SHORT else ""
                line += f"<{tag}{whole}{align}>{self.inline(cell)}</{tag}>"
            html.append(f"<tr>{line}</tr>")
        return (
            '<div class="table" tabindex="0"><table>\n'
            f"<thead>{html[0]}</thead>\n<tbody>{''.join(html[1:])}</tbody></table></div>"
        )

    def list(self, lines):
        mark, number = ITEM.match(lines[0].strip()).groups()
        tag, items, loose = "ol" if number else "ul", [], False
        while lines:
            match = ITEM.match(lines[0])
            if not match or match[1][-1] != mark[-1]:
                break
            width = match.end()
            item = [lines.pop(0)[width:]]
            if re.match(r"\[[ xX]\]\s", item[0]):
                raise _unknown("a box to tick", item[0])
            while lines:
                line, blank = lines[0], not lines[0].strip()
                inside = line.startswith(" " * width)
                more = [line for line in lines if line.strip()][:1]
                apart = blank or ITEM.match(line) or not _goes_on(line, item[-1])
                if blank and more and more[0].startswith(" " * width):
                    loose = True
                elif apart and not inside:
                    break
                item.append(lines.pop(0)[width:] if inside else lines.pop(0).lstrip())
            items.append(item)
            after = [line for line in lines if line.strip()][:1]
            if lines and not lines[0].strip() and after and ITEM.match(after[0]):
                del lines[: lines.index(after[0])]
                loose = True
        inner = []
        for item in items:
            html = self.blocks(item)
            if not loose:
                html = re.sub(r"^<p>(.*?)</p>", r"\1", html, count=1, flags=re.DOTALL)
            inner.append(f"<li>{html}</li>")
        start = f' start="{number}"' if number and number != "1" else ""
        return f"<{tag}{start}>\n" + "\n".join(inner) + f"\n</{tag}>"

    def paragraph(self, lines):
        text = [lines.pop(0)]
        while lines and _goes_on(lines[0], text[-1]):
            text.append(lines.pop(0))
        if lines and UNDERLINED.match(lines[0].strip()):
            raise _unknown("a heading by a line below it: write ## before it", text[-1])
        joined = "\n".join(line.lstrip() for line in text)
        return f"<p>{self.inline(joined.rstrip())}</p>"

    def inline(self, text):
        """Return the HTML of text that has no blocks in it."""
        html, end = [], 0
        for match in INLINE.finditer(text):
            html += [_plain(text[end : match.start()]), self.span(match)]
            end = match.end()
        return "".join([*html, _plain(text[end:])])

    def span(self, match):
        """Return the HTML of one match of INLINE."""
        found = {name: part for name, part in match.groupdict().items() if part is not None}
        name, part = next(iter(found.items()))
        if name in REFUSED:
            raise _unknown(REFUSED[name], match[0])
        if name == "ticks":
            code = found["code"].replace("\n", " ")
            return f"<code>{escape(code.strip() or code, quote=False)}</code>"
        if name == "label":
            return f'<a href="{escape(found["target"])}">{self.inline(part)}</a>'
        if name in ("address", "url"):
            shown = escape(part.removeprefix("mailto:"), quote=False)
            return f'<a href="{escape(part)}">{shown}</a>'
        if name in ("bold", "strong"):
            return f"<strong>{self.inline(part)}</strong>"
        if name in ("italic", "stressed"):
            return f"<em>{self.inline(part)}</em>"
        if name == "entity":
            return escape(unescape(part), quote=False)
        return {"escaped": escape(part, quote=False), "end": "<br>\n"}.get(name, "")


BEGINNINGS = (  # method -> whether such a block begins with this line
    ("comment", lambda line: line.startswith("<!--")),
    ("fence", FENCE.match),
    ("heading", HEADING.match),
    ("rule", RULE.match),
    ("quotation", lambda line: line.startswith(">")),
    ("table", lambda line: line.startswith("|")),
    ("list", ITEM.match),
)


def anchor_of(heading: str) -> str:
    """Return what a link to a heading names after its #, as on GitHub."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _plain(text):
    """Return text as HTML, in which no line ends after the minus of a number."""
    escaped = escape(text, quote=False)
    return re.sub(r"(?<![\w-])-\w+", r'<span class="whole">\g<0></span>', escaped)


def _goes_on(line, before):
    """Tell whether a line belongs to the paragraph that the line before it is in."""
    stripped = line.strip()
    if not stripped or not before.strip() or UNDERLINED.match(stripped):
        return False
    number = re.match(r"(\d+)[.)]", stripped)
    if number and number[1] != "1":
        return True
    return not any(begins(stripped) for _, begins in BEGINNINGS)


def _cells(row):
    row = row.removeprefix("|")
    row = row[:-1] if CELL.search(row[-1:]) and not row.endswith("\\|") else row
    return [cell.replace("\\|", "|") for cell in CELL.split(row)]


def _alignment(dashes):
    left, right = dashes.startswith(":"), dashes.endswith(":")
    how = {(True, True): "center", (False, True): "right"}.get((left, right))
    return f' style="text-align:{how}"' if how else ""


def _unknown(what, where):
    shown = " ".join(where.split())
    shown = shown if len(shown) <= 40 else f"{shown[:39]}…"
    return CannotConvert(f"handout.md: '{shown}': {what} cannot stand in handout.html")
