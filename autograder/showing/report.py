"""Make the report of a submission: score, diagnosis, smallest tree and every row.

Wrong searches of public trees are drawn. For a hidden tree, only its lesson and its result
are shown.
"""

from __future__ import annotations

from autograder.grading import Grading
from autograder.ground.plaintext import sanitize
from autograder.scoring.scores import (
    function_scores,
    is_unwritten,
    points_text,
    score_text,
)
from autograder.showing import wording
from autograder.showing.page import asset, page, table
from autograder.showing.summary import as_file, command, fails_on, summarize
from autograder.showing.svg import legend, text, tree_svg
from gametree.support.marks import Marks
from gametree.support.sentences import write_answer, write_call
from gametree.support.texts import sentence
from gametree.support.views import view_of

MAX_NODES = 100  # drawn of each search, so that the page stays small
MAX_WHOSE = 120  # characters of the owner's description
BY_HAND = "<!-- by hand -->"  # marks the place for points that a TA gives later


def report_html(grading: Grading, whose: str = "search.py") -> str:
    """Return the report of a grading as an HTML page without other files.

    whose: a description of the owner: a name, an id or a file.
    """
    summary = summarize(grading)
    owner = sanitize(whose, MAX_WHOSE)
    body = [_head(grading, summary, owner)]
    if summary.points:
        body.append(_functions_table(grading.rows))
    if summary.messages:
        body.append(_diagnosis(summary))
    if summary.pointer:
        body.append(_where_to_look(summary.pointer))
    if summary.smallest:
        body.append(_smallest(summary))
    wrong = [verdict for verdict in grading.public if not verdict.is_right]
    if summary.smallest or any(verdict.has_returned for verdict in wrong):
        body.append(legend())
    for score in function_scores(grading.rows):
        body.append(_rows_of_function(grading, score))
    title = sentence("report page.title", whose=owner)
    return page(title, "\n".join(body), asset("tree.css") + asset("report.css"))


def with_points_by_hand(report: str, cents: int) -> str:
    """Return a report with the points given by hand after its score."""
    words = sentence("summary.by hand", score="", points=points_text(cents))
    return report.replace(BY_HAND, f"<span>{text(words)}</span>", 1)


def _head(grading, summary, owner):
    """Return the head of the page: the score, the owner and remarks."""
    points = points_text(grading.score.cents)
    max_points = points_text(grading.score.max_cents)
    lead = [text(line) for line in (*summary.problems, summary.next) if line]
    return (
        f'<header><p class="total">'
        f'<span class="hidden">{_html("report page.score")}: </span>'
        f"<strong>{points}</strong><span>/{max_points}</span>{BY_HAND}</p>\n"
        f"<div><h1>{text(owner)}</h1>\n"
        f'<p class="lead">{"<br>".join(lead)}</p></div></header>'
    )


def _functions_table(rows):
    """Return the table of functions: score and a bar."""
    lines = []
    for score in function_scores(rows):
        link = f'<a href="#{score.function}">{score.function}</a>'
        lines.append((link, score_text(score), _bar(score)))
    columns = ("report page.function", "report page.points", "report page.share")
    return table([_html(column) for column in columns], lines, "parts")


def _bar(scored):
    """Return the bar that shows the share of the points that was earned."""
    return f'<meter max="{scored.max_cents}" value="{scored.cents}"></meter>'


def _diagnosis(summary):
    """Return the section with the diagnosis and the advice."""
    parts = []
    for function, sentences in summary.messages.items():
        parts.append(f"<p>{text(' '.join(sentences))}</p>")
        if summary.check and summary.function == function:
            parts.append(f"<ul><li>{text(summary.check)}</li></ul>")
    return (
        f'<section id="diagnosis">\n<h2>{_html("report page.what it looks like")}</h2>\n'
        f'<div class="advice">{"".join(parts)}</div></section>'
    )


def _where_to_look(pointer):
    """Return the section that shows the marked lines in context."""
    lines = []
    for number, line in pointer.lines.items():
        kind = " class=marked" if number in pointer.marked else ""
        lines.append(f"<span{kind}><i>{number}</i>{_marked_code(line)}\n</span>")
    return (
        f'<section id="line">\n<h2>{_html("report page.where to look")}</h2>\n'
        f"<p>{text(pointer.sentence)}</p>"
        f'<pre class="code" tabindex="0">{"".join(lines)}</pre></section>'
    )


def _marked_code(line):
    """Return the HTML of a CodeLine, with its marked parts."""
    html = ""
    start = 0
    for first, end in line.parts:
        html += f"{text(line.text[start:first])}<mark>{text(line.text[first:end])}</mark>"
        start = end
    return html + text(line.text[start:])


