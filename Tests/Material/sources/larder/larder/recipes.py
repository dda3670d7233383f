"""Recipes, read from text files.

A recipe file has a head of "key: value" lines, an empty line, the ingredients with a "-" before each, an empty
line, and the steps as free text:

    title: Lentil soup
    serves: 4
    minutes: 35
    tags: vegan, soup

    - 300 g red lentils
    - 1 onion
    - 2 tbsp oil
    - salt (to taste)

    Fry the onion. Add the lentils.

An ingredient with "(to taste)" or "(optional)" is never bought and never missing.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from .amounts import Amount, AmountError
from .errors import FormatError, MissingError
from .foods import find_food

SUFFIX = ".recipe"
KEYS = {"title", "serves", "minutes", "tags", "source"}
FREE_MARKS = ("(to taste)", "(optional)")


@dataclass(frozen=True)
class Ingredient:
    """A food with its amount in a recipe. An ingredient that is free has no amount."""

    food: str
    amount: Amount | None
    is_free: bool = False


@dataclass
class Recipe:
    """A recipe."""

    title: str
    serves: int
    minutes: int
    tags: set = field(default_factory=set)
    ingredients: list = field(default_factory=list)
    steps: str = ""
    source: str = ""

    def scaled(self, people):
        """Returns the ingredients for a number of people, without the free ones."""
        factor = Fraction(people, self.serves)
        return [Ingredient(part.food, part.amount * factor) for part in self.ingredients if not part.is_free]

    def foods(self):
        """Returns the names of the foods that must be there."""
        return {part.food for part in self.ingredients if not part.is_free}

    def has_word(self, word):
        """Returns whether a word stands in the title, the tags or the ingredients."""
        word = word.lower()
        texts = [self.title, *self.tags, *(part.food for part in self.ingredients)]
        return any(word in text.lower() for text in texts)


def read_recipes(folder):
    """Reads all recipes of a folder, sorted by title. Raises MissingError if the folder has none."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    if not paths:
        raise MissingError(f"there are no recipes (*{SUFFIX}) in {folder}")
    recipes = [parse_recipe(path.read_text(encoding="utf-8"), path) for path in paths]
    _check_titles(recipes)
    return sorted(recipes, key=lambda recipe: recipe.title.lower())


def _check_titles(recipes):
    """Raises MissingError if two recipes have the same title, because a plan names recipes by their titles."""
    seen = set()
    for recipe in recipes:
        key = recipe.title.lower()
        if key in seen:
            raise MissingError(f"two recipes are called '{recipe.title}': rename one of them")
        seen.add(key)


def find_recipe(recipes, title):
    """Returns the recipe with a title, whatever its case. Raises MissingError with near titles."""
    for recipe in recipes:
        if recipe.title.lower() == title.lower():
            return recipe
    near = [recipe.title for recipe in recipes if recipe.has_word(title)]
    hint = f": did you mean {', '.join(near[:3])}?" if near else ""
    raise MissingError(f"there is no recipe '{title}'{hint}")


def parse_recipe(text, path="recipe"):
    """Reads a recipe from a text. `path` is named in errors only."""
    head, ingredients, steps = {}, [], []
    part = "head"
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if part == "head":
            if not stripped:
                part = "ingredients"
                continue
            key, value = _head_line(stripped, path, number)
            head[key] = value
        elif part == "ingredients" and stripped.startswith("-"):
            ingredients.append(_ingredient(stripped[1:].strip(), path, number))
        elif part == "ingredients" and not stripped:
            part = "steps" if ingredients else "ingredients"
        else:
            part = "steps"
            steps.append(line)
    return _recipe(head, ingredients, "\n".join(steps).strip(), path)


def _head_line(line, path, number):
    """Reads a line of the head."""
    key, colon, value = line.partition(":")
    key = key.strip().lower()
    if not colon or key not in KEYS:
        raise FormatError(path, number, f"'{key}' is not one of {', '.join(sorted(KEYS))}")
    return key, value.strip()


def _ingredient(text, path, number):
    """Reads an ingredient."""
    for mark in FREE_MARKS:
        if text.endswith(mark):
            name = text[: -len(mark)].strip()
            return Ingredient(find_food(name).name, None, is_free=True)
    try:
        amount, name = Amount.parse(text)
    except AmountError as error:
        raise FormatError(path, number, str(error)) from None
    if not name:
        raise FormatError(path, number, "the name of the food is missing")
    return Ingredient(find_food(name).name, amount)


def _recipe(head, ingredients, steps, path):
    """Makes a recipe of its parts, and checks the head."""
    if "title" not in head:
        raise FormatError(path, 1, "the title is missing")
    if not ingredients:
        raise FormatError(path, 1, "the recipe has no ingredients")
    numbers = {}
    for key, default in (("serves", "2"), ("minutes", "30")):
        value = head.get(key, default)
        if not value.isdigit() or int(value) == 0:
            raise FormatError(path, 1, f"{key} must be a whole number above zero, not '{value}'")
        numbers[key] = int(value)
    tags = {tag.strip().lower() for tag in head.get("tags", "").split(",") if tag.strip()}
    return Recipe(
        head["title"], numbers["serves"], numbers["minutes"], tags, ingredients, steps, head.get("source", "")
    )
