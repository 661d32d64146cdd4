"""Parts to choose: rubric.yaml leaves functions or the node count out, and all follows."""

from dataclasses import replace
from itertools import chain, combinations

import pytest
import yaml
from helpers import (
    REFERENCE_SOURCE,
    ROOT,
    changed,
    definitions,
    reference,
    task_of,
    tasks_of,
    trace_of,
    tree_of,
)

from autograder.grading import grade
from autograder.judging.concepts import DEPTH, WEIGHTS
from autograder.judging.scores import parts_of, rows_to_come
from autograder.judging.verdict import judge, verdict_on
from autograder.kit import Kit, load_kit, load_reference
from autograder.mistakes.library import Library
from autograder.mistakes.variants import load_variant
from autograder.results import results_of
from autograder.rubric import RubricError, load_rubric
from autograder.smalltrees.limited import with_limits
from autograder.tasks import RunPair, tasks_for
from autograder.workbench.package import starter_files, stubs_of, table_of
from gametree import load_trees
from gametree.asked import ASKED
from gametree.functions import KNOWN

NAMES = tuple(ASKED)
CHOICES = [*chain.from_iterable(combinations(NAMES, n) for n in range(1, len(NAMES) + 1))]
GIVEN = yaml.safe_load((ROOT / "autograder" / "rubric.yaml").read_text(encoding="utf-8"))
PUBLIC = load_trees(ROOT / "trees" / "public")


def rubric_of(folder, functions=NAMES, **changes):
    points = {name: GIVEN["points"][name] for name in functions}
    path = folder / "rubric.yaml"
    path.write_text(yaml.safe_dump({**GIVEN, "points": points, **changes}))
    return load_rubric(path)


@pytest.mark.parametrize("functions", CHOICES, ids="+".join)
def test_the_rows_are_those_of_the_functions_with_points(tmp_path, functions):
    rubric = rubric_of(tmp_path, functions)
    reference = load_reference(asked=rubric.asked)
    rows = rows_to_come(tasks_for(PUBLIC, reference), rubric, {t.name for t in PUBLIC})
    assert [part.function for part in parts_of(rows)] == [*functions]
    assert [row.number for row in rows] == [f"{n + 1}.01" for n in range(len(functions))]
    assert sum(row.most_cents for row in rows) == sum(rubric.cents.values())


@pytest.mark.parametrize("functions", CHOICES, ids="+".join)
def test_the_starter_holds_a_stub_for_each_of_them_and_says_what_they_take(functions):
    text = (ROOT / "starter" / "search.py").read_text(encoding="utf-8")
    stubs = stubs_of(text, dict.fromkeys(functions, ()))
    assert [*definitions(stubs)] == [*functions]
    assert ("as in minimax" in stubs) == ({"minimax", "alphabeta"} <= {*functions})
    assert stubs.count("depth:") >= 1


def test_of_the_kits_own_rubric_the_starter_is_the_folder():
    for name, content in starter_files(load_kit()).items():
        if name not in ("handout.md", "gametree/texts.yaml"):
            assert content == (ROOT / "starter" / name).read_bytes(), name


def test_the_starters_table_is_python_and_says_what_the_rubric_says():
    asked, made = {"alphabeta": ("value", "leaves")}, {}
    exec(table_of((ROOT / "starter" / "gametree" / "asked.py").read_text(), asked), made)
    assert made["ASKED"] == {"alphabeta": ["value", "leaves"]}
    assert {name: [*KNOWN[name].aspects] for name in NAMES} == ASKED


def test_no_function_at_all_is_refused(tmp_path):
    with pytest.raises(RubricError, match="points: no function is asked"):
        rubric_of(tmp_path, ())


def without_count(folder):
    shares = {
        "minimax": {"value": 50, "leaves": 50},
        "alphabeta": {"value": 20, "leaves": 80},
    }
    return rubric_of(folder, shares={**GIVEN["shares"], **shares})


