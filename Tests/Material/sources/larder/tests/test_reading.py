"""Tests of amounts, units and the two text formats."""

import datetime
import unittest
from fractions import Fraction

from larder.amounts import Amount, AmountError, show_number
from larder.errors import FormatError, MissingError, UnitError
from larder.foods import find_food, in_aisle
from larder.recipes import find_recipe, parse_recipe
from larder.stockfile import parse_stock
from larder.units import best_unit, convert, need_unit, round_up

SOUP = """title: Soup
serves: 4
tags: vegan, Warm

- 300 g red lentils
- 1 1/2 onions
- salt (to taste)

Cook it.
"""


class AmountTests(unittest.TestCase):
    def test_numbers_with_units(self):
        for text, value, unit, rest in [
            ("250 g flour", 250, "g", "flour"),
            ("1 1/2 cups milk", Fraction(3, 2), "cup", "milk"),
            ("½ l milk", Fraction(1, 2), "l", "milk"),
            ("2,5 kg potatoes", Fraction(5, 2), "kg", "potatoes"),
            ("3 fl oz cream", 3, "fl oz", "cream"),
            ("3 eggs", 3, "piece", "eggs"),
        ]:
            amount, left = Amount.parse(text)
            self.assertEqual((amount.value, amount.unit.name, left), (value, unit, rest))

    def test_texts_without_a_number_are_refused(self):
        for text in ("some milk", "", "1/0 cups"):
            with self.assertRaises(AmountError):
                Amount.parse(text)

    def test_sums_have_the_unit_of_the_left_side(self):
        total = Amount.parse("1 kg")[0] + Amount.parse("250 g")[0]
        self.assertEqual(str(total), "1 1/4 kg")

    def test_a_weight_and_a_number_cannot_be_added(self):
        with self.assertRaises(UnitError):
            Amount.parse("1 kg")[0] + Amount.parse("3")[0]

    def test_density_turns_a_volume_into_a_weight(self):
        milk = Amount.parse("1 l")[0].to_dimension("weight", density="1.03")
        self.assertEqual(str(milk), "1030 g")

    def test_numbers_for_people(self):
        for value, text in [("3", "3"), ("3/2", "1 1/2"), ("1/3", "1/3"), ("7/5", "1.4"), ("-1/4", "-1/4")]:
            self.assertEqual(show_number(Fraction(value)), text)


class UnitTests(unittest.TestCase):
    def test_conversion(self):
        self.assertEqual(convert(2, need_unit("dozen"), need_unit("pieces")), 24)
        self.assertEqual(convert(1, need_unit("Tablespoons"), need_unit("tsp")), 3)

    def test_the_best_unit_is_the_largest_that_fits(self):
        self.assertEqual(best_unit(999, "weight").name, "g")
        self.assertEqual(best_unit(1000, "weight").name, "kg")

    def test_rounding_goes_up(self):
        self.assertEqual(round_up(Fraction(101, 100), need_unit("kg")), Fraction(21, 20))

    def test_unknown_units_are_refused(self):
        with self.assertRaises(UnitError):
            need_unit("bucket")


class FoodTests(unittest.TestCase):
    def test_plurals_and_other_names(self):
        for text, name in [("Tomatoes", "tomato"), ("zucchini", "courgette"), ("leeks", "leek"), ("kelp", "kelp")]:
            self.assertEqual(find_food(text).name, name)

    def test_foods_of_an_aisle(self):
        self.assertEqual([food.name for food in in_aisle("fish")], ["cod", "prawns", "salmon"])


class StockFileTests(unittest.TestCase):
    def test_items_are_sorted_by_their_last_days(self):
        stock = parse_stock("1 kg pasta, 2026-01-01\n[fridge]\n1 l milk, 2026-03-01 ! 2026-03-05\n")
        found = [(item.food, item.place) for item in stock.items]
        self.assertEqual(found, [("milk", "fridge"), ("pasta", "larder")])
        self.assertEqual(stock.items[0].last_day, datetime.date(2026, 3, 5))

    def test_a_bad_line_is_named(self):
        with self.assertRaises(FormatError) as caught:
            parse_stock("# a note\n\n1 l milk\n", "stock.txt")
        self.assertEqual(caught.exception.line, 3)

    def test_the_oldest_item_is_taken_first(self):
        stock = parse_stock("1 l milk, 2026-03-01\n1 l milk, 2026-03-03\n")
        rest = stock.take("milk", Amount.parse("1.5 l")[0])
        self.assertFalse(rest)
        self.assertEqual([str(item.amount) for item in stock.items], ["1/2 l"])


class RecipeTests(unittest.TestCase):
    def test_a_recipe_is_read(self):
        soup = parse_recipe(SOUP)
        self.assertEqual((soup.title, soup.serves, soup.minutes), ("Soup", 4, 30))
        self.assertEqual(soup.tags, {"vegan", "warm"})
        self.assertEqual(soup.foods(), {"red lentils", "onion"})
        self.assertEqual([str(part.amount) for part in soup.scaled(2)], ["150 g", "3/4"])

    def test_a_title_that_is_not_there_gets_near_ones(self):
        with self.assertRaises(MissingError) as caught:
            find_recipe([parse_recipe(SOUP)], "lentils")
        self.assertIn("did you mean Soup?", str(caught.exception))
