"""Test methods from tables: each row of a table becomes a test of its own."""

import re
import unittest


def each(*rows):
    """Marks a method as a check that is made for each row. The row's values are its arguments."""

    def mark(check):
        check.rows = rows
        return check

    return mark


class RowCase(unittest.TestCase):
    """A test case whose marked methods become one test for each row."""

    def __init_subclass__(cls):
        for name, check in list(vars(cls).items()):
            for number, row in enumerate(getattr(check, "rows", ()), 1):
                label = re.sub(r"\W+", "_", str(row[0])).strip("_")
                setattr(cls, f"test_{name}_{number:03}_{label}", _test(check, row))


def _test(check, row):
    """Returns a test method that makes a check with the values of a row."""

    def run(self):
        check(self, *row)

    run.__doc__ = None
    return run
