"""What hostile submissions found in the grader's own code, each as its smallest case."""

from helpers import run_isolated, tasks_of, tree_of
from peer import QUICK, TREE, Peer

from autograder.sandbox.limits import Limits
from autograder.sandbox.runs import run_tasks
from autograder.sandbox.sandbox import Sandbox
from gametree.trace import RAISED, TIMED_OUT, Ending, Trace
from gametree.trace import Answer as Nothing

OTHER = tree_of("[1, 2]", name="other")


class Ready:
    """A poll that says that there is something to read where there is nothing."""

    def poll(self, _):
        return [(0, 1)]


def test_a_request_that_is_taken_back_before_it_is_read_costs_that_search_only():
    with Peer(QUICK) as peer:
        peer.conversation.channel._poll = Ready()
        trace = peer.conversation.search(TREE, "minimax", TREE.searches[0], 50)
    assert trace.ending.kind == TIMED_OUT


class LoadsOnce:
    """A sandbox in which a file loads for the first tree and fails for the second."""

    limits = Limits()

    def __init__(self):
        told = {"error": "ValueError", "message": "31337", "line": 31337}
        self.endings = [None, Ending(RAISED, loading=True, **told)]

    def start_worker(self, source):
        return self.endings.pop(0)

    def search(self, tree, function, search, budget):
        return Trace(function, search, [], Nothing(), Ending())

    def end_worker(self):
        return None


def test_a_file_that_fails_to_load_after_a_tree_was_seen_tells_nothing_of_it():
    runs = run_tasks(LoadsOnce(), b"", tasks_of(TREE, OTHER, functions=("minimax",)))
    ending = runs[1].first.ending
    assert (ending.error, ending.message, ending.line) == ("ValueError", "", None)


def printed(head, body="print('seen')"):
    source = f"{head}\ndef minimax(node, depth, maximizing):\n    {body}\n    return 1\n"
    with Sandbox() as sandbox:
        runs = run_isolated(sandbox, source, tasks_of(TREE, functions=("minimax",)))
    assert runs[0].first.ending == Ending()
    return runs[0].first.printed


def test_standard_output_is_what_programs_for_windows_set_up():
    head = "import io, sys\nsys.stdout.reconfigure(encoding='utf-8')\n"
    assert printed(head) == "seen\n"
    wrapped = head + "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, 'utf-8')\n"
    assert printed(wrapped, "print('seen', flush=True)") == "seen\n"
    assert printed("import sys", "sys.stdout.buffer.write(b'seen')") == "seen"


def test_a_program_may_do_without_standard_output():
    assert printed("import sys\nsys.stdout = None") == ""
    assert printed("import sys\ndel sys.stdout", "pass") == ""


def test_each_search_has_its_share_of_text_again():
    with Sandbox() as sandbox:
        source = "def minimax(*_):\n    print('x' * 9000)\n    return 1\n"
        runs = run_isolated(sandbox, source, tasks_of(TREE, functions=("minimax",)))
    assert len(runs[0].first.printed) == len(runs[0].second.printed) == 2000


def test_a_worker_has_no_module_of_the_graders():
    body = "print([m for m in __import__('sys').modules if m.startswith('hardening')])"
    assert printed("", body) == "[]\n"


def test_a_warning_of_pythons_own_does_not_show_where_the_grader_lies():
    head = "async def search(): pass"
    assert printed(head, "search()") == ""
