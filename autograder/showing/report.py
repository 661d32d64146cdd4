"""The report of one submission as a page: score, diagnosis, counterexample, every row.

Public trees are drawn; of a hidden tree only its lesson and the aspects are shown.
"""

from __future__ import annotations

from autograder.grading import Grading
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
from autograder.showing.summary import advice_of, right_before
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


def write_report(grading: Grading, path) -> None:
    """Write the report of a grading as one HTML file, atomically.

    Raises OSError where the file cannot be written.
    """
    replace_file(path, report_html(grading))


def report_html(grading: Grading) -> str:
    """Return the report of a grading: a whole page that needs no other file."""
    body = [_head(grading)]
    if grading.rows and not grading.refusal and grading.load_failure is None:
        body.append(_parts(grading.rows))
    if grading.diagnoses:
        body.append(_diagnoses(grading.diagnoses))
    if grading.counterexample is not None:
        body.append(_counterexample(grading.counterexample, grading.convention))
    nodes = _most_nodes(grading.rows)
    body += [_section(part, nodes) for part in parts_of(grading.rows)]
    return page("Alpha-beta: report", "\n".join(body), styles=["report.css"])


def _head(grading):
    points, most = points_text(grading.cents), points_text(grading.most_cents)
    return (
        '<header><p class="total"><span class="hidden">Score: </span>'
        f"<strong>{points}</strong><span>/{most}</span></p>\n"
        "<div><h1>Report on search.py</h1>\n"
        f'<p class="lead">{_where_to_look(grading)}</p></div></header>'
    )


def _where_to_look(grading):
    """Say in a line where to look first, as HTML."""
    if grading.refusal:
        return text(grading.refusal)
    if grading.load_failure is not None:
        return text(sentences.not_loaded(grading.load_failure))
    first = look_first(grading.rows)
    if first is None:
        return sentences.ALL_RIGHT
    link = f'<a href="#{_row_id(first)}">{first.number} {text(first.name)}</a>'
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


def _diagnoses(diagnoses):
    """Return the section that names the known mistakes."""
    advice = "\n".join(_advice(advice_of(diagnosis)) for diagnosis in diagnoses)
    return f'<section id="diagnosis">\n<h2>What it looks like</h2>\n{advice}\n</section>'


def _advice(advice):
    causes = "".join(f"<li>{text(cause)}</li>" for cause in advice.causes)
    causes = causes and f"<ul>{causes}</ul>"
    return (
        f'<div class="advice"><p>{text(advice.lead)}</p>{causes}'
        f"<p>Next step: {text(advice.next_step)}</p></div>"
    )


def _counterexample(counterexample, convention):
    """Return the section of the smallest tree on which a function fails."""
    verdict = counterexample.verdict
    task = verdict.task
    lead = f"Your {task.function} fails on {task.tree.name}{right_before(counterexample)}"
    expected = f"The right search {_answer(task, task.expected.answer)}"
    own = _answer(task, verdict.trace.answer) if verdict.judged else "did not return"
    return (
        '<section id="smallest">\n<h2>The smallest tree on which it fails</h2>\n'
        f"<p>{text(lead)}.</p>\n"
        f'<p class="call"><code>{text(sentences.call(task))}</code></p>\n'
        f'<p class="explained">{text(explain(verdict, convention))}</p>\n'
        '<div class="pair">'
        f"<div><h3>{text(expected)}</h3>"
        f"{_run_figure(task, task.expected, 'the right search', 'smallest-right')}</div>"
        f"<div><h3>{text(f'Your search {own}')}</h3>"
        f"{_run_figure(task, verdict.trace, f'your {task.function}', 'smallest-own')}</div>"
        f"</div>\n{_printed(verdict.trace.printed)}</section>"
    )


def _answer(task, answer):
    verb = "chooses" if answer.kind == "node" else "returns"
    return f"{verb} {sentences.answer(task, answer)}"


