"""What a student reads first: the first screen, as data and as text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import chain, zip_longest

from autograder.counterexample import Counterexample
from autograder.grading import Grading
from autograder.judging.scores import parts_of, score_text, wrong_parts
from autograder.mistakes.diagnosis import AT_RANDOM, is_stub
from autograder.plaintext import printable
from autograder.showing import sentences
from autograder.showing.rowtext import drawing
from autograder.showing.told import Pointer, about, pointer_of, told_of
from autograder.smalltrees.build import describe_search, flow, lists_of
from gametree.functions import NODE_COUNT
from gametree.support.saying import in_words, say
from gametree.support.tree import Search

LINES, WIDTH = 24, 90  # of the first screen
INDENT = "  "
MAX_DRAWN = 12  # lines of a public tree
# Causes, how many lines stand around one to look at, and lines of each sentence: the first
# that fit. -1 around leaves that one out; the sentence has its number.
ROOM = (
    *((3, 1, 5), (3, 1, 3), (3, 0, 3), (3, 0, 2)),
    *((2, 0, 2), (1, 0, 2), (1, -1, 2), (0, -1, 1)),
)


@dataclass(frozen=True)
class Summary:
    """The first screen, before it is laid out.

    `score` and `parts` are points, the whole and by function. `problems` say why nothing
    could be judged, and what else is to know. `told` is a sentence for each function that
    lost points, in the order of points lost, what it may be, and whose it is. `smallest`
    is the smallest tree on which the first of these fails, or one of the next where it
    cannot be drawn; `deciding` is the sentence that says why it does, `pointer` says at
    which line to look, `check` what to do about that `function`. `next` is what to do when
    all is right.
    """

    score: str
    parts: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    told: tuple[tuple[str, tuple[str, ...], list[str]], ...] = ()
    function: str = ""
    pointer: Pointer | None = None
    smallest: Counterexample | None = None
    deciding: str = ""
    check: str = ""
    next: str = ""


def summary_of(grading: Grading) -> Summary:
    """Return the Summary of a grading."""
    score = score_text(grading)
    name, by_hand = say("graded by hand.name"), grading.by_hand
    by_hand = [f"{name}: {by_hand.problem}"] if by_hand and by_hand.problem else []
    if grading.refusal:
        return Summary(score, problems=(str(grading.refusal), *by_hand))
    if grading.load_failure is not None:
        fault = sentences.not_loaded(grading.load_failure)
        return Summary(score, problems=(fault, *by_hand))
    parts = tuple(f"{p.function} {score_text(p)}" for p in parts_of(grading.rows))
    if grading.by_hand:
        parts = (f"{name} {score_text(grading.by_hand)}", *parts)
    remarks = (*_remarks(grading), *by_hand)
    wrong = wrong_parts(grading.rows)
    if not grading.rows:
        return Summary("", problems=remarks)
    if not wrong:
        problems = (_all_right(grading), *remarks)
        return Summary(score, parts, problems, next=say("summary.next"))
    smallest = _to_draw(grading, wrong)
    function = smallest.verdict.task.function if smallest else wrong[0].function
    advice = about(function, grading.diagnoses)
    begin = ""
    if all(is_stub(part.function, part.verdicts) for part in wrong):
        first = next(part.function for part in parts_of(grading.rows) if part in wrong)
        begin = say("summary.begin", function=first)
    return Summary(
        score,
        parts,
        problems=remarks,
        told=tuple(told_of(grading, function)),
        function=function,
        pointer=pointer_of(grading) if smallest is grading.counterexample else None,
        smallest=smallest,
        deciding=_deciding(smallest) if smallest else "",
        check=advice.check if advice else begin,
    )


def _remarks(grading):
    """Yield a line for each thing to know about the grading itself."""
    if grading.unseen_rows:
        yield say("summary.unseen", count=grading.unseen_rows)
    if grading.note:
        yield f"{grading.note}."
    if grading.slow_to_load:
        yield say("summary.slow")
    if grading.undecided:
        yield sentences.undecided(grading.traces)
    if grading.faults:
        yield say("summary.fault")
    told = any(diagnosis.symptom == AT_RANDOM for diagnosis in grading.diagnoses)
    if grading.reading and grading.reading.at_random and not told:
        yield say("summary.random")


def _deciding(smallest):
    """Return the sentence that decides; of a late one, which aspects are wrong."""
    verdict = smallest.verdict
    if not smallest.late:
        return sentences.deciding(verdict)
    wrong = [name for name, held in verdict.aspects.items() if not held]
    right = sentences.answer(verdict.task, verdict.task.expected.answer)
    return say("summary.late", aspects=in_words(wrong), answer=right)


def _all_right(grading):
    """Return the line that says that all which is shown is right."""
    if grading.unseen_rows:
        return say("summary.seen right")
    counted = any(NODE_COUNT in row.trees[0].aspects for row in grading.rows)
    return say("summary.all right" if counted else "summary.answers right")


def _to_draw(grading, wrong):
    """Return the counterexample to draw: that of the first of these parts that has one.

    Where no small tree shows a function's fault, it is a public tree, tried as the 0th.
    What rests on another function, or on a search before it, is not drawn.
    """
    small = grading.counterexample
    left = {each.function for each in grading.state_leaks}
    left |= {name for each in grading.diagnoses if each.others for name in each.functions}
    for part in wrong:
        if part.function in left or is_stub(part.function, part.verdicts):
            continue
        if small and small.verdict.task.function == part.function:
            return small
        public = [one for row in part.rows if row.public for one in row.verdicts]
        public.sort(key=lambda one: len(one.task.expected.visited))
        for verdict in public:
            if not verdict.right and _is_drawn(verdict):
                return Counterexample(verdict, tried=0)
    return None


def _is_drawn(verdict):
    """Tell whether a public search was run and its drawing fits on the screen."""
    return verdict.was_run and drawing(verdict).count("\n") < MAX_DRAWN


def as_file(task) -> str:
    """Return a task's tree and search as the one line of a tree file."""
    tree = task.tree
    player = "max" if tree.maximizing else "min"
    line = f"root: {player}, tree: {flow(lists_of(tree.root))}"
    if task.search != Search(tree.root.height, tree.maximizing):
        line += f", searches: [{describe_search(task.search)}]"
    return f"{{{line}}}"


