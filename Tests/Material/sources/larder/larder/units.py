"""Units of weight, volume and number, and the factors between them.

Each unit belongs to one dimension. The base units are the gram, the millilitre and the piece. A weight becomes a
volume only by the density of a food, which is no matter of this module.
"""

from dataclasses import dataclass
from fractions import Fraction

from .errors import UnitError

WEIGHT, VOLUME, NUMBER = "weight", "volume", "number"


@dataclass(frozen=True)
class Unit:
    """A unit. `factor` is its size in base units, and `step` is the smallest part that a kitchen can measure."""

    name: str
    plural: str
    dimension: str
    factor: Fraction
    step: Fraction
    system: str

    def __str__(self):
        return self.name


def _unit(name, plural, dimension, factor, step, system):
    """Makes a unit from the texts of a table."""
    return Unit(name, plural, dimension, Fraction(factor), Fraction(step), system)


UNITS = [
    _unit("mg", "mg", WEIGHT, "1/1000", "1", "metric"),
    _unit("g", "g", WEIGHT, "1", "1", "metric"),
    _unit("kg", "kg", WEIGHT, "1000", "1/20", "metric"),
    _unit("oz", "oz", WEIGHT, "28349523125/1000000000", "1/4", "imperial"),
    _unit("lb", "lb", WEIGHT, "45359237/100000", "1/8", "imperial"),
    _unit("ml", "ml", VOLUME, "1", "1", "metric"),
    _unit("cl", "cl", VOLUME, "10", "1/2", "metric"),
    _unit("dl", "dl", VOLUME, "100", "1/4", "metric"),
    _unit("l", "l", VOLUME, "1000", "1/20", "metric"),
    _unit("tsp", "tsp", VOLUME, "5", "1/4", "kitchen"),
    _unit("tbsp", "tbsp", VOLUME, "15", "1/2", "kitchen"),
    _unit("cup", "cups", VOLUME, "240", "1/4", "kitchen"),
    _unit("fl oz", "fl oz", VOLUME, "284130625/10000000", "1/2", "imperial"),
    _unit("pint", "pints", VOLUME, "56826125/100000", "1/4", "imperial"),
    _unit("piece", "pieces", NUMBER, "1", "1/2", "kitchen"),
    _unit("pair", "pairs", NUMBER, "2", "1", "kitchen"),
    _unit("dozen", "dozen", NUMBER, "12", "1/2", "kitchen"),
    _unit("clove", "cloves", NUMBER, "1", "1", "kitchen"),
    _unit("slice", "slices", NUMBER, "1", "1", "kitchen"),
    _unit("bunch", "bunches", NUMBER, "1", "1/2", "kitchen"),
    _unit("can", "cans", NUMBER, "1", "1", "kitchen"),
]

# Other spellings, in small letters.
ALIASES = {
    "gram": "g",
    "grams": "g",
    "gr": "g",
    "kilo": "kg",
    "kilos": "kg",
    "kilogram": "kg",
    "kilograms": "kg",
    "ounce": "oz",
    "ounces": "oz",
    "pound": "lb",
    "pounds": "lb",
    "lbs": "lb",
    "litre": "l",
    "litres": "l",
    "liter": "l",
    "liters": "l",
    "millilitre": "ml",
    "millilitres": "ml",
    "teaspoon": "tsp",
    "teaspoons": "tsp",
    "tablespoon": "tbsp",
    "tablespoons": "tbsp",
    "pc": "piece",
    "pcs": "piece",
    "x": "piece",
    "tin": "can",
    "tins": "can",
}

_BY_NAME = {name: unit for unit in UNITS for name in (unit.name, unit.plural)}
BASE = {WEIGHT: _BY_NAME["g"], VOLUME: _BY_NAME["ml"], NUMBER: _BY_NAME["piece"]}


def find_unit(text):
    """Returns the unit with a name, a plural or another spelling, or None."""
    key = text.strip().lower().rstrip(".")
    return _BY_NAME.get(ALIASES.get(key, key))


def need_unit(text):
    """Returns the unit with a name. Raises UnitError if there is none."""
    unit = find_unit(text)
    if unit is None:
        raise UnitError(f"'{text}' is not a unit")
    return unit


def convert(value, source, target):
    """Returns a value in another unit of the same dimension. Raises UnitError for two dimensions."""
    if source.dimension != target.dimension:
        raise UnitError(f"{source} is a {source.dimension}, and {target} is a {target.dimension}")
    return Fraction(value) * source.factor / target.factor


def best_unit(value, dimension, system="metric"):
    """Returns the largest unit of a system in which a value in base units is at least 1.

    Numbers of pieces have no other unit. If no unit is small enough, the smallest unit is returned.
    """
    if dimension == NUMBER:
        return BASE[NUMBER]
    fitting = [unit for unit in UNITS if unit.dimension == dimension and unit.system == system]
    fitting.sort(key=lambda unit: unit.factor)
    best = fitting[0]
    for unit in fitting:
        if abs(value) >= unit.factor:
            best = unit
    return best


def round_up(value, unit):
    """Returns a value rounded up to the step of its unit, so that a shopping list never has too little."""
    steps = Fraction(value) / unit.step
    whole = steps.numerator // steps.denominator
    if whole * unit.step < value:
        whole += 1
    return whole * unit.step
