"""What a diagnosis says, in sentences that are not yet laid out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from autograder.mistakes import diagnosis as d
from autograder.showing.sentences import call
from gametree.saying import say
from gametree.words import in_words

MOST_CAUSES = 3
MOST_RIVALS = 2  # that are equally near: more are no help


@dataclass(frozen=True)
class Advice:
    """What a diagnosis says: `lead` is a sentence that says what is wrong.

    `sure` tells whether it explains every search. Where it is only the nearest that is
    known, the sentence begins with what is seen, and there is nothing to `check`. `intro`
    introduces the `causes`, known mistakes that it may be, where there are several.
    """

    lead: str
    check: str = ""
    intro: str = ""
    causes: tuple[str, ...] = ()
    sure: bool = True


def advice_of(diagnosis: d.Diagnosis) -> Advice:
    """Return the Advice of one diagnosis."""
    who, others = in_words(diagnosis.functions), in_words(diagnosis.others)
    if diagnosis.symptom == d.RESTS_ON:
        return Advice(say("advice.rests on", function=who, others=others))
    if diagnosis.symptom == d.CALLS_A_STUB:
        key = "write first" if who == "best_move" else "call itself"
        check = say(f"advice.{key}", function=who, others=others)
        return Advice(say("advice.calls a stub", function=who, others=others), check)
    if diagnosis.symptom == d.KEEPS_STATE:
        return _of_kept(diagnosis, who)
    if diagnosis.symptom == d.AT_RANDOM:
        return Advice(say("advice.at random", function=who), say("advice.in order"))
    headlines, steps = zip(*((one.headline, one.next_step) for one in diagnosis.variants))
    if diagnosis.exact and len(headlines) == 1:
        named = who in headlines[0]
        return Advice(headlines[0] if named else f"{who}: {headlines[0]}", steps[0])
    seen = _symptom(diagnosis)
    if diagnosis.exact:
        return Advice(seen, steps[0], say("advice.causes"), _few(headlines))
    if len(headlines) == 1:
        seen = say("advice.closest", seen=seen, mistake=headlines[0])
    if not 1 < len(headlines) <= MOST_RIVALS:
        return Advice(seen, sure=False)
    key = "advice.both" if diagnosis.mixed else "advice.equally close"
    return Advice(seen, intro=say(key), causes=headlines, sure=False)


def _of_kept(diagnosis, who):
    kept, before = diagnosis.kept, say("advice.kept nothing before")
    if kept.before:
        tree, own = kept.before.tree.title, call(kept.before)
        before = say("advice.kept before", call=own, tree=tree)
    tree, own = kept.task.tree.title, call(kept.task)
    lead = say("advice.kept", function=who, call=own, tree=tree, before=before)
    causes = _few([one.headline for one in diagnosis.variants])
    intro = say("advice.causes") if causes else ""
    return Advice(lead, say("advice.keep nothing"), intro, causes)


def _symptom(diagnosis):
    who, symptom = in_words(diagnosis.functions), f"symptom.{diagnosis.symptom}"
    return say("advice.symptom", function=who, symptom=say(symptom))


def _few(headlines):
    more = len(headlines) - MOST_CAUSES
    if more <= 0:
        return tuple(headlines)
    last = say("advice.more", mistake=headlines[MOST_CAUSES - 1], count=more)
    return *headlines[: MOST_CAUSES - 1], last


def headline(diagnosis: d.Diagnosis) -> str:
    """Return a diagnosis in one line, for books and tables of a class."""
    if not diagnosis.variants:
        return advice_of(diagnosis).lead
    said = diagnosis.variants[0].headline.removesuffix(".")
    if not diagnosis.exact:
        return f"Closest to: {said}"
    return said if len(diagnosis.variants) == 1 else _symptom(diagnosis).removesuffix(".")


def about(function: str, diagnoses: Iterable[d.Diagnosis]) -> Advice | None:
    """Return the Advice about a function, None where there is none."""
    concerned = (one for one in diagnoses if function in one.functions)
    return next(map(advice_of, concerned), None)
