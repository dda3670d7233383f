"""Tests of lists in sentences and of texts made short."""

import wordforms

from .rows import RowCase, each


class JoiningTests(RowCase):
    @each(
        ([], ""),
        (["red"], "red"),
        (["red", "green"], "red and green"),
        (["red", "green", "blue"], "red, green and blue"),
        ([1, 2, 3, 4], "1, 2, 3 and 4"),
    )
    def join_words(self, words, expected):
        self.assertEqual(wordforms.join_words(words), expected)

    @each((["a", "b"], "a or b"), (["a", "b", "c"], "a, b, or c"))
    def join_words_oxford(self, words, expected):
        self.assertEqual(wordforms.join_words(words, last="or", oxford=True), expected)

    @each(
        ("short", 10, "short"),
        ("the quick brown fox", 12, "the quick…"),
        ("the quick brown fox", 10, "the quick…"),
        ("unbreakable", 6, "unbre…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    )
    def shorten(self, text, width, expected):
        self.assertEqual(wordforms.shorten(text, width), expected)
