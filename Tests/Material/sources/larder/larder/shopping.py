"""The shopping list of a plan: what the meals need and the stock does not have."""

from dataclasses import dataclass, field

from .errors import UnitError
from .foods import AISLES, find_food


@dataclass(frozen=True)
class Line:
    """A line of a list. `titles` are the meals that need the food."""

    food: str
    amount: object
    aisle: str
    titles: tuple


@dataclass
class ShoppingList:
    """Lines in the order in which the aisles of a shop are walked."""

    lines: list = field(default_factory=list)

    def by_aisle(self):
        """Returns pairs of an aisle and its lines. Aisles without lines are left out."""
        groups = []
        for aisle in AISLES:
            lines = [line for line in self.lines if line.aisle == aisle]
            if lines:
                groups.append((aisle, lines))
        return groups

    def __len__(self):
        return len(self.lines)


def shopping_list(plan, stock, system="metric"):
    """Makes the list of a plan.

    The meals are cooked one after the other out of a copy of the stock. Items that are too old on the day of a meal
    are not used. The amounts of one food are added, and rounded up once at the end.
    """
    left = stock.copy()
    needs, titles = {}, {}
    for meal in plan.meals:
        left = left.without_old(meal.day)
        for part in meal.recipe.scaled(meal.people):
            lacking = _lacking(left, part)
            if lacking:
                _add(needs, part.food, lacking)
                titles.setdefault(part.food, []).append(meal.recipe.title)
    lines = [
        Line(food, amount.tidy(system), find_food(food).aisle, tuple(dict.fromkeys(titles[food])))
        for food, amount in needs.items()
    ]
    lines.sort(key=lambda line: (AISLES.index(line.aisle), line.food))
    return ShoppingList(lines)


def _lacking(stock, part):
    """Takes an ingredient out of a stock, and returns the amount that the stock did not have.

    If the units cannot be compared, the whole amount is lacking: one too many is better than none.
    """
    try:
        return stock.take(part.food, part.amount)
    except UnitError:
        return part.amount


def _add(needs, food, amount):
    """Adds an amount to the needs of a food. Amounts of two dimensions become one by the food's density."""
    if food not in needs:
        needs[food] = amount
        return
    known = find_food(food)
    needs[food] = needs[food] + amount.to_dimension(needs[food].dimension, known.density, known.piece_weight)
