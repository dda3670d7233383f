"""A planner of meals: stock, recipes, plans and shopping lists.

The layers, from the bottom to the top:

- errors, units, amounts: quantities such as "1 1/2 cups", and arithmetic with them
- foods: what the program knows of foods (aisle, density, how long they keep)
- stockfile, recipes: readers of the two text formats
- journal: the changes of the stock, appended to a file
- planner, shopping: the two questions that the program answers
- render: texts, CSV and HTML of the answers
- config, cli: settings and the command line
"""

from .amounts import Amount
from .planner import Plan, make_plan
from .recipes import Recipe, read_recipes
from .shopping import ShoppingList, shopping_list
from .stockfile import Stock, read_stock

__all__ = [
    "Amount",
    "Plan",
    "Recipe",
    "ShoppingList",
    "Stock",
    "make_plan",
    "read_recipes",
    "read_stock",
    "shopping_list",
]
__version__ = "0.9.2"
