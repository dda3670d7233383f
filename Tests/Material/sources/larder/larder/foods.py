"""What the program knows of foods.

A food has an aisle, a number of days that it keeps after the purchase, and a price class from 1 (cheap) to 5. The
density is in grams a millilitre, and the weight of a piece is in grams. Both are texts, so that they become exact
fractions. A food that is not in the table is accepted: it has no density, and it keeps for DEFAULT_KEEPS days.
"""

from dataclasses import dataclass

AISLES = (
    "produce",
    "bakery",
    "dairy",
    "meat",
    "fish",
    "dry",
    "baking",
    "tins",
    "sauces",
    "spices",
    "frozen",
    "drinks",
    "other",
)
DEFAULT_KEEPS = 7


@dataclass(frozen=True)
class Food:
    """A food."""

    name: str
    aisle: str
    keeps: int
    price_class: int
    density: str | None = None
    piece_weight: str | None = None


FOODS = [
    Food("apple", "produce", 28, 1, piece_weight="180"),
    Food("apricot", "produce", 5, 2, piece_weight="45"),
    Food("asparagus", "produce", 4, 3, piece_weight="25"),
    Food("aubergine", "produce", 7, 2, piece_weight="300"),
    Food("avocado", "produce", 5, 2, piece_weight="170"),
    Food("baking powder", "baking", 365, 1, density="0.9"),
    Food("baking soda", "baking", 700, 1, density="0.95"),
    Food("balsamic vinegar", "sauces", 900, 3, density="1.08"),
    Food("banana", "produce", 6, 1, piece_weight="120"),
    Food("barley", "dry", 365, 1, density="0.7"),
    Food("basil", "produce", 5, 1, piece_weight="30"),
    Food("bay leaf", "spices", 365, 1, piece_weight="0.2"),
    Food("beef", "meat", 3, 4),
    Food("beetroot", "produce", 21, 1, piece_weight="150"),
    Food("bell pepper", "produce", 10, 2, piece_weight="160"),
    Food("black beans", "dry", 700, 1, density="0.8"),
    Food("black pepper", "spices", 700, 2, density="0.5"),
    Food("blueberries", "produce", 7, 3, density="0.65"),
    Food("bread", "bakery", 4, 2, piece_weight="500"),
    Food("breadcrumbs", "baking", 180, 1, density="0.45"),
    Food("broccoli", "produce", 6, 2, piece_weight="350"),
    Food("brown sugar", "baking", 700, 1, density="0.85"),
    Food("buckwheat", "dry", 300, 2, density="0.75"),
    Food("butter", "dairy", 30, 2, density="0.95"),
    Food("buttermilk", "dairy", 10, 1, density="1.03"),
    Food("cabbage", "produce", 30, 1, piece_weight="1000"),
    Food("capers", "tins", 365, 2, density="0.7"),
    Food("carrot", "produce", 25, 1, piece_weight="80"),
    Food("cauliflower", "produce", 9, 2, piece_weight="800"),
    Food("celery", "produce", 14, 1, piece_weight="60"),
    Food("cheddar", "dairy", 28, 3),
    Food("chicken", "meat", 2, 3),
    Food("chickpeas", "tins", 900, 1, piece_weight="240"),
    Food("chilli", "produce", 12, 1, piece_weight="10"),
    Food("chives", "produce", 5, 1, piece_weight="20"),
    Food("chocolate", "baking", 300, 2),
    Food("cinnamon", "spices", 700, 2, density="0.56"),
    Food("coconut milk", "tins", 700, 2, density="0.97"),
    Food("cod", "fish", 2, 4),
    Food("coffee", "drinks", 180, 3, density="0.4"),
    Food("coriander", "produce", 4, 1, piece_weight="30"),
    Food("courgette", "produce", 7, 1, piece_weight="200"),
    Food("couscous", "dry", 500, 1, density="0.75"),
    Food("cream", "dairy", 9, 2, density="1.0"),
    Food("cream cheese", "dairy", 20, 2, density="0.98"),
    Food("cucumber", "produce", 7, 1, piece_weight="350"),
    Food("cumin", "spices", 700, 2, density="0.5"),
    Food("curry powder", "spices", 500, 2, density="0.5"),
    Food("dates", "dry", 200, 2, piece_weight="8"),
    Food("dill", "produce", 5, 1, piece_weight="25"),
    Food("egg", "dairy", 24, 1, piece_weight="55"),
    Food("fennel", "produce", 8, 2, piece_weight="250"),
    Food("feta", "dairy", 40, 2),
    Food("figs", "dry", 200, 3, piece_weight="10"),
    Food("flour", "baking", 300, 1, density="0.55"),
    Food("garlic", "produce", 60, 1, piece_weight="5"),
    Food("ginger", "produce", 25, 1, piece_weight="60"),
    Food("goat cheese", "dairy", 20, 3),
    Food("green beans", "produce", 6, 2),
    Food("ham", "meat", 7, 3),
    Food("hazelnuts", "dry", 200, 3, density="0.6"),
    Food("honey", "sauces", 900, 3, density="1.42"),
    Food("kale", "produce", 6, 2, piece_weight="200"),
    Food("kidney beans", "tins", 900, 1, piece_weight="240"),
    Food("lamb", "meat", 3, 5),
    Food("leek", "produce", 12, 1, piece_weight="180"),
    Food("lemon", "produce", 25, 1, piece_weight="110"),
    Food("lentils", "dry", 700, 1, density="0.85"),
    Food("lettuce", "produce", 6, 1, piece_weight="400"),
    Food("lime", "produce", 25, 1, piece_weight="65"),
    Food("mango", "produce", 6, 2, piece_weight="330"),
    Food("maple syrup", "sauces", 400, 4, density="1.32"),
    Food("milk", "dairy", 8, 1, density="1.03"),
    Food("mint", "produce", 5, 1, piece_weight="25"),
    Food("mozzarella", "dairy", 14, 2, piece_weight="125"),
    Food("mushrooms", "produce", 5, 2, piece_weight="18"),
    Food("mustard", "sauces", 365, 1, density="1.05"),
    Food("noodles", "dry", 700, 1),
    Food("nutmeg", "spices", 900, 2, density="0.5"),
    Food("oats", "dry", 365, 1, density="0.4"),
    Food("oil", "sauces", 500, 2, density="0.92"),
    Food("olive oil", "sauces", 500, 3, density="0.92"),
    Food("olives", "tins", 500, 2, piece_weight="4"),
    Food("onion", "produce", 40, 1, piece_weight="110"),
    Food("orange", "produce", 20, 1, piece_weight="180"),
    Food("oregano", "spices", 500, 1, density="0.2"),
    Food("paprika", "spices", 500, 1, density="0.46"),
    Food("parmesan", "dairy", 60, 4, density="0.42"),
    Food("parsley", "produce", 6, 1, piece_weight="40"),
    Food("parsnip", "produce", 20, 1, piece_weight="130"),
    Food("pasta", "dry", 900, 1),
    Food("peanut butter", "sauces", 200, 2, density="1.1"),
    Food("pear", "produce", 8, 1, piece_weight="170"),
    Food("peas", "frozen", 300, 1, density="0.6"),
    Food("pesto", "sauces", 60, 2, density="0.95"),
    Food("pine nuts", "dry", 150, 5, density="0.6"),
    Food("polenta", "dry", 365, 1, density="0.75"),
    Food("pork", "meat", 3, 3),
    Food("potato", "produce", 40, 1, piece_weight="150"),
    Food("prawns", "fish", 2, 5, piece_weight="15"),
    Food("pumpkin", "produce", 60, 2, piece_weight="1500"),
    Food("quinoa", "dry", 500, 3, density="0.75"),
    Food("radish", "produce", 8, 1, piece_weight="15"),
    Food("raisins", "dry", 365, 2, density="0.65"),
    Food("red lentils", "dry", 700, 1, density="0.85"),
    Food("rice", "dry", 900, 1, density="0.85"),
    Food("ricotta", "dairy", 12, 2, density="1.0"),
    Food("rosemary", "produce", 10, 1, piece_weight="15"),
    Food("rye flour", "baking", 300, 1, density="0.5"),
    Food("salmon", "fish", 2, 5),
    Food("salt", "spices", 3000, 1, density="1.2"),
    Food("sausage", "meat", 6, 2, piece_weight="90"),
    Food("sesame", "dry", 300, 2, density="0.6"),
    Food("shallot", "produce", 40, 2, piece_weight="35"),
    Food("soured cream", "dairy", 16, 1, density="1.0"),
    Food("soy sauce", "sauces", 900, 2, density="1.15"),
    Food("spinach", "produce", 4, 2, piece_weight="300"),
    Food("spring onion", "produce", 7, 1, piece_weight="15"),
    Food("stock cube", "spices", 700, 1, piece_weight="10"),
    Food("strawberries", "produce", 3, 3, piece_weight="15"),
    Food("sugar", "baking", 3000, 1, density="0.85"),
    Food("sunflower seeds", "dry", 300, 1, density="0.6"),
    Food("sweet potato", "produce", 25, 1, piece_weight="220"),
    Food("sweetcorn", "tins", 900, 1, piece_weight="280"),
    Food("tahini", "sauces", 300, 3, density="1.05"),
    Food("tea", "drinks", 700, 2, density="0.3"),
    Food("thyme", "produce", 8, 1, piece_weight="10"),
    Food("tofu", "dairy", 20, 2, piece_weight="250"),
    Food("tomato", "produce", 8, 1, piece_weight="110"),
    Food("tomatoes in tins", "tins", 900, 1, piece_weight="400"),
    Food("tomato paste", "tins", 500, 1, density="1.1"),
    Food("tuna", "tins", 900, 2, piece_weight="150"),
    Food("turkey", "meat", 2, 3),
    Food("turmeric", "spices", 700, 2, density="0.6"),
    Food("vanilla", "baking", 900, 5, piece_weight="3"),
    Food("vinegar", "sauces", 900, 1, density="1.01"),
    Food("walnuts", "dry", 200, 3, density="0.5"),
    Food("white beans", "tins", 900, 1, piece_weight="240"),
    Food("yeast", "baking", 200, 1, piece_weight="7"),
    Food("yoghurt", "dairy", 14, 1, density="1.04"),
]

