"""The planner: which meal on which day.

The planner goes from day to day. On each day it scores every recipe against the stock that is left. It takes the
recipe with the highest score, and takes its ingredients out of a copy of the stock. It never goes back to an
earlier day.

The score of a recipe on a day is the sum of:

- for each food that must be eaten soon: SOON_POINTS, divided by the days that are left plus one
- for each food that is missing: minus MISSING_POINTS, and minus the food's price class
- if the recipe takes longer than the wish allows: minus LONG_POINTS for each ten minutes more
- if the recipe was cooked in the last REPEAT_DAYS days: minus REPEAT_POINTS

Two recipes with the same score are sorted by their titles, so that a plan is the same each time.
"""

import datetime
from dataclasses import dataclass, field

from .errors import EmptyPlanError, UnitError
from .foods import find_food

SOON_DAYS = 4
SOON_POINTS = 12.0
MISSING_POINTS = 3.0
LONG_POINTS = 1.5
REPEAT_DAYS = 3
REPEAT_POINTS = 20.0


@dataclass(frozen=True)
class Wishes:
    """What the user wants of a plan."""

    days: int = 3
    people: int = 2
    minutes: int = 60
    tags: frozenset = frozenset()
    without: frozenset = frozenset()

    def allows(self, recipe):
        """Returns whether a recipe has all tags that are wanted, and no food that is not."""
        if not self.tags <= recipe.tags:
            return False
        return not any(word in food for word in self.without for food in recipe.foods())


@dataclass(frozen=True)
class Meal:
    """A meal of a plan. `missing` are the foods that must be bought for it."""

    day: datetime.date
    recipe: object
    people: int
    score: float
    missing: tuple
    uses_soon: tuple


@dataclass
class Plan:
    """The meals of some days."""

    meals: list = field(default_factory=list)

    @property
    def first_day(self):
        """The day of the first meal."""
        return self.meals[0].day

    def titles(self):
        """Returns the titles of the meals, in the order of the days."""
        return [meal.recipe.title for meal in self.meals]


def make_plan(stock, recipes, wishes, today, cooked=()):
    """Makes a plan from today on.

    `cooked` are pairs of a day and a title: the meals of the last days. Raises EmptyPlanError if no recipe fits the
    wishes.
    """
    fitting = [recipe for recipe in recipes if wishes.allows(recipe)]
    if not fitting:
        raise EmptyPlanError("no recipe fits: ask for fewer tags, or allow more foods")
    left = stock.without_old(today)
    history = list(cooked)
    plan = Plan()
    for offset in range(wishes.days):
        day = today + datetime.timedelta(days=offset)
        left = left.without_old(day)
        best = min(
            (_meal(recipe, left, wishes, day, history) for recipe in fitting),
            key=lambda meal: (-meal.score, meal.recipe.title),
        )
        plan.meals.append(best)
        history.append((day, best.recipe.title))
        _eat(left, best)
    return plan


def _meal(recipe, stock, wishes, day, history):
    """Returns a recipe as a meal of a day, with its score."""
    missing, uses_soon, score = [], [], 0.0
    soon = {item.food: item.days_left(day) for item in reversed(stock.soon(day, SOON_DAYS))}
    for part in recipe.scaled(wishes.people):
        if part.food in soon:
            uses_soon.append(part.food)
            score += SOON_POINTS / (soon[part.food] + 1)
        if _is_missing(stock, part):
            missing.append(part.food)
            score -= MISSING_POINTS + find_food(part.food).price_class
    score -= _long_points(recipe, wishes) + _repeat_points(recipe, day, history)
    return Meal(day, recipe, wishes.people, round(score, 3), tuple(missing), tuple(uses_soon))


def _long_points(recipe, wishes):
    """Returns the points that a recipe loses for its time."""
    over = max(0, recipe.minutes - wishes.minutes)
    return LONG_POINTS * (over / 10)


def _repeat_points(recipe, day, history):
    """Returns the points that a recipe loses because it was cooked a short time before."""
    for cooked_day, title in history:
        if title == recipe.title and 0 <= (day - cooked_day).days <= REPEAT_DAYS:
            return REPEAT_POINTS
    return 0.0


def _is_missing(stock, part):
    """Returns whether the stock has less of a food than an ingredient needs.

    A food whose units cannot be compared counts as present if there is any of it.
    """
    total = stock.total(part.food)
    if total is None:
        return True
    food = find_food(part.food)
    try:
        return total < part.amount.to_dimension(total.dimension, food.density, food.piece_weight)
    except UnitError:
        return False


def _eat(stock, meal):
    """Takes the ingredients of a meal out of a stock. What is missing is bought, so it is not there afterwards."""
    for part in meal.recipe.scaled(meal.people):
        try:
            stock.take(part.food, part.amount)
        except UnitError:
            continue
