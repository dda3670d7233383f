"""A reader of the stock files of version 0.4, which had tabs between amount, unit, food and day.

    500<tab>g<tab>red lentils<tab>02.03.2026
"""

import datetime

from .amounts import Amount
from .errors import FormatError
from .foods import find_food
from .stockfile import Item, Stock
from .units import need_unit


def looks_old(text):
    """Returns whether a text has the old form: its first line that counts has three tabs."""
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            return line.count("\t") == 3
    return False


def parse_old_stock(text, path="stock"):
    """Reads a stock of the old form."""
    stock = Stock()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4:
            raise FormatError(path, number, "a line must have three tabs")
        stock.add(_item(cells, path, number))
    return stock


def _item(cells, path, number):
    """Reads an item from the cells of a line."""
    value, unit, name, day_text = (cell.strip() for cell in cells)
    try:
        bought = datetime.datetime.strptime(day_text, "%d.%m.%Y").date()
    except ValueError:
        raise FormatError(path, number, f"'{day_text}' is not a day such as 02.03.2026") from None
    amount, _ = Amount.parse(f"{value} {need_unit(unit).name}")
    food = find_food(name)
    return Item(food.name, amount, bought, bought + datetime.timedelta(days=food.keeps))


def to_new_format(stock):
    """Returns a stock as a text of the form of today."""
    lines = []
    for item in stock.items:
        lines.append(f"{item.amount} {item.food}, {item.bought.isoformat()} ! {item.last_day.isoformat()}")
    return "\n".join(lines) + "\n"
