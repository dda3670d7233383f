"""Tests of articles."""

import wordforms

from .rows import RowCase, each


class ArticleTests(RowCase):
    @each(
        ("apple", "an"),
        ("box", "a"),
        ("university", "a"),
        ("unimportant thing", "an"),
        ("uninvited guest", "an"),
        ("union", "a"),
        ("user", "a"),
        ("umbrella", "an"),
        ("European", "a"),
        ("one", "a"),
        ("onion", "an"),
        ("once", "a"),
        ("hour", "an"),
        ("honest man", "an"),
        ("heir", "an"),
        ("house", "a"),
        ("FBI", "an"),
        ("BBC", "a"),
        ("X", "an"),
        ("U", "a"),
        ("8", "an"),
        ("11", "an"),
        ("18", "an"),
        ("118", "a"),
        ("1", "a"),
        ("", ""),
    )
    def article(self, word, expected):
        self.assertEqual(wordforms.article(word), expected)

    @each(("apple", "an apple"), ("box", "a box"), ("", ""))
    def with_article(self, word, expected):
        self.assertEqual(wordforms.with_article(word), expected)
