"""Tests of plans, shopping lists and the journal."""

import datetime
import tempfile
import unittest
from pathlib import Path

from larder.journal import read_journal
from larder.planner import Wishes, make_plan
from larder.errors import EmptyPlanError
from larder.recipes import parse_recipe
from larder.shopping import shopping_list
from larder.stockfile import parse_stock

TODAY = datetime.date(2026, 3, 10)
PASTA = parse_recipe("title: Pasta\nserves: 2\ntags: quick\n\n- 200 g pasta\n- 100 ml cream\n")
RICE = parse_recipe("title: Rice\nserves: 2\n\n- 200 g rice\n- 1 onion\n")
STOCK = "1 kg pasta, 2026-01-01\n1 kg rice, 2026-01-01\n1 onion, 2026-03-01\n200 ml cream, 2026-03-05\n"


class PlanTests(unittest.TestCase):
    def test_foods_that_must_be_eaten_come_first(self):
        plan = make_plan(parse_stock(STOCK), [RICE, PASTA], Wishes(days=2), TODAY)
        self.assertEqual(plan.titles(), ["Pasta", "Rice"])
        self.assertEqual(plan.meals[0].uses_soon, ("cream",))

    def test_a_meal_is_not_repeated_at_once(self):
        cooked = [(TODAY - datetime.timedelta(days=1), "Pasta")]
        plan = make_plan(parse_stock(STOCK), [RICE, PASTA], Wishes(days=1), TODAY, cooked)
        self.assertEqual(plan.titles(), ["Rice"])

    def test_wishes_exclude_recipes(self):
        plan = make_plan(parse_stock(STOCK), [RICE, PASTA], Wishes(days=1, without=frozenset(["cream"])), TODAY)
        self.assertEqual(plan.titles(), ["Rice"])
        with self.assertRaises(EmptyPlanError):
            make_plan(parse_stock(STOCK), [RICE, PASTA], Wishes(tags=frozenset(["soup"])), TODAY)

    def test_the_stock_that_is_given_is_not_changed(self):
        stock = parse_stock(STOCK)
        make_plan(stock, [RICE, PASTA], Wishes(days=3), TODAY)
        self.assertEqual(len(stock.items), 4)


class ShoppingTests(unittest.TestCase):
    def test_only_missing_amounts_are_bought(self):
        stock = parse_stock("150 g rice, 2026-01-01\n")
        plan = make_plan(stock, [RICE], Wishes(days=1, people=4), TODAY)
        lines = shopping_list(plan, stock).lines
        self.assertEqual([(line.food, str(line.amount)) for line in lines], [("onion", "2"), ("rice", "250 g")])


class JournalTests(unittest.TestCase):
    def test_changes_are_applied_in_their_order(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = read_journal(Path(folder))
            journal.append({"day": TODAY, "kind": "cooked", "title": "Rice", "people": 2})
            journal.append({"day": TODAY, "kind": "bought", "food": "milk", "amount": "1 l"})
            again = read_journal(Path(folder))
            stock = again.apply(parse_stock(STOCK), [RICE])
        self.assertEqual(str(stock.total("rice").tidy()), "800 g")
        self.assertIsNone(stock.total("onion"))
        self.assertEqual(str(stock.total("milk")), "1 l")

    def test_a_broken_line_is_reported_and_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "journal.jsonl").write_text("{broken\n\n")
            journal = read_journal(Path(folder))
        self.assertEqual((journal.entries, journal.broken), ([], [1]))