def test_without_its_share_the_node_count_is_not_judged(tmp_path):
    twice = load_variant(ROOT / "solution" / "mistakes" / "children_searched_twice.py")
    task = task_of("[1, [2, 3]]", "alphabeta")
    rubric = without_count(tmp_path)
    reference = load_reference(asked=rubric.asked)
    (fewer,) = tasks_for([task.tree], reference, ["alphabeta"])
    run = RunPair(trace_of(twice.source, task))
    assert judge(task, run).aspects == {"value": True, "leaves": True, "node count": False}
    assert judge(fewer, run).aspects == {"value": True, "leaves": True}
    right = verdict_on(fewer, RunPair(fewer.expected))
    assert rubric.earned(right) == rubric.earned(judge(fewer, run)) == 1


@pytest.mark.parametrize("share", ["value", "leaves"])
def test_no_other_share_may_be_left_out(tmp_path, share):
    shares = {**GIVEN["shares"], "alphabeta": {share: 100}}
    with pytest.raises(RubricError, match="shares: alphabeta: .* is missing; add it"):
        rubric_of(tmp_path, shares=shares)


def test_a_mistake_counts_only_where_it_shows_in_what_is_asked(tmp_path):
    mistakes = ROOT / "solution" / "mistakes"
    ties, twice, move = (
        load_variant(mistakes / f"{name}.py")
        for name in ("strict_cutoff", "children_searched_twice", "first_move_taken")
    )
    asked = without_count(tmp_path).asked
    assert [each.concerns(ASKED) for each in (ties, twice, move)] == [True, True, True]
    assert [each.concerns(asked) for each in (ties, twice, move)] == [True, False, True]
    only = {"minimax": ("value",)}
    assert [each.concerns(only) for each in (ties, twice, move)] == [False, False, False]


class TestVisibility:
    """visibility: in rubric.yaml: when students see a row."""

    def test_what_names_a_row_most_closely_decides(self, tmp_path):
        rubric = rubric_of(
            tmp_path,
            visibility={
                "alphabeta: ties": "hidden",
                "ties": "visible",
                "games": "after_published",
                "alphabeta": "visible",
                "all others": "after_due_date",
            },
        )
        seen = rubric.visibility_of
        assert seen("alphabeta", "ties") == "hidden"
        assert seen("alphabeta", "games") == seen("minimax", "games") == "after_published"
        assert seen("alphabeta", "public trees") == "visible"
        assert seen("minimax", "public trees") == "after_due_date"

    def test_one_word_is_for_all_rows_and_none_for_visible(self, tmp_path):
        all_later = rubric_of(tmp_path, visibility="after_published")
        assert all_later.visibility_of("minimax", "games") == "after_published"
        assert rubric_of(tmp_path).visibility_of("minimax", "games") == "visible"

    @pytest.mark.parametrize(
        "given, said",
        [
            ("never", "visibility: all others: 'never' is unknown; write visible, after_"),
            ({"tie": "hidden"}, "visibility: unknown key 'tie'; did you mean ties?"),
            ({"best_move: ties": "hidden"}, "visibility: unknown key 'best_move: ties'"),
            ([], "visibility: write a mapping with all others, minimax,"),
        ],
    )
    def test_a_slip_is_one_line(self, tmp_path, given, said):
        with pytest.raises(RubricError, match=said):
            rubric_of(tmp_path, visibility=given)

    def test_what_is_said_tells_nothing_of_a_row_that_is_not_seen(self, tmp_path):
        rubric = rubric_of(tmp_path, visibility={"alphabeta": "after_published"})
        public, hidden = (tree_of("[2, 1]"),), (tree_of("[1, [1, 1]]", name="tie"),)
        tasks = tasks_of(*public) + tasks_for(hidden, reference(), hidden=True)
        kit = Kit(ROOT, rubric, public, hidden, tuple(tasks))
        vars(kit).update(library=Library((), kit.tasks), witnesses=frozenset())
        wrong = changed(("alpha >= beta", "alpha > beta"))
        right, wrong = (
            results_of(grade(kit, text.encode()))
            for text in (REFERENCE_SOURCE.decode(), wrong)
        )
        assert wrong["score"] < right["score"]
        assert wrong["output"] == right["output"]
        assert "Score: 40/40 (minimax 25/25, best_move 15/15)" in right["output"]
        assert "2 more rows are not shown now" in right["output"]
        assert {
            test["number"]: test["visibility"]
            for test in wrong["tests"]
            if "visibility" in test
        } == {"2.01": "after_published", "2.02": "after_published"}


