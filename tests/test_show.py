"""make show: the page, the drawing on the terminal, and errors in one line."""

import json
import re

import pytest
from drawn import NO_CUTOFF, textbook
from helpers import REFERENCE_SOURCE, ROOT, tasks_of, tree_of

from autograder.showing.stepthrough import step_html
from autograder.workbench.show import main
from gametree import parse_tree

TIE = "root: max\ntree: [1, [1, 1]]\n"
TWO = "root: max\ntree: [[3, 12], [2, 4]]\nsearches: [{}, {alpha: 2, beta: 3}]\n"


@pytest.fixture
def show(tmp_path, capsys):
    """A function that runs the command on the text of a tree file."""

    def running(tree_text, *options, source=None):
        (tmp_path / "tie.yaml").write_text(tree_text)
        arguments = [str(tmp_path / "tie.yaml"), "--out", str(tmp_path / "show"), *options]
        if source is not None:
            (tmp_path / "search.py").write_text(source)
            arguments += ["--submission", str(tmp_path / "search.py")]
        status = main(arguments)
        return status, *capsys.readouterr()

    return running


def page_and_data(tree):
    """Return the step-through page of a tree, and the data in it."""
    (task,) = tasks_of(tree, functions=("alphabeta",))
    html = step_html(task, "equality")
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', html)
    return html, json.loads(data[1])


class TestTheCommand:
    def test_prints_the_drawing_and_where_the_page_is(self, show, tmp_path):
        status, out, err = show(TIE)
        assert (status, err) == (0, "")
        assert "● visited   ○ pruned" in out
        assert out.endswith(f"wrote {tmp_path}/show/tie.html\n")
        assert (tmp_path / "show" / "tie.html").read_text().endswith("</html>\n")

    def test_runs_a_submission_in_the_sandbox_and_says_where_it_parts(self, show):
        status, out, _ = show(TIE, source=NO_CUTOFF)
        assert status == 0 and "! visited needlessly" in out
        words = " ".join(out.split())
        assert "so b2 cannot matter; your search went on to b2." in words

    @pytest.mark.parametrize(
        "source, tree, said",
        [
            (NO_CUTOFF, TIE, "Your alphabeta(B, depth=1, alpha=1, beta=infinity, "
             "maximizing=False) returned 1."),
            (NO_CUTOFF, "root: max\ntree: [[3], [[2, 1], 5]]\n",
             "Your alphabeta(D, depth=1, alpha=3, beta=infinity, maximizing=True) "
             "returned 2."),
            (NO_CUTOFF.replace("max(values)", "values[-1]"),
             "root: min\ntree: [[2, 1]]\n",
             "Your alphabeta(B, depth=1, alpha=-infinity, beta=infinity, maximizing=True) "
             "returned 1; the right one returns 2."),
            (NO_CUTOFF.replace("max(values)", "None"), "root: min\ntree: [[1, 2]]\n",
             "Your alphabeta(B, depth=1, alpha=-infinity, beta=infinity, maximizing=True) "
             "returned None; the right one returns 2."),
        ],
        ids=["at the node", "at the child", "at a wrong value", "which is no number"],
    )  # fmt: skip
    def test_says_what_your_own_call_returned_where_the_searches_part(
        self, show, tmp_path, source, tree, said
    ):
        status, out, _ = show(tree, source=source)
        assert status == 0 and said in " ".join(out.split())
        assert said in (tmp_path / "show" / "tie.html").read_text()

    def test_says_it_of_minimax_too_which_has_no_window(self, show):
        source = NO_CUTOFF.replace("alphabeta", "minimax").replace("alpha, beta, ", "")
        tree = "root: min\ntree: [[2, 1], 5]\n"
        last = source.replace("max(values)", "values[-1]")
        _, out, _ = show(tree, "--function", "minimax", source=last)
        said = (
            "Your minimax(B, depth=1, maximizing=True) returned 1; the right one returns 2."
        )
        assert said in " ".join(out.split())

    def test_says_that_a_right_search_does_the_same(self, show):
        status, out, _ = show(TIE, source=REFERENCE_SOURCE.decode())
        assert status == 0 and "Your alphabeta does the same as the right one." in out

    def test_shows_another_search_of_the_file_on_a_page_of_its_own(self, show, tmp_path):
        status, out, _ = show(TWO, "--search", "2")
        assert status == 0 and "alpha=2, beta=3" in out
        assert (tmp_path / "show" / "tie-2.html").exists()

    @pytest.mark.parametrize(
        "function, answer, line",
        [
            (
                "best_move",
                "[c.evaluate() for b in node.children for c in b.children or [b]]"
                " and node.children[1]",
                "A (MAX) takes the leftmost of the largest, a1; your best_move chose B.",
            ),
            (
                "minimax",
                "node.children[0].evaluate()",
                "minimax visits every leaf, since each can matter; your search left out B.",
            ),
        ],
    )
    def test_shows_every_function(self, show, tmp_path, function, answer, line):
        source = f"def {function}(node, depth, maximizing):\n    return {answer}\n"
        status, out, _ = show(TIE, "--function", function, source=source)
        assert status == 0 and line in " ".join(out.split())
        assert (tmp_path / "show" / f"tie-{function}.html").exists()

    def test_a_crash_is_told_and_never_taken_for_right(self, show):
        source = "def best_move(node, depth, maximizing):\n    return node.childs\n"
        _, out, _ = show(TIE, "--function", "best_move", source=source)
        assert "AttributeError" in out and "line 2" in out and "does the same" not in out

    def test_a_function_that_there_is_not_is_one_line(self, show):
        status, _, err = show(TIE, "--function", "negamax")
        assert status == 2 and "FUNCTION=negamax: write one of minimax, alphabeta" in err
        status, _, err = show("root: max\ntree: 7\n", "--function", "best_move")
        assert status == 2 and "has no search of it" in err and err.count("\n") == 1

    @pytest.mark.parametrize("number", ["0", "3", "-1", "x", ""])
    def test_a_search_that_does_not_exist_is_one_line(self, show, number):
        status, out, err = show(TWO, f"--search={number}")
        assert (status, out) == (2, "") and "searches 1 to 2" in err
        assert err.count("\n") == 1

    def test_a_malformed_tree_is_one_line(self, show):
        status, _, err = show("root: max\ntree: [[1], []]\n")
        assert status == 2 and err.startswith("show: ") and err.count("\n") == 1

    def test_no_tree_no_submission_and_no_folder_are_one_line_each(self, show, capsys):
        assert main([""]) == 2
        assert "TREE=trees/public/" in capsys.readouterr().err
        status, _, err = show(TIE, "--submission", "/nowhere/search.py")
        assert status == 2 and "/nowhere/search.py: no such file" in err
        status, _, err = show(TIE, "--out", "/dev/null/show")
        assert status == 2 and err.count("\n") == 1

    def test_its_example_is_a_tree_of_the_kit(self, capsys):
        main([""])
        example = re.search(r"TREE=(\S+)", capsys.readouterr().err)[1]
        assert (ROOT / example).is_file()


