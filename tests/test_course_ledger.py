"""The ledger: every outcome at once on disk, and read back whatever happened."""

import json
from dataclasses import replace

from coursebooks import OUTCOME

from autograder.course.outcome import Ledger, read_ledger


def test_outcomes_come_back_as_they_were(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
    assert read_ledger(tmp_path) == {"s1": OUTCOME}


def test_the_later_line_of_an_id_holds(tmp_path):
    later = replace(OUTCOME, cents=1)
    for outcome in (OUTCOME, later):
        with Ledger(tmp_path) as ledger:
            ledger.add(outcome)
    assert read_ledger(tmp_path) == {"s1": later}


def test_a_line_cut_short_costs_itself_only(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(path.read_bytes() + b'{"id": "s2", "ki')
    with Ledger(tmp_path) as ledger:
        ledger.add(replace(OUTCOME, id="s3"))
    assert list(read_ledger(tmp_path)) == ["s1", "s3"]


def test_a_line_that_is_no_outcome_is_skipped(tmp_path):
    (tmp_path / "ledger.jsonl").write_bytes(b'5\n[]\n"x"\n{"id": 1}\n\xff\n')
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
    assert read_ledger(tmp_path) == {"s1": OUTCOME}


def test_an_outcome_is_on_disk_when_add_returns(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
        assert list(read_ledger(tmp_path)) == ["s1"]


def test_no_folder_is_an_empty_ledger(tmp_path):
    assert read_ledger(tmp_path / "none") == {}


def test_the_ledger_is_plain_json(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.add(OUTCOME)
    data = json.loads((tmp_path / "ledger.jsonl").read_text())
    assert data["cents"] == 3734