def _most_nodes(rows):
    """Return how many nodes are drawn of one wrong search, at most."""
    wrong = sum(not verdict.right for row in rows if row.public for verdict in row.verdicts)
    return max(FEWEST_NODES, min(drawn.MOST_NODES, MOST_NODES // max(1, wrong)))


def _section(part, nodes):
    """Return the rows of one function: the wrong ones first, right ones folded."""
    rows, all_right = part.rows, part.right == len(part.rows)
    opened = next((row for row in rows if row.public and not row.right), None)
    shown = [row for row in rows if not row.right or row.public and not all_right]
    listed = [_row(row, nodes, row is opened) for row in shown]
    folded = [row for row in rows if row not in shown]
    if folded:
        listed.append(_folded(folded, nodes))
    joined = "\n".join(listed)
    return (
        f'<section id="{part.function}">\n<h2>{part.function} {_score(part)}</h2>\n'
        f'<div class="rows">\n{joined}</div>\n</section>'
    )


def _score(scored):
    return f'<span class="score">{score_text(scored)}</span>'


def _folded(rows, nodes):
    """Return rows that are right, folded into one line."""
    listed = "\n".join(_row(row, nodes) for row in rows)
    hidden = "" if any(row.public for row in rows) else "hidden "
    trees = f"{len(rows)} {hidden}tree{'s' * (len(rows) > 1)}"
    return (
        f'<details class="row right"><summary class="head">{SIGNS[True]}'
        f'<span class="number"></span><span class="lesson">{trees}, all right</span>'
        f"<span></span></summary>\n{listed}</details>"
    )


def _row_id(row):
    return f"row-{row.number.replace('.', '-')}"


def _row(row, nodes, opened=False):
    held = "" if row.right else f'<span class="aspects">{text(_aspects(row))}</span>'
    head = (
        f'{SIGNS[row.right]}<span class="number">{row.number}</span>'
        f'<span class="lesson">{text(row.tree.lesson or row.tree.name)}{held}</span>'
        f"{_score(row)}"
    )
    place = f'id="{_row_id(row)}" class="row {"right" if row.right else "wrong"}"'
    if not row.public:
        endings = "".join(f'<p class="ending">{text(e)}</p>' for e in hidden_endings(row))
        return f'<div {place}><div class="head">{head}</div>{endings}</div>'
    tree = row.tree
    source = f'<p class="source">{text(tree.source)}</p>\n' if tree.source else ""
    searches = "\n".join(
        search_html(verdict, f"{_row_id(row)}-{number}", nodes)
        for number, verdict in enumerate(row.verdicts)
    )
    return (
        f"<details {place}{' open' if opened else ''}>"
        f'<summary class="head">{head}</summary>\n<div class="inside">'
        f"<h3>{text(tree.title)}</h3>\n{source}{searches}</div></details>"
    )


def _aspects(row):
    return ("" if row.public else "hidden tree: ") + aspects_line(row.aspects)


def search_html(verdict, key, nodes=drawn.MOST_NODES):
    """Return one search of a public tree: its call, what is wrong, its picture.

    key: a word that no other drawing on the page has.
    nodes: how many are drawn at most, if it is wrong.
    """
    task = verdict.task
    parts = [f'<p class="call"><code>{text(sentences.call(task))}</code></p>']
    if verdict.right:
        parts.append('<p class="verdict right">right</p>')
    else:
        items = "".join(f"<li>{text(line)}</li>" for line in sentences.findings(verdict))
        parts.append(f'<ul class="findings">{items}</ul>')
    if verdict.judged:
        most = FEWEST_NODES if verdict.right else nodes
        who = f"your {task.function}"
        parts.append(_run_figure(task, verdict.trace, who, key, most))
    parts.append(_printed(verdict.trace.printed))
    return "\n".join(parts)


def _run_figure(task, trace, who, key, nodes=drawn.MOST_NODES):
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


def _printed(printed):
    """Return what a program printed, "" where it printed nothing."""
    if not printed:
        return ""
    shown = sentences.printable(printed, MOST_PRINTED)
    return f'<p class="printed">printed:</p><pre>{text(shown)}</pre>'
