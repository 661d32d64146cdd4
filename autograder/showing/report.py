"""Write report.html: what a student reads on a laptop, every public tree drawn."""

from __future__ import annotations

from autograder.judging.scores import points_text
from autograder.judging.verdict import ASPECTS
from autograder.running.files import replace_file
from autograder.showing import sentences
from autograder.showing.page import page
from autograder.showing.reportadvice import counterexample_html, diagnosis_html
from autograder.showing.reportrows import row_id, sections
from autograder.showing.svg import text


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
        reason = sentences.ending(grading.load_failure, public=True)
        return text(f"search.py could not be loaded: {reason}")
    wrong = [row for row in grading.rows if not row.right]
    if not wrong:
        return "Every value, every leaf and every node count is right."
    first = next((row for row in wrong if row.public), wrong[0])
    link = f'<a href="#{row_id(first)}">{first.number} {text(first.name)}</a>'
    return f"Look first at {link}."


def _parts(rows):
    """Return the table of functions: score, a bar, how many trees are right."""
    lines = []
    for function in ASPECTS:
        own = [row for row in rows if row.function == function]
        if not own:
            continue
        got, most = sum(row.cents for row in own), sum(row.most_cents for row in own)
        part = 100 * got / most if most else 0
        right = sum(row.right for row in own)
        lines.append(
            f'<tr><th scope="row"><a href="#{function}">{function}</a></th>'
            f"<td>{points_text(got)}/{points_text(most)}</td>"
            f'<td class="bar" aria-hidden="true"><i style="width:{part:.1f}%"></i></td>'
            f"<td>{right} of {len(own)} trees right</td></tr>"
        )
    head = "<tr><th>function</th><th>points</th><th>part</th><th>trees</th></tr>"
    return (
        f'<table class="parts"><thead class="hidden">{head}</thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
