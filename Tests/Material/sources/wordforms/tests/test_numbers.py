"""Tests of the names and the endings of numbers."""

import wordforms

from .rows import RowCase, each


class NumberTests(RowCase):
    @each(
        (0, "zero"),
        (1, "one"),
        (7, "seven"),
        (10, "ten"),
        (12, "twelve"),
        (13, "thirteen"),
        (19, "nineteen"),
        (20, "twenty"),
        (21, "twenty-one"),
        (40, "forty"),
        (99, "ninety-nine"),
        (100, "one hundred"),
        (101, "one hundred and one"),
        (342, "three hundred and forty-two"),
        (1000, "one thousand"),
        (1001, "one thousand and one"),
        (1100, "one thousand one hundred"),
        (12345, "twelve thousand three hundred and forty-five"),
        (100000, "one hundred thousand"),
        (1000000, "one million"),
        (2000017, "two million and seventeen"),
        (10**12, "one trillion"),
        (-5, "minus five"),
        (-1234, "minus one thousand two hundred and thirty-four"),
    )
    def number_words(self, number, expected):
        self.assertEqual(wordforms.number_words(number), expected)

    @each(
        (0, "zeroth"),
        (1, "first"),
        (2, "second"),
        (3, "third"),
        (4, "fourth"),
        (5, "fifth"),
        (8, "eighth"),
        (9, "ninth"),
        (12, "twelfth"),
        (20, "twentieth"),
        (21, "twenty-first"),
        (42, "forty-second"),
        (100, "one hundredth"),
        (112, "one hundred and twelfth"),
        (1000, "one thousandth"),
    )
    def ordinal_words(self, number, expected):
        self.assertEqual(wordforms.ordinal_words(number), expected)

    @each(
        (-22, "-22nd"),
        (-11, "-11th"),
        (0, "0th"),
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (22, "22nd"),
        (101, "101st"),
        (111, "111th"),
        (112, "112th"),
        (113, "113th"),
        (1001, "1001st"),
    )
    def ordinalize(self, number, expected):
        self.assertEqual(wordforms.ordinalize(number), expected)

    def test_numbers_with_more_than_fifteen_digits_are_refused(self):
        with self.assertRaises(ValueError):
            wordforms.number_words(10**15)
