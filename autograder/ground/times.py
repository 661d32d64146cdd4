"""Parse deadlines and submission times, with offsets or names of time zones."""

from __future__ import annotations

import calendar
import re
from contextlib import suppress
from datetime import datetime, timezone, tzinfo
from zoneinfo import ZoneInfo

from gametree.support.errors import InputError

TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?"
    r" *(?:(Z|UTC)|([+-][0-9]{2}):?([0-9]{2}))?"
)
DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def parse_timestamp(text: str) -> datetime | None:
    """Parse a time in the format of ISO 8601 or Ruby; return None for any other text.

    The result has an offset from UTC only if the text has one.
    """
    found = TIMESTAMP.fullmatch(text.strip())
    if not found:
        return None
    day, clock, utc, hours, minutes = found.groups()
    offset = ""
    if utc:
        offset = "+00:00"
    elif hours:
        offset = f"{hours}:{minutes}"
    with suppress(ValueError):  # such as the 45th of a month
        return datetime.fromisoformat(f"{day}T{clock}{offset}")
    return None


def parse_deadline(text: str) -> datetime | None:
    """Parse the value of DUE; return None for an empty text. Raises InputError.

    DUE is a time with an offset, or a time and the name of a zone.
    """
    if not text:
        return None
    _check_day(text)
    deadline = parse_timestamp(text)
    if deadline and deadline.tzinfo:
        return deadline
    time, _, name = text.strip().rpartition(" ")
    deadline = parse_timestamp(time)
    if deadline is None:
        raise InputError(
            f"DUE={text}: write it with an offset or a zone, as 2026-12-01T23:59+01:00 "
            'or "2026-12-01T23:59 America/New_York"'
        )
    return deadline.replace(tzinfo=_zone_of(name, text))


def _check_day(text):
    """Raise InputError if a text starts with a day that its month does not have."""
    found = DAY.match(text)
    if not found:
        return
    year, month, day = map(int, found.groups())
    if not 1 <= month <= 12:
        raise InputError(f"DUE={text}: there is no month {month}")
    _, days = calendar.monthrange(max(year, 1), month)
    if not 1 <= day <= days:
        raise InputError(f"DUE={text}: {calendar.month_name[month]} has {days} days")


def _zone_of(name, text):
    """Return the time zone of a name. Raises InputError."""
    try:
        return ZoneInfo(name)
    except Exception:  # unknown, a folder, or no name of a file
        raise InputError(
            f"DUE={text}: {name} is not a time zone; write it as America/New_York, or "
            "write an offset, as +01:00"
        ) from None


def in_zone(time: datetime, zone: tzinfo | None) -> datetime:
    """Return a time with its offset, or else in this zone, by default in UTC."""
    if time.tzinfo is not None:
        return time
    return time.replace(tzinfo=zone or timezone.utc)
