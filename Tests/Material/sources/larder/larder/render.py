"""The answers as text, CSV, HTML and JSON.

Each kind of answer becomes a table first: a title, the names of the columns, and rows of texts. The four writers
know tables only, so a new answer needs no new writer.
"""

import csv
import html
import io
import json
from dataclasses import dataclass, field

from .dates import show_day, show_left

BOLD, YELLOW, RED, PLAIN = "\x1b[1m", "\x1b[33m", "\x1b[31m", "\x1b[0m"


@dataclass
class Table:
    """A table. `marks` has a word for each row that a writer may draw in another way: "soon", "old" or ""."""

    title: str
    columns: tuple
    rows: list = field(default_factory=list)
    marks: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def add(self, *cells, mark=""):
        """Adds a row."""
        self.rows.append(tuple(str(cell) for cell in cells))
        self.marks.append(mark)


def stock_table(stock, today, soon_days):
    """Makes the table of a stock."""
    table = Table("Stock", ("food", "amount", "place", "keeps"))
    for item in stock.items:
        left = item.days_left(today)
        mark = "old" if left < 0 else "soon" if left <= soon_days else ""
        table.add(item.food, item.amount.tidy(), item.place, show_left(left), mark=mark)
    old = table.marks.count("old")
    if old:
        table.notes.append(f"{old} item{' is' if old == 1 else 's are'} too old.")
    return table


def plan_table(plan, today):
    """Makes the table of a plan."""
    table = Table("Plan", ("day", "meal", "minutes", "uses up", "to buy"))
    for meal in plan.meals:
        table.add(
            show_day(meal.day, today),
            meal.recipe.title,
            meal.recipe.minutes,
            ", ".join(meal.uses_soon) or "-",
            ", ".join(meal.missing) or "-",
            mark="soon" if meal.uses_soon else "",
        )
    return table


def shopping_table(shopping):
    """Makes the table of a shopping list."""
    table = Table("Shopping list", ("aisle", "food", "amount", "for"))
    for aisle, lines in shopping.by_aisle():
        for line in lines:
            table.add(aisle, line.food, line.amount, ", ".join(line.titles))
    if not len(shopping):
        table.notes.append("There is nothing to buy.")
    return table


def recipes_table(recipes):
    """Makes the table of recipes."""
    table = Table("Recipes", ("title", "serves", "minutes", "tags"))
    for recipe in recipes:
        table.add(recipe.title, recipe.serves, recipe.minutes, ", ".join(sorted(recipe.tags)) or "-")
    return table


def as_text(table, color=False):
    """Returns a table with aligned columns. With `color`, rows that are soon or old are coloured."""
    widths = [max(len(cell) for cell in column) for column in zip(table.columns, *table.rows)]
    rule = ["-" * width for width in widths]
    lines = [_styled(table.title, BOLD, color), _row(table.columns, widths), _row(rule, widths)]
    for row, mark in zip(table.rows, table.marks):
        style = {"soon": YELLOW, "old": RED}.get(mark)
        lines.append(_styled(_row(row, widths), style, color))
    return "\n".join(lines + table.notes) + "\n"


def _row(cells, widths):
    """Returns cells side by side, without blanks at the end."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip()


def _styled(text, style, color):
    """Returns a text with a style for terminals."""
    return f"{style}{text}{PLAIN}" if color and style else text


def as_csv(table):
    """Returns a table as CSV, with the names of the columns in the first line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return out.getvalue()


def as_html(table):
    """Returns a table as a page of HTML. All texts are escaped."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in table.columns)
    rows = []
    for row, mark in zip(table.rows, table.marks):
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in row)
        rows.append(f'<tr class="{mark}">{cells}</tr>' if mark else f"<tr>{cells}</tr>")
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in table.notes)
    title = html.escape(table.title)
    body = f"<h1>{title}</h1>\n<table>\n<tr>{head}</tr>\n" + "\n".join(rows) + f"\n</table>\n{notes}"
    return f'<!doctype html>\n<meta charset="utf-8">\n<title>{title}</title>\n{body}\n'


def as_json(table):
    """Returns a table as JSON: a list of objects with the names of the columns."""
    rows = [dict(zip(table.columns, row)) for row in table.rows]
    answer = {"title": table.title, "rows": rows, "notes": table.notes}
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


def write(table, form, color=False):
    """Returns a table in a form: text, csv, html or json."""
    if form == "text":
        return as_text(table, color)
    return {"csv": as_csv, "html": as_html, "json": as_json}[form](table)
