"""Describe a diagnosis: what is wrong, which mistake it may be, what to check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.mistakes import diagnosis as d
from gametree.support.saying import in_words, say

MAX_CAUSES = 3


@dataclass(frozen=True)
class Advice:
    """A diagnosis in words.

    lead: the sentence that says what is wrong.
    check: a sentence on what to check, or "".
    causes: headlines of the known mistakes that are possible, if there are several.
    sure: whether the diagnosis explains every search. Otherwise it is the nearest mistake.
    named: whether the lead names a single known mistake.
    """

    lead: str
    check: str = ""
    causes: tuple[str, ...] = ()
    sure: bool = True
    named: bool = False


def make_advice(diagnosis: d.Diagnosis) -> Advice:
    """Return the Advice for a diagnosis."""
    functions = in_words(diagnosis.functions)
    if diagnosis.symptom == d.RESTS_ON:
        others = in_words(diagnosis.others)
        return Advice(say("advice.rests on", function=functions, others=others))
    if diagnosis.symptom == d.CALLS_A_STUB:
        return _calls_a_stub(diagnosis, functions)
    if diagnosis.symptom == d.KEEPS_STATE:
        return _keeps_state(diagnosis, functions)
    if diagnosis.symptom == d.AT_RANDOM:
        return Advice(say("advice.at random", function=functions), say("advice.in order"))
    first = diagnosis.variants[0]
    if not diagnosis.exact:
        return Advice(first.headline, sure=False)
    if len(diagnosis.variants) > 1:
        lead = describe_symptom(functions, diagnosis.symptom)
        return Advice(lead, causes=_causes(diagnosis))
    lead = first.headline
    if functions not in lead:
        lead = f"{functions}: {lead}"
    return Advice(lead, first.next_step, named=True)


def _calls_a_stub(diagnosis, functions):
    others = in_words(diagnosis.others)
    lead = say("advice.calls a stub", function=functions, others=others)
    key = "call itself"
    if functions == "best_move":
        key = "write first"
    return Advice(lead, say(f"advice.{key}", function=functions, others=others))


def _keeps_state(diagnosis, functions):
    leak = diagnosis.state_leak
    before = say("advice.kept nothing before")
    if leak.before:
        earlier_tree = leak.before.tree.title
        before = say("advice.kept before", function=leak.before.function, tree=earlier_tree)
    lead = say("advice.kept", function=functions, tree=leak.task.tree.title, before=before)
    return Advice(lead, say("advice.keep nothing"), _causes(diagnosis))


def _causes(diagnosis):
    return tuple(variant.headline for variant in diagnosis.variants[:MAX_CAUSES])


def describe_symptom(function: str, symptom: str) -> str:
    """Return the sentence that describes a function's symptom."""
    return say("advice.symptom", function=function, symptom=say(f"symptom.{symptom}"))


def headline(diagnosis: d.Diagnosis) -> str:
    """Return a diagnosis in one line, for gradebooks and tables of a class."""
    advice = make_advice(diagnosis)
    line = advice.lead
    if len(diagnosis.variants) == 1:
        line = diagnosis.variants[0].headline
    if not advice.sure:
        line = f"Closest to: {line}"
    return line.removesuffix(".")


def advice_for(function: str, diagnoses: Iterable[d.Diagnosis]) -> Advice | None:
    """Return the Advice for the first diagnosis of a function, or None."""
    for diagnosis in diagnoses:
        if function in diagnosis.functions:
            return make_advice(diagnosis)
    return None