class TestDepthAsTheMainTask:
    """depth_limited: half in rubric.yaml."""

    def test_a_tree_that_is_searched_whole_is_searched_less_deep_too(self):
        trees = [tree_of("[[[1, 5], 3], [4, 2]]", name=name) for name in "abc"]
        limited = with_limits(trees)
        depths = [[search.depth for search in tree.searches] for tree in limited]
        assert depths == [[3, 2], [3, 1], [3, 2]]
        assert [child.value for child in limited[0].root.children] == [3, 2]
        assert limited[0].root.at((0, 0)).value == 5

    @pytest.mark.parametrize("nested", ["[1, 2]", "{value: 1, children: [2]}"])
    def test_a_tree_of_one_ply_stays(self, nested):
        tree = tree_of(nested)
        assert with_limits([tree]) == [tree]

    def test_static_values_and_limited_searches_that_are_there_stay(self):
        tree = tree_of("[{value: 9, children: [1, 2]}, 3]", searches="[{}, {depth: 1}]")
        assert with_limits([tree]) == [tree]
        (limited,) = with_limits([replace(tree, searches=tree.searches[:1])])
        assert limited.root.children[0].value == 9

    def test_about_half_of_the_hidden_searches_are_limited_then(self):
        trees = with_limits(load_trees(ROOT / "trees" / "hidden"))
        searches = [(tree, search) for tree in trees for search in tree.searches]
        short = sum(search.depth < tree.root.height for tree, search in searches)
        assert 0.45 < short / len(searches) < 0.55

    def test_they_earn_half_of_each_functions_points_unless_a_weight_is_given(
        self, tmp_path
    ):
        rubric = rubric_of(tmp_path, depth_limited="half")
        for function, cents in rubric.cents.items():
            assert 2 * rubric.row_cents(function, WEIGHTS[function])[DEPTH] == cents
        given = {"alphabeta": {DEPTH: 5}}
        rubric = rubric_of(tmp_path, depth_limited="half", concepts=given)
        assert rubric.weights["alphabeta"][DEPTH] == 5

    def test_another_word_is_refused(self, tmp_path):
        with pytest.raises(RubricError, match="depth_limited: 'all': write some or half"):
            rubric_of(tmp_path, depth_limited="all")


class TestNegascout:
    """A fourth function, which a rubric may add: principal variation search."""

    ASKED = {"negascout": ("value", "leaves")}

    def tasks(self, nested, searches="[{}]"):
        tree = tree_of(nested, searches=searches)
        return tasks_for([tree], load_reference(asked=self.ASKED))

    def test_strict_cutoffs_are_refused_with_it(self, tmp_path):
        with pytest.raises(RubricError, match="negascout needs cutoff: equality"):
            rubric_of(tmp_path, points={"negascout": 20}, cutoff="strict")

    @pytest.mark.parametrize(
        "nested, searches, times",
        [
            ("[[3, 5], [7, 2]]", "[{}, {alpha: 2, beta: 5}, {depth: 3}]", 2),
            ("[[3, 5.5], [7, 2]]", "[{}]", 0),
            ("[{value: 0.5, children: [1, 2]}, 3]", "[{depth: 1}]", 0),
        ],
    )
    def test_it_is_asked_from_full_windows_and_of_whole_numbers(
        self, nested, searches, times
    ):
        """There no right search visits a leaf that the reference does not."""
        assert len(self.tasks(nested, searches)) == times

    def test_to_visit_all_that_alphabeta_does_is_too_much(self):
        same = load_variant(ROOT / "solution" / "mistakes" / "negascout_is_alphabeta.py")
        (task,) = self.tasks("[1, [[2, 1], 1]]")  # where a null window spares a leaf
        verdict = judge(task, RunPair(trace_of(same.source, task)))
        assert verdict.aspects == {"value": True, "leaves": False}

    def test_fewer_leaves_than_the_references_must_still_prove_the_value(self):
        (task,) = self.tasks("[[4, 5], [[7, 2], 3]]")
        assert judge(task, RunPair(task.expected)).right
        fewer = replace(task.expected, events=task.expected.events[:3])
        verdict = judge(task, RunPair(fewer))
        assert verdict.aspects == {"value": False, "leaves": True}
