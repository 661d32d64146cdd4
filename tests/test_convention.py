"""A strict course reads the kit's own files with other cutoff comparisons."""

import io
import re
import tokenize
from pathlib import Path

import pytest

from autograder.mistakes.variants import (
    MARK,
    OTHER,
    apply,
    load_variant,
    load_variants,
    run_source,
)

SOLUTION = Path(__file__).parent.parent / "solution"
FILES = sorted(SOLUTION.rglob("*.py"))


@pytest.mark.parametrize(
    "line, strict",
    [
        ("if a >= b: pass  # cutoff\n", "if a > b: pass  # cutoff\n"),
        ("if b <= a: pass  # cutoff\n", "if b < a: pass  # cutoff\n"),
        ("x = a > b  # cutoff\n", "x = a >= b  # cutoff\n"),
        ("x = a >= b\n", "x = a >= b\n"),
        ('x = "a >= b # cutoff"\n', 'x = "a >= b # cutoff"\n'),
    ],
)
def test_strict_exchanges_comparisons_on_marked_lines_only(line, strict):
    assert apply(line, "strict") == strict
    assert apply(line, "equality") is line


def test_another_convention_is_refused_with_what_to_write():
    with pytest.raises(ValueError, match="write 'equality' or 'strict'"):
        apply("", "lax")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_strict_keeps_line_numbers_and_is_undone_by_itself(path):
    source = path.read_text()
    strict = apply(source, "strict")
    assert strict.count("\n") == source.count("\n")
    assert apply(strict, "strict") == source


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_marked_line_holds_one_comparison_so_that_no_other_is_exchanged(path):
    for line in path.read_text().splitlines():
        if line.endswith(MARK):
            tokens = tokenize.generate_tokens(io.StringIO(line.strip() + "\n").readline)
            compared = [token for token in tokens if token.string in {*OTHER, "=="}]
            assert len(compared) == 1, line


def test_every_comparison_of_alpha_with_beta_is_marked():
    comparison = re.compile(r"\b(alpha|lower)\b *(>=|>|<=|<) *\b(beta|upper)\b")
    for path in FILES:
        for line in path.read_text().split('"""', 2)[2].splitlines():
            if comparison.search(line.split("#")[0]):
                assert line.endswith(MARK) or " or alpha < beta" in line, path.name


def test_a_header_gives_headline_next_step_and_what_is_shown():
    variant = load_variant(SOLUTION / "mistakes" / "strict_cutoff_at_min.py")
    assert variant.headline.startswith("At MIN nodes you stop only when alpha > beta")
    assert variant.next_step.startswith("Compare your two cutoff tests")
    assert variant.shows == {"alphabeta": ("extra",)}
    assert variant.conventions == ("equality", "strict")


def test_a_strict_course_reads_its_own_headline():
    variant = load_variant(SOLUTION / "mistakes" / "strict_cutoff_at_min.py", "strict")
    assert variant.headline.startswith("At MIN nodes you stop already when alpha equals")
    assert "if alpha >= beta:  # cutoff" in variant.source


def test_fail_hard_styles_and_negascout_are_left_out_of_a_strict_course():
    everyday = {v.name for v in load_variants(SOLUTION / "correct")}
    strict = {v.name for v in load_variants(SOLUTION / "correct", "strict")}
    assert everyday - strict == {
        "bound_at_cutoff",
        "clamped",
        "fail_hard",
        "fail_hard_from_the_bound",
        "negascout_fail_hard",
        "negascout_fail_soft",
        "negascout_once_raised",
    }


def test_each_module_is_executed_afresh():
    variant = load_variant(SOLUTION / "mistakes" / "table_by_name.py")
    assert variant.module().known is not variant.module().known


def test_source_is_compiled_without_the_kits_future_imports():
    module = run_source("def f(x: int): pass\n")
    assert module.f.__annotations__ == {"x": int}
