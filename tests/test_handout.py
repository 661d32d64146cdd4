"""The handout agrees with the kit and the rubric, and its commands run."""

import re
from functools import cache

import pytest
from helpers import (
    CORRECT,
    PYTHON,
    ROOT,
    cases,
    check_words,
    copy_with,
    kit_text,
    refusal_of,
    run_command,
    slips,
    tables_beside,
    task_of,
    tree_of,
    variant,
)
from helpers import own_kit as kit
from kitcopy import unpack_starter

from autograder.explaining.variants import run_source
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import CONVENTIONS, EQUALITY, STRICT
from autograder.showing.results import results_of
from autograder.single import grade_path
from autograder.workbench import examples
from autograder.workbench.examples import BLOCK, fill_in_examples
from autograder.workbench.handout import (
    PAGE,
    PARTS,
    PUT,
    SAMPLE,
    advice_on,
    for_students,
    page_of,
)
from autograder.workbench.package import starter_files
from gametree import load_tree, observe
from gametree.node import Node
from gametree.support.correct import CorrectSearch
from gametree.support.judging import proves_value
from gametree.support.marks import LEGEND
from gametree.support.texts import name_player, write_number

TABLES = tables_beside(__file__)

TEXT = kit_text("handout.md")
PUBLIC = ROOT / "trees" / "public"
STARTER = starter_files(kit())


def course_of(**changed):
    """Return the kit with a changed rubric and a constant as the sample of feedback."""
    rubric = kit().rubric._replace(**changed)
    rubric = rubric._replace(shares={name: rubric.shares[name] for name in rubric.cents})
    course = copy_with(kit(), rubric=rubric)
    course.plan = [row for row in kit().plan if row.row.function in rubric.cents]
    vars(course)["cached"] = lambda name, make: "a sample"
    return course


@cache
def handout(convention=EQUALITY):
    """Return the handout for students of a course with this cutoff rule."""
    return for_students(course_of(cutoff=convention))


@pytest.fixture
def course(tmp_path):
    """Return a function: the text of handout.md -> the kit with this handout."""
    for name in ("trees", "solution"):
        (tmp_path / name).symlink_to(ROOT / name)

    def write_course(text):
        (tmp_path / "handout.md").write_text(text)
        course = copy_with(course_of(), root=tmp_path)
        vars(course).update(library=kit().library, cached=lambda *_: "a sample")
        return course

    return write_course


def table(head, convention=EQUALITY):
    """Return the rows of the table with this head. Assert that there is a row."""
    below = handout(convention).split(f"| {head} |")[1]
    rows = []
    for line in below.split("\n\n")[0].splitlines()[2:]:
        cells = line.strip("|").split("|")
        rows.append([cell.strip() for cell in cells])
    assert rows, head
    return rows


def cells(first, last):
    """Return (first cell of a row, function) -> the function's cell, unless it is empty."""
    functions = list(kit().rubric.cents)
    heads = " | ".join(f"`{name}`" for name in functions)
    found = {}
    for name, *others in table(f"{first} | {heads} | {last}"):
        for function, cell in zip(functions, others):
            if cell:
                found[name, function] = cell
    return found


# ---- text that the kit fills in

FIGURES = ("points", "search seconds", "total seconds")
MARKED_LINE = " > 34"  # in the sample of feedback


def test_handout_md_has_the_current_figures():
    shown = {mark[1]: mark[2] for mark in PUT.finditer(TEXT)}
    assert shown.keys() == PARTS.keys()
    assert [name for name in FIGURES if shown[name] != PARTS[name](kit())] == []


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_handout_md_has_the_current_examples(monkeypatch, convention):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--unknown")  # of the instructor
    course = course_of(cutoff=convention)
    vars(course)["library"] = kit().library
    text = handout(convention)
    if convention == STRICT:  # the other runs of the tests are those of all courses
        text = re.sub("```text pytest .*", "```text", text)
    without_names = BLOCK.sub(r"```text\n\3```", text)
    assert fill_in_examples(text, course, starter_files(course)) == without_names


def test_the_sample_of_feedback_is_the_first_screen_of_a_mistake():
    screen = results_of(grade_path(kit(), ROOT / SAMPLE))["output"]
    assert MARKED_LINE in screen
    assert f"\n```text\n{screen}\n```\n" in for_students(kit())


def test_the_tables_list_the_rows_and_parts_of_a_grading():
    points = {(row.concept, row.function): f"{row.max_cents / 100:g}" for row in kit().rows}
    assert cells("concept", "its trees") == points
    shares = {}
    for function, of_function in kit().rubric.shares.items():
        for aspect, share in of_function.items():
            shares[aspect, function] = f"{float(share):g} %"
    assert cells("part", "correct if") == shares


# ---- passages for some courses only


@cases("courses")
def test_a_course_reads_only_what_concerns_it(changes, words, others):
    text = BLOCK.sub("", for_students(course_of(**changes)))
    check_words(text, words, [*others, "<!--", "-->"])


# ---- errors in handout.md


@slips("handout")
def test_an_error_in_handout_md_is_refused_in_one_line(text, reason, course, monkeypatch):
    """No public test of an example fails."""
    monkeypatch.setattr(examples, "run_public_tests", lambda *_: "34 passed")
    assert reason in refusal_of(page_of, course(text), STARTER)


# ---- the page


