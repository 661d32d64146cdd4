"""Write report.html: what a student reads on a laptop, every public tree drawn."""

from __future__ import annotations

from autograder.judging.scores import look_first, parts_of, points_text, score_text
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
