"""The command line: reads the arguments, calls the other modules, and prints a table.

The day of today may be given with --today, so that an example gives the same result on each day.
"""

import argparse
import datetime
import os
import sys
from pathlib import Path

from . import __version__
from .amounts import Amount
from .config import load_config
from .dates import parse_day
from .errors import LarderError, UsageError
from .foods import is_known
from .journal import read_journal
from .planner import SOON_DAYS, Wishes, make_plan
from .recipes import find_recipe, read_recipes
from .render import plan_table, recipes_table, shopping_table, stock_table, write
from .shopping import shopping_list
from .stockfile import read_stock

STOCK_NAME = "stock.txt"
RECIPES_NAME = "recipes"


def make_parser():
    """Makes the parser of the command line."""
    parser = argparse.ArgumentParser(prog="larder", description="Plans meals from what is in the larder.")
    parser.add_argument("--folder", default=".", help="the folder with stock.txt and recipes/ (default: this one)")
    parser.add_argument("--today", default="today", help="the day that counts as today, such as 2026-03-10")
    parser.add_argument("--output", choices=["text", "csv", "html", "json"], help="the form of the answer")
    parser.add_argument("--strict", action="store_true", help="end with an error if a food is not known")
    parser.add_argument("--version", action="version", version=f"larder {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    verbs.add_parser("stock", help="show the stock")
    for verb, words in (("plan", "plan meals"), ("shop", "write the shopping list of a plan")):
        _add_wishes(verbs.add_parser(verb, help=words))
    find = verbs.add_parser("find", help="find recipes with a word in them")
    find.add_argument("word")
    show = verbs.add_parser("show", help="show a recipe")
    show.add_argument("title")
    show.add_argument("--people", type=int)
    cooked = verbs.add_parser("cooked", help="note that a meal was cooked")
    cooked.add_argument("title")
    cooked.add_argument("--people", type=int)
    cooked.add_argument("--day", default="today")
    for verb in ("bought", "thrown"):
        change = verbs.add_parser(verb, help=f"note that a food was {verb}")
        change.add_argument("amount", help="an amount and a food, such as '1 l milk'")
        change.add_argument("--day", default="today")
    return parser


def _add_wishes(parser):
    """Adds the options of a plan."""
    parser.add_argument("--days", type=int)
    parser.add_argument("--people", type=int)
    parser.add_argument("--minutes", type=int, help="how long a meal may take")
    parser.add_argument("--tag", action="append", default=[], help="a tag that each meal must have")
    parser.add_argument("--without", action="append", default=[], help="a word that no food may have")


class Session:
    """What all verbs need: settings, the day, and the files of the folder. Files are read when they are needed."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = Path(arguments.folder)
        self.config = load_config(self.folder)
        self.today = parse_day(arguments.today, datetime.date.today())
        self._recipes = None
        self._journal = None

    @property
    def recipes(self):
        """The recipes of the folder."""
        if self._recipes is None:
            self._recipes = read_recipes(self.folder / RECIPES_NAME)
        return self._recipes

    @property
    def journal(self):
        """The journal of the folder."""
        if self._journal is None:
            self._journal = read_journal(self.folder)
            for number in self._journal.broken:
                print(f"larder: {self._journal.path}:{number}: skipped, it cannot be read", file=sys.stderr)
        return self._journal

    def stock(self):
        """Returns the stock of today: the stock file with the changes of the journal."""
        return self.journal.apply(read_stock(self.folder / STOCK_NAME), self.recipes)

    def people(self):
        """Returns the number of people of the command line, or else of the settings."""
        return self._positive("people")

    def _positive(self, name):
        """Returns a number of the command line, or else of the settings. Raises UsageError if it is below 1."""
        value = getattr(self.arguments, name, None)
        value = getattr(self.config, name) if value is None else value
        if value < 1:
            raise UsageError(f"--{name} must be at least 1")
        return value

    def wishes(self):
        """Returns the wishes of the command line and of the settings."""
        return Wishes(
            days=self._positive("days"),
            people=self.people(),
            minutes=self._positive("minutes"),
            tags=self.config.words("tags") | {tag.lower() for tag in self.arguments.tag},
            without=self.config.words("without") | {word.lower() for word in self.arguments.without},
        )

    def plan(self):
        """Returns the plan of the wishes, with the stock that it was made of."""
        stock = self.stock()
        return make_plan(stock, self.recipes, self.wishes(), self.today, self.journal.cooked()), stock

    def show(self, table):
        """Prints a table in the form that is wanted."""
        form = self.arguments.output or self.config.output
        color = self.config.color and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        sys.stdout.write(write(table, form, color))


def run_stock(session):
    """Shows the stock."""
    session.show(stock_table(session.stock(), session.today, SOON_DAYS))


def run_plan(session):
    """Shows a plan."""
    plan, _ = session.plan()
    session.show(plan_table(plan, session.today))


def run_shop(session):
    """Shows the shopping list of a plan. The plan is made again each time: plans are not stored."""
    plan, stock = session.plan()
    session.show(shopping_table(shopping_list(plan, stock, session.config.system)))


def run_find(session):
    """Shows the recipes with a word in them."""
    word = session.arguments.word
    session.show(recipes_table([recipe for recipe in session.recipes if recipe.has_word(word)]))


def run_show(session):
    """Prints a recipe for a number of people."""
    recipe = find_recipe(session.recipes, session.arguments.title)
    people = session.people()
    print(f"{recipe.title} (for {people}, {recipe.minutes} minutes)\n")
    for part in recipe.scaled(people):
        print(f"- {part.amount.tidy(session.config.system)} {part.food}")
    for part in recipe.ingredients:
        if part.is_free:
            print(f"- {part.food}")
    print(f"\n{recipe.steps}")


def run_cooked(session):
    """Notes a meal in the journal."""
    arguments = session.arguments
    recipe = find_recipe(session.recipes, arguments.title)
    day = parse_day(arguments.day, session.today)
    session.journal.append({"day": day, "kind": "cooked", "title": recipe.title, "people": session.people()})


def run_change(session):
    """Notes a purchase, or a food that was thrown away, in the journal."""
    arguments = session.arguments
    amount, food = Amount.parse(arguments.amount)
    if not food:
        raise UsageError("write an amount and a food, such as '1 l milk'")
    if not is_known(food):
        print(f"larder: '{food}' is not known: its aisle is 'other'", file=sys.stderr)
    day = parse_day(arguments.day, session.today)
    session.journal.append({"day": day, "kind": arguments.verb, "food": food, "amount": str(amount)})


VERBS = {
    "stock": run_stock,
    "plan": run_plan,
    "shop": run_shop,
    "find": run_find,
    "show": run_show,
    "cooked": run_cooked,
    "bought": run_change,
    "thrown": run_change,
}


def main(words):
    """Runs a command line. Returns the exit code."""
    arguments = make_parser().parse_args(words)
    try:
        VERBS[arguments.verb](Session(arguments))
    except LarderError as error:
        print(f"larder: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        return 0
    return 0
