"""Read course.yaml: what the handout says of the course that hands it out."""

from __future__ import annotations

from pathlib import Path

import yaml

from autograder.command import Refused
from autograder.rubric import line_and_reason

FILE = "course.yaml"  # beside handout.md
ONE_LINE = ("name", "due", "contact")
KEYS = (*ONE_LINE, "late", "collaboration", "ai")


def load_course(root: Path) -> dict[str, str]:
    """Return key -> text as it is written in course.yaml, {} where there is no file.

    Raises Refused with one line where it cannot be used.
    """
    path = root / FILE
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.load(text, yaml.BaseLoader)  # a date stays as it is written
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, yaml.YAMLError) as error:
        line, reason = line_and_reason(error)
        where = f"{FILE}, line {line}" if line else FILE
        raise Refused(f"{where}: cannot be read: {reason}; mend it") from None
    if not isinstance(data, dict):
        raise Refused(f"{FILE}: write lines such as 'due: 1 December'")
    return {key: _checked(key, value) for key, value in data.items()}


def _checked(key, value):
    if key not in KEYS:
        raise Refused(f"{FILE}: unknown key {key!r}; write one of {', '.join(KEYS)}")
    if not isinstance(value, str) or not value.strip():
        raise Refused(f"{FILE}: {key}: write text, or leave the key out")
    if key in ONE_LINE and "\n" in value.strip():
        raise Refused(f"{FILE}: {key}: write one line")
    return value.strip()
