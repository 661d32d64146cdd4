"""The report of one submission as a page: score, diagnosis, counterexample, every row.

Wrong searches of public trees are drawn; of a hidden tree only its lesson and the aspects
are shown.
"""

from __future__ import annotations

from autograder.files import replace_file
from autograder.grading import Grading
from autograder.judging.scores import function_scores, points_text, score_text
from autograder.mistakes.diagnosis import is_stub
from autograder.plaintext import CONTEXT_LINES, program_lines, sanitize, sanitize_lines
from autograder.showing import sentences
from autograder.showing.advice import advice_for
from autograder.showing.page import figure, legend_item, page
from autograder.showing.rowtext import MAX_PRINTED, head, marks_beside, tree_lines, why
from autograder.showing.summary import as_file, command, fails_on, summarize
from autograder.showing.svg import text
from gametree.functions import NODE
from gametree.support import views
from gametree.support.drawing import draw
from gametree.support.saying import say
from gametree.support.trace import RETURNED

MAX_NODES = 2400  # drawn of all wrong searches together, so that the page stays small
FEWEST_NODES = 60  # drawn of one of them at least
MAX_LINES, MAX_OF_A_LINE = 1500, 300  # of a program that is shown, and characters
MAX_WHOSE = 120  # characters of whose submission it is
CHOSEN = '<path d="M1 15 17 2" stroke="var(--ink)" stroke-width="4.5"/>'


def write_report(
    grading: Grading, path, whose: str = "search.py", source: bytes | None = None
) -> None:
    """Write the report of a grading as one HTML file, atomically.

    `whose` says whose submission it is: a name, an id, a file. `source` is shown beside
    the rows. Raises OSError where the file cannot be written.
    """
    replace_file(path, report_html(grading, whose, source))


def report_html(
    grading: Grading, whose: str = "search.py", source: bytes | None = None
) -> str:
    """Return the report of a grading: a whole page that needs no other file."""
    summary, whose = summarize(grading), sanitize(whose, MAX_WHOSE)
    body = [_head(grading, summary, whose)]
    if summary.parts:
        body.append(_parts(grading.rows))
    if summary.messages:
        body.append(_advice(summary))
    if summary.pointer:
        body.append(_pointer(summary.pointer))
    if summary.smallest and summary.smallest.tried:  # public trees are drawn below
        body.append(_smallest(summary))
    if grading.by_hand:
        body.append(_by_hand(grading.by_hand))
    nodes = _most_nodes(grading.rows)
    rows = "\n".join(
        _section(part, nodes, advice_for(part.function, grading.diagnoses))
        for part in function_scores(grading.rows)
    )
    if source is not None:
        program = _program(grading, summary.pointer, source)
        rows = f'<div class="beside"><div>{rows}</div>{program}</div>'
    body.append(rows)
    title = say("report.title", whose=whose)
    return page(title, "\n".join(body), styles=["report.css"])


def _program(grading, pointer, source):
    """Return the program with its lines numbered, those that raised or are wrong marked."""
    raised = {t.text.line for t in grading.traces if t.text and t.ending.kind != RETURNED}
    raised |= {*pointer.marked} if pointer else set()
    lines = program_lines(source)
    shown = []
    for number, line in enumerate(lines[:MAX_LINES], start=1):
        kind = ' class="raised"' if number in raised else ""
        code = text(sanitize(line.expandtabs(), MAX_OF_A_LINE))
        shown.append(f"<li{kind}><code>{code or ' '}</code></li>")
    if len(lines) > MAX_LINES:
        more = say("report.more lines", count=len(lines) - MAX_LINES)
        shown.append(f"<li>{text(more)}</li>")
    return (
        '<aside id="program"><h2>search.py</h2>'
        f'<ol class="program" tabindex="0">{"".join(shown)}</ol></aside>'
    )


def _head(grading, summary, whose):
    points, most = points_text(grading.cents), points_text(grading.max_cents)
    lead = "<br>".join(map(text, filter(None, [*summary.problems, summary.next])))
    return (
        f'<header><p class="total"><span class="hidden">{_said("report.score")}: </span>'
        f"<strong>{points}</strong><span>/{most}</span></p>\n"
        f"<div><h1>{text(whose)}</h1>\n"
        f'<p class="lead">{lead}</p></div></header>'
    )