def command(task, file: str = "my.yaml") -> str:
    """Return the command that draws a student's search of the tree in a file."""
    function = "" if task.function == "alphabeta" else f" --function {task.function}"
    return f"python -m gametree {file}{function}"


def fails_on(smallest: Counterexample) -> str:
    """Return "alphabeta fails here; it passes all 106 smaller trees"."""
    task = smallest.verdict.task
    if not smallest.tried:
        return say("summary.fails in public", function=task.function, tree=task.tree.title)
    return say("summary.fails", function=task.function, count=smallest.tried - 1)


def feedback_text(grading: Grading) -> str:
    """Return the first screen of a grading as text."""
    return summary_text(summary_of(grading))


def summary_text(summary: Summary) -> str:
    """Lay out a Summary in at most LINES lines of at most WIDTH columns.

    Where there is not room for all, lines around one to look at go first, then causes and
    the ends of sentences. What room is left goes to blank lines, from the top.
    """
    for most in ROOM:
        groups = [group for group in _groups(summary, *most) if group]
        room = LINES - sum(map(len, groups))
        if room >= 0:
            break
    blanks = [[""]] * max(0, min(room, len(groups) - 1))
    spaced = chain.from_iterable(zip_longest(groups, blanks, fillvalue=()))
    return "\n".join([*chain.from_iterable(spaced)][:LINES])


def _groups(summary, most_causes, around, each):
    """Yield the groups of lines of the first screen."""
    head = say("summary.score", score=summary.score or say("summary.no score"))
    if summary.parts:
        head += f" ({', '.join(summary.parts)})"
    yield [head, *_wrapped(*summary.problems, then=INDENT)]  # so that none is forged
    lines = []
    for sentence, causes, _ in summary.told:
        lines += _cut(_wrapped(sentence, then=INDENT), each) + _listed(causes[:most_causes])
    yield lines
    if summary.pointer:
        pointer = summary.pointer
        around = min(around, 0) if len(pointer.marked) > 1 else around
        code = pointer.shown(around) if around >= 0 else []
        yield _wrapped(pointer.sentence) + code
    if summary.smallest:
        yield _example(summary)
    yield _listed([summary.check] if summary.check else [])
    if summary.smallest:
        yield _at_home(summary.smallest)
    yield _wrapped(summary.next) if summary.next else []


def _wrapped(*texts, then=""):
    return [
        line
        for text in texts
        for line in textwrap.wrap(text, WIDTH, subsequent_indent=then)
    ]


def _listed(texts):
    return _wrapped(*(f"- {text}" for text in texts), then=INDENT)


def _at_home(smallest):
    """Return the lines that say how to see the same at home."""
    task = smallest.verdict.task
    if not smallest.tried:
        number = task.tree.searches.index(task.search) + 1
        file = f"trees/{task.tree.name}.yaml" + f" --search {number}" * (number > 1)
        return [say("summary.at home in public", command=command(task, file))]
    line = INDENT + as_file(task)
    fits = [line] if len(line) <= WIDTH else []
    return [say("summary.at home", command=command(task)), *fits]


def _cut(lines, most):
    """Return the first lines, the last one with dots where others follow."""
    if len(lines) <= most:
        return lines
    last = textwrap.shorten(" ".join(lines[most - 1 :]), WIDTH - 2, placeholder=" ...")
    return [*lines[: most - 1], INDENT * (most > 1) + last]


def _example(summary):
    """Return the lines of the smallest tree: what fails there, drawn, and why."""
    trace = summary.smallest.verdict.trace
    lines = _wrapped(f"{fails_on(summary.smallest)}:", then=INDENT)
    lines += filter(str.strip, drawing(summary.smallest.verdict).splitlines())
    lines += _wrapped(summary.deciding, then=INDENT)
    printed = trace.text.printed.strip() if trace.text else ""
    if printed:
        line = printable(printed.splitlines()[0], WIDTH - 15)
        lines.append(say("summary.printed", line=line))
    return lines
