"""`make texts` lists the sentences that are still as in the kit."""

import pytest
from helpers import run_command, write

from autograder.workbench import texts
from gametree.support.errors import InputError

FILES = {
    "starter/gametree/texts.yaml": """\
words:
  and: "{listed} and {last}"
  leaves: {1: "one leaf", other: "{count} leaves"}
---
concept:
  ties: "a value that equals a bound"
""",
    "solution/mistakes/a.py": '"""never prunes.\n\nPrune.\n\nShows: alphabeta extra\n"""\n',
    "trees/public/one.yaml": "title: One\nlesson: one move\nroot: max\ntree: [1]\n",
    "autograder/smalltrees/families.yaml": "- title: One tie\n- title: Two ties\n",
    "trees/hidden/two.yaml": "lesson: two moves\nroot: max\ntree: [1, 2]\n",
}


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    """Return a private mirror of a kit with these files, whose branch is kit/main."""
    write(tmp_path, FILES)
    committer = ["-c", "user.name=a", "-c", "user.email=a@x.edu"]
    for command in (["init", "-q"], ["add", "."], [*committer, "commit", "-qm", "Kit"]):
        run_command(["git", *command], tmp_path)
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    return tmp_path


def lines_printed(capsys):
    """Return the lines that make texts prints."""
    assert texts.main() == 0
    return capsys.readouterr().out.splitlines()


def test_all_sentences_of_the_kit_are_listed_until_they_are_reworded(mirror, capsys):
    run_command(["git", "update-ref", "refs/remotes/kit/main", "HEAD"], mirror)
    assert lines_printed(capsys) == [
        "starter/gametree/texts.yaml: {listed} and {last}",
        "starter/gametree/texts.yaml: one leaf",
        "starter/gametree/texts.yaml: {count} leaves",
        "starter/gametree/texts.yaml: ties",
        "starter/gametree/texts.yaml: a value that equals a bound",
        "trees/public/one.yaml: One",
        "trees/public/one.yaml: one move",
        "trees/hidden/two.yaml: two moves",
        "autograder/smalltrees/families.yaml: One tie",
        "autograder/smalltrees/families.yaml: Two ties",
        "solution/mistakes/a.py: never prunes.",
        "solution/mistakes/a.py: Prune.",
        "12 sentences are as in kit/main",
    ]
    for name, text in FILES.items():
        write(mirror, {name: text.replace("one", "un").replace("ties", "nuls")})
    assert "starter/gametree/texts.yaml: one leaf" not in lines_printed(capsys)
    assert lines_printed(capsys)[-1] == "8 sentences are as in kit/main"


def test_a_mirror_that_does_not_name_the_kit_is_refused_in_one_line(mirror):
    with pytest.raises(InputError, match="^git has no branch kit/main; run git remote add"):
        texts.main()
