"""Turn the kit to a cutoff convention: `make cutoff CONVENTION=strict`.

The passages that depend on it stand in wordings.yaml, each in both wordings; those of
the handout stand there, between marks. The published figures of trees are what the
reference finds, and the starter's trees are copies of the public ones. Turning back
gives the same files, byte for byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from autograder.command import Parser, Refused, run
from autograder.kit import ROOT, load_kit, load_reference
from autograder.mistakes.variants import CONVENTIONS, STRICT
from autograder.utilities import replace_file
from autograder.workbench import handout
from autograder.workbench.figures import with_figures

WORDINGS = Path(__file__).with_name("wordings.yaml")


@dataclass(frozen=True)
class Passage:
    """A passage of a file, or of all files of a pattern, in both wordings.

    A `free` one may be missing, or stand several times.
    """

    file: str
    what: str
    equality: str
    strict: str
    free: bool = False

    def turned(self, text: str, convention: str, where: str) -> str:
        """Return the text with this passage in the convention's wording."""
        new, old = self.equality, self.strict
        if convention == STRICT:
            new, old = old, new
        if not self.free and text.count(new) + text.count(old) != 1:
            raise Refused(
                f"{where}: {self.what} stands in neither wording of "
                f"autograder/workbench/{WORDINGS.name}; mend one of the two files"
            )
        return text.replace(old, new)


def passages():
    """Return every Passage, in the order of wordings.yaml."""
    entries = yaml.safe_load(WORDINGS.read_text(encoding="utf-8"))
    return [Passage(**entry) for entry in entries]


def changes(root, convention, wrong=()):
    """Return path -> new text of the files that are not as the convention has them.

    Raises Refused where a passage is missing, or a figure is wrong under either rule; the
    figures of the trees whose names are in `wrong` are left as they are.
    """
    texts = {}

    def text_of(path):
        return texts.get(path) or path.read_bytes().decode("utf-8")

    for passage in passages():
        for path in sorted(root.glob(passage.file)):
            where = path.relative_to(root).as_posix()
            texts[path] = passage.turned(text_of(path), convention, where)
    reference, other = (
        load_reference(root, each)
        for each in (convention, *(c for c in CONVENTIONS if c != convention))
    )
    for folder in ("hidden", "public"):
        for path in sorted((root / "trees" / folder).glob("*.yaml")):
            if path.stem in wrong:
                continue
            texts[path] = with_figures(text_of(path), path.stem, reference, other)
            if folder == "public":
                texts[root / "starter" / "trees" / path.name] = texts[path]
    return {
        path: text
        for path, text in texts.items()
        if not path.exists() or path.read_bytes() != text.encode("utf-8")
    }


def half_turned(root, convention, wrong=()):
    """Yield one line for each file that does not follow the rubric's convention.

    Trees whose names are in `wrong` are left out: their figures hold under neither rule.
    """
    for path in changes(root, convention, wrong):
        yield (
            f"{path.relative_to(root).as_posix()} does not follow `cutoff: {convention}` "
            f"of rubric.yaml; run make cutoff CONVENTION={convention}"
        )


def turn(root, convention):
    """Write every file that is not as the convention has it, and return their paths.

    In the handout, feedback and what programs print stay for `make handout`.
    """
    changed = changes(root, convention)
    for path, text in changed.items():
        replace_file(path, text)
    path = root / handout.FILE
    old = handout.text_below(root)
    text, _ = handout.rewritten(old, load_kit(root), slow=False)
    if text == old:
        return [*changed]
    replace_file(path, text)
    return [*changed, path]


def main(arguments=None):
    """Turn the kit and say which files changed, and what to do next."""
    parser = Parser(prog="make cutoff", description=__doc__)
    parser.add_argument("convention", help=" or ".join(CONVENTIONS))
    convention = parser.parse_args(arguments).convention
    if convention not in CONVENTIONS:
        raise Refused(f"CONVENTION={convention}: write {' or '.join(CONVENTIONS)}")
    changed = turn(ROOT, convention)
    for path in changed:
        print(f"  {path.relative_to(ROOT).as_posix()}")
    sign = ">" if convention == STRICT else ">="
    print(f"cutoff: {convention} (alpha {sign} beta); {len(changed)} files changed")
    print("now run: make handout" if changed else "nothing had to be changed")
    return 0


if __name__ == "__main__":
    run("cutoff", main)
