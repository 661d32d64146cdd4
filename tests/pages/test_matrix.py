"""The kill matrix in a browser: names beside each other, links that lead somewhere."""

from dataclasses import replace

import pytest
from helpers import ROOT, tasks_of, tree_of

from autograder.kit import load_kit
from autograder.mistakes.variants import load_variants
from autograder.workbench.killmatrix import Matrix, lost_by
from autograder.workbench.matrixpage import write_matrix

TREES = [
    tree_of("[1, [1, 1]]", name="tie"),
    tree_of("[[1, 2], [0.5, 3]]", name="fraction"),
    tree_of("[[[2], [1, 9]], 30000]", name="large", root="min"),
    tree_of("[0, [[0, -1], 2]]", name="zero", searches="[{}, {alpha: -1, beta: 1}]"),
]
HEADS = "th.concept, .mistakes thead th[rowspan]"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The page of some mistakes and trees, where `make check` writes it."""
    kit = replace(load_kit(), public=(), hidden=tuple(TREES), tasks=tuple(tasks_of(*TREES)))
    mistakes = load_variants(ROOT / "solution" / "mistakes")[::12]
    path = tmp_path_factory.mktemp("build") / "check" / "kill-matrix.html"
    write_matrix(path, Matrix(kit, mistakes, lost_by(mistakes, kit)))
    return path


@pytest.fixture
def matrix(page, path):
    page.goto(path.as_uri())
    return page


def boxes(page, selector):
    """Return where the elements are drawn: left, right, top and bottom, in pixels."""
    return page.eval_on_selector_all(
        selector,
        "all => all.map(e => e.getBoundingClientRect())"
        ".map(b => [b.left, b.right, b.top, b.bottom])",
    )


def test_the_columns_are_concepts_beside_each_other_and_narrow(matrix):
    columns = sorted(boxes(matrix, HEADS))
    assert len(columns) >= 10
    for (_, right, *_), (left, *_) in zip(columns, columns[1:]):
        assert left >= right - 1
    names = boxes(matrix, "th.concept span")
    for (left, right, top, bottom), (a, b, c, d) in zip(names, boxes(matrix, "th.concept")):
        assert a - 1 <= left < right <= b + 1 and c - 1 <= top < bottom <= d + 1
        assert b - a < 60 and bottom - top > right - left


def test_a_cell_stands_below_its_concept_and_the_cells_of_a_line_beside_its_name(matrix):
    heads = boxes(matrix, "th.concept")
    line = boxes(matrix, ".mistakes tbody tr:first-child > *")
    for (left, right, _, bottom), (a, b, top, _) in zip(heads, line[3:]):
        assert abs(left - a) < 1 and abs(right - b) < 1 and top >= bottom - 1
    assert len({round(top) for _, _, top, _ in line}) == 1


def test_a_mistake_leads_to_its_file_and_a_tree_to_its_drawing(matrix, path):
    for link in matrix.locator(".mistakes tbody a").all():
        file = path.parent / link.get_attribute("href")
        assert file.resolve().parent == ROOT / "solution" / "mistakes" and file.is_file()
    for link in matrix.locator(".trees tbody a").all():
        link.click()
        target = matrix.locator(f"h3{link.get_attribute('href')}")
        assert 0 <= target.bounding_box()["y"] < 800
        assert target.locator("+ .figure svg.tree").first.bounding_box()["width"] > 100


def test_those_that_lose_least_stand_first(matrix):
    points = matrix.locator(".mistakes tbody td:nth-child(2)").all_inner_texts()
    assert [float(p) for p in points] == sorted(float(p) for p in points)
    assert matrix.locator(".mistakes td.few").count() > 0