def _parts(rows):
    """Return the table of functions: score, a bar, how many rows are right."""
    lines = []
    for part in function_scores(rows):
        lines.append(
            f'<tr><th scope="row"><a href="#{part.function}">{part.function}</a></th>'
            f'<td>{score_text(part)}</td><td class="bar">{_bar(part)}</td>'
            f"<td>{_said('report.rows right', right=part.right_rows, count=len(part.rows))}"
            "</td></tr>"
        )
    columns = "report.function", "report.points", "report.part", "report.rows"
    head = f"<tr>{''.join(f'<th>{_said(column)}</th>' for column in columns)}</tr>"
    return (
        f'<table class="parts"><thead class="hidden">{head}</thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def _bar(scored):
    percent = 100 * scored.cents / scored.max_cents if scored.max_cents else 0
    return (
        f'<span class="bar" aria-hidden="true"><i style="width:{percent:.1f}%"></i></span>'
    )


def _advice(summary):
    """Return the section that says what it looks like, and what to check."""
    check, told = [summary.check] * bool(summary.check), ""
    for message in summary.messages:
        own = check if summary.function in message.functions else []
        told += f"<p>{text(message.text)}</p>{_list(message.causes)}{_list(own)}"
    return (
        f'<section id="diagnosis">\n<h2>{_said("report.what it looks like")}</h2>\n'
        f'<div class="advice">{told}</div></section>'
    )


def _pointer(pointer):
    """Return the section that shows the line to look at, with those around it."""
    lines = "".join(
        f"<span{' class=marked' * marked}><i>{number}</i>{text(line)}\n</span>"
        for number, line, marked in pointer.near(CONTEXT_LINES)
    )
    return (
        f'<section id="line">\n<h2>{_said("report.where to look")}</h2>\n'
        f'<p>{text(pointer.sentence)}</p><pre class="code">{lines}</pre></section>'
    )


def _list(lines):
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _smallest(summary):
    """Return the section of the smallest tree on which a function fails."""
    verdict = summary.smallest.verdict
    task = verdict.task
    own = say("report.own did not return")
    if verdict.judged:
        own = _answers("own", task, verdict.trace)
    pair = [(_answers("right", task, task.expected), task.expected, "right")]
    if not summary.smallest.late:  # of a late one only the right search is known here
        pair.append((own, verdict.trace, "own"))
    pair = "".join(
        f"<div><h3>{text(said)}</h3>"
        f"{_run_figure(task, trace, f'report.as {whose}', f'smallest-{whose}')}</div>"
        for said, trace, whose in pair
    )
    return (
        f'<section id="smallest">\n<h2>{_said("report.smallest")}</h2>\n'
        f"<p>{text(fails_on(summary.smallest))}.</p>\n"
        f'<p class="call"><code>{text(sentences.call(task))}</code></p>\n'
        f'<p class="explained">{text(summary.deciding)}</p>\n'
        f'<div class="pair">{pair}</div>\n{_printed(verdict.trace)}'
        f"<p>{_said('summary.at home', command=command(task))}</p>"
        f"<pre>{text(as_file(task))}</pre></section>"
    )


def _answers(whose, task, trace):
    """Say what the right search, or the own one, returns or chooses."""
    does = "chooses" if trace.answer.kind == NODE else "returns"
    return say(f"report.{whose} {does}", answer=sentences.answer(task, trace.answer))


def _by_hand(by_hand):
    """Return the rows of byhand.yaml, each with what is said of it."""
    rows = [
        _details(row, row.title, f"<pre>{text(row.text)}</pre>") for row in by_hand.rows
    ]
    return _rows("by-hand", _said("graded by hand.name"), by_hand, rows)


def _rows(id, name, scored, rows):
    """Return the section of rows that are earned together."""
    joined = "\n".join(rows)
    return (
        f'<section id="{id}">\n<h2>{name} {_score(scored)}</h2>\n'
        f'<div class="rows">\n{joined}</div>\n</section>'
    )


def _details(row, title, inside, more="", id=""):
    """Return a row that opens, and is open where it is wrong; title: plain text."""
    return (
        f'<details{id} class="row {"right" if row.right else "wrong"}"'
        f'{"" if row.right else " open"}><summary class="head">{_sign(row.right)}'
        f'<span class="number">{row.number}</span><span class="lesson">{text(title)}{more}'
        f'</span>{_bar(row)}{_score(row)}</summary>\n<div class="inside">{inside}</div>'
        "</details>"
    )


def _most_nodes(rows):
    """Return how many nodes are drawn of one wrong search, at most."""
    wrong = sum(not verdict.right for row in rows if row.public for verdict in row.verdicts)
    return max(FEWEST_NODES, min(views.MAX_NODES, MAX_NODES // max(1, wrong)))


def _section(part, nodes, advice):
    """Return the rows of one function: wrong ones open, right ones folded, or why none."""
    if is_stub(part.function, part.verdicts):
        said = f"<p>{text(why(part.rows[0], advice))}</p>"
        return _rows(part.function, part.function, part, [said])
    listed = [_row(row, nodes, advice) for row in part.rows if not row.right]
    right = [row for row in part.rows if row.right]
    if right:
        listed.append(_folded(right, nodes))
    return _rows(part.function, part.function, part, listed)


def _score(scored):
    return f'<span class="score">{score_text(scored)}</span>'


def _folded(rows, nodes):
    """Return rows that are right, folded into one line."""
    listed = "\n".join(_row(row, nodes) for row in rows)
    count = _said("report.all right", count=len(rows))
    return (
        f'<details class="row right"><summary class="head">{_sign(True)}'
        f'<span class="number"></span><span class="lesson">{count}</span>'
        f'<span class="bar"></span><span></span></summary>\n{listed}</details>'
    )


def _row_id(row):
    return f"row-{row.number.replace('.', '-')}"


def _row(row, nodes, advice=None):
    aspects = f'<span class="aspects">{text(head(row, advice))}</span>'
    inside = _public_trees(row, nodes) if row.public else "".join(map(_hidden, row.trees))
    return _details(row, row.concept, inside, aspects, f' id="{_row_id(row)}"')


def _public_trees(row, nodes):
    """Return the public trees of a row: the wrong ones, then the right ones folded."""
    wrong, right = [], []
    for number, result in enumerate(row.trees):
        drawn_tree = _public_tree(result, f"{_row_id(row)}-{number}", nodes)
        (right if result.right else wrong).append(drawn_tree)
    if wrong and right:
        count = _said("report.right trees", count=len(right))
        right = [f"<details><summary>{count}</summary>", *right, "</details>"]
    return "\n".join(wrong + right)


def _hidden(result):
    lines = "<br>".join(map(text, tree_lines(result)))
    return f'<p class="ending">{_sign(result.right)} {lines}</p>'


def _public_tree(result, key, nodes):
    tree = result.tree
    source = f'<p class="source">{text(tree.source)}</p>\n' if tree.source else ""
    searches = "\n".join(
        search_html(verdict, f"{key}-{number}", nodes)
        for number, verdict in enumerate(result.verdicts)
    )
    return f"<h3>{text(tree.title)}</h3>\n{source}{searches}"


def search_html(verdict, key, nodes=views.MAX_NODES):
    """Return one search of a public tree: its call and, if it is wrong, how.

    key: a word that no other drawing on the page has.
    nodes: how many are drawn at most.
    """
    task = verdict.task
    parts = [f'<p class="call"><code>{text(sentences.call(task))}</code></p>']
    if verdict.right:
        parts.append(f'<p class="verdict right">{_said("report.right")}</p>')
    else:
        items = "".join(f"<li>{text(line)}</li>" for line in sentences.findings(verdict))
        parts.append(f'<ul class="findings">{items}</ul>')
        if verdict.judged:
            parts.append(_run_figure(task, verdict.trace, "report.as own", key, nodes))
    parts.append(_printed(verdict.trace))
    return "\n".join(parts)


def _run_figure(task, trace, title, key, nodes=views.MAX_NODES):
    """Return the figure of what a run visited, beside what it should have.

    title: the key of its title, which says whose run it is.
    """
    marks = marks_beside(task, trace)
    move = trace.answer.path
    return figure(
        views.view_of(task.tree, task.search, marks, nodes),
        say(title, title=task.tree.title, function=task.function),
        draw(task.tree, task.search, marks),
        key,
        chosen=move,
        legend=[legend_item(say("report.move chosen"), "", CHOSEN)] if move else (),
    )


def _printed(trace):
    """Return what a program printed, "" where it printed nothing or is sealed."""
    if not (trace.text and trace.text.printed):
        return ""
    shown = "\n".join(sanitize_lines(trace.text.printed, MAX_PRINTED))
    return f'<p class="printed">{_said("row.printed")}</p><pre>{text(shown)}</pre>'


def _said(key, **values):
    """Return a sentence as HTML."""
    return text(say(key, **values))


def _sign(right):
    label, sign = ("report.right", "✓") if right else ("report.wrong", "✗")
    return f'<span class="sign" role="img" aria-label="{_said(label)}">{sign}</span>'
