"""The page of a class, equal files, and what is worth a person's look."""

import re
from types import SimpleNamespace

from fixtures.make_class import rows_of
from helpers import ROOT
from test_report import Reader

from autograder.course import classpage
from autograder.course.classpage import RENAMED, SAME, alike_in, class_page, not_needed
from autograder.course.download import Submission
from autograder.course.gradebook import Entry, Override
from autograder.course.outcome import Outcome, Status
from autograder.course.people import Student

ROWS = tuple(
    SimpleNamespace(name=name, max_cents=5000)
    for name in ("minimax: ties", "alphabeta: deep <b>")
)


def page_of(*graded, students=None, alike=(), **known):
    """Return the page of a class, with the fields of an outcome or None for each."""
    entries = []
    for n, fields in enumerate(graded):
        outcome = Outcome(f"s {n}", "k", "s", **(fields or {"status": Status.NOT_YET}))
        for who in students or (Student(f"Student {n}", f"000{n}"),):
            entries.append(Entry(who, outcome, Submission(outcome.id), **known))
    return class_page(entries, ROWS, alike)


def graded(cents, *diagnoses, **fields):
    lost = {"minimax: ties": 10000 - cents} if cents < 10000 else {}
    return {
        "status": Status.GRADED, "cents": cents, "diagnoses": diagnoses, "lost": lost,
        **fields,
    }  # fmt: skip


