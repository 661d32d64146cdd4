"""The rows of the report: each public tree drawn, of hidden ones what may be told."""

from __future__ import annotations

from autograder.judging.scores import look_first, parts_of, points_text, score_text
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.page import figure, legend_item, page
from autograder.showing.rowtext import (
    MOST_PRINTED,
    aspects_line,
    hidden_endings,
    marks_beside,
)
from autograder.showing.summary import diagnosis_text, right_before
from autograder.showing.svg import text
from autograder.utilities import replace_file
from gametree import view as drawn
from gametree.drawing import draw

MOST_NODES = 2400  # drawn of all wrong searches together, so that the page stays small
FEWEST_NODES = 60  # drawn of one search at least, and of a right one at most
SIGNS = {
    True: '<span class="sign" role="img" aria-label="right">✓</span>',
    False: '<span class="sign" role="img" aria-label="wrong">✗</span>',
}
CHOSEN = '<path d="M1 15 17 2" stroke="var(--ink)" stroke-width="4.5"/>'


def sections(rows):
    """Return the sections of a report, one for each function that has rows."""
    most = _most_nodes(rows)
    return "\n".join(_section(part, most) for part in parts_of(rows))


def _most_nodes(rows):
    """Return how many nodes are drawn of one wrong search, at most."""
    wrong = sum(not verdict.right for row in rows if row.public for verdict in row.verdicts)
    return max(FEWEST_NODES, min(drawn.MOST_NODES, MOST_NODES // max(1, wrong)))


def _section(part, nodes):
    rows, all_right = part.rows, part.right == len(part.rows)
    opened = next((row for row in rows if row.public and not row.right), None)
    shown = [row for row in rows if not row.right or row.public and not all_right]
    listed = [_row(row, nodes, row is opened) for row in shown]
    listed += _folded([row for row in rows if row not in shown], nodes)
    joined = "\n".join(listed)
    return (
        f'<section id="{part.function}">\n<h2>{part.function} {_score(part)}</h2>\n'
        f'<div class="rows">\n{joined}</div>\n</section>'
    )


def _score(scored):
    return f'<span class="score">{score_text(scored)}</span>'


def _folded(rows, nodes):
    """Return rows that are right, folded into one line; as a list of none or one."""
    if not rows:
        return []
    listed = "\n".join(_row(row, nodes) for row in rows)
    hidden = "" if any(row.public for row in rows) else "hidden "
    trees = f"{len(rows)} {hidden}tree{'s' * (len(rows) > 1)}"
    return [
        f'<details class="row right"><summary class="head">{SIGNS[True]}'
        f'<span class="number"></span><span class="lesson">{trees}, all right</span>'
        f"<span></span></summary>\n{listed}</details>"
    ]


def row_id(row):
    """Return the id of a row's element."""
    return f"row-{row.number.replace('.', '-')}"


def _row(row, nodes, opened=False):
    kind = "right" if row.right else "wrong"
    held = "" if row.right else f'<span class="aspects">{text(_aspects(row))}</span>'
    head = (
        f'{SIGNS[row.right]}<span class="number">{row.number}</span>'
        f'<span class="lesson">{text(row.tree.lesson or row.tree.name)}{held}</span>'
        f"{_score(row)}"
    )
    place = f'id="{row_id(row)}" class="row {kind}"'
    if not row.public:
        return f'<div {place}><div class="head">{head}</div>{_endings(row)}</div>'
    searches = [
        search_html(v, f"{row_id(row)}-{n}", nodes) for n, v in enumerate(row.verdicts)
    ]
    inside = "\n".join(searches)
    return (
        f"<details {place}{' open' if opened else ''}>"
        f'<summary class="head">{head}</summary>\n<div class="inside">'
        f"<h3>{text(row.tree.title)}</h3>\n{_source(row.tree)}{inside}</div></details>"
    )


def _aspects(row):
    return ("" if row.public else "hidden tree: ") + aspects_line(row.aspects)


def _endings(row):
    said = hidden_endings(row)
    return "".join(f'<p class="ending">{text(each)}</p>' for each in said)


def _source(tree):
    return f'<p class="source">{text(tree.source)}</p>\n' if tree.source else ""


def search_html(verdict, key, nodes=drawn.MOST_NODES):
    """Return one search of a public tree: its call, what is wrong, its picture.

    key: a word that no other drawing on the page has.
    nodes: how many are drawn at most, if it is wrong.
    """
    parts = [f'<p class="call"><code>{text(sentences.call(verdict.task))}</code></p>']
    if verdict.right:
        parts.append('<p class="verdict right">right</p>')
    else:
        said = "".join(f"<li>{text(line)}</li>" for line in sentences.findings(verdict))
        parts.append(f'<ul class="findings">{said}</ul>')
    if verdict.judged:
        most = FEWEST_NODES if verdict.right else nodes
        who = f"your {verdict.task.function}"
        parts.append(run_figure(verdict.task, verdict.trace, who, key, most))
    parts.append(printed_html(verdict.trace.printed))
    return "\n".join(parts)


def printed_html(printed):
    """Return what a program printed, as text, "" where it printed nothing."""
    if not printed:
        return ""
    shown = sentences.printable(printed, MOST_PRINTED)
    return f'<p class="printed">printed:</p><pre>{text(shown)}</pre>'


def run_figure(task, trace, who, key, nodes=drawn.MOST_NODES):
    """Return the figure of what a run visited, beside what it should have.

    who: whose run it is, as the title says it: "your alphabeta".
    """
    marks = marks_beside(task, trace)
    move = trace.answer.path
    return figure(
        drawn.view_of(task.tree, task.search, marks, nodes),
        f"{task.tree.title}, as {who} searched it",
        draw(task.tree, task.search, marks),
        key,
        chosen=move,
        legend=[legend_item("the move chosen", "", CHOSEN)] if move else (),
    )


UNWRAPPED = 10_000  # columns: the browser breaks lines


def diagnosis_html(diagnoses):
    """Return the section that names the known mistakes, "" where there are none."""
    if not diagnoses:
        return ""
    paragraphs = diagnosis_text(diagnoses, UNWRAPPED).split("\n\n")
    said = "\n".join(map(_paragraph, paragraphs))
    return f'<section id="diagnosis">\n<h2>What it looks like</h2>\n{said}\n</section>'


def _paragraph(written):
    """Turn one diagnosis, as the terminal has it, into HTML: lines and a list."""
    parts, causes = [], []
    for line in written.splitlines():
        if line.startswith("- "):
            causes.append(f"<li>{text(line[2:])}</li>")
            continue
        if causes:
            parts.append(f"<ul>{''.join(causes)}</ul>")
            causes = []
        parts.append(f"<p>{text(line)}</p>")
    return f'<div class="advice">{"".join(parts)}</div>'


def counterexample_html(counterexample, convention):
    """Return the section of the smallest tree on which a function fails, or ""."""
    if counterexample is None:
        return ""
    verdict = counterexample.verdict
    task = verdict.task
    lead = f"Your {task.function} fails on {task.tree.name}{right_before(counterexample)}"
    right = run_figure(task, task.expected, "the right search", "smallest-right")
    own = run_figure(task, verdict.trace, f"your {task.function}", "smallest-own")
    expected = f"The right search {_answer(task, task.expected.answer)}"
    got = _answer(task, verdict.trace.answer) if verdict.judged else "did not return"
    return (
        '<section id="smallest">\n<h2>The smallest tree on which it fails</h2>\n'
        f"<p>{text(lead)}.</p>\n"
        f'<p class="call"><code>{text(sentences.call(task))}</code></p>\n'
        f'<p class="explained">{text(explain(verdict, convention))}</p>\n'
        '<div class="pair">'
        f"<div><h3>{text(expected)}</h3>{right}</div>"
        f"<div><h3>{text(f'Your search {got}')}</h3>{own}</div></div>\n"
        f"{printed_html(verdict.trace.printed)}</section>"
    )


def _answer(task, answer):
    verb = "chooses" if answer.kind == "node" else "returns"
    return f"{verb} {sentences.answer(task, answer)}"


def write_report(grading, path):
    """Write the report of a grading as one HTML file, atomically.

    Raises OSError where the file cannot be written.
    """
    replace_file(path, report_html(grading))


def report_html(grading):
    """Return the report of a grading: a whole page that needs no other file."""
    parts = [_head(grading)]
    if grading.rows and not grading.refusal and grading.load_failure is None:
        parts.append(_parts(grading.rows))
    parts.append(diagnosis_html(grading.diagnoses))
    parts.append(counterexample_html(grading.counterexample, grading.convention))
    parts.append(sections(grading.rows))
    return page("Alpha-beta: report", "\n".join(parts), styles=["report.css"])


def _head(grading):
    got, most = points_text(grading.cents), points_text(grading.most_cents)
    return (
        '<header><p class="total"><span class="hidden">Score: </span>'
        f"<strong>{got}</strong><span>/{most}</span></p>\n"
        "<div><h1>Report on search.py</h1>\n"
        f'<p class="lead">{_lead(grading)}</p></div></header>'
    )


def _lead(grading):
    """Say in a line where to look first, as HTML."""
    if grading.refusal:
        return text(grading.refusal)
    if grading.load_failure is not None:
        return text(sentences.not_loaded(grading.load_failure))
    first = look_first(grading.rows)
    if first is None:
        return sentences.ALL_RIGHT
    link = f'<a href="#{row_id(first)}">{first.number} {text(first.name)}</a>'
    return f"Look first at {link}."


def _parts(rows):
    """Return the table of functions: score, a bar, how many trees are right."""
    lines = []
    for part in parts_of(rows):
        percent = 100 * part.cents / part.most_cents if part.most_cents else 0
        lines.append(
            f'<tr><th scope="row"><a href="#{part.function}">{part.function}</a></th>'
            f"<td>{score_text(part)}</td>"
            f'<td class="bar" aria-hidden="true"><i style="width:{percent:.1f}%"></i></td>'
            f"<td>{part.right} of {len(part.rows)} trees right</td></tr>"
        )
    head = "<tr><th>function</th><th>points</th><th>part</th><th>trees</th></tr>"
    return (
        f'<table class="parts"><thead class="hidden">{head}</thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
