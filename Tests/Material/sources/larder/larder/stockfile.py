"""The stock: what is in the larder, read from a text file.

A line is an amount, a food and the day of purchase, with an optional last day after a "!":

    500 g red lentils, 2026-03-02
    1 l milk, 2026-03-09 ! 2026-03-16

Empty lines and lines with a "#" at the beginning are skipped. Headings in brackets name the place:

    [fridge]
"""

import datetime
from dataclasses import dataclass, field, replace

from .amounts import Amount, AmountError
from .errors import FormatError, MissingError
from .foods import find_food


@dataclass(frozen=True)
class Item:
    """A food in the larder. `last_day` is the day after which it should not be eaten."""

    food: str
    amount: Amount
    bought: datetime.date
    last_day: datetime.date
    place: str = "larder"

    def days_left(self, today):
        """Returns for how many days the food still keeps. A negative number means that it is too old."""
        return (self.last_day - today).days


@dataclass
class Stock:
    """All items, in the order of their last days."""

    items: list = field(default_factory=list)

    def add(self, item):
        """Adds an item and keeps the order."""
        self.items.append(item)
        self.items.sort(key=lambda item: (item.last_day, item.food))

    def of(self, food):
        """Returns the items of a food, the oldest first."""
        return [item for item in self.items if item.food == food]

    def total(self, food):
        """Returns the sum of a food in the dimension of its first item, or None if there is none of it."""
        items = self.of(food)
        if not items:
            return None
        known = find_food(food)
        total = items[0].amount
        for item in items[1:]:
            total = total + item.amount.to_dimension(total.dimension, known.density, known.piece_weight)
        return total

    def take(self, food, amount):
        """Takes an amount of a food out of the stock, the oldest items first. Returns the amount that is missing.

        The amount may have another dimension than the items: the density of the food is used then.
        """
        known = find_food(food)
        rest = amount
        for item in self.of(food):
            if not rest:
                break
            wanted = rest.to_dimension(item.amount.dimension, known.density, known.piece_weight)
            self.items.remove(item)
            if wanted < item.amount:
                self.add(replace(item, amount=item.amount - wanted))
                return rest * 0
            left = wanted - item.amount
            rest = left.to_dimension(amount.dimension, known.density, known.piece_weight).to(amount.unit)
        return rest

    def copy(self):
        """Returns a stock with the same items, which can be changed without a change of this one."""
        return Stock(list(self.items))

    def without_old(self, today):
        """Returns a stock without the items that are too old."""
        return Stock([item for item in self.items if item.days_left(today) >= 0])

    def soon(self, today, days):
        """Returns the items that keep for at most some days, those of today included."""
        return [item for item in self.items if 0 <= item.days_left(today) <= days]


def read_stock(path):
    """Reads the stock of a file. Raises FormatError with the line that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise MissingError(f"there is no stock file {path}") from None
    return parse_stock(text, path)


def parse_stock(text, path="stock"):
    """Reads a stock from a text. `path` is named in errors only."""
    stock, place = Stock(), "larder"
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            place = line[1:-1].strip()
            continue
        try:
            stock.add(_item(line, place))
        except (AmountError, ValueError) as error:
            raise FormatError(path, number, str(error)) from None
    return stock


def _item(line, place):
    """Reads an item from a line."""
    head, comma, days = line.rpartition(",")
    if not comma:
        raise ValueError("a comma and the day of purchase are missing")
    amount, name = Amount.parse(head)
    if not name:
        raise ValueError("the name of the food is missing")
    bought_text, _, last_text = days.partition("!")
    bought = datetime.date.fromisoformat(bought_text.strip())
    food = find_food(name)
    if last_text.strip():
        last_day = datetime.date.fromisoformat(last_text.strip())
    else:
        last_day = bought + datetime.timedelta(days=food.keeps)
    return Item(food.name, amount, bought, last_day, place)
