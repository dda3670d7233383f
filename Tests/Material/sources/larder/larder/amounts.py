"""Amounts: a number with a unit, such as 1 1/2 cups.

Numbers are fractions, so that thirds of a cup add up. Amounts of one dimension can be added and compared. The sum
has the unit of the left side.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from .errors import LarderError, UnitError
from .units import BASE, NUMBER, Unit, VOLUME, WEIGHT, best_unit, convert, find_unit, round_up

_NUMBER = re.compile(r"\s*(?:(\d+)\s+(\d+)/(\d+)|(\d+)/(\d+)|(\d+)[.,](\d+)|(\d+))\s*")
_SIGNS = {"½": " 1/2", "⅓": " 1/3", "⅔": " 2/3", "¼": " 1/4", "¾": " 3/4", "⅛": " 1/8"}


class AmountError(LarderError):
    """A text that is no amount."""

    exit_code = 3


@dataclass(frozen=True)
class Amount:
    """A number with a unit."""

    value: Fraction
    unit: Unit

    @classmethod
    def parse(cls, text):
        """Reads an amount from a text, such as "250 g", "1 1/2 cups", "½ l" or "3". Returns it with the rest.

        Without a unit the amount is a number of pieces. The unit may have one or two words ("fl oz").
        """
        for sign, words in _SIGNS.items():
            text = text.replace(sign, words)
        match = _NUMBER.match(text)
        if match is None:
            raise AmountError(f"'{text}' does not begin with a number")
        value = _value(match.groups())
        rest = text[match.end() :]
        words = rest.split()
        for length in (2, 1):
            unit = find_unit(" ".join(words[:length])) if len(words) >= length else None
            if unit is not None:
                return cls(value, unit), " ".join(words[length:])
        return cls(value, BASE[NUMBER]), rest.strip()

    @property
    def dimension(self):
        """The dimension of the unit: weight, volume or number."""
        return self.unit.dimension

    @property
    def base(self):
        """The value in grams, millilitres or pieces."""
        return self.value * self.unit.factor

    def to(self, unit):
        """Returns the amount in another unit of the same dimension."""
        return Amount(convert(self.value, self.unit, unit), unit)

    def to_dimension(self, dimension, density=None, piece_weight=None):
        """Returns the amount in another dimension.

        `density` is in grams a millilitre, and `piece_weight` is in grams. Raises UnitError if the one that is
        needed is None.
        """
        if dimension == self.dimension:
            return self
        grams = self._grams(density, piece_weight)
        if dimension == WEIGHT:
            return Amount(grams, BASE[WEIGHT])
        if dimension == VOLUME and density:
            return Amount(grams / Fraction(density), BASE[VOLUME])
        if dimension == NUMBER and piece_weight:
            return Amount(grams / Fraction(piece_weight), BASE[NUMBER])
        raise UnitError(f"{self} cannot be given as a {dimension}")

    def _grams(self, density, piece_weight):
        """Returns the weight in grams."""
        if self.dimension == WEIGHT:
            return self.base
        if self.dimension == VOLUME and density:
            return self.base * Fraction(density)
        if self.dimension == NUMBER and piece_weight:
            return self.base * Fraction(piece_weight)
        raise UnitError(f"the weight of {self} is not known")

    def __add__(self, other):
        return Amount(self.value + convert(other.value, other.unit, self.unit), self.unit)

    def __sub__(self, other):
        return Amount(self.value - convert(other.value, other.unit, self.unit), self.unit)

    def __mul__(self, factor):
        return Amount(self.value * Fraction(factor), self.unit)

    def __lt__(self, other):
        return self.value < convert(other.value, other.unit, self.unit)

    def __bool__(self):
        return self.value != 0

    def tidy(self, system="metric"):
        """Returns the amount in the unit that fits its size, rounded up to a step that can be measured."""
        if self.unit.system == "kitchen":
            return Amount(round_up(self.value, self.unit), self.unit)
        unit = best_unit(self.base, self.dimension, system)
        return Amount(round_up(self.to(unit).value, unit), unit)

    def __str__(self):
        number = show_number(self.value)
        if self.unit == BASE[NUMBER]:
            return number
        return f"{number} {self.unit.name if self.value <= 1 else self.unit.plural}"


def _value(groups):
    """Returns the number of the groups of the pattern."""
    whole, over, under, top, bottom, left, right, plain = groups
    if whole:
        return int(whole) + _fraction(over, under)
    if top:
        return _fraction(top, bottom)
    if left:
        return Fraction(f"{left}.{right}")
    return Fraction(plain)


def _fraction(over, under):
    """Returns a fraction of two texts. Raises AmountError if the lower number is zero."""
    if int(under) == 0:
        raise AmountError(f"{over}/{under} is not a number")
    return Fraction(int(over), int(under))


def show_number(value):
    """Returns a number for people: whole numbers, halves, thirds and quarters as such, others with two digits."""
    sign, value = ("-" if value < 0 else ""), abs(value)
    if value.denominator == 1:
        return f"{sign}{value.numerator}"
    if value.denominator in (2, 3, 4, 8):
        whole, rest = divmod(value.numerator, value.denominator)
        part = f"{rest}/{value.denominator}"
        return f"{sign}{whole} {part}" if whole else sign + part
    return f"{sign}{float(value):.2f}".rstrip("0").rstrip(".")