class TestTheData:
    def test_the_page_holds_every_node_once(self):
        _, data = page_and_data(textbook())
        assert (data["steps"], len(data["nodes"]), data["stop"]) == (26, 13, None)

    @pytest.mark.parametrize("function", ["minimax", "best_move"])
    def test_minimax_and_best_move_have_steps_without_a_window(self, function):
        (task,) = tasks_of(textbook(), functions=(function,))
        html = step_html(task, "strict")
        data = json.loads(re.search(r'id="data">(.*?)</script>', html)[1])
        assert (data["steps"], data["plain"]) == (29, True)
        assert data["chooses"] is (function == "best_move")
        assert "pruned branch" not in html and 'class="plain"' in html

    def test_a_long_search_is_cut_and_says_so(self):
        spec = "{branching: 2, depth: 12, values: [0, 9], seed: 3, order: random}"
        html, data = page_and_data(parse_tree(f"root: max\nrandom: {spec}\n", "long"))
        assert data["steps"] == 3000 and "the first 3,000 are here" in html
        assert len(html) < 2_000_000

    def test_a_chain_of_a_hundred_and_fifty_plies_is_drawn(self):
        _, data = page_and_data(tree_of("[" * 150 + "1" + "]" * 150))
        assert len(data["nodes"]) == 151

    def test_no_text_closes_the_data(self):
        tree = textbook()
        tree.root.name = "</script><b>"
        html, data = page_and_data(tree)
        assert "</script><b>" not in html
        assert data["nodes"][0][1] == "</script><b>"
