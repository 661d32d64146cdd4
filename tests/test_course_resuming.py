"""The same command again grades what is new or changed, and nothing else."""

import os
import signal

import pytest
from smallcourse import RIGHT, TREE, grade_all, gradebook, graded_ids, results

from autograder import batch
from autograder.course.outcome import GRADED

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_a_second_call_grades_nothing(small_kit, course, tmp_path, capsys):
    out = tmp_path / "out"
    grade_all(course, out)
    before = (out / "gradebook.csv").read_bytes()
    grade_all(course, out)
    assert "6 of 6 submissions are graded already" in capsys.readouterr().out
    assert len(graded_ids(out)) == 6
    assert (out / "gradebook.csv").read_bytes() == before


def test_only_what_changed_is_graded_again(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out)
    (course / "cy" / "search.py").write_text(RIGHT)
    (course / "new").mkdir()
    grade_all(course, out)
    assert sorted(graded_ids(out)[6:]) == ["cy", "new"]
    assert gradebook(out)["cy"]["score"] == "100"


def test_another_tree_has_everybody_graded_again(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out)
    (small_kit / "trees/hidden/two.yaml").write_text(TREE.format(name="two"))
    grade_all(course, out)
    assert len(graded_ids(out)) == 12


def test_results_that_were_removed_are_made_again(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out)
    (out / "bo" / "results.json").unlink()
    grade_all(course, out)
    assert graded_ids(out)[6:] == ["bo"]


def test_force_grades_all_and_only_a_few(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out)
    grade_all(course, out, "--force", "--only", "ada, bo")
    assert sorted(graded_ids(out)[6:]) == ["ada", "bo"]


def test_only_leaves_the_others_rows_as_they_are(small_kit, course, tmp_path):
    out = tmp_path / "out"
    grade_all(course, out, "--only", "ada")
    rows = gradebook(out)
    assert rows["ada"]["status"] == GRADED
    assert {row["status"] for row in rows.values()} == {GRADED, "not graded yet"}


def test_an_unknown_name_in_only_is_told(small_kit, course, tmp_path, capsys):
    assert grade_all(course, tmp_path / "out", "--only", "zoe") == 2
    assert "ONLY: zoe: nobody's sid, email or submission" in capsys.readouterr().err


@pytest.mark.parametrize("after", [1, 3])
def test_interrupted_and_resumed_gives_the_books_of_one_run(
    small_kit, course, tmp_path, monkeypatch, capsys, after
):
    grade_all(course, tmp_path / "whole")
    out, seen = tmp_path / "out", []

    class Interrupting(batch.Progress):
        def step(self):
            super().step()
            seen.append(1)
            if len(seen) == after:
                os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(batch, "Progress", Interrupting)
    assert grade_all(course, out) == batch.INTERRUPTED
    assert "the same command goes on from here" in capsys.readouterr().err
    done = len(graded_ids(out))
    assert after <= done < 6
    assert sum(row["status"] != "not graded yet" for row in gradebook(out).values()) == done
    assert grade_all(course, out) == 0
    assert len(graded_ids(out)) == 6
    assert gradebook(out) == gradebook(tmp_path / "whole")
    assert results(out) == results(tmp_path / "whole")
