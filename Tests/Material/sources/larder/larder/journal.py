"""The journal: what was bought and cooked, one JSON object a line.

The stock file is written by hand and is never changed by the program. Changes since then stand in the journal, and
the stock of today is the stock file with the changes of the journal. A line is one of:

    {"day": "2026-03-10", "kind": "cooked", "title": "Lentil soup", "people": 2}
    {"day": "2026-03-11", "kind": "bought", "food": "milk", "amount": "1 l"}
    {"day": "2026-03-12", "kind": "thrown", "food": "cream", "amount": "200 ml"}

A line that cannot be read is skipped and reported, so that one broken line does not lose the others.
"""

import datetime
import json
import os
from dataclasses import dataclass

from .amounts import Amount
from .errors import UnitError
from .foods import find_food
from .recipes import find_recipe
from .stockfile import Item

NAME = "journal.jsonl"
KINDS = ("cooked", "bought", "thrown")


@dataclass
class Journal:
    """The entries of a journal, with the numbers of the lines that could not be read."""

    path: object
    entries: list
    broken: list

    def cooked(self):
        """Returns pairs of a day and a title: all meals that were cooked."""
        return [(entry["day"], entry["title"]) for entry in self.entries if entry["kind"] == "cooked"]

    def append(self, entry):
        """Appends an entry to the file, and waits until it is on the disk."""
        line = json.dumps({**entry, "day": entry["day"].isoformat()}, ensure_ascii=False)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.entries.append(entry)

    def apply(self, stock, recipes):
        """Returns the stock after all entries. The stock that is given stays as it is."""
        stock = stock.copy()
        for entry in self.entries:
            _APPLY[entry["kind"]](stock, recipes, entry)
        return stock


def read_journal(folder):
    """Reads the journal of a folder. A journal that does not exist is empty."""
    path = folder / NAME
    entries, broken = [], []
    if path.exists():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            entry = _entry(line)
            if entry is None:
                broken.append(number)
            else:
                entries.append(entry)
    return Journal(path, entries, broken)


def _entry(line):
    """Reads an entry, or returns None if the line is no entry."""
    try:
        entry = json.loads(line)
        entry["day"] = datetime.date.fromisoformat(entry["day"])
        needed = ("title", "people") if entry["kind"] == "cooked" else ("food", "amount")
        if entry["kind"] not in KINDS or any(key not in entry for key in needed):
            return None
        return entry
    except (ValueError, KeyError, TypeError):
        return None


def _apply_cooked(stock, recipes, entry):
    """Takes the ingredients of a meal out of the stock."""
    for part in find_recipe(recipes, entry["title"]).scaled(entry["people"]):
        try:
            stock.take(part.food, part.amount)
        except UnitError:
            continue


def _apply_bought(stock, recipes, entry):
    """Adds a purchase to the stock."""
    food = find_food(entry["food"])
    amount, _ = Amount.parse(entry["amount"])
    last_day = entry["day"] + datetime.timedelta(days=food.keeps)
    stock.add(Item(food.name, amount, entry["day"], last_day))


def _apply_thrown(stock, recipes, entry):
    """Takes a food out of the stock that was thrown away."""
    amount, _ = Amount.parse(entry["amount"])
    stock.take(find_food(entry["food"]).name, amount)


_APPLY = {"cooked": _apply_cooked, "bought": _apply_bought, "thrown": _apply_thrown}