def group(page, title):
    """Return the words of one group of those who need a person."""
    found = re.search(rf"<summary>{re.escape(title)}: .*?</details>", page, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", found[0]).split()) if found else ""


def test_who_needs_a_person_comes_first_each_in_one_place_and_the_worst_first():
    why = "12 of 300 searches were not run: the time of 60 s was used up"
    odd = {"behaviour": "x", "sure": False}
    page = page_of(
        {"status": Status.COULD_NOT_TELL, "reason": "its grader ended"},
        {**graded(500), "status": Status.NOT_SETTLED, "reason": why},
        {"status": Status.NOT_GRADABLE, "cents": 0, "reason": "no `x.py`"},
        graded(0, ends={"crashed with NameError": 3}, reason="minimax: crashed"),
        graded(0, ends={"ran out of time": 1, "not run": 9}),
        graded(0, ends={"not written yet": 3}),
        graded(0, "Always wrong"),
        graded(5000, **odd),
        graded(5000, **odd),
        graded(4000, behaviour="y"),
        graded(5000, "Known", behaviour="z", sure=True),
        alike=[(RENAMED, ("s 7", "s 8"))],
    )
    heads = ["Needs a person", "Concepts", "Mistakes", "Everybody"]
    assert re.findall("<h2.*?>(.*?)</h2>", page) == heads
    places = {
        "could not tell": "Student 0 0000 its grader ended",
        "not settled": f"Student 1 0001 {why}",
        "not gradable": "Student 2 0002 no x.py",
        "crashed": "Student 3 0003 minimax: crashed",
        "ran out of time, or never stopped": "Student 4 0004 nothing is right",
        "functions missing or not written": "Student 5 0005 nothing is right",
        "0 points, though it ran": "Student 6 0006 Always wrong",
        "files that are alike": f"Student 7 0007 group 1: {RENAMED} "
        f"Student 8 0008 group 1: {RENAMED}",
        "wrong, and no known mistake explains it": "what "
        "Student 7 0007 group 1 (2 behave alike): no known mistake is near "
        "Student 8 0008 group 1 (2 behave alike): no known mistake is near "
        "Student 9 0009 group 2 (alone): no known mistake is near",
    }
    assert not [name for name, words in places.items() if words not in group(page, name)]
    order = [page.index(f"<summary>{title}: ") for title in places]
    assert order == sorted(order) and "resemble" in group(page, "files that are alike")
    assert "1 could not tell, 1 not settled, 1 not gradable; the mean leaves out" in page


def test_mistakes_are_ordered_by_how_many_students_have_them_and_mark_code():
    page = page_of(*[graded(9000, "Rare `a > b`")] + [graded(8000, "Common")] * 7)
    head, number = '<th scope="row">{}</th>', '<td class="number" data-value="{}">'
    common, rare = map(
        (head + number).format, ("Common", "Rare <code>a &gt; b</code>"), (7, 1)
    )
    assert 0 < page.index(common) < page.index(rare)
    assert "<summary>all 7</summary>" in page


def test_links_lead_to_each_submissions_own_file():
    html = page_of(graded(4000, "No cutoff") | {"line": "line 36"})
    assert ("a", "href", "s%200/report.html") in Reader(html).attributes
    assert '<a href="s%200/report.html#line">line 36</a>' in html


def test_the_dearest_lesson_comes_first_with_its_mean_over_those_whose_code_ran():
    lost = {"alphabeta: deep <b>": 5000}
    stubs = {"status": Status.NOT_GRADABLE, "cents": 0, "lost": lost}
    page = page_of(graded(10000), graded(9900), stubs)
    lessons = page[page.index(">Concepts<") : page.index(">Mistakes<")]
    assert "minimax: ties" in lessons and "0.50 of 50" in lessons and "deep" not in lessons
    assert "1 of 2 (50 %)" in lessons


def test_the_mean_is_of_what_counts():
    for status in (Status.OUT_OF_DATE, Status.NOT_SETTLED):
        page = page_of(graded(10000), {**graded(500), "status": status})
        assert f"Mean 100, median 100 of 100. 1 {status}; the mean leaves out" in page
    page = page_of(graded(5000), override=Override(9000, "agreed"))
    assert "Mean 90," in page and "by hand: agreed" in page
    assert "2 not graded yet" in page_of(None, None)


def test_partners_are_not_two_who_behave_alike():
    both = (Student("Ada", "1"), Student("Bo", "2"))
    html = page_of(graded(5000, behaviour="x"), students=both)
    assert group(html, "wrong, and no known mistake explains it").count("(alone)") == 2


def test_names_and_reasons_are_shown_and_never_run():
    evil = '<script>alert(1)</script>"&'
    page = page_of(
        {"status": Status.NOT_GRADABLE, "cents": 0, "reason": evil, "diagnoses": (evil,)},
        students=(Student(evil, evil),),
    )
    assert "<script>alert" not in page
    assert evil in Reader(page).texts


def test_the_page_is_whole_and_needs_no_other_file():
    for count in (0, 1, 12):
        read = Reader(page_of(*[graded(100 * n, "x") for n in range(count)]))
        links = [to for _, name, to in read.attributes if name in ("href", "src")]
        assert not [to for to in links if "://" in to]
        assert len(set(read.ids)) == len(read.ids)


# ---- equal files, and what is worth a person's look

GIVEN = (ROOT / "starter" / "search.py").read_bytes()
PROGRAM = b"""
def minimax(node, depth, maximizing):
    # ask the pub quiz team about this line
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    flurbs = [minimax(kid, depth - 1, not maximizing) for kid in node.children]
    return max(flurbs) if maximizing else min(flurbs)
"""
COMMENT = b"    # ask the pub quiz team about this line\n"
OTHER_NAMES = PROGRAM.replace(b"flurbs", b"vals").replace(b"kid", b"c")
OTHER_NAMES = OTHER_NAMES.replace(COMMENT, b'    """Mine."""\n\n')


def test_equal_files_and_renamed_ones_are_groups_and_the_given_one_is_nobodys():
    one = b"def f(alpha, beta):\n    return alpha - beta\n"
    broken = b"def f(:\n  ''' \xff (((" + b"[" * 5000  # is read as text
    for programs, groups in (
        ({"a": PROGRAM, "b": PROGRAM, "d": b"x = 1\n"}, [(SAME, ("a", "b"))]),
        ({"a": PROGRAM, "b": PROGRAM, "c": OTHER_NAMES}, [(RENAMED, ("a", "b", "c"))]),
        ({"a": one, "b": one.replace(b"alpha - beta", b"beta - alpha")}, []),
        ({"a": GIVEN, "b": GIVEN, "c": b"", "d": b"# nothing\n"}, []),
        ({"a": broken, "b": broken}, [(SAME, ("a", "b"))]),
    ):
        found = alike_in(programs, GIVEN)
        assert [(kind, tuple(ids)) for kind, ids in found] == groups


def test_a_folder_is_ready_for_moss_and_compare50(tmp_path):
    alike, folder = [(SAME, ("=a", "b"))], tmp_path / "similarity"
    classpage.write_similarity(tmp_path, {"a": b"1", "b": b"2"}, GIVEN, alike)
    classpage.write_similarity(tmp_path, {"a": b"1"}, GIVEN, alike)
    assert [path.name for path in (folder / "submissions").iterdir()] == ["a.py"]
    assert (folder / "template" / "search.py").read_bytes() == GIVEN
    assert "compare50" in (folder / "README.txt").read_text()
    row = {"kind": SAME, "group": "1", "submissions": "'=a b"}
    assert rows_of(folder / "similarity.csv") == [row]


def test_what_is_not_needed_is_named_and_no_right_program_or_comment_has_it():
    ended = Outcome("a", "k", "s", "graded", ends={"ended the process that ran it": 3})
    source = b"import subprocess, os\nos._exit(0)\neval('1')\nopen('/autograder/x')\n"
    assert not_needed(source, ended) == (
        "/autograder, eval, os._exit, subprocess, ended the process that ran it"
    )
    fine = Outcome("a", "k", "s", "graded")
    for path in [*(ROOT / "solution/correct").glob("*.py"), ROOT / "solution/search.py"]:
        assert not_needed(path.read_bytes(), fine) == "", path.name
    source = b"# subprocess, os._exit\nx = node.eval(1)\nre.compile('x')\n"
    assert not_needed(source, fine) == ""