def test_the_page_is_one_file_with_links_to_sections(course):
    page = page_of(course(BLOCK.sub("", TEXT)), STARTER)
    assert not re.findall(r"""(?:src|href)=["'](?!#|https://|data:)|@import|url\(""", page)
    anchors = set(re.findall(r'<h2 id="([^"]+)"', page))
    links = re.findall(r'<li><a href="#([^"]+)">', page)
    assert set(links) <= anchors
    assert len(links) == TEXT.count("\n## ")
    inside = re.findall(r"\]\(#(.*?)\)", TEXT)
    assert set(inside) <= anchors


@pytest.mark.parametrize("text, html", TABLES["pages of a handout"].items())
def test_markdown_becomes_html(course, text, html):
    assert html in page_of(course(text), STARTER)


# ---- the facts


def test_the_handout_states_the_limit_of_queries():
    limits = Limits()
    most = f"at most {limits.queries_base:,} times in all"
    check_words(TEXT, [f"{most}, plus {limits.queries_factor} times for each"])


def test_the_handout_explains_each_mark_of_a_drawing_like_the_legend():
    explained = dict(table("mark | meaning"))
    assert set(explained) == {mark.sign for mark in LEGEND}
    unlike = [mark.sign for mark in LEGEND if mark.meaning not in explained[mark.sign]]
    assert unlike == []


def test_the_handout_lists_the_attributes_of_a_node():
    names = re.findall(r"^\| `node\.(\w+)", TEXT, re.MULTILINE)
    assert names == ["children", "evaluate", "is_terminal", "name"]
    assert [name for name in names if not hasattr(Node, name)] == []


def test_the_example_with_a_window_accepts_the_answers_6_to_7():
    nested = re.search(r"max\s+`(\[\[3, 10.*?)` is worth 6", TEXT)[1]
    task = task_of(nested, "alphabeta", searches="[{alpha: 7}]")
    assert task_of(nested, "minimax").expected.answer.number == 6
    accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(task.search, 6, 6, n)]
    assert accepted == [6, 6.5, 7]


@cases("examples")
def test_an_example_is_true(words, tree, program, convention, shown):
    """What is shown is the chosen move, or the leaves that a search prunes."""
    check_words(handout(convention), [words])
    tree = tree_of(tree)
    function = "best_move" if "move" in program else "alphabeta"
    search = getattr(run_source(variant(program, convention).source), function)
    trace = observe(search, function, tree, tree.searches[0])
    if function == "best_move":
        assert tree.root.at(trace.answer.path).name == shown
    else:
        leaves = tree.root.frontier(tree.root.height)
        pruned = [leaf.name for leaf in leaves if leaf.path not in trace.visited]
        assert pruned == shown


def test_a_missing_address_is_a_warning_of_make_dist(tmp_path):
    assert advice_on(ROOT) == (
        "handout.md: write the course, the due date and an address for questions in place "
        "of its first comment"
    )
    (tmp_path / "handout.md").write_text("# AI 1\n\nQuestions: ai@example.edu\n")
    assert advice_on(tmp_path) == ""


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_each_row_of_the_example_is_a_node_of_the_correct_search(convention):
    tree = load_tree(PUBLIC / "03-aima-figure-5-2.yaml")
    search = tree.searches[0]
    correct = CorrectSearch(tree, "alphabeta", search, convention == STRICT)
    expected = []
    for path, value in correct.values.items():
        if not path:
            continue
        parent = path[:-1]
        alpha, beta = correct.windows[path]
        if search.max_moves_at(parent):
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        row = [f"{correct.name(path)} = {value}", name_player(tree.root, search, parent)]
        is_last = path == correct.children(parent)[-1]
        row += [bound_text(alpha), bound_text(beta), is_last and parent in correct.pruned]
        expected.append(row)
    rows = table("returned | at | alpha | beta | what follows", convention)
    assert [[*row[:4], "**cutoff**" in row[4]] for row in rows] == expected


def bound_text(bound):
    """Return alpha or beta as the handout writes it."""
    return write_number(bound).replace("-", "−").replace("infinity", "∞")


# ---- the commands


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    """Return an unpacked starter.zip with the reference and the my.yaml of the handout."""
    folder = unpack_starter(kit(), tmp_path_factory.mktemp("starter"))
    (folder / "search.py").write_text(CORRECT)
    my_tree = re.search(r"```yaml\n(.*?)```", TEXT, re.DOTALL)[1]
    (folder / "my.yaml").write_text(my_tree)
    return folder


def commands():
    """Return the lines of all commands that the handout shows."""
    texts = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    texts += re.findall(r"`(python [^`]+\.yaml)`", TEXT)
    return sorted({line for text in texts for line in text.strip().splitlines()})


@pytest.mark.parametrize(
    "command", [c for c in commands() if not re.search("pip|pytest", c)]
)
def test_each_command_runs_in_an_unpacked_starter(starter, command):
    program = command.replace("python", f"{PYTHON} -B", 1).split()
    done = run_command(program, starter, input="quit\n")
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_that_the_handout_names_is_in_the_starter(starter):
    named = re.findall(r"`((?:trees/)?[\w-]+\.(?:py|yaml|html))`", handout())
    assert len(named) > 6
    named = {*named, "requirements.txt"} - {PAGE}  # make dist adds the page
    assert [name for name in named if not (starter / name).is_file()] == []