def _smallest(summary):
    """Return the section of the smallest tree on which a function fails."""
    smallest = summary.smallest
    task = smallest.task
    answer = write_answer(task.tree.root, task.expected)
    label = sentence("report page.as right", title=task.tree.title)
    panels = (
        f"<div><h3>{_html('report page.right returns', answer=answer)}</h3>"
        f"{_run_figure(task, task.expected, label, 'smallest-right')}</div>"
    )
    explained = ""
    if summary.deciding:
        explained = f'<p class="explained">{text(summary.deciding)}</p>\n'
    printed = ""
    if smallest.verdict is not None:
        panels += _own_panel(smallest.verdict)
        printed = _printed(smallest.verdict.trace)
    return (
        f'<section id="smallest">\n<h2>{_html("report page.smallest")}</h2>\n'
        f"<p>{text(fails_on(smallest))}.</p>\n"
        f'<p class="call"><code>{text(write_call(task))}</code></p>\n'
        f'{explained}<div class="pair">{panels}</div>\n{printed}'
        f"<p>{_html('summary.at home', count=1, command=command(task))}</p>"
        f"<pre>{text(as_file(task))}</pre></section>"
    )


def _own_panel(verdict):
    """Return the answer of the student's search, with the drawn search below it."""
    returned = sentence("report page.own did not return")
    if verdict.has_returned:
        answer = write_answer(verdict.task.tree.root, verdict.trace)
        returned = sentence("report page.own returns", answer=answer)
    return f"<div><h3>{text(returned)}</h3>{_own_figure(verdict, 'smallest-own')}</div>"


def _rows_of_function(grading, score):
    """Return the section of the rows of one function; for a stub, of the reason alone."""
    if is_unwritten(result.ending for result in score.results):
        rows = f"<p>{text(wording.why(score.rows[0]))}</p>"
    else:
        public = grading.public_verdicts(score.function)
        rows = "\n".join(_row(row, score.rows, public) for row in score.rows)
    return (
        f'<section id="{score.function}">\n<h2>{score.function} {_score(score)}</h2>\n'
        f'<div class="rows">\n{rows}</div>\n</section>'
    )


def _row(row, rows, public):
    """Return a row, which unfolds; a wrong row is unfolded at first.

    public: the verdicts on the public trees of its function.
    """
    id = f"row-{row.number.replace('.', '-')}"
    kind = "row wrong"
    state = " open"
    if row.is_right:
        kind = "row right"
        state = ""
    inside = _wrong_searches(public, id) if row.is_public else ""
    inside += "".join(_result(*line) for line in wording.row_results(row))
    return (
        f'<details id="{id}" class="{kind}"{state}>'
        f'<summary class="head">{_sign(row.is_right)}'
        f'<span class="number">{row.number}</span>'
        f'<span class="lesson">{text(row.concept)}'
        f'<span class="aspects">{text(wording.head(row, rows))}</span></span>'
        f"{_bar(row)}{_score(row)}</summary>\n"
        f'<div class="inside">{inside}</div></details>'
    )


def _score(scored):
    return f'<span class="score">{score_text(scored)}</span>'


def _result(is_right, line):
    kind = "right" if is_right else "wrong"
    return f'<p class="ending {kind}">{_sign(is_right)} {text(line)}</p>'


def _wrong_searches(verdicts, row_id):
    """Return the wrong searches of public trees: each call, its errors and its drawing."""
    parts = []
    wrong = [verdict for verdict in verdicts if not verdict.is_right]
    for number, verdict in enumerate(wrong):
        task = verdict.task
        items = "".join(f"<li>{text(line)}</li>" for line in wording.findings(verdict))
        parts += [
            f"<h3>{text(task.tree.title)}</h3>",
            f'<p class="source">{text(task.tree.source)}</p>' if task.tree.source else "",
            f'<p class="call"><code>{text(write_call(task))}</code></p>',
            f'<ul class="findings">{items}</ul>',
            _own_figure(verdict, f"{row_id}-{number}") if verdict.has_returned else "",
            _printed(verdict.trace),
        ]
    return "\n".join(filter(None, parts))


def _own_figure(verdict, key):
    """Return the figure of the student's search."""
    task = verdict.task
    title = task.tree.title
    label = sentence("report page.as own", title=title, function=task.function)
    return _run_figure(task, verdict.trace, label, key)


def _run_figure(task, trace, label, key):
    """Return the figure of a run, marked against the reference.

    It scrolls sideways, also by keyboard. For label and key, see tree_svg().
    """
    marks = Marks(task, trace)
    view = view_of(task.tree, task.search, marks, MAX_NODES)
    svg = tree_svg(view, label, key, chosen=trace.answer.path)
    return (
        f'<div class="figure"><div class="scroll" tabindex="0" role="group"'
        f' aria-label="{text(label)}">{svg}</div></div>\n'
    )


def _printed(trace):
    """Return the printed text of a program, "" if there is none or it is hidden."""
    printed = wording.printed_text(trace)
    if not printed:
        return ""
    return f'<p class="printed">{_html("row.printed")}</p><pre>{text(printed)}</pre>'


def _html(key, **values):
    """Return a sentence as HTML."""
    return text(sentence(key, **values))


def _sign(right):
    label = _html("report page.right" if right else "report page.wrong")
    sign = "✓" if right else "✗"
    return f'<span class="sign" role="img" aria-label="{label}">{sign}</span>'