# Other names, in the singular.
OTHER_NAMES = {
    "capsicum": "bell pepper",
    "cilantro": "coriander",
    "corn": "sweetcorn",
    "eggplant": "aubergine",
    "garbanzo": "chickpeas",
    "pepper": "black pepper",
    "plain flour": "flour",
    "scallion": "spring onion",
    "shrimp": "prawns",
    "sour cream": "soured cream",
    "tinned tomatoes": "tomatoes in tins",
    "yogurt": "yoghurt",
    "zucchini": "courgette",
}

_BY_NAME = {food.name: food for food in FOODS}


def find_food(text):
    """Returns the food with a name. A plural and another name are understood.

    A food that is not in the table is returned with default values, under the name that was given.
    """
    name = " ".join(text.lower().split())
    for candidate in (name, *_singulars(name)):
        candidate = OTHER_NAMES.get(candidate, candidate)
        if candidate in _BY_NAME:
            return _BY_NAME[candidate]
    return Food(name, "other", DEFAULT_KEEPS, 2)


def is_known(text):
    """Returns whether a food stands in the table."""
    return find_food(text).name in _BY_NAME


def _singulars(name):
    """Returns the forms that a plural may come from."""
    forms = []
    if name.endswith("oes") or name.endswith("ches"):
        forms.append(name[:-2])
    if name.endswith("ies"):
        forms.append(name[:-3] + "y")
    if name.endswith("ves"):
        forms.append(name[:-3] + "f")
    if name.endswith("s"):
        forms.append(name[:-1])
    return forms


def in_aisle(aisle):
    """Returns the foods of an aisle, sorted by name. Raises ValueError if there is no such aisle."""
    if aisle not in AISLES:
        raise ValueError(f"'{aisle}' is not one of {', '.join(AISLES)}")
    return sorted((food for food in FOODS if food.aisle == aisle), key=lambda food: food.name)
