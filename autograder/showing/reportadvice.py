"""The report's advice: what the submission looks like, and its smallest failing tree."""

from __future__ import annotations

from autograder.showing import sentences
from autograder.showing.counterexample_text import right_before
from autograder.showing.diagnosis_text import diagnosis_text
from autograder.showing.explanation import explain
from autograder.showing.reportrows import printed_html, run_figure
from autograder.showing.svg import text

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
