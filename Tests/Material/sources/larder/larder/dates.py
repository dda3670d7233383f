"""Days in words, for people."""

import datetime

from .errors import UsageError

NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def parse_day(text, today):
    """Returns the day of a text: "today", "tomorrow", the name of a weekday, or 2026-03-10.

    A weekday means the next one, and never today. Raises UsageError for other texts.
    """
    text = text.strip().lower()
    if text == "today":
        return today
    if text == "tomorrow":
        return today + datetime.timedelta(days=1)
    for number, name in enumerate(NAMES):
        if text in (name.lower(), name[:3].lower()):
            return today + datetime.timedelta(days=(number - today.weekday() - 1) % 7 + 1)
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"'{text}' is not a day: write today, tomorrow, Monday or 2026-03-10") from None


def show_day(day, today):
    """Returns a day as people say it: "today", "Monday" for the next six days, and else "Mon 2026-03-09"."""
    distance = (day - today).days
    if distance == 0:
        return "today"
    if distance == 1:
        return "tomorrow"
    name = NAMES[day.weekday()]
    return name if 1 < distance < 7 else f"{name[:3]} {day.isoformat()}"


def show_left(days):
    """Returns how long a food keeps, in words."""
    if days < 0:
        return f"too old since {-days} day{'' if days == -1 else 's'}"
    if days == 0:
        return "last day"
    if days > 60:
        return f"{days // 30} months"
    return f"{days} day{'' if days == 1 else 's'}"
